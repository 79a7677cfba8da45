#include "routing/topology/spanning_tree.h"

#include <algorithm>

namespace braid::routing {
namespace {

RouterId middle(const Topology& t) {
  if (t.tree) return t.tree->at(t.tree->levels - 1, 0);
  if (t.grid) return t.grid->at(t.grid->width / 2, t.grid->height / 2);
  RouterId best{0};
  std::uint32_t least = UINT32_MAX;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    const std::vector<std::uint32_t> distance = t.distances_to(RouterId{r});
    std::uint32_t farthest = 0;
    for (std::size_t n = 0; n < t.node_count(); ++n) {
      farthest = std::max(farthest, distance[t.router_of(NodeId{n}).value]);
    }
    if (farthest < least) best = RouterId{r};
    least = std::min(least, farthest);
  }
  return best;
}

/// All routers breadth first; `parent_port` is the parent's port to the router.
struct Reached {
  RouterId router;
  std::uint32_t parent = 0;  // index into the list
  std::uint32_t link_cycles = 0;
  bool needed = false;  // a node hangs here or below
};

std::vector<Reached> breadth_first(const Topology& t, RouterId root) {
  std::vector<Reached> reached{{root, 0, 0, false}};
  std::vector<bool> seen(t.router_count());
  seen[root.value] = true;
  for (std::uint32_t i = 0; i < reached.size(); ++i) {
    for (const Port& port : t.routers[reached[i].router.value]) {
      if (port.kind != PortKind::kNetwork || seen[port.peer_router.value]) continue;
      seen[port.peer_router.value] = true;
      reached.push_back({port.peer_router, i, port.latency_cycles, false});
    }
  }
  return reached;
}

}  // namespace

std::uint32_t node_link_cycles(const Topology& topology) { return topology.tree ? 1 : 0; }

SpanningTree spanning_tree(const Topology& topology) {
  std::vector<std::vector<NodeId>> nodes(topology.router_count());
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    nodes[topology.router_of(NodeId{n}).value].push_back(NodeId{n});
  }
  std::vector<Reached> reached = breadth_first(topology, middle(topology));
  for (std::size_t i = reached.size(); i-- > 0;) {
    reached[i].needed |= !nodes[reached[i].router.value].empty();
    reached[reached[i].parent].needed |= reached[i].needed;
  }
  SpanningTree tree;
  tree.node_link_cycles = node_link_cycles(topology);
  std::vector<std::uint32_t> vertex_of(reached.size());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Reached& r = reached[i];
    if (!r.needed) continue;
    vertex_of[i] = static_cast<std::uint32_t>(tree.vertices.size());
    tree.vertices.push_back({r.router, vertex_of[r.parent], r.link_cycles, {}, nodes[r.router.value]});
    if (i != 0) tree.vertices[vertex_of[r.parent]].children.push_back(vertex_of[i]);
  }
  return tree;
}

}  // namespace braid::routing
