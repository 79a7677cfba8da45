// Which ports bring a packet nearer, on any topology: distances of all pairs, breadth first. What the algorithms of
// PO2 share.
#pragma once

#include <vector>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::routing {

class MinimalPorts {
 public:
  explicit MinimalPorts(const Topology& topology) : topology_(topology) {
    for (std::size_t d = 0; d < topology.router_count(); ++d) {
      for (const std::uint32_t links : topology.distances_to(RouterId{d})) {
        distance_.push_back(static_cast<std::uint16_t>(links));
      }
    }
    for (std::size_t n = 0; n < topology.node_count(); ++n) router_of_.push_back(topology.router_of(NodeId{n}));
  }

  /// Links from `from` to the node's router.
  std::uint32_t distance(RouterId from, NodeId to) const {
    return distance_[router_of_[to.value].value * topology_.router_count() + from.value];
  }

  /// Calls visit(port, links that are left after it) for each connected network port, in the ports' order.
  template <class Visit>
  void for_each_port(RouterId router, NodeId to, Visit visit) const {
    const auto& ports = topology_.routers[router.value];
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (ports[p].kind == PortKind::kNetwork) visit(PortId{p}, distance(ports[p].peer_router, to));
    }
  }

  /// Offers the node's own ports: for a packet at its router.
  void eject(NodeId to, VcMask vcs, CandidateList& out) const {
    for (const Attachment& a : topology_.nodes[to.value]) out.add(a.port, vcs);
  }

  const Topology& topology() const { return topology_; }

 private:
  const Topology& topology_;
  std::vector<std::uint16_t> distance_;  // [destination router][router]
  std::vector<RouterId> router_of_;      // [node]
};

}  // namespace braid::routing
