// Smart-routing with its feedback: no cycle, never less even than without it, and evener where that is known.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "routing/paths/dependency_removal.h"
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

struct Tries {
  std::vector<std::size_t> done;
  std::size_t all = 0;
  PathSet paths{0};
};
Tries tries_of(const Topology& t, const Configuration& c) {
  Tries tries;
  tries.paths = PathComputationRegistry::instance()
                    .make("smart_feedback", {c})
                    ->compute(t, [&](const char* counts, std::size_t done, std::size_t all) {
                      if (std::string(counts) != "try") return;
                      tries.done.push_back(done);
                      tries.all = all;
                    });
  return tries;
}

/// Whatever is tried without success is tried no more, but what became evener makes all worth another try: with tries
/// to spare, each removed dependency comes back once where nothing helps, about twice where something did.
TEST(SmartFeedback, BeginsAnewWhereSomethingBecameEvener) {
  std::size_t helped = 0;
  for (const Topology& t :
       {ring_of(7), irregular(8, 0), irregular(10, 0), irregular(10, 1), irregular(12, 1), grid_of("mesh", 4, 3)}) {
    const Channels channels(t);
    const Dependencies all = all_dependencies(t, channels), kept = acyclic_dependencies(t, channels).after;
    std::size_t removed = 0;
    for (std::size_t c = 0; c < all.size(); ++c) removed += all[c].size() - kept[c].size();
    Configuration c;
    c.set("routing.feedback_tries", 1000);
    const Tries tries = tries_of(t, c);
    const bool better = evenness(t, tries.paths) < evenness(t, computed(t, "smart"));
    if (better) {
      EXPECT_GT(2 * tries.done.size(), 3 * removed) << t.name;
    } else {
      EXPECT_EQ(tries.done.size(), removed) << t.name;
    }
    EXPECT_EQ(tries.all, 1000U);
    for (std::size_t i = 0; i < tries.done.size(); ++i) EXPECT_EQ(tries.done[i], i);
    helped += better ? 1 : 0;
  }
  EXPECT_GT(helped, 0U);
  EXPECT_LT(helped, 6U);
}

TEST(SmartFeedback, TriesSixteenTimesAsIsUsual) {
  const Tries tries = tries_of(irregular(8, 0), {});
  EXPECT_EQ(tries.all, 16U);
  EXPECT_LE(tries.done.size(), 16U);
}

}  // namespace
}  // namespace braid::test::smart_feedback_test
