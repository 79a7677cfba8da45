#include "routing/paths/path_computation.h"

#include <string>

#include "routing/base/memory.h"
#include "routing/paths/route_table.h"

namespace braid::routing {

const OptionTable<PathOptions>& path_options() {
  static const OptionTable<PathOptions> table =
      OptionTable<PathOptions>("routing")
          .policy<PathComputationRegistry>("paths", &PathOptions::paths, "which way each pair of routers takes")
          .policy<InTransitPlacementRegistry>("in_transit", &PathOptions::in_transit,
                                              "where packets leave the network for an in-transit buffer", "none");
  return table;
}

PathSet make_paths(const Topology& topology, const Configuration& configuration, const OnProgress& progress) {
  const PathOptions options = path_options().read(configuration);
  const auto pairs = static_cast<double>(topology.router_count()) * static_cast<double>(topology.router_count());
  check_room(topology.name + ": paths between " + std::to_string(topology.router_count()) + " routers",
             pairs * (sizeof(Path) + sizeof(RouteId)), "fewer routers, or another routing.algorithm");
  const PathContext context{configuration};
  PathSet paths = PathComputationRegistry::instance().make(options.paths, context)->compute(topology, progress);
  if (options.in_transit != "none") {
    InTransitPlacementRegistry::instance().make(options.in_transit, context)->place(topology, paths, progress);
  }
  return paths;
}

}  // namespace braid::routing
