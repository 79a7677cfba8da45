// What the set-up units of the hybrid router do (paper: tentacle-routing, section 2.3; docs/setup.md), without cycles:
// a depth-first search of the free links for one demand after the other, minimal directions first, then detours, lowest
// port first; each router is visited once a search. A further demand of a tree (Demand::copies) follows its channels,
// and leaves them at one of its routers for ever. A search that fails ends the order; the next is the last one
// shuffled. Demands in the order of the token, the same seed and one order more than `setup.retries` give the paths of
// the routers.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "routing/base/random.h"
#include "routing/paths/disjoint/free_channels.h"

namespace braid::routing {
namespace {

struct TentacleOptions {
  std::uint32_t orders = 9;
};
const OptionTable<TentacleOptions> kTentacleTable =
    OptionTable<TentacleOptions>("disjoint")
        .integer("tentacle_orders", &TentacleOptions::orders, 1, 1000000000,
                 "orders of the demands tried at most: as given, then at random; one more than setup.retries");

/// One order's searches.
class Tentacles {
 public:
  Tentacles(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands)
      : channels_(channels),
        out_of_(channels_out_of(topology, channels)),
        taken_(channels.count()),
        tree_(channels.count()) {
    for (std::uint32_t c = 0; c < channels.count(); ++c) {
      reverse_.push_back(channels.at(channels[c].to, topology.port(channels[c].from, channels[c].port).peer_port));
    }
    for (const Demand& d : demands) {
      if (distances_.count(d.to) == 0) distances_[d.to] = topology.distances_to(d.to);
    }
  }

  /// The stack is the path: a probe pushes, a backtrack pops.
  std::optional<std::vector<std::uint32_t>> search(const Demand& demand) {
    const std::vector<std::uint32_t>& links = distances_.at(demand.to);
    searched_ = demand.copies ? *demand.copies + 1 : 0;
    std::set<std::uint32_t>* const routers = demand.copies ? &tree_routers_[*demand.copies] : nullptr;
    branches_ = routers != nullptr && !routers->empty();
    std::vector<std::uint32_t> path;
    std::vector<bool> visited(out_of_.size());
    std::vector<bool> tried(channels_.count());
    RouterId here = demand.from;
    visited[here.value] = true;
    while (here != demand.to) {
      const auto next = next_channel(here, path, links, tried);
      if (!next && path.empty()) return std::nullopt;
      if (!next) {
        here = back(path);
        continue;
      }
      tried[*next] = taken_[*next] = true;
      path.push_back(*next);
      here = channels_[*next].to;
      const bool met = branches_ && !of_tree(*next) && routers->count(here.value) != 0;  // it should have left there
      if (visited[here.value] || met) here = back(path);
      visited[here.value] = true;
    }
    if (routers != nullptr) routers->insert(demand.from.value);
    for (const std::uint32_t c : path) {
      if (routers == nullptr) continue;
      routers->insert(channels_[c].to.value);
      tree_[c] = searched_;
    }
    return path;
  }

  std::uint32_t backtracks() const { return backtracks_; }

  void begin_order() {
    std::fill(taken_.begin(), taken_.end(), false);
    std::fill(tree_.begin(), tree_.end(), 0);
    tree_routers_.clear();
    backtracks_ = 0;
  }

 private:
  /// That comes nearer, else any; never back over the link by which the probe came.
  std::optional<std::uint32_t> next_channel(RouterId here, const std::vector<std::uint32_t>& path,
                                            const std::vector<std::uint32_t>& links,
                                            const std::vector<bool>& tried) const {
    if (branches_ && (path.empty() || of_tree(path.back()))) return next_of_tree(here, path, links, tried);
    std::optional<std::uint32_t> detour;
    for (const std::uint32_t c : out_of_[here.value]) {
      if (tried[c] || taken_[c] || (!path.empty() && c == reverse_[path.back()])) continue;
      if (links[channels_[c].to.value] < links[here.value]) return c;
      if (!detour) detour = c;
    }
    return detour;
  }

  bool of_tree(std::uint32_t channel) const { return searched_ != 0 && tree_[channel] == searched_; }

  /// At a router of the tree: nearer first, and of those along the tree.
  std::optional<std::uint32_t> next_of_tree(RouterId here, const std::vector<std::uint32_t>& path,
                                            const std::vector<std::uint32_t>& links,
                                            const std::vector<bool>& tried) const {
    std::optional<std::uint32_t> best[4];
    for (const std::uint32_t c : out_of_[here.value]) {
      if (tried[c] || (taken_[c] && !of_tree(c)) || (!path.empty() && c == reverse_[path.back()])) continue;
      const bool nearer = links[channels_[c].to.value] < links[here.value];
      std::optional<std::uint32_t>& place = best[(nearer ? 0 : 2) + (of_tree(c) ? 0 : 1)];
      if (!place) place = c;
    }
    for (const auto& place : best) {
      if (place) return place;
    }
    return std::nullopt;
  }

  /// The router that learns of it.
  RouterId back(std::vector<std::uint32_t>& path) {
    const std::uint32_t last = path.back();
    taken_[last] = of_tree(last);
    path.pop_back();
    ++backtracks_;
    return channels_[last].from;
  }

  const Channels& channels_;
  std::vector<std::vector<std::uint32_t>> out_of_;                           // [router]
  std::unordered_map<RouterId, std::vector<std::uint32_t>> distances_;       // of each destination, [router]
  std::vector<std::uint32_t> reverse_;                                       // [channel] of the same link
  std::vector<bool> taken_;                                                  // [channel]
  std::vector<std::uint32_t> tree_;                                          // [channel] number of its tree, 0: of none
  std::unordered_map<std::uint32_t, std::set<std::uint32_t>> tree_routers_;  // [Demand::copies] of standing ones
  std::uint32_t searched_ = 0;  // number of the tree that is searched, 0: none
  bool branches_ = false;       // ... which stands already
  std::uint32_t backtracks_ = 0;
};

class Tentacle final : public DisjointFinder {
 public:
  explicit Tentacle(const Configuration& c) : options_(kTentacleTable.read(c)), seed_(read_seed(c)) {}

  DisjointPaths find(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                     const OnProgress& progress) const override {
    Tentacles tentacles(topology, channels, demands);
    Random random(seed_, "setup.order");
    std::vector<std::uint32_t> order(demands.size());
    std::iota(order.begin(), order.end(), 0U);
    DisjointPaths found;
    found.paths.resize(demands.size());
    for (found.tries = 1; found.tries <= options_.orders; ++found.tries) {
      tell(progress, "order", found.tries, options_.orders);
      tentacles.begin_order();
      const auto reached = [&](std::uint32_t d) {
        auto path = tentacles.search(demands[d]);
        if (path) found.paths[d] = std::move(*path);
        return path.has_value();
      };
      if (std::all_of(order.begin(), order.end(), reached)) {
        found.answer = DisjointAnswer::kFound;
        found.backtracks = tentacles.backtracks();
        return found;
      }
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    }
    found.paths.clear();
    --found.tries;
    return found;
  }

 private:
  TentacleOptions options_;
  std::uint64_t seed_;
};

const bool tentacle_registered = DisjointRegistry::instance().add(
    "tentacle", "the depth-first search with backtracking of the hybrid routers' set-up units", kTentacleTable.list(),
    [](const DisjointContext& c) { return std::make_unique<Tentacle>(c.configuration); });

}  // namespace
}  // namespace braid::routing
