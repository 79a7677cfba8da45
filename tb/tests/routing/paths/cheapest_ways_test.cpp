// Cheapest ways by hand.
#include "routing/paths/cheapest_ways.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/graphs.h"

namespace braid::test::cheapest_ways_test {
namespace {

using namespace routing;
using Cost = CheapestWays::Cost;

/// The channel from one router to another.
std::uint32_t channel(const Topology& t, const Channels& channels, std::size_t from, std::size_t to) {
  return channels.at(RouterId{from}, port_to(t, RouterId{from}, RouterId{to}));
}
Way way(const Topology& t, const Channels& channels, const std::vector<std::size_t>& routers) {
  Way way;
  for (std::size_t i = 1; i < routers.size(); ++i) way.push_back(channel(t, channels, routers[i - 1], routers[i]));
  return way;
}

TEST(CheapestWays, GoRoundWhatIsDear) {
  const Topology ring = ring_of(5);
  const Channels channels(ring);
  const WayRules rules(ring, channels, all_dependencies(ring, channels));
  std::vector<Cost> cost(channels.count(), 10);
  EXPECT_EQ(CheapestWays(rules, RouterId{2}, cost).way(RouterId{0}), way(ring, channels, {0, 1, 2}));
  EXPECT_EQ(CheapestWays(rules, RouterId{2}, cost).cost(RouterId{0}), 20);
  cost[channel(ring, channels, 1, 2)] = 19;
  EXPECT_EQ(CheapestWays(rules, RouterId{2}, cost).way(RouterId{0}), way(ring, channels, {0, 1, 2})) << "29, not 30";
  cost[channel(ring, channels, 1, 2)] = 21;
  const CheapestWays round(rules, RouterId{2}, cost);
  EXPECT_EQ(round.way(RouterId{0}), way(ring, channels, {0, 4, 3, 2}));
  EXPECT_EQ(round.cost(RouterId{0}), 30);
  EXPECT_EQ(round.cost(RouterId{1}), 21);
  EXPECT_EQ(round.cost(RouterId{2}), 0);
  EXPECT_EQ(round.way(RouterId{2}), Way{});
}

TEST(CheapestWays, TakeOnlyDependenciesThatAreThere) {
  const Topology ring = ring_of(5);
  const Channels channels(ring);
  Dependencies after = all_dependencies(ring, channels);
  after[channel(ring, channels, 0, 1)].clear();
  const std::vector<Cost> cost(channels.count(), 1);
  const CheapestWays ways(WayRules(ring, channels, after), RouterId{2}, cost);
  EXPECT_EQ(ways.way(RouterId{0}), way(ring, channels, {0, 4, 3, 2}));
  EXPECT_EQ(ways.way(RouterId{1}), way(ring, channels, {1, 2}));
  after[channel(ring, channels, 0, 4)].clear();
  EXPECT_EQ(CheapestWays(WayRules(ring, channels, after), RouterId{2}, cost).cost(RouterId{0}), CheapestWays::kNoWay);
}

TEST(CheapestWays, TakeOnlyChannelsThatLeadToTheRouter) {
  const Topology ring = ring_of(5);
  const Channels channels(ring);
  std::vector<std::vector<bool>> leads_to(5, std::vector<bool>(channels.count(), true));
  leads_to[2][channel(ring, channels, 1, 2)] = false;
  const WayRules rules(ring, channels, all_dependencies(ring, channels), leads_to);
  const std::vector<Cost> cost(channels.count(), 1);
  EXPECT_EQ(CheapestWays(rules, RouterId{2}, cost).way(RouterId{1}), way(ring, channels, {1, 0, 4, 3, 2}));
  EXPECT_EQ(CheapestWays(rules, RouterId{3}, cost).way(RouterId{1}), way(ring, channels, {1, 2, 3}));
}

TEST(CheapestWays, DependenciesNeverTurnBackOnALink) {
  const Topology line = graph_of(3, {{0, 1}, {1, 2}});
  const Channels channels(line);
  const Dependencies after = all_dependencies(line, channels);
  EXPECT_EQ(after[channel(line, channels, 0, 1)], std::vector<std::uint32_t>{channel(line, channels, 1, 2)});
  EXPECT_TRUE(after[channel(line, channels, 1, 2)].empty());
  const Topology doubled = graph_of(2, {{0, 1}, {0, 1}});  // back on the other link
  EXPECT_EQ(all_dependencies(doubled, Channels(doubled))[0].size(), 1U);
}

TEST(CheapestWays, AreSimpleIfTheyMeetNoRouterTwice) {
  const Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 0}, {1, 3}});
  const Channels channels(t);
  EXPECT_TRUE(is_simple(channels, way(t, channels, {0, 1, 3})));
  EXPECT_TRUE(is_simple(channels, {}));
  EXPECT_FALSE(is_simple(channels, way(t, channels, {0, 1, 2, 0})));
  EXPECT_FALSE(is_simple(channels, way(t, channels, {3, 1, 2, 0, 1})));
}

