#include "routing/paths/place_where.h"

namespace braid::routing {

std::vector<bool> have_nodes(const Topology& topology) {
  std::vector<bool> has_node(topology.router_count());
  for (const RouterId router : routers_with_nodes(topology)) has_node[router.value] = true;
  return has_node;
}

}  // namespace braid::routing
