// LogP-optimal broadcast trees: the example of the LogP papers to the cycle, closed forms, and an optimum that does not
// know of the greedy choice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::test::logp_tree_test {
namespace {

using namespace traffic;
using Ints = std::vector<std::uint32_t>;

struct LogP {
  std::uint64_t latency, overhead, gap;
  std::uint64_t told() const { return latency + 2 * overhead; }
  std::uint64_t again() const { return std::max(gap, overhead); }
};

std::unique_ptr<BroadcastScheme> tree(std::uint32_t positions, const LogP& m) {
  Configuration c;
  c.set("broadcast.logp_latency_cycles", m.latency);
  c.set("broadcast.logp_overhead_cycles", m.overhead);
  c.set("broadcast.logp_gap_cycles", m.gap);
  return BroadcastSchemeRegistry::instance().make("logp_tree", {positions, routing::Topology{}, NodeId{0}, c});
}

/// [position] the cycle in which it knows, from the parts alone.
std::vector<std::uint64_t> knows(const std::vector<BroadcastPart>& parts, const LogP& m) {
  std::vector<std::uint64_t> at(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {  // parents have lower numbers
    for (std::size_t i = 0; i < parts[p].told_at_once.size(); ++i) {
      at[parts[p].told_at_once[i]] = at[p] + m.told() + i * m.again();
    }
  }
  return at;
}

/// P = 8, L = 6, o = 2, g = 4: Figure 3 of Culler et al., "LogP: Towards a realistic model of parallel computation".
TEST(LogPTree, OfEightIsThatOfTheLogPPaper) {
  const LogP m{6, 2, 4};
  const auto scheme = tree(8, m);
  const auto& parts = scheme->parts();
  EXPECT_EQ(knows(parts, m), (std::vector<std::uint64_t>{0, 10, 14, 18, 20, 22, 24, 24}));
  EXPECT_EQ(parts[0].told_at_once, (Ints{1, 2, 3, 5}));
  EXPECT_EQ(parts[1].told_at_once, (Ints{4, 6}));
  EXPECT_EQ(parts[2].told_at_once, (Ints{7}));
  EXPECT_EQ(parts[1].heard, (Ints{0, 4, 6}));
  EXPECT_EQ(parts[7].told_when_done, (Ints{2}));
  EXPECT_EQ(parts[0].role + parts[2].role + parts[7].role, "rootinnerleaf");
}

/// A message is known when the next can leave: binomial trees, the root's degree is the logarithm of the positions.
TEST(LogPTree, IsBinomialWhereAMessageTakesAGap) {
  for (std::uint32_t log = 0; log <= 12; ++log) {
    const auto scheme = tree(1U << log, {5, 0, 5});
    EXPECT_EQ(scheme->parts()[0].told_at_once.size(), log);
    EXPECT_EQ(longest_path(scheme->parts()), 2 * log);
    EXPECT_EQ(message_count(scheme->parts()), 2 * ((1U << log) - 1));
  }
}

/// g = 0 and o = 0: the root tells all at once. L and o = 0: nobody waits for a message, a chain is as good.
TEST(LogPTree, HasItsTwoLimits) {
  EXPECT_EQ(tree(100, {7, 0, 0})->parts()[0].told_at_once.size(), 99U);
  EXPECT_EQ(longest_path(tree(100, {7, 0, 0})->parts()), 2U);
  EXPECT_EQ(tree(1, {7, 1, 1})->parts().size(), 1U);
}

/// Positions that know in cycle t or before: N(t) = N(t - max(g, o)) + N(t - L - 2 o), 1 before the first can.
TEST(LogPTree, InformsAsManyAsTheRecurrenceSays) {
  for (const LogP m : {LogP{1, 1, 1}, LogP{6, 2, 4}, LogP{3, 26, 85}, LogP{9, 0, 2}, LogP{0, 1, 7}}) {
    const auto at = knows(tree(500, m)->parts(), m);
    std::vector<std::uint64_t> count;
    for (std::uint64_t t = 0; t < 60 * m.again() && t <= at.back(); ++t) {
      count.push_back(t < m.told() ? 1 : (t >= m.again() ? count[t - m.again()] : 1) + count[t - m.told()]);
      const auto known = std::upper_bound(at.begin(), at.end(), t) - at.begin();
      ASSERT_EQ(std::min<std::uint64_t>(count.back(), 500), static_cast<std::uint64_t>(known)) << t << " " << m.latency;
    }
  }
}

/// The least cycle in which n positions know, over all trees: the root's first child has m of them below, and itself
/// goes on with the others a gap later.
TEST(LogPTree, IsOptimalOverAllTrees) {
  for (const LogP m : {LogP{1, 1, 1}, LogP{6, 2, 4}, LogP{114, 0, 85}, LogP{9, 0, 2}, LogP{0, 5, 1}}) {
    std::vector<std::uint64_t> best{0, 0};
    for (std::uint32_t n = 2; n <= 120; ++n) {
      std::uint64_t least = UINT64_MAX;
      for (std::uint32_t below = 1; below < n; ++below) {
        const std::uint64_t others = n - below == 1 ? 0 : m.again() + best[n - below];
        least = std::min(least, std::max(m.told() + best[below], others));
      }
      best.push_back(least);
      const auto at = knows(tree(n, m)->parts(), m);
      ASSERT_EQ(*std::max_element(at.begin(), at.end()), least) << n << " " << m.latency;
    }
  }
}

}  // namespace
}  // namespace braid::test::logp_tree_test
