// The linear program on networks whose optimum is known.
#include "routing/paths/link_balance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::link_balance_test {
namespace {

using namespace routing;

using Links = std::vector<std::pair<std::size_t, std::size_t>>;

/// Solves, and holds the result against itself: shares are whole, the fullest channel is as full as is said.
LinkBalance balanced(const Topology& t, const WayRules& rules) {
  LinkBalance balance = balance_links(rules, routers_with_nodes(t));
  std::vector<double> load(rules.channels.count());
  for (const auto& pair : balance.ways) {
    std::int64_t all = 0;
    for (const SharedWay& s : pair) {
      all += s.share;
      for (const std::uint32_t c : s.way) load[c] += static_cast<double>(s.share) / kWholePath;
    }
    EXPECT_TRUE(pair.empty() || all == kWholePath) << all;
  }
  const double most = *std::max_element(load.begin(), load.end());
  EXPECT_NEAR(most, balance.most, 1e-4 * balance.most);
  EXPECT_LE(balance.bound, balance.most + 1e-9);
  EXPECT_GE(balance.bound, 0.999 * balance.most - 1e-9);
  return balance;
}
double most_of(const Topology& t) {
  const Channels channels(t);
  return balanced(t, WayRules(t, channels, all_dependencies(t, channels))).most;
}

/// Three ways of two links between the only two ends: a third of the path on each.
TEST(LinkBalance, SplitsPathsEvenly) {
  const Topology t = graph_of(5, {{0, 2}, {2, 1}, {0, 3}, {3, 1}, {0, 4}, {4, 1}}, 2);
  EXPECT_NEAR(most_of(t), 1.0 / 3, 1e-3);
  const Channels channels(t);
  const LinkBalance balance = balanced(t, WayRules(t, channels, all_dependencies(t, channels)));
  EXPECT_EQ(balance.ways[0 * 5 + 1].size(), 3U);
  EXPECT_EQ(balance.ways[1 * 5 + 0].size(), 3U);
  EXPECT_TRUE(balance.ways[0 * 5 + 2].empty()) << "no node there";
}

/// Three ways from r0 to r1 and back, a third each: 2^20 = 3 * 349525 + 1, and the first of the greatest has what is
/// left over.
TEST(LinkBalance, GivesWhatRoundingLeavesToTheFirstOfTheGreatest) {
  const Topology t = graph_of(5, {{0, 2}, {0, 3}, {0, 4}, {2, 1}, {3, 1}, {4, 1}}, 2);
  const Channels channels(t);
  const WayRules rules(t, channels, all_dependencies(t, channels));
  const LinkBalance balance = balance_links(rules, routers_with_nodes(t));
  for (const std::size_t pair : {std::size_t{0 * 5 + 1}, std::size_t{1 * 5 + 0}}) {
    ASSERT_EQ(balance.ways[pair].size(), 3U);
    EXPECT_EQ(balance.ways[pair][0].share, 349526);
    EXPECT_EQ(balance.ways[pair][1].share, 349525);
    EXPECT_EQ(balance.ways[pair][2].share, 349525);
  }
  EXPECT_NEAR(balance.most, 1.0 / 3, 1e-9);
  EXPECT_NEAR(balance.bound, 1.0 / 3, 1e-5);
}

/// A ring of n: over all pairs n * (1 + 2 + …) links on 2 n channels, which symmetry fills alike.
TEST(LinkBalance, FillsRingsAlike) {
  EXPECT_NEAR(most_of(ring_of(3)), 1.0, 1e-3);
  EXPECT_NEAR(most_of(ring_of(4)), 2.0, 2e-3);
  EXPECT_NEAR(most_of(ring_of(5)), 3.0, 3e-3);
  EXPECT_NEAR(most_of(ring_of(8)), 8.0, 8e-3);
}

/// The link in the middle of a line of n carries all from one side to the other.
TEST(LinkBalance, CannotSpareTheOnlyWay) {
  EXPECT_NEAR(most_of(graph_of(2, {{0, 1}})), 1.0, 1e-9);
  EXPECT_NEAR(most_of(graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}})), 9.0, 1e-9);
  EXPECT_NEAR(most_of(graph_of(4, {{0, 1}, {0, 2}, {0, 3}})), 3.0, 1e-9);
}

/// Bisection of a 4x4 mesh: 8 nodes send to 8 others over 4 links, 16 paths each; more cannot be spared, and
/// dimension order does as well.
TEST(LinkBalance, ReachesTheBisectionOfAMesh) { EXPECT_NEAR(most_of(grid_of("mesh", 4, 4)), 16.0, 0.016); }

