// What paths and finders may be told: each range at its two ends and beyond them, and what holds where nothing is said.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/disjoint.h"
#include "tb/tests/support/paths.h"

namespace braid::test::option_ranges_test {
namespace {

using namespace routing;

template <class Number>
bool takes(const std::string& policy, const std::string& key, Number value) {
  Configuration c;
  c.set(key, value);
  return complaint([&] {
           if (key.rfind("disjoint.", 0) == 0) {
             (void)DisjointRegistry::instance().make(policy, {c});
           } else if (policy == "fewest") {
             (void)InTransitPlacementRegistry::instance().make(policy, {c});
           } else {
             (void)PathComputationRegistry::instance().make(policy, {c});
           }
         }) == "";
}

TEST(OptionRanges, OfWholeNumbersReachFromTheLeastToTheMost) {
  struct Range {
    std::string policy, key;
    std::int64_t least, most;
  };
  const std::vector<Range> ranges{{"balanced", "routing.max_paths", 1, 1000},
                                  {"smart_feedback", "routing.feedback_tries", 0, 1'000'000},
                                  {"tentacle", "disjoint.tentacle_orders", 1, 1'000'000'000},
                                  {"sequential", "disjoint.sequential_orders", 1, 1'000'000'000},
                                  {"negotiated", "disjoint.negotiated_rounds", 1, 1'000'000'000}};
  for (const Range& r : ranges) {
    EXPECT_FALSE(takes(r.policy, r.key, r.least - 1)) << r.key;
    EXPECT_TRUE(takes(r.policy, r.key, r.least)) << r.key;
    EXPECT_TRUE(takes(r.policy, r.key, r.most)) << r.key;
    EXPECT_FALSE(takes(r.policy, r.key, r.most + 1)) << r.key;
  }
}

TEST(OptionRanges, OfFractionsReachFromTheLeastToTheMost) {
  struct Range {
    std::string policy, key;
    double below, least, most, above;
  };
  const std::vector<Range> ranges{{"fewest", "routing.fewest_seconds", 0.009, 0.01, 1e9, 1.1e9},
                                  {"exact", "disjoint.exact_seconds", 0.0009, 0.001, 1e9, 1.1e9},
                                  {"negotiated", "disjoint.present_growth", 0.99, 1.0, 1000.0, 1000.5},
                                  {"negotiated", "disjoint.history_gain", -0.1, 0.0, 1000.0, 1000.5}};
  for (const Range& r : ranges) {
    EXPECT_FALSE(takes(r.policy, r.key, r.below)) << r.key;
    EXPECT_TRUE(takes(r.policy, r.key, r.least)) << r.key;
    EXPECT_TRUE(takes(r.policy, r.key, r.most)) << r.key;
    EXPECT_FALSE(takes(r.policy, r.key, r.above)) << r.key;
  }
}

TEST(OptionRanges, OfLayoutsBeginWithNone) {
  for (const std::int64_t layouts : {-1, 0, 1'000'000, 1'000'001}) {
    Configuration c;
    c.set("disjoint.layouts", layouts);
    EXPECT_EQ(complaint([&] { (void)disjoint_options().read(c); }).empty(), layouts >= 0 && layouts <= 1'000'000)
        << layouts;
  }
  EXPECT_EQ(disjoint_options().read({}).layouts, 0U);
  EXPECT_EQ(disjoint_options().read({}).finder, "all");
}

/// Three paths over two links do not exist, so every order and round that may be tried is (docs/disjoint-paths.md).
TEST(OptionRanges, FindersTryAsOftenAsIsUsual) {
  const Topology t = ring_of(4);
  const std::vector<Demand> demands(3, {RouterId{0}, RouterId{2}});
  for (const auto& usual :
       std::vector<std::pair<std::string, std::size_t>>{{"tentacle", 9}, {"sequential", 100}, {"negotiated", 200}}) {
    const std::string& finder = usual.first;
    const std::size_t tries = usual.second;
    std::size_t told = 0;
    const DisjointPaths found = found_by(finder, t, demands, {}, [&](const char*, std::size_t, std::size_t all) {
      ++told;
      EXPECT_EQ(all, tries);
    });
    EXPECT_EQ(found.tries, tries) << finder;
    EXPECT_EQ(told, tries) << finder;
  }
}

/// From one corner of a 5x5 mesh to the other there are 70 minimal paths, to its neighbour one: of more than ten the
/// others are left out, which is seen by the 11th alone.
TEST(OptionRanges, BalancedChoosesFromTenPathsAsIsUsual) {
  const Topology mesh = grid_of("mesh", 5, 5);
  const auto with = [&](std::uint32_t paths) {
    Configuration c;
    c.set("routing.max_paths", paths);
    return computed(mesh, "balanced", c);
  };
  const PathSet usual = computed(mesh, "balanced");
  std::size_t as_nine = 0, as_eleven = 0;
  const PathSet nine = with(9), ten = with(10), eleven = with(11);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    EXPECT_EQ(usual.at_place(i).ports, ten.at_place(i).ports);
    as_nine += usual.at_place(i).ports == nine.at_place(i).ports ? 1 : 0;
    as_eleven += usual.at_place(i).ports == eleven.at_place(i).ports ? 1 : 0;
  }
  EXPECT_LT(as_nine, usual.size());
  EXPECT_LT(as_eleven, usual.size());
}

}  // namespace
}  // namespace braid::test::option_ranges_test
