// One demand after the other takes a shortest path over what is left; where one finds none, all begin again in another
// order (paper: tentacle-routing, section 2.2: "retrying routing after changing the order of stream consideration").
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "routing/base/random.h"
#include "routing/paths/disjoint/free_channels.h"

namespace braid::routing {
namespace {

struct SequentialOptions {
  std::uint32_t orders = 100;
};
const OptionTable<SequentialOptions> kSequentialTable =
    OptionTable<SequentialOptions>("disjoint")
        .integer("sequential_orders", &SequentialOptions::orders, 1, 1000000000,
                 "orders of the demands tried at most: as given, shortest first, then at random");

class Sequential final : public DisjointFinder {
 public:
  explicit Sequential(const Configuration& c) : options_(kSequentialTable.read(c)), seed_(read_seed(c)) {}

  DisjointPaths find(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                     const OnProgress& progress) const override {
    FreeChannels free(topology, channels);
    Random random(seed_, "disjoint.sequential");
    std::vector<std::uint32_t> order(demands.size());
    std::iota(order.begin(), order.end(), 0U);
    DisjointPaths found;
    for (found.tries = 1;; ++found.tries) {
      tell(progress, "order", found.tries, options_.orders);
      if (auto paths = in_order(free, demands, order)) {
        found.answer = DisjointAnswer::kFound;
        found.paths = std::move(*paths);
      }
      if (found.answer == DisjointAnswer::kFound || found.tries >= options_.orders) return found;
      if (found.tries == 1) {
        const std::vector<std::uint32_t> links = demand_distances(topology, demands);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return links[a] < links[b]; });
      } else {
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      }
    }
  }

 private:
  static std::optional<std::vector<std::vector<std::uint32_t>>> in_order(FreeChannels& free,
                                                                         const std::vector<Demand>& demands,
                                                                         const std::vector<std::uint32_t>& order) {
    std::vector<std::vector<std::uint32_t>> paths(demands.size());
    free.free_all();
    for (const std::uint32_t d : order) {
      auto path = free.shortest(demands[d]);
      if (!path) return std::nullopt;
      free.take(*path);
      paths[d] = std::move(*path);
    }
    return paths;
  }

  SequentialOptions options_;
  std::uint64_t seed_;
};

const bool sequential_registered = DisjointRegistry::instance().add(
    "sequential", "a shortest free path one by one, in one order after the other", kSequentialTable.list(),
    [](const DisjointContext& c) { return std::make_unique<Sequential>(c.configuration); });

}  // namespace
}  // namespace braid::routing
