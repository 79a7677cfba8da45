#include "models/families/hybrid/setup_twin.h"

#include <algorithm>

#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::models::hybrid {
namespace {

bool lanes_suffice(const routing::Topology& topology, std::size_t lanes, const std::vector<CircuitRequest>& requests) {
  std::vector<std::size_t> starts(topology.node_count()), ends(topology.node_count());
  for (const CircuitRequest& r : requests) {
    const std::size_t first = ++starts[r.source.value], last = ++ends[r.destination.value];
    if (first > lanes * topology.nodes[r.source.value].size()) return false;
    if (last > lanes * topology.nodes[r.destination.value].size()) return false;
  }
  return true;
}

}  // namespace

bool circuits_would_stand(const routing::Topology& topology, const Options& options, std::uint64_t seed,
                          const std::vector<CircuitRequest>& requests) {
  if (!lanes_suffice(topology, options.circuit_lanes, requests)) return false;
  std::vector<CircuitRequest> by_node = requests;  // the token's way
  std::stable_sort(by_node.begin(), by_node.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
  std::vector<routing::Demand> demands;
  for (const CircuitRequest& r : by_node) {
    demands.push_back({topology.router_of(r.source), topology.router_of(r.destination)});
  }
  Configuration keys;
  keys.set("experiment.seed", seed);
  keys.set("disjoint.tentacle_orders", options.setup_retries + 1);
  const auto finder = routing::DisjointRegistry::instance().make("tentacle", {keys});
  return finder->find(topology, routing::Channels(topology), demands, {}).answer == routing::DisjointAnswer::kFound;
}

}  // namespace braid::models::hybrid
