#include "models/families/hybrid/setup_twin.h"

#include <algorithm>
#include <set>
#include <utility>

#include "models/families/hybrid/parallel_setup.h"
#include "models/families/hybrid/planned_paths.h"
#include "models/families/hybrid/token_order.h"
#include "routing/base/random.h"
#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::models::hybrid {

std::uint32_t least_lanes(const routing::Topology& topology, const std::vector<CircuitRequest>& requests) {
  std::vector<std::size_t> starts(topology.node_count()), ends(topology.node_count());
  std::set<std::pair<NodeId, std::uint32_t>> trees;
  for (const CircuitRequest& r : requests) {
    if (!r.copies || trees.insert({r.source, *r.copies}).second) ++starts[r.source.value];
    ++ends[r.destination.value];
  }
  std::size_t lanes = 1;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const std::size_t ports = topology.nodes[n].size();
    lanes = std::max({lanes, (starts[n] + ports - 1) / ports, (ends[n] + ports - 1) / ports});
  }
  return static_cast<std::uint32_t>(lanes);
}

std::vector<CircuitRequest> apart_at_shared_ports(const routing::Topology& topology, std::uint32_t circuit_lanes,
                                                  std::vector<CircuitRequest> requests) {
  std::set<std::pair<std::uint32_t, RouterId>> ends;
  for (CircuitRequest& r : requests) {
    if (circuit_lanes == 1 || !r.copies) continue;
    if (!ends.insert({*r.copies, topology.router_of(r.destination)}).second) r.copies.reset();
  }
  return requests;
}

bool circuits_would_stand(const routing::Topology& topology, const Options& options, const Configuration& configuration,
                          const std::vector<CircuitRequest>& requests) {
  const std::vector<CircuitRequest> apart = apart_at_shared_ports(topology, options.circuit_lanes, requests);
  if (least_lanes(topology, apart) > options.circuit_lanes) return false;
  if (options.setup_paths != kByRouters) {
    return requests.empty() || !planned_paths(topology, configuration, options.setup_paths, requests).empty();
  }
  if (options.searches == Searches::kParallel) {
    return parallel_setup_would_stand(topology, options, read_seed(configuration), requests);
  }
  std::vector<routing::Demand> demands;
  for (const std::uint32_t circuit : in_token_order(apart)) {
    const CircuitRequest& r = apart[circuit];
    demands.push_back({topology.router_of(r.source), topology.router_of(r.destination), r.copies});
  }
  Configuration keys;
  keys.set("experiment.seed", read_seed(configuration));
  keys.set("disjoint.tentacle_orders", options.setup_retries + 1);
  const auto finder = routing::DisjointRegistry::instance().make("tentacle", {keys});
  return finder->find(topology, routing::Channels(topology), demands, {}).answer == routing::DisjointAnswer::kFound;
}

}  // namespace braid::models::hybrid
