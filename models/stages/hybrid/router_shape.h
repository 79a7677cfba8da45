// How wide a hybrid router's ports are, as those of its RTL (hw/hybrid_router.sv).
#pragma once

#include "models/fabric/bits.h"

namespace braid::models::stages::hybrid {

struct RouterShape {
  unsigned ports = 5;
  unsigned vcs = 4;
  unsigned depth = 8;          ///< flits of a packet VC's buffer
  unsigned circuit_lanes = 0;  ///< of a local port; 0: a packet router

  unsigned input_vcs() const { return ports * vcs; }
  unsigned lanes() const { return vcs + circuit_lanes; }
  /// Bits that number a thing of so many: 1 at least, as router_pkg::index_width.
  static unsigned index_bits(unsigned count) { return count > 1 ? bits_for(count) : 1; }
  unsigned port_bits() const { return index_bits(ports); }
  unsigned lane_bits() const { return index_bits(lanes()); }
  unsigned credit_bits() const { return bits_for(std::size_t{depth} + 1); }
};

}  // namespace braid::models::stages::hybrid
