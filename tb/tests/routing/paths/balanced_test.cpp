#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/channels.h"
#include "routing/paths/minimal_paths.h"
#include "tb/tests/support/paths.h"

namespace braid::test::balanced_test {
namespace {

using namespace routing;

/// Figure 3 of the paper as it stands there, but for L^2 times the variance in place of the deviation.
class Naive {
 public:
  Naive(const Topology& t, std::size_t max_paths) : channels_(t), weights_(channels_.count()) {
    Random random(1, "routing.balanced");
    for (std::size_t to = 0; to < t.router_count(); ++to) {
      const MinimalPaths minimal(t, RouterId{to});
      for (std::size_t from = 0; from < t.router_count(); ++from) {
        if (from == to) continue;
        for (const std::uint64_t n : minimal.draw(RouterId{from}, max_paths, random)) {
          paths_.push_back({RouterId{from}, RouterId{to}, {minimal.path(RouterId{from}, n), {}}});
          change(paths_.back(), 1);
        }
      }
    }
    while (remove_one()) continue;
  }
  PathSet paths(std::size_t routers) const {
    PathSet set(routers);
    for (const Choice& c : paths_) set.at(c.from, c.to) = c.path;
    return set;
  }

 private:
  struct Choice {
    RouterId from, to;
    Path path;
  };
  void change(const Choice& c, std::int64_t by) {
    for (const std::uint32_t link : channels_.on(c.from, c.path)) weights_[link] += by;
  }
  std::int64_t variance() const {
    std::int64_t sum = 0, squares = 0;
    for (const std::int64_t w : weights_) {
      sum += w;
      squares += w * w;
    }
    return static_cast<std::int64_t>(weights_.size()) * squares - sum * sum;
  }
  bool has_alternative(std::size_t i) const {
    const auto same = [&](std::size_t j) {
      return j < paths_.size() && paths_[i].from == paths_[j].from && paths_[i].to == paths_[j].to;
    };
    return same(i + 1) || (i > 0 && same(i - 1));
  }
  bool remove_one() {
    std::size_t best = paths_.size();
    std::int64_t least = INT64_MAX;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (!has_alternative(i)) continue;
      change(paths_[i], -1);
      if (variance() < least) {
        least = variance();
        best = i;
      }
      change(paths_[i], 1);
    }
    if (best == paths_.size()) return false;
    change(paths_[best], -1);
    paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(best));
    return true;
  }

  Channels channels_;
  std::vector<std::int64_t> weights_;
  std::vector<Choice> paths_;
};

void expect_as_naive(const Topology& t, std::size_t max_paths) {
  Configuration c;
  c.set("routing.max_paths", max_paths);
  const PathSet fast = computed(t, "balanced", c), slow = Naive(t, max_paths).paths(t.router_count());
  for (std::size_t from = 0; from < t.router_count(); ++from) {
    for (std::size_t to = 0; to < t.router_count(); ++to) {
      EXPECT_EQ(fast.at(RouterId{from}, RouterId{to}).ports, slow.at(RouterId{from}, RouterId{to}).ports)
          << t.name << ": " << from << " to " << to;
    }
  }
}

TEST(Balanced, ChoosesWhatFigure3DoesStepByStep) {
  for (std::uint32_t instance = 0; instance < 10; ++instance) {
    expect_as_naive(irregular(8 + instance, instance), 10);
    expect_as_naive(irregular(14, instance), 2);
  }
  expect_as_naive(grid_of("mesh", 4, 3), 10);
  expect_as_naive(grid_of("torus", 4, 3), 10);
  expect_as_naive(ring_of(8), 10);
}

TEST(Balanced, RingOfFourEveryLinkCarriesTwoPaths) {
  const Topology ring = ring_of(4);
  const PathCheck check = check_paths(ring, computed(ring, "balanced"), {true, false});
  EXPECT_EQ(check.fault, "");
  EXPECT_EQ(check.paths_per_link_most, 2U);
  EXPECT_EQ(check.paths_per_link_deviation, 0.0);
}

/// The same four on a ring of 32, eight links apart, with 17 nodes each, so that each link has hundreds of paths to
/// choose from: sums over 16 links fall from 16 * 3 * 289 to about two thirds before each pair of nodes has one path.
/// Of neighbours 289 pairs take each link; of opposite ones as many each way round, which is one of two of them.
TEST(Balanced, RingIsEvenForThousandsOfPathsToo) {
  constexpr std::size_t kNodes = 17, kPairs = kNodes * kNodes;
  Topology ring = ring_of(32, 0, 0);
  for (const std::size_t r : {0U, 8U, 16U, 24U}) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      const NodeId node{ring.nodes.size()};
      ring.nodes.push_back({{RouterId{r}, PortId{ring.routers[r].size()}}});
      ring.routers[r].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local" + std::to_string(n)});
    }
  }
  std::vector<std::size_t> told;
  const PathContext context{{}, PathsPer::kNodePair};
  const PathSet paths = PathComputationRegistry::instance()
                            .make("balanced", context)
                            ->compute(ring, [&](const char* counts, std::size_t done, std::size_t all) {
                              if (std::string(counts) != "path") return;
                              EXPECT_EQ(all, 4 * kPairs)
                                  << "one of two goes, for each pair of nodes at opposite routers";
                              told.push_back(done);
                            });
  const PathCheck check = check_paths(ring, paths, {true, false});
  EXPECT_EQ(check.fault, "");
  EXPECT_EQ(check.pairs, 12 * kPairs);
  EXPECT_EQ(check.paths_per_link_most, 2 * kPairs);
  EXPECT_EQ(check.paths_per_link_deviation, 0.0);
  ASSERT_GT(told.size(), 2U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LT(told.front(), 4 * kPairs / 2);
  EXPECT_LE(told.back(), 4 * kPairs);
  EXPECT_GT(told.back(), 4 * kPairs / 2);
}

TEST(Balanced, MorePathsToChooseFromBalanceBetter) {
  const auto deviation = [](const Topology& t, int max_paths) {
    Configuration c;
    c.set("routing.max_paths", max_paths);
    return check_paths(t, computed(t, "balanced", c)).paths_per_link_deviation;
  };
  for (std::uint32_t instance = 0; instance < 5; ++instance) {
    const Topology t = irregular(32, instance);
    EXPECT_LT(deviation(t, 10), 0.85 * deviation(t, 1)) << instance;
  }
}

}  // namespace
}  // namespace braid::test::balanced_test
