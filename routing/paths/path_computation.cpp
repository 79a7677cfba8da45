#include "routing/paths/path_computation.h"

#include <string>

#include "routing/base/memory.h"
#include "routing/paths/route_table.h"

namespace braid::routing {

const OptionTable<PathOptions>& path_options() {
  static const OptionTable<PathOptions> table =
      OptionTable<PathOptions>("routing")
          .policy<PathComputationRegistry>("paths", &PathOptions::paths,
                                           "which way each pair of routers, or of nodes, takes")
          .policy<InTransitPlacementRegistry>("in_transit", &PathOptions::in_transit,
                                              "where packets leave the network for an in-transit buffer", "none")
          .choice("paths_per", &PathOptions::paths_per,
                  {{"router_pair", PathsPer::kRouterPair}, {"node_pair", PathsPer::kNodePair}},
                  "who has a path of its own: all nodes of a pair of routers one together, or each pair of nodes");
  return table;
}

PathSet make_paths(const Topology& topology, const Configuration& configuration, const OnProgress& progress) {
  const PathOptions options = path_options().read(configuration);
  const bool of_nodes = options.paths_per == PathsPer::kNodePair;
  const std::size_t ends = of_nodes ? topology.node_count() : topology.router_count();
  const double pairs = static_cast<double>(ends) * static_cast<double>(ends);
  check_room(
      topology.name + ": paths between " + std::to_string(ends) + (of_nodes ? " nodes" : " routers"),
      pairs * (sizeof(Path) + sizeof(RouteId)),
      of_nodes ? "routing.paths_per = \"router_pair\", or fewer nodes" : "fewer routers, or another routing.algorithm");
  const PathContext context{configuration, options.paths_per};
  PathSet paths = PathComputationRegistry::instance().make(options.paths, context)->compute(topology, progress);
  if (options.in_transit != "none") {
    InTransitPlacementRegistry::instance().make(options.in_transit, context)->place(topology, paths, progress);
  }
  return paths;
}

}  // namespace braid::routing
