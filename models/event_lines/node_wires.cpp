#include "models/event_lines/node_wires.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "routing/topology/spanning_tree.h"

namespace braid::models {
namespace {

/// [router] Dijkstra's.
std::vector<std::uint32_t> cycles_from(const routing::Topology& topology, RouterId from) {
  using Way = std::pair<std::uint32_t, std::uint32_t>;  // cycles, router
  std::vector<std::uint32_t> cycles(topology.router_count(), UINT32_MAX);
  std::priority_queue<Way, std::vector<Way>, std::greater<>> next;
  cycles[from.value] = 0;
  next.push({0, from.value});
  while (!next.empty()) {
    const auto [so_far, router] = next.top();
    next.pop();
    if (so_far > cycles[router]) continue;
    for (const routing::Port& port : topology.routers[router]) {
      if (port.kind != routing::PortKind::kNetwork) continue;
      const std::uint32_t there = so_far + port.latency_cycles;
      if (there >= cycles[port.peer_router.value]) continue;
      cycles[port.peer_router.value] = there;
      next.push({there, port.peer_router.value});
    }
  }
  return cycles;
}

}  // namespace

traffic::WireCycles wires_between(const routing::Topology& topology, const std::vector<NodeId>& nodes,
                                  std::uint32_t hop_cycles) {
  const std::uint32_t ends = 2 * routing::node_link_cycles(topology);
  const auto router = [&topology](NodeId node) { return topology.router_of(node); };
  return [&topology, nodes, hop_cycles, ends, router, last = RouterId{}, row = std::vector<std::uint32_t>{}](
             std::uint32_t from, std::uint32_t to) mutable {
    const RouterId here = router(nodes[from]);
    if (row.empty() || !(here == last)) row = cycles_from(topology, here);
    last = here;
    return hop_cycles * (row[router(nodes[to]).value] + ends);
  };
}

}  // namespace braid::models
