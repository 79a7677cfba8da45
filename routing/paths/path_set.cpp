#include "routing/paths/path_set.h"

#include <algorithm>

namespace braid::routing {

PathSet::PathSet(const Topology& topology, PathsPer per) : routers_(topology.router_count()) {
  if (per == PathsPer::kNodePair) {
    const std::vector<std::vector<NodeId>> nodes = nodes_by_router(topology);
    first_.push_back(0);
    for (std::size_t from = 0; from < routers_; ++from) {
      for (std::size_t to = 0; to < routers_; ++to) {
        const std::size_t pairs = from == to ? 1 : std::max<std::size_t>(1, nodes[from].size() * nodes[to].size());
        first_.push_back(first_.back() + pairs);
      }
    }
  }
  paths_.resize(first_.empty() ? routers_ * routers_ : first_.back());
}

std::vector<RouterId> routers_on(const Topology& topology, RouterId from, const Path& path) {
  std::vector<RouterId> routers{from};
  for (const PortId port : path.ports) routers.push_back(topology.port(routers.back(), port).peer_router);
  return routers;
}

std::vector<RouterId> routers_with_nodes(const Topology& topology) {
  std::vector<bool> has_node(topology.router_count());
  for (std::size_t n = 0; n < topology.node_count(); ++n) has_node[topology.router_of(NodeId{n}).value] = true;
  std::vector<RouterId> routers;
  for (std::size_t r = 0; r < has_node.size(); ++r) {
    if (has_node[r]) routers.push_back(RouterId{r});
  }
  return routers;
}

std::vector<std::vector<NodeId>> nodes_by_router(const Topology& topology) {
  std::vector<std::vector<NodeId>> nodes(topology.router_count());
  for (std::size_t n = 0; n < topology.node_count(); ++n)
    nodes[topology.router_of(NodeId{n}).value].push_back(NodeId{n});
  return nodes;
}

}  // namespace braid::routing
