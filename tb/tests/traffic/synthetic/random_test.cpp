// Random streams against reference values from the published algorithms (splitmix64, FNV-1a), computed in Python; gaps
// against the geometric distribution in closed form.
#include "routing/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "traffic/synthetic/geometric.h"

namespace braid::test::random_test {
namespace {

using namespace traffic;

std::vector<std::uint64_t> first(Random random, std::size_t count) {
  std::vector<std::uint64_t> draws;
  while (draws.size() < count) draws.push_back(random());
  return draws;
}
using Draws = std::vector<std::uint64_t>;

/// Python, with mix64 and gamma of splitmix64: state = mix64(seed + gamma); then mix64(state += gamma) again and again.
TEST(KnownRandom, StartsFromTheScatteredSeed) {
  EXPECT_EQ(first(Random(0), 5), (Draws{0xa706dd2f4d197e6f, 0xb382a305f4414f5e, 0x631a9154fbabf717, 0xa80aba8c86640906,
                                        0xc9b5ae106698f0bb}));
  EXPECT_EQ(first(Random(1), 3), (Draws{0x5e41ab087439611e, 0xf18d6ce93d6cf1ee, 0x0b95f66d327e8d78}));
}

/// By number, in any order, they are the draws of those above.
TEST(KnownRandom, NthIsTheDrawOfThatNumber) {
  const Random random(0);
  EXPECT_EQ((Draws{random.nth(4), random.nth(0), random.nth(1)}),
            (Draws{0xc9b5ae106698f0bb, 0xa706dd2f4d197e6f, 0xb382a305f4414f5e}));
}

/// The seed with the name's FNV-1a hash (checked in Python: "foobar" gives the published 85944171f73967e8) by xor.
TEST(KnownRandom, NamedStreamsTakeTheNamesHash) {
  EXPECT_EQ(first(Random(1, "node[12].injection"), 3),
            (Draws{0x35de0dcd9e6a15b4, 0x4622566df344603d, 0x899589729e30b3b4}));
}

/// floor(draw * bound / 2^64) of the draws above.
TEST(KnownRandom, BelowScalesTheDraw) {
  Random random(0), wide(0), one(0);
  Draws ten, large;
  for (int i = 0; i < 8; ++i) ten.push_back(random.below(10));
  for (int i = 0; i < 3; ++i) large.push_back(wide.below((1ULL << 40) + 1));
  EXPECT_EQ(ten, (Draws{6, 7, 3, 6, 7, 1, 7, 2}));
  EXPECT_EQ(large, (Draws{717374697293, 770990867956, 425647494396}));
  EXPECT_EQ(one.below(1), 0U);
}

TEST(KnownRandom, ProbabilityIsAThresholdThatTheDrawStaysBelow) {
  EXPECT_EQ(Random::probability_bits(0.0), 0U);
  EXPECT_EQ(Random::probability_bits(0.25), 1ULL << 62);
  EXPECT_EQ(Random::probability_bits(0.5), 1ULL << 63);
  EXPECT_EQ(Random::probability_bits(1.0), ~0ULL);
  EXPECT_FALSE(Random(0).chance(0xa706dd2f4d197e6f));  // the first draw itself
  EXPECT_TRUE(Random(0).chance(0xa706dd2f4d197e70));
}

/// P(gap = k) = p (1 - p)^(k - 1); each count within 4.5 standard deviations.
void expect_geometric(double p, const std::vector<std::uint64_t>& gaps_to_check, int draws) {
  const GeometricGap gap(p);
  Random random(17);
  std::map<std::uint64_t, double> count;
  for (int i = 0; i < draws; ++i) ++count[gap(random)];
  for (const std::uint64_t k : gaps_to_check) {
    const double expected = draws * p * std::pow(1.0 - p, static_cast<double>(k) - 1.0);
    EXPECT_NEAR(count[k], expected, 4.5 * std::sqrt(expected)) << "p " << p << ", gap " << k;
  }
  EXPECT_EQ(count.count(0), 0U);
}

TEST(KnownGaps, HaveTheGeometricDistribution) {
  expect_geometric(0.25, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 200000);
  expect_geometric(0.9, {1, 2, 3}, 200000);
}

/// The table ends at 512: a longer gap is drawn in pieces, and none falls into the seam or is there twice.
TEST(KnownGaps, GoOnBeyondTheTable) {
  expect_geometric(0.004, {510, 511, 512, 513, 514, 515, 1023, 1024, 1025, 1026}, 1000000);
  const GeometricGap rare(0.0005);
  Random random(3);
  constexpr double kDraws = 100000;
  double beyond_512 = 0, beyond_1024 = 0, beyond_5000 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t gap = rare(random);
    beyond_512 += gap > 512 ? 1 : 0;
    beyond_1024 += gap > 1024 ? 1 : 0;
    beyond_5000 += gap > 5000 ? 1 : 0;
  }
  for (const auto& [seen, limit] : {std::pair(beyond_512, 512), {beyond_1024, 1024}, {beyond_5000, 5000}}) {
    const double share = std::pow(0.9995, limit);
    EXPECT_NEAR(seen / kDraws, share, 4.5 * std::sqrt(share * (1 - share) / kDraws)) << limit;
  }
}

/// What hardly ever happens: whole tables of 512 cycles are skipped by a draw, and tables of those. Times p the gaps
/// are exponential with mean 1, and fall anywhere in a table alike.
TEST(KnownGaps, OfWhatIsRareSkipWholeTables) {
  for (const int bits : {22, 24, 34, 44}) {
    const double p = std::ldexp(1.0, -bits);
    const GeometricGap rare(p);
    Random random(13);
    constexpr double kDraws = 40000;
    double sum = 0, beyond_mean = 0;
    std::vector<double> places(8);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t gap = rare(random);
      ASSERT_GE(gap, 1U);
      sum += static_cast<double>(gap) * p;
      beyond_mean += static_cast<double>(gap) * p > 1.0 ? 1 : 0;
      ++places[(gap - 1) % 512 / 64];
    }
    const double share = std::exp(-1.0);
    EXPECT_NEAR(sum / kDraws, 1.0, 4.5 / std::sqrt(kDraws)) << bits;
    EXPECT_NEAR(beyond_mean / kDraws, share, 4.5 * std::sqrt(share * (1 - share) / kDraws)) << bits;
    for (const double here : places) EXPECT_NEAR(here, kDraws / 8, 4.5 * std::sqrt(kDraws * 7 / 64)) << bits;
  }
}

TEST(KnownGaps, OfCertaintyAreOne) {
  const GeometricGap always(1.0);
  Random random(5);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(always(random), 1U);
}

}  // namespace
}  // namespace braid::test::random_test
