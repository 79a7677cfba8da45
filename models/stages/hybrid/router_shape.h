// How wide a hybrid router's ports are, as those of its RTL (hw/hybrid_router.sv).
#pragma once

#include "models/fabric/bits.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models::stages::hybrid {

/// The RTL knows one escape VC: that of minimal adaptive routing on a mesh.
constexpr VcMask kEscapeVc = 1;

struct RouterShape {
  unsigned ports = 5;
  unsigned vcs = 4;
  unsigned depth = 8;          ///< flits of a packet VC's buffer
  unsigned circuit_lanes = 0;  ///< of a local port; 0: a packet router
  bool escape = false;         ///< minimal adaptive routing: VC 0 of ports between routers is the escape path's

  unsigned input_vcs() const { return ports * vcs; }
  unsigned lanes() const { return vcs + circuit_lanes; }
  /// Rows of the circuit table: circuit lanes of all ports, lane 0 of port 0 first.
  unsigned rows() const { return ports * circuit_lanes; }
  /// Bits that number a thing of so many: 1 at least, as router_pkg::index_width.
  static unsigned index_bits(unsigned count) { return count > 1 ? bits_for(count) : 1; }
  unsigned port_bits() const { return index_bits(ports); }
  unsigned row_bits() const { return index_bits(rows()); }
  unsigned circuit_bits() const { return index_bits(circuit_lanes); }
  unsigned vc_bits() const { return index_bits(vcs); }
  unsigned lane_bits() const { return index_bits(lanes()); }
  unsigned credit_bits() const { return bits_for(std::size_t{depth} + 1); }
  /// A set of ports; with an escape path, above it, its port.
  unsigned route_width() const { return escape ? 2 * ports : ports; }

  /// A candidate as a bit of a route ...
  unsigned candidate_bit(const routing::Candidate& c) const {
    return static_cast<unsigned>(c.port.value) + (escape && c.vcs == kEscapeVc ? ports : 0);
  }
  /// ... and back. `escapes`: VC 0 of the port is the escape path's.
  routing::Candidate candidate(unsigned bit, bool escapes) const {
    const VcMask all = (VcMask{1} << vcs) - 1;
    if (bit >= ports) return {PortId{std::size_t{bit} - ports}, 0, kEscapeVc};
    if (!escape || !escapes) return {PortId{std::size_t{bit}}, 0, all};
    return {PortId{std::size_t{bit}}, 1, all & ~kEscapeVc};
  }
};

}  // namespace braid::models::stages::hybrid
