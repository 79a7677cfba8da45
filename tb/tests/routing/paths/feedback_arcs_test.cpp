#include "routing/paths/feedback_arcs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "routing/base/random.h"
#include "routing/paths/fewest_arcs.h"

namespace braid::test::feedback_arcs_test {
namespace {

using routing::Arc;
using routing::feedback_arcs;
using routing::FeedbackArcs;

std::uint64_t weight_of(const std::vector<Arc>& arcs, const FeedbackArcs& result) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) all += result.removed[i] ? arcs[i].weight : 0;
  return all;
}

bool has_cycle(std::size_t vertices, const std::vector<Arc>& arcs, const std::vector<bool>& removed) {
  std::vector<bool> gone(vertices);
  for (std::size_t round = 0; round < vertices; ++round) {
    for (std::uint32_t v = 0; v < vertices; ++v) {  // a vertex without arcs in goes, with its arcs out
      bool waits = false;
      for (std::size_t i = 0; i < arcs.size(); ++i) waits |= !removed[i] && arcs[i].to == v && !gone[arcs[i].from];
      if (!waits) gone[v] = true;
    }
  }
  return std::find(gone.begin(), gone.end(), false) != gone.end();
}

/// The best of all orders. A fixed arc never leads back.
std::uint64_t least(std::size_t vertices, const std::vector<Arc>& arcs) {
  std::vector<std::size_t> at(vertices);
  std::iota(at.begin(), at.end(), 0U);
  std::uint64_t best = UINT64_MAX;
  do {
    std::uint64_t weight = 0;
    for (const Arc& a : arcs) {
      if (at[a.from] > at[a.to]) weight += a.fixed ? 1'000'000'000 : a.weight;
    }
    best = std::min(best, weight);
  } while (std::next_permutation(at.begin(), at.end()));
  return best;
}

std::vector<Arc> random_arcs(std::size_t vertices, Random& random, std::uint64_t fixed_of_eight) {
  std::vector<Arc> arcs;
  for (std::uint32_t a = 0; a < vertices; ++a) {
    for (std::uint32_t b = 0; b < vertices; ++b) {
      if (a == b || random.below(5) > 1) continue;
      arcs.push_back({a, b, 1 + random.below(9), a < b && random.below(8) < fixed_of_eight});
    }
  }
  return arcs;
}

TEST(FeedbackArcs, AGraphWithoutCyclesKeepsAllItsArcs) {
  EXPECT_EQ(feedback_arcs(4, {{3, 2, 5}, {2, 1, 5}, {3, 0, 1}, {1, 0, 7}}).removed, std::vector<bool>(4, false));
}

TEST(FeedbackArcs, OfARingTheLightestArcGoes) {
  EXPECT_EQ(feedback_arcs(4, {{0, 1, 5}, {1, 2, 4}, {2, 3, 3}, {3, 0, 6}}).removed,
            (std::vector<bool>{false, false, true, false}));
}

TEST(FeedbackArcs, OneArcOfTwoRingsGoesRatherThanTwoLighterOnes) {
  EXPECT_EQ(feedback_arcs(4, {{0, 1, 3}, {1, 2, 2}, {2, 0, 2}, {1, 3, 2}, {3, 0, 2}}).removed,
            (std::vector<bool>{true, false, false, false, false}));
}

TEST(FeedbackArcs, FixedArcsStayThoughTheyAreLightest) {
  EXPECT_EQ(feedback_arcs(3, {{0, 1, 1, true}, {1, 2, 9}, {2, 0, 8}}).removed, (std::vector<bool>{false, false, true}));
}

TEST(FeedbackArcs, ACycleOfFixedArcsIsNamedInItsOrder) {
  const FeedbackArcs result =
      feedback_arcs(5, {{4, 0, 1, true}, {0, 2, 1, true}, {2, 3, 1, true}, {3, 0, 1, true}, {3, 1, 1, true}});
  ASSERT_EQ(result.stuck.size(), 3U);
  std::vector<std::uint32_t> from_zero = result.stuck;
  std::rotate(from_zero.begin(), std::find(from_zero.begin(), from_zero.end(), 0U), from_zero.end());
  EXPECT_EQ(from_zero, (std::vector<std::uint32_t>{0, 2, 3}));
}

TEST(FeedbackArcs, NoCycleIsLeftAndNoRemovedArcCouldComeBackAlone) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t vertices = 3 + random.below(20);
    const std::vector<Arc> arcs = random_arcs(vertices, random, round % 3);
    const FeedbackArcs result = feedback_arcs(vertices, arcs);
    ASSERT_FALSE(has_cycle(vertices, arcs, result.removed));
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      if (!result.removed[i]) continue;
      EXPECT_FALSE(arcs[i].fixed);
      std::vector<bool> without = result.removed;
      without[i] = false;
      EXPECT_TRUE(has_cycle(vertices, arcs, without));
    }
  }
}

TEST(FeedbackArcs, APercentAboveTheBestOfAllOrdersInSum) {
  Random random(11);
  std::uint64_t best = 0, found = 0;
  for (int round = 0; round < 100; ++round) {
    const std::vector<Arc> arcs = random_arcs(7, random, round % 2);
    best += least(7, arcs);
    found += weight_of(arcs, feedback_arcs(7, arcs));
  }
  EXPECT_GE(found, best);
  EXPECT_LE(found * 100, best * 101) << found << " for " << best;
}

/// The integer program against all orders, from a set that is far from the least.
TEST(FewestArcs, AreTheBestOfAllOrders) {
  Random random(13);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Arc> arcs = random_arcs(7, random, round % 2);
    std::vector<bool> known(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) known[i] = arcs[i].from > arcs[i].to;
    const routing::FewestArcs fewest = routing::fewest_arcs(7, arcs, known, 60.0);
    ASSERT_TRUE(fewest.proven);
    EXPECT_EQ(fewest.bound, least(7, arcs));
    EXPECT_EQ(weight_of(arcs, {fewest.removed, {}}), fewest.bound);
    EXPECT_FALSE(has_cycle(7, arcs, fewest.removed));
  }
}

/// Larger ones: where it has no proof in the time, its bound is one all the same.
TEST(FewestArcs, BoundWhatTheSearchFinds) {
  Random random(17);
  for (int round = 0; round < 6; ++round) {
    const std::vector<Arc> arcs = random_arcs(18, random, 0);
    const FeedbackArcs search = feedback_arcs(18, arcs);
    const routing::FewestArcs soon = routing::fewest_arcs(18, arcs, search.removed, 0.0);
    const routing::FewestArcs late = routing::fewest_arcs(18, arcs, search.removed, 60.0);
    EXPECT_FALSE(soon.proven);
    EXPECT_LE(soon.bound, late.bound);
    ASSERT_TRUE(late.proven);
    EXPECT_EQ(weight_of(arcs, {late.removed, {}}), late.bound);
    EXPECT_LE(late.bound, weight_of(arcs, search));
    EXPECT_LE(weight_of(arcs, search) * 100, late.bound * 105) << "the search is near";
  }
}

}  // namespace
}  // namespace braid::test::feedback_arcs_test