/// Of ways that cost the same: the lowest channel, at the first router and behind it.
TEST(CheapestWays, OfTheSameCostTakeTheLowestChannel) {
  const Topology ring = ring_of(4);
  const Channels channels(ring);
  const WayRules rules(ring, channels, all_dependencies(ring, channels));
  const std::vector<Cost> cost(channels.count(), 7);
  EXPECT_EQ(CheapestWays(rules, RouterId{2}, cost).way(RouterId{0}), way(ring, channels, {0, 1, 2}));
  EXPECT_EQ(CheapestWays(rules, RouterId{3}, cost).way(RouterId{1}), way(ring, channels, {1, 0, 3}));
  const Topology trunk = graph_of(3, {{0, 1}, {1, 2}, {1, 2}});
  const Channels of_trunk(trunk);
  const WayRules trunk_rules(trunk, of_trunk, all_dependencies(trunk, of_trunk));
  const std::vector<Cost> ones(of_trunk.count(), 1);
  EXPECT_EQ(CheapestWays(trunk_rules, RouterId{2}, ones).way(RouterId{0}), (Way{0, 2}));
  EXPECT_EQ(CheapestWays(trunk_rules, RouterId{0}, ones).way(RouterId{2}), (Way{4, 1}));
}

/// The second link is cheaper by one, or dearer.
TEST(CheapestWays, TakeTheCheaperOfTwoLinks) {
  const Topology trunk = graph_of(2, {{0, 1}, {0, 1}});
  const Channels channels(trunk);
  const WayRules rules(trunk, channels, all_dependencies(trunk, channels));
  for (const Cost second : {4, 5, 6}) {
    const CheapestWays ways(rules, RouterId{1}, {5, second, 1, 1});
    EXPECT_EQ(ways.way(RouterId{0}), Way{second < 5 ? 1U : 0U}) << second;
    EXPECT_EQ(ways.cost(RouterId{0}), std::min<Cost>(second, 5));
    EXPECT_EQ(ways.to(), RouterId{1});
  }
}

/// Where no link leads there is no way, and the way is empty.
TEST(CheapestWays, DoNotReachOtherParts) {
  const Topology t = graph_of(4, {{0, 1}, {2, 3}});
  const Channels channels(t);
  const WayRules rules(t, channels, all_dependencies(t, channels));
  const CheapestWays ways(rules, RouterId{0}, std::vector<Cost>(channels.count(), 1));
  EXPECT_EQ(ways.cost(RouterId{1}), 1);
  EXPECT_EQ(ways.cost(RouterId{2}), CheapestWays::kNoWay);
  EXPECT_EQ(ways.way(RouterId{2}), Way{});
}

}  // namespace
}  // namespace braid::test::cheapest_ways_test
