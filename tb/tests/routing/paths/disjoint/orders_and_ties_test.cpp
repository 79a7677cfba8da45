// Which paths a finder gives where several would do: orders of the demands drawn one after the other, as the finder's
// own file says, and the first of finders that find as short ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "routing/paths/disjoint/flow_program.h"
#include "routing/paths/disjoint/free_channels.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/disjoint.h"

namespace braid::test::orders_and_ties_test {
namespace {

using namespace routing;
using Paths = std::vector<std::vector<std::uint32_t>>;

/// As given, shortest first, then that order shuffled again and again.
class NaiveSequential {
 public:
  NaiveSequential(const Topology& t, const std::vector<Demand>& demands, std::size_t most) {
    const Channels channels(t);
    Random random(1, "disjoint.sequential");
    std::vector<std::size_t> order(demands.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto links = [&](std::size_t d) { return t.distances_to(demands[d].to)[demands[d].from.value]; };
    for (tries = 1; tries <= most; ++tries) {
      if (tries == 2) std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return links(a) < links(b); });
      if (tries > 2) {
        for (std::size_t last = order.size() - 1; last > 0; --last)
          std::swap(order[last], order[random.below(last + 1)]);
      }
      FreeChannels free(t, channels);
      paths.assign(demands.size(), {});
      const bool all = std::all_of(order.begin(), order.end(), [&](std::size_t d) {
        const auto path = free.shortest(demands[d]);
        if (path) free.take(*path);
        if (path) paths[d] = *path;
        return path.has_value();
      });
      if (all) return;
    }
    paths.clear();
    tries = most;
  }
  std::size_t tries = 0;
  Paths paths;
};

TEST(SequentialOrders, AreThoseOfItsFile) {
  const Topology t = grid_of("mesh", 5, 5);
  Random random(21, "orders_and_ties_test");
  std::size_t late = 0, none = 0;
  for (int i = 0; i < 60; ++i) {
    const auto demands = random_demands(25, 12 + random.below(6), random);
    const NaiveSequential naive(t, demands, 100);
    const DisjointPaths found = found_by("sequential", t, demands);
    EXPECT_EQ(found.tries, naive.tries) << i;
    EXPECT_EQ(found.paths, naive.paths) << i;
    late += naive.tries > 4 && naive.tries < 100 ? 1 : 0;
    none += naive.paths.empty() ? 1 : 0;
  }
  EXPECT_GE(late, 3U) << "some need several orders that are drawn";
  EXPECT_GT(none, 3U) << "and some more than there are";
}

/// From r0 to r3 two ways are as short: negotiation goes by the lower router, one after the other by the lower port.
TEST(ExactTies, AreThoseOfNegotiation) {
  const Topology t = graph_of(4, {{0, 2}, {0, 1}, {2, 3}, {1, 3}});
  const Channels channels(t);
  const DisjointPaths found = found_by("exact", t, {{RouterId{0}, RouterId{3}}});
  ASSERT_EQ(found.paths.size(), 1U);
  ASSERT_EQ(found.paths[0].size(), 2U);
  EXPECT_EQ(channels[found.paths[0][0]].to, RouterId{1});
}

/// Nothing is said of what a finder does not know: no proof, no backtracks, and one try where nothing is tried.
TEST(DisjointAnswers, SayNothingThatIsNotKnown) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}});
  const std::string file = temporary_file("listed.txt");
  std::ofstream(file) << "r0 r1 r2\n";
  Configuration c;
  c.set("disjoint.file", file);
  for (const char* finder : {"listed", "sequential", "negotiated", "tentacle"}) {
    const DisjointPaths found = found_by(finder, t, {{RouterId{0}, RouterId{2}}}, c);
    EXPECT_EQ(found.answer, DisjointAnswer::kFound) << finder;
    EXPECT_FALSE(found.shortest) << finder;
    EXPECT_FALSE(found.cut) << finder;
    EXPECT_EQ(found.proof, "") << finder;
    EXPECT_EQ(found.tries, 1U) << finder;
    EXPECT_EQ(found.backtracks, 0U) << finder;
  }
  EXPECT_EQ(DisjointPaths{}.answer, DisjointAnswer::kUnknown);
  EXPECT_TRUE(DisjointRegistry::instance().make("listed", {c})->knows_any());
  EXPECT_FALSE(DisjointRegistry::instance().make("listed", {})->knows_any()) << "no file is given";
  EXPECT_TRUE(DisjointRegistry::instance().make("exact", {})->knows_any());
}

TEST(FlowProgram, TellsNoNodeBeforeItBranches) {
  const Topology t = ring_of(4);
  const Channels channels(t);
  std::size_t told = 0;
  const FlowAnswer answer = solve_flow_program(t, channels, std::vector<Demand>(2, {RouterId{0}, RouterId{1}}), {},
                                               [&](const char* counts, std::size_t done, std::size_t all) {
                                                 EXPECT_STREQ(counts, "node");
                                                 EXPECT_EQ(done, 0U);
                                                 EXPECT_EQ(all, 0U) << "nobody knows of how many";
                                                 ++told;
                                               });
  EXPECT_TRUE(answer.finished);
  EXPECT_TRUE(answer.by_relaxation);
  EXPECT_GT(told, 0U);
}

}  // namespace
}  // namespace braid::test::orders_and_ties_test
