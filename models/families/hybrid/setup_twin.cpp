#include "models/families/hybrid/setup_twin.h"

#include <algorithm>

#include "models/families/hybrid/parallel_setup.h"
#include "models/families/hybrid/planned_paths.h"
#include "routing/base/random.h"
#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::models::hybrid {

std::uint32_t least_lanes(const routing::Topology& topology, const std::vector<CircuitRequest>& requests) {
  std::vector<std::size_t> starts(topology.node_count()), ends(topology.node_count());
  for (const CircuitRequest& r : requests) {
    ++starts[r.source.value];
    ++ends[r.destination.value];
  }
  std::size_t lanes = 1;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const std::size_t ports = topology.nodes[n].size();
    lanes = std::max({lanes, (starts[n] + ports - 1) / ports, (ends[n] + ports - 1) / ports});
  }
  return static_cast<std::uint32_t>(lanes);
}

bool circuits_would_stand(const routing::Topology& topology, const Options& options, const Configuration& configuration,
                          const std::vector<CircuitRequest>& requests) {
  if (least_lanes(topology, requests) > options.circuit_lanes) return false;
  if (options.setup_paths != kByRouters) {
    return requests.empty() || !planned_paths(topology, configuration, options.setup_paths, requests).empty();
  }
  if (options.searches == Searches::kParallel) {
    return parallel_setup_would_stand(topology, options, read_seed(configuration), requests);
  }
  std::vector<CircuitRequest> by_node = requests;  // the token's way
  std::stable_sort(by_node.begin(), by_node.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
  std::vector<routing::Demand> demands;
  for (const CircuitRequest& r : by_node) {
    demands.push_back({topology.router_of(r.source), topology.router_of(r.destination)});
  }
  Configuration keys;
  keys.set("experiment.seed", read_seed(configuration));
  keys.set("disjoint.tentacle_orders", options.setup_retries + 1);
  const auto finder = routing::DisjointRegistry::instance().make("tentacle", {keys});
  return finder->find(topology, routing::Channels(topology), demands, {}).answer == routing::DisjointAnswer::kFound;
}

}  // namespace braid::models::hybrid
