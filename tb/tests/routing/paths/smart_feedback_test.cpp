// Smart-routing with its feedback: no cycle, never less even than without it, and evener where that is known.
#include <gtest/gtest.h>

#include <tuple>

#include "tb/tests/support/path_facts.h"
#include "tb/tests/support/paths.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::smart_feedback_test {
namespace {

using namespace routing;

PathSet with_tries(const Topology& t, std::uint32_t tries) {
  Configuration c;
  c.set("routing.feedback_tries", tries);
  return computed(t, "smart_feedback", c);
}

/// Paths on the fullest channel, and the sum over channels of squared numbers of paths: what is to be small.
std::pair<std::size_t, std::size_t> evenness(const Topology& t, const PathSet& paths) {
  std::vector<std::size_t> loads(t.router_count() * t.router_count());
  for_each_path(t, paths, [&](const std::vector<RouterId>& on) {
    for (std::size_t i = 1; i < on.size(); ++i) ++loads[on[i - 1].value * t.router_count() + on[i].value];
  });
  std::size_t most = 0, squares = 0;
  for (const std::size_t load : loads) {
    most = std::max(most, load);
    squares += load * load;
  }
  return {most, squares};
}

std::vector<Topology> networks() {
  std::vector<Topology> all{ring_of(3),
                            ring_of(7),
                            ring_of(8, 0, 3),
                            grid_of("mesh", 4, 3),
                            grid_of("torus", 4, 4),
                            graph_of(2, {{0, 1}}),
                            graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}),
                            graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {2, 4}, {3, 4}})};
  for (const std::uint32_t instance : {0U, 1U, 2U}) all.push_back(irregular(16, instance));
  return all;
}

TEST(SmartFeedback, ClosesNoCycleAndHasAPathForEveryPair) {
  for (const Topology& t : networks()) {
    const PathSet paths = with_tries(t, 16);
    EXPECT_TRUE(is_complete(t, paths)) << t.name;
    EXPECT_TRUE(closes_no_cycle(t, paths)) << t.name;
  }
}

TEST(SmartFeedback, IsSmartWithoutTries) {
  for (const Topology& t : networks()) {
    const PathSet smart = computed(t, "smart"), without = with_tries(t, 0);
    for (std::size_t i = 0; i < smart.size(); ++i) EXPECT_EQ(smart.at_place(i).ports, without.at_place(i).ports);
  }
}

TEST(SmartFeedback, TriesAsOftenAsItIsTold) {
  const Topology t = irregular(16, 0);
  for (const std::uint32_t tries : {1U, 5U}) {
    Configuration c;
    c.set("routing.feedback_tries", tries);
    std::uint32_t told = 0;
    PathComputationRegistry::instance()
        .make("smart_feedback", {c})
        ->compute(t,
                  [&](const char* counts, std::size_t, std::size_t) { told += std::string(counts) == "try" ? 1 : 0; });
    EXPECT_EQ(told, tries);
  }
}

/// A choice is kept only if it is evener, and the first one is smart's. More tries come behind fewer.
TEST(SmartFeedback, IsNeverLessEvenForMoreTries) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const Topology& t : networks()) {
    auto before = evenness(t, computed(t, "smart"));
    for (const std::uint32_t tries : {1U, 4U, 16U}) {
      const auto now = evenness(t, with_tries(t, tries));
      EXPECT_LE(now, before) << t.name << ", " << tries << " tries";
      before = now;
    }
  }
}

/// Paths' evenness over ten networks, as smart's is (paper: in-transit-buffers, section 4.2.1 compares routings so).
TEST(SmartFeedback, IsEvenerOnIrregularNetworks) {
  if (kBrief) GTEST_SKIP() << kLong;
  std::size_t smart = 0, feedback = 0, better = 0;
  for (std::uint32_t instance = 0; instance < 10; ++instance) {
    const Topology t = irregular(16, instance);
    const auto one = evenness(t, computed(t, "smart")), other = evenness(t, with_tries(t, 16));
    smart += one.first;
    feedback += other.first;
    better += other < one ? 1 : 0;
  }
  // The sums that docs/in-transit-buffers.md has as means: whatever comes back or goes that should not costs evenness.
  EXPECT_EQ(smart, 102U);
  EXPECT_EQ(feedback, 95U);
  EXPECT_GE(better, 8U);
}

/// Each pair of nodes has a path of its own, of which there are 16 between two routers.
TEST(SmartFeedback, ChoosesPathsOfNodesToo) {
  const Topology t = irregular(8, 0);
  const PathContext context{{}, PathsPer::kNodePair};
  const PathSet paths = PathComputationRegistry::instance().make("smart_feedback", context)->compute(t, {});
  const PathCheck check = check_paths(t, paths, {false, true});
  EXPECT_TRUE(check.good()) << check.fault << check.cycle_text();
  EXPECT_EQ(check.pairs, 16U * 8 * 7);
}

}  // namespace
}  // namespace braid::test::smart_feedback_test