/// Direct, or by a third router: with detours half of each, without all on the link.
TEST(LinkBalance, TakesDetoursOnlyWhereTheRulesAllow) {
  const Topology t = graph_of(3, {{0, 1}, {0, 2}, {2, 1}}, 2);
  EXPECT_NEAR(most_of(t), 0.5, 1e-3);
  const Channels channels(t);
  std::vector<std::vector<bool>> nearer(3, std::vector<bool>(channels.count()));
  nearer[1][channels.at(RouterId{0}, port_to(t, RouterId{0}, RouterId{1}))] = true;
  nearer[0][channels.at(RouterId{1}, port_to(t, RouterId{1}, RouterId{0}))] = true;
  EXPECT_NEAR(balanced(t, WayRules(t, channels, all_dependencies(t, channels), nearer)).most, 1.0, 1e-9);
}

TEST(LinkBalance, IsTheSameEveryTime) {
  const Topology t = grid_of("torus", 3, 4);
  const Channels channels(t);
  const WayRules rules(t, channels, all_dependencies(t, channels));
  const LinkBalance one = balanced(t, rules), two = balanced(t, rules);
  for (std::size_t p = 0; p < one.ways.size(); ++p) {
    ASSERT_EQ(one.ways[p].size(), two.ways[p].size());
    for (std::size_t w = 0; w < one.ways[p].size(); ++w) {
      EXPECT_EQ(one.ways[p][w].way, two.ways[p][w].way);
      EXPECT_EQ(one.ways[p][w].share, two.ways[p][w].share);
    }
  }
}

/// The solver itself tells, at every iteration, and goes no further once it is to stop.
TEST(LinkBalance, IsBrokenOffInTheMidstOfTheSolver) {
  const Topology t = grid_of("torus", 4, 4);
  const Channels channels(t);
  const WayRules rules(t, channels, all_dependencies(t, channels));
  const std::vector<RouterId> ends = routers_with_nodes(t);
  for (std::size_t bears = 1, told = 0;; bears += kBrief ? 30 : 3, told = 0) {
    const OnProgress progress = [&](const char*, std::size_t, std::size_t) {
      if (++told >= bears) throw std::runtime_error("broken off");
    };
    try {
      balance_links(rules, ends, progress);
      EXPECT_GT(bears, 3 * ends.size()) << "trees alone tell less often";
      return;
    } catch (const std::runtime_error&) {
      EXPECT_EQ(told, bears);
    }
  }
}

/// For each pair of routers, all the same.
TEST(LinkBalance, OfOneEndIsNothing) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}}, 1);
  const Channels channels(t);
  const LinkBalance balance =
      balance_links(WayRules(t, channels, all_dependencies(t, channels)), routers_with_nodes(t));
  EXPECT_EQ(balance.most, 0.0);
  EXPECT_EQ(balance.bound, 0.0);
  EXPECT_EQ(balance.ways.size(), 9U);
  for (const auto& pair : balance.ways) EXPECT_TRUE(pair.empty());
}

/// Rounds are told from the first one on, which looks for a tree to each end before there is any price.
TEST(LinkBalance, RoundsAreToldInOrder) {
  const Topology ring = ring_of(8);
  const Channels channels(ring);
  const WayRules rules(ring, channels, all_dependencies(ring, channels));
  std::vector<std::size_t> rounds;
  (void)balance_links(rules, routers_with_nodes(ring), [&](const char* counts, std::size_t done, std::size_t) {
    EXPECT_STREQ(counts, "round");
    rounds.push_back(done);
  });
  ASSERT_GT(rounds.size(), 8U);
  EXPECT_EQ(rounds.front(), 0U);
  EXPECT_EQ(rounds[7], 0U);
  EXPECT_TRUE(std::is_sorted(rounds.begin(), rounds.end()));
  EXPECT_GT(rounds.back(), 0U) << "one tree each is not even";
}

/// Where each pair has one way only, no further tree is better, and the first round is the last.
TEST(LinkBalance, OfARowIsFoundInTheFirstRound) {
  const Topology t = graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  const Channels channels(t);
  std::size_t told = 0;
  const LinkBalance balance = balance_links(WayRules(t, channels, all_dependencies(t, channels)), routers_with_nodes(t),
                                            [&](const char* counts, std::size_t done, std::size_t) {
                                              EXPECT_STREQ(counts, "round");
                                              EXPECT_EQ(done, 0U);
                                              ++told;
                                            });
  EXPECT_GE(told, 12U) << "a tree to each end at even prices, and one at those of the program";
  EXPECT_NEAR(balance.bound, 9.0, 1e-6);
  for (std::size_t p = 0; p < 36; ++p) EXPECT_EQ(balance.ways[p].size(), p % 7 == 0 ? 0U : 1U) << p;
}

/// Two ends are enough for a program, none and one are not.
TEST(LinkBalance, OfNoEndIsNothing) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}}, 0);
  const Channels channels(t);
  std::size_t told = 0;
  const LinkBalance balance = balance_links(WayRules(t, channels, all_dependencies(t, channels)), routers_with_nodes(t),
                                            [&](const char*, std::size_t, std::size_t) { ++told; });
  EXPECT_EQ(balance.most, 0.0);
  EXPECT_EQ(balance.ways.size(), 9U);
  EXPECT_EQ(told, 0U);
}

}  // namespace
}  // namespace braid::test::link_balance_test
