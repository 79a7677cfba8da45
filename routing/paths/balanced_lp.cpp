// Minimal paths that a linear program balances, whatever cycles they close: in-transit buffers break those (paper:
// in-transit-buffers, section 4.2.1: BSMART "combines the load balancing algorithm of the smart-routing with the use of
// in-transit buffers").
#include <memory>
#include <utility>

#include "routing/paths/path_computation.h"
#include "routing/paths/single_paths.h"

namespace braid::routing {
namespace {

/// [router][channel] comes nearer to the router.
std::vector<std::vector<bool>> minimal_channels(const Topology& topology, const Channels& channels) {
  std::vector<std::vector<bool>> nearer(topology.router_count(), std::vector<bool>(channels.count()));
  for (const RouterId to : routers_with_nodes(topology)) {
    const std::vector<std::uint32_t> links = topology.distances_to(to);
    for (std::size_t c = 0; c < channels.count(); ++c) {
      nearer[to.value][c] = links[channels[c].to.value] < links[channels[c].from.value];
    }
  }
  return nearer;
}

class BalancedLp final : public PathComputation {
 public:
  explicit BalancedLp(const PathContext& context) : per_(context.per) {}
  PathSet compute(const Topology& topology, const OnProgress& progress) const override {
    const Channels channels(topology);
    const std::vector<RouterId> ends = routers_with_nodes(topology);
    const WayRules rules(topology, channels, all_dependencies(topology, channels),
                         minimal_channels(topology, channels));
    PathSet paths(topology, per_);
    const LinkBalance balance = balance_links(rules, ends, paths, progress);
    return single_paths(rules, ends, balance, std::move(paths), progress);
  }
  bool minimal() const override { return true; }
  bool acyclic() const override { return false; }

 private:
  PathsPer per_;
};

const bool balanced_lp_registered =
    PathComputationRegistry::instance().add("balanced_lp", "shortest paths, balanced by a linear program (BSMART)",
                                            [](const PathContext& c) { return std::make_unique<BalancedLp>(c); });

}  // namespace
}  // namespace braid::routing
