// Which ports bring a packet nearer, on any topology: distances to each destination, breadth first. What the algorithms
// of PO2 share.
#pragma once

#include <algorithm>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/algorithm/rows_on_demand.h"

namespace braid::routing {

class MinimalPorts {
 public:
  explicit MinimalPorts(const Topology& topology) : topology_(topology), distance_(topology, topology.router_count()) {
    for (std::size_t n = 0; n < topology.node_count(); ++n) exit_of_.push_back(topology.exit_router(NodeId{n}));
  }

  /// Links from `from` to the node's router, where it ejects.
  std::uint32_t distance(RouterId from, NodeId to) const { return row(to)[from.value]; }

  /// Calls visit(port, links that are left after it) for each connected network port, in the ports' order.
  template <class Visit>
  void for_each_port(RouterId router, NodeId to, Visit visit) const {
    const auto& ports = topology_.routers[router.value];
    const std::uint16_t* const left = row(to);
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (ports[p].kind == PortKind::kNetwork) visit(PortId{p}, left[ports[p].peer_router.value]);
    }
  }

  /// Offers the node's own ports: for a packet at its router.
  void eject(NodeId to, VcMask vcs, CandidateList& out) const {
    for (const Attachment& a : topology_.exits_of(to)) out.add(a.port, vcs);
  }

  const Topology& topology() const { return topology_; }
  void check_room() const { distance_.check_room(); }

 private:
  /// Links from each router to the node's.
  const std::uint16_t* row(NodeId to) const {
    const RouterId destination = exit_of_[to.value];
    return distance_.row(destination.value, [&] { return distances_to(destination); });
  }
  std::vector<std::uint16_t> distances_to(RouterId destination) const {
    const std::vector<std::uint32_t> links = topology_.distances_to(destination);
    std::vector<std::uint16_t> entries(links.size());
    std::transform(links.begin(), links.end(), entries.begin(),
                   [](std::uint32_t l) { return static_cast<std::uint16_t>(l); });
    return entries;
  }

  const Topology& topology_;
  RowsOnDemand<std::uint16_t> distance_;  // [destination router][router]
  std::vector<RouterId> exit_of_;         // [node]
};

}  // namespace braid::routing
