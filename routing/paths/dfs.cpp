// The DFS methodology (Sancho, Robles, Duato, "New methodology to compute deadlock-free routing tables for irregular
// networks", CANPC 2000; paper: in-transit-buffers, section 1): up*/down* over a depth-first spanning tree. There every
// other link leads from a switch to one above it on its own branch, so a cycle is broken at one place only, not at two
// as in a breadth-first tree. Its heuristics: the root is the switch farthest from all on the average; next comes the
// neighbour with most links to switches already in the tree, among those the farthest from all. Of equals the first.
#include <memory>
#include <numeric>
#include <tuple>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/legal_paths.h"
#include "routing/paths/path_computation.h"

namespace braid::routing {
namespace {

constexpr std::uint32_t kNotInTree = UINT32_MAX;

/// The order in which the tree is walked ranks the switches.
class DepthFirst {
 public:
  explicit DepthFirst(const Topology& topology) : topology_(topology), ranks_(topology.router_count(), kNotInTree) {
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      const std::vector<std::uint32_t> all = topology.distances_to(RouterId{r});
      farness_.push_back(std::accumulate(all.begin(), all.end(), std::uint64_t{0}));
    }
  }

  Ranks ranks() {
    std::uint32_t root = 0;
    for (std::uint32_t r = 1; r < farness_.size(); ++r) {
      if (farness_[r] > farness_[root]) root = r;
    }
    std::vector<std::uint32_t> branch{root};
    ranks_[root] = 0;
    std::uint32_t walked = 1;
    while (!branch.empty()) {
      const std::uint32_t next = next_from(branch.back());
      if (next == kNotInTree) {
        branch.pop_back();
      } else {
        ranks_[next] = walked++;
        branch.push_back(next);
      }
    }
    for (std::uint32_t& rank : ranks_) {
      if (rank == kNotInTree) rank = walked++;  // cannot be reached: no path comes there
    }
    return ranks_;
  }

 private:
  std::uint32_t next_from(std::uint32_t here) const {
    std::uint32_t best = kNotInTree;
    for (const Port& port : topology_.routers[here]) {
      const std::uint32_t there = port.peer_router.value;
      if (port.kind != PortKind::kNetwork || ranks_[there] != kNotInTree) continue;
      if (best == kNotInTree || merit(there) > merit(best)) best = there;
    }
    return best;
  }
  std::tuple<std::uint32_t, std::uint64_t> merit(std::uint32_t router) const {
    std::uint32_t links = 0;
    for (const Port& port : topology_.routers[router]) {
      if (port.kind == PortKind::kNetwork && ranks_[port.peer_router.value] != kNotInTree) ++links;
    }
    return {links, farness_[router]};
  }

  const Topology& topology_;
  Ranks ranks_;
  std::vector<std::uint64_t> farness_;  // [router] sum of its distances
};

class Dfs final : public PathComputation {
 public:
  explicit Dfs(const PathContext& context)
      : per_(context.per), random_(read_seed(context.configuration), "routing.dfs") {}
  bool minimal() const override { return false; }
  bool acyclic() const override { return true; }
  PathSet compute(const Topology& topology, const OnProgress& progress) const override {
    return shortest_legal_paths(topology, DepthFirst(topology).ranks(), per_, random_, progress);
  }

 private:
  PathsPer per_;
  Random random_;
};

const bool dfs_registered =
    PathComputationRegistry::instance().add("dfs", "up*/down* over a depth-first tree, which forbids fewer turns",
                                            [](const PathContext& c) { return std::make_unique<Dfs>(c); });

}  // namespace
}  // namespace braid::routing
