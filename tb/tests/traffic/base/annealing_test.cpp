// Simulated annealing move by move: which swaps it tries, what it draws for them, and what it returns.
#include "traffic/base/annealing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace braid::test::annealing_test {
namespace {

using namespace traffic;
using Order = std::vector<NodeId>;

Order in_order(std::size_t places) {
  Order all;
  for (std::size_t n = 0; n < places; ++n) all.emplace_back(n);
  return all;
}

std::vector<std::size_t> all_of(std::size_t places) {
  std::vector<std::size_t> all(places);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The places at which two orders differ.
std::vector<std::size_t> differing(const Order& a, const Order& b) {
  std::vector<std::size_t> all;
  for (std::size_t p = 0; p < a.size(); ++p) {
    if (a[p] != b[p]) all.push_back(p);
  }
  return all;
}

/// Two places a move, and nothing for a swap that costs no more: whoever draws next goes on behind them.
TEST(Annealing, DrawsTwoPlacesAMove) {
  for (const std::uint32_t moves : {0U, 1U, 2U, 10U, 63U, 64U, 65U}) {
    Random random(7), other(7);
    (void)anneal(in_order(4), all_of(4), [](const Order&) { return 3.0; }, moves, random);
    for (std::uint32_t draw = 0; draw < 2 * moves; ++draw) (void)other();
    EXPECT_EQ(random(), other()) << moves;
  }
}

/// Of five places three are used: one of the two that are swapped is one of these, every such pair is tried, and
/// nothing that is not movable moves.
TEST(Annealing, SwapsWhatIsUsedOrMovesThere) {
  const std::vector<std::size_t> movable{0, 2, 3, 4};
  std::set<std::vector<std::size_t>> tried;
  Order before = in_order(5);
  Random random(5);
  std::size_t costs = 0;
  (void)anneal(
      before, movable,
      [&](const Order& of) {
        if (costs++ > 0) tried.insert(differing(before, of));
        before = of;  // costs no more, so it is taken
        return 1.0;
      },
      500, random, 3);
  EXPECT_EQ(tried, (std::set<std::vector<std::size_t>>{{0, 2}, {0, 3}, {0, 4}, {2, 3}, {2, 4}}));
}

/// A swap that is much too dear is taken back: the next begins from where it was.
TEST(Annealing, TakesBackWhatCostsTooMuch) {
  const Order first = in_order(5);
  Random random(3);
  std::size_t tried = 0;
  const Order found = anneal(
      first, all_of(5),
      [&](const Order& of) {
        const std::size_t moved = differing(first, of).size();
        EXPECT_TRUE(moved == 0 || moved == 2) << moved;
        tried += moved / 2;
        return moved == 0 ? 0.0 : 1e9;
      },
      200, random);
  EXPECT_EQ(found, first);
  EXPECT_GT(tried, 100U);
}

/// Costs as if drawn, of which many are better than the first and worse than the best: the best of all that were tried.
TEST(Annealing, ReturnsTheBestThatItMet) {
  const auto cost = [](const Order& of) {
    std::uint64_t mixed = 1;
    for (const NodeId n : of) mixed = mix64(mixed + n.value);
    return static_cast<double>(mixed % 1000);
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    double least = 1e9;
    const Order found = anneal(
        in_order(8), all_of(8),
        [&](const Order& of) {
          least = std::min(least, cost(of));
          return cost(of);
        },
        300, random);
    EXPECT_EQ(cost(found), least) << seed;
  }
}

/// How often a step up by `more` is taken, in the `part`th of ten parts of all moves, where the lower of two orders
/// costs 10000.
double taken(double more, std::size_t part) {
  constexpr std::uint32_t kMoves = 40000;
  Random random(11);
  const Order low = in_order(2);
  std::vector<bool> costly;  // of each order whose cost was asked for, the first one without a move
  (void)anneal(
      low, all_of(2),
      [&](const Order& of) {
        costly.push_back(of != low);
        return of == low ? 10000.0 : 10000.0 + more;
      },
      kMoves, random);
  std::size_t up = 0, stayed = 0;
  // Two costly ones in a row: the first was not taken. A costly one and the other again: it was.
  for (std::size_t i = costly.size() * part / 10; i + 1 < costly.size() * (part + 1) / 10; ++i) {
    if (costly[i]) ++(costly[i + 1] ? stayed : up);
  }
  return static_cast<double>(up) / static_cast<double>(std::max<std::size_t>(1, up + stayed));
}

/// From a tenth of the first cost down to 0.05, by the same factor in each move: the geometric mean of both half-way. A
/// step up by the temperature is taken once in e times.
TEST(Annealing, CoolsFromATenthOfTheCost) {
  const auto temperature = [](double share) { return 1000.0 * std::pow(0.05 / 1000.0, share); };
  for (const std::size_t part : {0U, 2U, 4U, 6U, 8U}) {
    const double now = temperature((static_cast<double>(part) + 0.5) / 10);
    EXPECT_NEAR(taken(now, part), std::exp(-1.0), 0.08) << part;
    EXPECT_GT(taken(now / 20, part), 0.85) << part;
    EXPECT_LT(taken(now * 20, part), 0.05) << part;
  }
}

/// Who computes for long asks whether to break off: before the first move, and once in 64.
TEST(Annealing, LooksOnceIn64Moves) {
  const auto looks = [](std::uint32_t moves) {
    std::size_t count = 0;
    const routing::BreakOff asked([&](const char*, std::size_t, std::size_t) { ++count; });
    Random random(2);
    (void)anneal(in_order(3), all_of(3), [](const Order&) { return 1.0; }, moves, random);
    return count;
  };
  EXPECT_EQ(looks(0), 0U);
  EXPECT_EQ(looks(1), 1U);
  EXPECT_EQ(looks(64), 1U);
  EXPECT_EQ(looks(65), 2U);
  EXPECT_EQ(looks(6400), 100U);
}

}  // namespace
}  // namespace braid::test::annealing_test
