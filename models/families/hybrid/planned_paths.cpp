#include "models/families/hybrid/planned_paths.h"

#include "models/families/hybrid/token_order.h"
#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::models::hybrid {

PlannedPaths planned_paths(const routing::Topology& topology, const Configuration& configuration,
                           const std::string& finder, const std::vector<CircuitRequest>& requests) {
  const std::vector<std::uint32_t> by_node = in_token_order(requests);  // as `braid circuits` asks
  std::vector<routing::Demand> demands;
  for (const std::size_t i : by_node) {
    demands.push_back({topology.router_of(requests[i].source), topology.router_of(requests[i].destination)});
  }
  const routing::Channels channels(topology);
  const auto found =
      routing::DisjointRegistry::instance().make(finder, {configuration})->find(topology, channels, demands, {});
  PlannedPaths paths;
  if (found.answer != routing::DisjointAnswer::kFound) return paths;
  paths.resize(requests.size());
  for (std::size_t d = 0; d < demands.size(); ++d) {
    for (const std::uint32_t c : found.paths[d]) paths[by_node[d]].push_back({channels[c].from, channels[c].port});
  }
  return paths;
}

void check_planned(const Options& options) {
  if (options.setup_paths == kByRouters) return;
  const std::string key = "setup.paths = \"" + options.setup_paths + "\"";
  if (options.reroute != Reroute::kNone) {
    throw InputError(key + " installs circuits once, and setup.reroute has the routers search: expected \"routers\"");
  }
}

}  // namespace braid::models::hybrid
