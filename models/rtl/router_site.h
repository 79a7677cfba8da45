// What distinguishes one router of a network from the others, as the RTL is told: straps and routing tables; and what
// all have in common, its parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/options.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::models::hybrid {

/// The most ports of a router that has pins.
constexpr std::size_t kMaxPinPorts = 8;

/// Parameters of the RTL: what it is elaborated for.
struct RouterShape {
  std::uint32_t ports = 0;
  std::uint32_t vcs = 0;
  std::uint32_t depth = 0;
  bool buffer_bypass = false;
  bool circuits = false;
  std::uint32_t circuit_depth = 0;
  std::uint32_t circuit_lanes = 1;  ///< of a local port; a power of two
  std::uint32_t flit_width = 64;
  std::string routing = "x_first";                     ///< of hw/words.toml
  std::string arbiter = "round_robin";                 ///< "round_robin" or "matrix"
  std::uint32_t table_nodes = 16;                      ///< that a routing table has room for, under "table"
  std::string vc_allocator = "separable_input_first";  ///< or "islip"
  std::string switch_allocator = "separable_input_first";
  std::uint32_t islip_iterations = 1;  ///< of iSLIP in a cycle; 1 where neither is

  bool has_islip() const { return vc_allocator == "islip" || switch_allocator == "islip"; }
  bool by_table() const { return routing == "table"; }
  std::uint32_t lanes() const { return vcs + (circuits ? circuit_lanes : 0); }
  /// Circuit lanes that the RTL has at a port: router_pkg::lanes_at().
  std::uint32_t circuit_lanes_at(std::uint32_t port) const { return by_table() || port >= 4 ? circuit_lanes : 1; }
  /// A circuit lane of a port as the RTL numbers it: a row of its circuit table.
  std::uint32_t row(std::uint32_t port, std::uint32_t circuit) const { return port * circuit_lanes + circuit; }
  std::uint32_t flit_words() const { return (flit_width + 63) / 64; }

  /// A candidate as bits of the RTL's register: its port or, above the ports, the port of the escape path. On a torus,
  /// above the ports, which halves of the VCs it may take.
  std::uint32_t candidate_bits(const routing::Candidate& c) const {
    const std::uint32_t port = std::uint32_t{1} << (c.port.value + (escapes() && c.vcs == kEscapeVc ? ports : 0));
    if (!halves()) return port;
    return port | ((c.vcs & lower()) != 0 ? 1U : 0U) << ports | ((c.vcs & ~lower()) != 0 ? 2U : 0U) << ports;
  }
  /// The bits of such a register that are ports, each a candidate.
  std::uint64_t candidate_ports(std::uint64_t candidates) const {
    return halves() ? candidates & ((std::uint64_t{1} << ports) - 1) : candidates;
  }
  /// The candidate of one of them. `network`: the port leads to another router.
  routing::Candidate candidate(std::uint64_t candidates, std::uint32_t bit, bool network) const {
    const VcMask all = (VcMask{1} << vcs) - 1;
    if (halves()) {
      const std::uint64_t allowed = candidates >> ports;
      return {PortId{std::size_t{bit}}, 0,
              ((allowed & 1) != 0 ? lower() : 0) | ((allowed & 2) != 0 ? all & ~lower() : 0)};
    }
    if (bit >= ports) return {PortId{std::size_t{bit} - ports}, 0, kEscapeVc};
    if (!escapes() || !network) return {PortId{std::size_t{bit}}, 0, all};
    return {PortId{std::size_t{bit}}, 1, all & ~kEscapeVc};
  }

 private:
  static constexpr VcMask kEscapeVc = 1;
  bool escapes() const { return routing == "minimal_adaptive"; }
  bool halves() const { return routing == "torus_x_first"; }
  VcMask lower() const { return (VcMask{1} << (vcs / 2)) - 1; }
};

/// The shape of every router of an experiment. Throws InputError for what the RTL has no parameter for (other
/// allocators, a torus, more than 8 ports). `flit_width` is not of the model: any RTL of 64 bits or more will do.
RouterShape router_shape(const Options& options, const Configuration& configuration, const routing::Topology& topology);
/// A shape of pin_shape() as the RTL has it: it knows a torus by coordinates, where a foreign router may have a table.
RouterShape with_rtl_routing(RouterShape shape, const Configuration& configuration, const routing::Topology& topology);
/// What of it the pins show, for routers of any allocators and topology. Throws InputError for more than 8 ports.
RouterShape pin_shape(const Options& options, const Configuration& configuration, const routing::Topology& topology);

struct RouterSite {
  std::uint32_t x = 0, y = 0;
  std::uint32_t last_x = 0, last_y = 0;  ///< the largest coordinates
  std::uint32_t network_ports = 0;       ///< one bit a port
  std::uint32_t local_ports = 0;
  std::uint32_t port_class = 0;   ///< table routing
  std::uint32_t avoid_ports = 0;  ///< links of setup.avoid_links, one bit a port
  bool share_reserved_links = true;
  /// Table routing: [set][node] port sets. 0, 1: routes of packets that come in at a port of that class. 2: directions.
  std::vector<std::uint32_t> table[3];
};

/// The straps alone, for routers of any routing.
RouterSite router_straps(const Options& options, const routing::Topology& topology, RouterId router);

/// Straps and tables of one router. Throws InputError where the routing algorithm's answers do not fit the table: VCs
/// or priorities that differ among candidates, more than two classes of input ports, a look at the packet's source.
RouterSite router_site(const RouterShape& shape, const Options& options, const routing::Topology& topology,
                       const routing::RoutingAlgorithm& routing, RouterId router);

/// A flit as the RTL carries it: head, tail, lane and data words. The data tell the flit: destination (lowest 16 bits),
/// sequence, packet; further words are mixed from these, so that all wires are used.
class FlitCodec {
 public:
  /// `origin`: on a grid, y << 8 | x of router (0,0), added to all coordinates.
  FlitCodec(const RouterShape& shape, const routing::Topology& topology, const PacketStore& store,
            std::uint32_t origin = 0);
  std::uint32_t words() const { return words_; }
  /// Writes words() words.
  void encode(const Flit& flit, std::uint64_t* data) const;
  /// Needs 64 bits of data.
  static Flit decode(std::uint64_t word, bool tail, std::uint32_t lane);

  std::uint32_t code(NodeId node) const { return code_of_node_[node.value]; }
  NodeId node(std::uint32_t code) const;

 private:
  std::uint32_t words_;
  std::uint64_t last_mask_;
  bool grid_;
  std::uint32_t origin_;
  std::uint32_t grid_width_ = 0;
  std::vector<std::uint32_t> code_of_node_;
  const PacketStore& store_;
};

}  // namespace braid::models::hybrid
