#include "routing/paths/feedback_arcs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

#include "routing/base/random.h"
#include "routing/paths/fewest_arcs.h"
#include "routing/paths/temperature.h"
#include "tb/tests/support/sanitized.h"

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

/// None of the removed arcs is fixed, and each would close a cycle if it came back alone.
void expect_all_needed(std::size_t vertices, const std::vector<Arc>& arcs, const std::vector<bool>& removed) {
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (!removed[i]) continue;
    EXPECT_FALSE(arcs[i].fixed);
    std::vector<bool> without = removed;
    without[i] = false;
    EXPECT_TRUE(has_cycle(vertices, arcs, without));
  }
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

/// About `mean_out` arcs out of each vertex.
std::vector<Arc> sparse_arcs(std::size_t vertices, double mean_out, Random& random) {
  std::vector<Arc> arcs;
  const std::uint64_t bits = Random::probability_bits(mean_out / static_cast<double>(vertices));
  for (std::uint32_t a = 0; a < vertices; ++a) {
    for (std::uint32_t b = 0; b < vertices; ++b) {
      if (a != b && random.chance(bits)) arcs.push_back({a, b, 1 + random.below(9)});
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
  for (int round = 0; round < 60; ++round) {
    const std::size_t vertices = 3 + random.below(20);
    const std::vector<Arc> arcs = random_arcs(vertices, random, round % 3);
    const FeedbackArcs result = feedback_arcs(vertices, arcs);
    ASSERT_FALSE(has_cycle(vertices, arcs, result.removed));
    expect_all_needed(vertices, arcs, result.removed);
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

/// The order that is found may have arcs that lead back and close no cycle; of these graphs a few have.
TEST(FeedbackArcs, ArcsOfSparseGraphsThatCloseNoCycleStay) {
  if (kBrief) GTEST_SKIP() << kLong;
  Random random(31);
  for (int round = 0; round < 40; ++round) {
    const std::vector<Arc> arcs = sparse_arcs(44, 3.0, random);
    expect_all_needed(44, arcs, feedback_arcs(44, arcs).removed);
  }
}

/// Five million moves in all, or ten thousand sweeps, whichever is less; each sweep is told before it begins.
TEST(FeedbackArcs, AreSoughtInFewerSweepsOfLargeGraphs) {
  struct Sweeps : std::exception {
    explicit Sweeps(std::size_t so_many) : all(so_many) {}
    std::size_t all;
  };
  const auto sweeps = [](std::size_t vertices) {
    try {
      feedback_arcs(vertices, {{0, 1, 2}, {1, 0, 3}}, [](const char* counts, std::size_t done, std::size_t all) {
        EXPECT_STREQ(counts, "order");
        EXPECT_EQ(done, 0U);
        throw Sweeps(all);
      });
    } catch (const Sweeps& s) {
      return s.all;
    }
    return std::size_t{0};
  };
  EXPECT_EQ(sweeps(3), 10000U);
  EXPECT_EQ(sweeps(500), 10000U);
  EXPECT_EQ(sweeps(501), 9981U);
  EXPECT_EQ(sweeps(1000), 5001U);
  EXPECT_EQ(sweeps(100000), 51U);
}

/// As many vertices and arcs as the channels and dependencies of 16 switches. An order that no move of one vertex makes
/// better is a sixth above the least there, what is found 4 %.
TEST(FeedbackArcs, NearTheFewestOfSparseGraphs) {
  Random random(19);
  std::uint64_t fewest = 0, found = 0;
  for (int round = 0; round < 5; ++round) {
    const std::vector<Arc> arcs = sparse_arcs(64, 2.5, random);
    const FeedbackArcs search = feedback_arcs(64, arcs);
    const routing::FewestArcs least = routing::fewest_arcs(64, arcs, search.removed, 60.0);
    ASSERT_TRUE(least.proven);
    fewest += least.bound;
    found += weight_of(arcs, search);
  }
  EXPECT_LE(found * 100, fewest * 105) << found << " for " << fewest;
}

double share_taken(const routing::Temperature& temperature, std::int64_t change) {
  Random random(23);
  constexpr int kDraws = 20000;
  int taken = 0;
  for (int i = 0; i < kDraws; ++i) taken += temperature.takes(change, random) ? 1 : 0;
  return static_cast<double>(taken) / kDraws;
}

/// A temperature of half the mean weight, 500, takes a move of 500 ln 2 in one of two draws; the last, 100.
TEST(Temperature, TakesHalfAsManyMovesWithEachHalfLifeMore) {
  routing::Temperature temperature(1000);
  for (int cooled = 0; cooled < 2; ++cooled) {
    const std::int64_t half_life = cooled == 0 ? 347 : 69;
    EXPECT_EQ(share_taken(temperature, -1), 1.0);
    EXPECT_EQ(share_taken(temperature, 0), 1.0);
    EXPECT_NEAR(share_taken(temperature, half_life / 2), 0.75, 0.02);
    EXPECT_NEAR(share_taken(temperature, half_life), 0.5, 0.02);
    EXPECT_NEAR(share_taken(temperature, 2 * half_life), 0.25, 0.02);
    EXPECT_NEAR(share_taken(temperature, 4 * half_life), 0.0625, 0.01);
    EXPECT_EQ(share_taken(temperature, std::int64_t{1} << 40), 0.0);
    temperature.cool(routing::Temperature::kSweeps);
  }
}

/// The lightest arc that there is, where it is the mean: at half of its weight e^-2 of the moves are taken, give or
/// take how a part of a half-life is drawn (of 2.885 half-lives 2^-3 times 2 - 0.885).
TEST(Temperature, TakesAMoveOfOneNotAlways) {
  EXPECT_NEAR(share_taken(routing::Temperature(1), 1), 0.139, 0.012);
  EXPECT_EQ(share_taken(routing::Temperature(1), 0), 1.0);
}

/// What it takes at most with the first draw of a seed.
std::int64_t most_taken(const routing::Temperature& temperature, std::uint64_t seed) {
  std::int64_t taken = 0, refused = std::int64_t{1} << 36;
  while (refused - taken > 1) {
    const std::int64_t half = taken + (refused - taken) / 2;
    Random random(seed);
    (temperature.takes(half, random) ? taken : refused) = half;
  }
  return taken;
}

/// A draw has as many halves as zeros before its first one, and a part of one by its last 16 bits; of each the
/// temperature, half of the mean weight, takes ln 2 more. After all sweeps it is a fifth of that.
TEST(Temperature, TakesAsMuchMoreAsTheDrawHasHalves) {
  constexpr std::uint64_t kMean = std::uint64_t{1} << 30U;
  const double ln_2 = std::log(2.0);
  routing::Temperature hot(kMean), cold(kMean), parts(kMean);
  cold.cool(routing::Temperature::kSweeps);
  for (int i = 0; i < 100; ++i) parts.cool(routing::Temperature::kSweeps / 100);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::uint64_t drawn = Random(seed)();
    const double halves = __builtin_clzll(drawn) + static_cast<double>(drawn % 65536) / 65536;
    const double expected = static_cast<double>(kMean) / 2 * ln_2 * halves;
    EXPECT_NEAR(static_cast<double>(most_taken(hot, seed)), expected, 1e-5 * expected) << seed;
    EXPECT_NEAR(static_cast<double>(most_taken(cold, seed)), expected / 5, 0.004 * expected / 5) << seed;
    EXPECT_EQ(most_taken(parts, seed), most_taken(cold, seed)) << "sweep by sweep";
  }
}

/// A draw of no half at all, which takes nothing else, takes what makes the order no heavier.
TEST(Temperature, AlwaysTakesAMoveThatCostsNothing) {
  const routing::Temperature temperature(1000);
  std::uint64_t seed = 0;
  for (std::uint64_t drawn = 0; drawn >> 63U == 0 || drawn % 65536 != 0;) drawn = Random(++seed)();
  Random none(seed), zero(seed), less(seed);
  EXPECT_FALSE(temperature.takes(1, none));
  EXPECT_TRUE(temperature.takes(0, zero));
  EXPECT_TRUE(temperature.takes(-1, less));
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

/// Where the set that is known removes nothing of weight there is none lighter, and nobody is told of any search.
TEST(FewestArcs, OfNoWeightAreProvenWithoutASearch) {
  const std::vector<Arc> arcs{{0, 1, 5}, {1, 2, 4}};
  std::size_t told = 0;
  const routing::FewestArcs none =
      routing::fewest_arcs(3, arcs, {false, false}, 60.0, [&](const char*, std::size_t, std::size_t) { ++told; });
  EXPECT_TRUE(none.proven);
  EXPECT_EQ(none.bound, 0U);
  EXPECT_EQ(none.removed, (std::vector<bool>{false, false}));
  EXPECT_EQ(told, 0U);
}

/// Two rings with an arc in common, of which the known set takes the other two: the one in common is lighter. Fixed
/// arcs stay, though they are lighter still.
TEST(FewestArcs, AreLighterThanTheKnownSetAndFixedOnesStay) {
  const std::vector<Arc> free{{0, 1, 3}, {1, 2, 2}, {2, 0, 9}, {1, 3, 2}, {3, 0, 9}};
  const routing::FewestArcs one = routing::fewest_arcs(4, free, {false, true, false, true, false}, 60.0);
  EXPECT_TRUE(one.proven);
  EXPECT_EQ(one.bound, 3U);
  EXPECT_EQ(one.removed, (std::vector<bool>{true, false, false, false, false}));
  std::vector<Arc> fixed = free;
  fixed[0].fixed = true;
  const routing::FewestArcs two = routing::fewest_arcs(4, fixed, {false, false, true, false, true}, 60.0);
  EXPECT_TRUE(two.proven);
  EXPECT_EQ(two.bound, 4U);
  EXPECT_EQ(two.removed, (std::vector<bool>{false, true, false, true, false}));
}

/// Players 0 to 10 beat those 1, 3, 4, 5 and 9 further on (quadratic residues): every arc is on as many cycles of three
/// as any other, of which a third of each arc is on all, 55 / 3 together. No order is near that, and whoever knows a
/// best one keeps it, for the search finds nothing lighter.
TEST(FewestArcs, AreThoseThatAreKnownWhereNoneAreLighter) {
  std::vector<Arc> arcs;
  for (std::uint32_t a = 0; a < 11; ++a) {
    for (const std::uint32_t further : {1U, 3U, 4U, 5U, 9U}) arcs.push_back({a, (a + further) % 11, 3, false});
  }
  constexpr std::uint64_t kBest = 3 * 20;
  const std::vector<bool> known = feedback_arcs(11, arcs).removed;
  ASSERT_EQ(weight_of(arcs, {known, {}}), kBest);
  const routing::FewestArcs same = routing::fewest_arcs(11, arcs, known, 60.0);
  EXPECT_TRUE(same.proven);
  EXPECT_EQ(same.bound, kBest);
  EXPECT_EQ(same.removed, known);
  std::vector<bool> worse(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) worse[i] = arcs[i].from > arcs[i].to;
  const routing::FewestArcs found = routing::fewest_arcs(11, arcs, worse, 60.0);
  EXPECT_TRUE(found.proven);
  EXPECT_EQ(found.bound, kBest);
}

/// Standard output is for results: `--json -` is to be JSON and nothing else.
TEST(FewestArcs, AreFoundInSilence) {
  Random random(13);
  testing::internal::CaptureStdout();
  for (int round = 0; round < 10; ++round) {
    const std::vector<Arc> arcs = random_arcs(7, random, 0);
    std::vector<bool> known(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) known[i] = arcs[i].from > arcs[i].to;
    (void)routing::fewest_arcs(7, arcs, known, 60.0);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
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
    EXPECT_FALSE(has_cycle(18, arcs, late.removed)) << "a whole answer to the cycles so far may leave others";
    EXPECT_LE(late.bound, weight_of(arcs, search));
    EXPECT_LE(weight_of(arcs, search) * 100, late.bound * 105) << "the search is near";
  }
}

}  // namespace
}  // namespace braid::test::feedback_arcs_test
