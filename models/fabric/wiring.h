// How the ports of a network's routers are numbered, and the wires between them: what is fixed once the topology is.
//
// Numbering: a port is `router << port_bits | port`, for both its input and its output. The injection links of the
// nodes' local ports follow the routers' output ports in the same numbering.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/fabric/router_range.h"
#include "routing/topology/topology.h"

namespace braid::models {

using PortIndex = std::uint32_t;
/// No port, no virtual channel.
constexpr std::uint32_t kNone = ~std::uint32_t{0};

class PortNumbering {
 public:
  PortNumbering() = default;
  PortNumbering(std::size_t routers, std::size_t most_ports);
  explicit PortNumbering(const routing::Topology& topology);

  std::size_t router_count() const { return routers_; }
  /// Numbers of routers' ports, used or not.
  std::size_t router_port_count() const { return routers_ << port_bits_; }
  std::uint32_t port_stride() const { return 1U << port_bits_; }
  PortIndex port_index(RouterId r, PortId p) const { return (r.value << port_bits_) | p.value; }
  RouterId router_of(PortIndex p) const { return RouterId{p >> port_bits_}; }
  std::uint32_t port_of(PortIndex p) const { return p & ((1U << port_bits_) - 1); }
  /// The injection link of local port `i`: an output port of the network interface.
  PortIndex injection_port(std::size_t i) const { return static_cast<PortIndex>(router_port_count() + i); }
  bool is_injection_port(PortIndex p) const { return p >= router_port_count(); }
  std::size_t local_port_of_injection(PortIndex p) const { return p - router_port_count(); }

 protected:
  std::size_t routers_ = 0;
  unsigned port_bits_ = 0;
};

/// The far end of an output port.
struct Link {
  std::uint32_t target = kNone;  ///< PortIndex of the input port, or number of the node's local port
  std::uint32_t latency_cycles = 1;
  bool to_node = false;
};

/// A node's local port and the router's port it is wired to: in a one-way network one for what it injects, another one
/// for what it takes.
struct LocalPort {
  NodeId node;
  PortIndex router_port = 0;
  PortIndex exit_port = 0;
};

struct Wiring : PortNumbering {
  explicit Wiring(const routing::Topology& topology);
  /// What it will take, with one local port a node.
  static std::uint64_t bytes(const routing::Topology& topology);

  std::vector<Link> links;             ///< [output port], injection links behind the routers'
  std::vector<PortIndex> upstream;     ///< [input port] the output port that feeds it, kNone at a mesh's edge
  std::vector<LocalPort> local_ports;  ///< node by node, as the transport numbers them
  std::uint32_t max_link_latency_cycles = 1;
  bool one_way = false;  ///< routing::Topology::one_way()

  /// The local ports at some routers: the first, and one past the last.
  std::pair<std::size_t, std::size_t> local_ports_of(RouterRange range) const;
  /// Calls connect(router, router) for the two ends of every link between routers, both ways round: flits go one way,
  /// credits the other. A node that takes what comes from another router than its own is such a link, too.
  template <class Connect>
  void for_each_neighbours(Connect connect) const {
    for (PortIndex in = 0; in < upstream.size(); ++in) {
      if (upstream[in] == kNone || is_injection_port(upstream[in])) continue;
      connect(router_of(upstream[in]), router_of(in));
      connect(router_of(in), router_of(upstream[in]));
    }
    if (!one_way) return;
    for (const LocalPort& local : local_ports) {
      connect(router_of(local.exit_port), router_of(local.router_port));
      connect(router_of(local.router_port), router_of(local.exit_port));
    }
  }
};

}  // namespace braid::models
