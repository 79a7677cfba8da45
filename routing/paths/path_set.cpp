#include "routing/paths/path_set.h"

namespace braid::routing {

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

}  // namespace braid::routing
