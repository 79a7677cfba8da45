// From shares to single paths: by hand, and from shares that are as bad as can be.
#include "routing/paths/single_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/graphs.h"
#include "tb/tests/support/path_facts.h"

namespace braid::test::single_paths_test {
namespace {

using namespace routing;

std::uint32_t channel(const Topology& t, const Channels& channels, std::size_t from, std::size_t to) {
  return channels.at(RouterId{from}, port_to(t, RouterId{from}, RouterId{to}));
}

/// Each pair's whole path on its shortest way.
LinkBalance shortest_only(const WayRules& rules, const std::vector<RouterId>& ends,
                          std::vector<CheapestWays::Cost> cost = {}) {
  cost.resize(rules.channels.count(), 1);
  LinkBalance balance;
  balance.ways.resize(rules.routers * rules.routers);
  for (const RouterId to : ends) {
    const CheapestWays ways(rules, to, cost);
    for (const RouterId from : ends) {
      if (from != to) balance.ways[from.value * rules.routers + to.value].push_back({ways.way(from), kWholePath});
    }
  }
  return balance;
}

/// Four pairs of opposite routers have two ways each; one left and one right of each two fill all channels alike.
TEST(SinglePaths, FillARingOfFourAlike) {
  const Topology ring = ring_of(4);
  const Channels channels(ring);
  const WayRules rules(ring, channels, all_dependencies(ring, channels));
  const std::vector<RouterId> ends = routers_with_nodes(ring);
  const PathSet paths = single_paths(rules, ends, balance_links(rules, ends));
  EXPECT_TRUE(is_complete(ring, paths));
  EXPECT_TRUE(is_minimal(ring, paths));
  EXPECT_EQ(loads_of(ring, paths).most, 2U);
}

/// All shares on ways through router 1 of a 4x4 torus, where they can: moves undo it.
TEST(SinglePaths, MoveAwayFromFullChannels) {
  const Topology torus = grid_of("torus", 4, 4);
  const Channels channels(torus);
  const WayRules rules(torus, channels, all_dependencies(torus, channels));
  const std::vector<RouterId> ends = routers_with_nodes(torus);
  std::vector<CheapestWays::Cost> cost(channels.count(), 100);
  for (std::uint32_t c = 0; c < cost.size(); ++c) cost[c] -= channels[c].to == RouterId{1} ? 90 : 0;
  LinkBalance bad = shortest_only(rules, ends, cost);
  bad.bound = 8.0;  // 16 * 32 links over 64 channels
  const PathSet paths = single_paths(rules, ends, bad);
  EXPECT_TRUE(is_complete(torus, paths));
  EXPECT_LE(loads_of(torus, paths).most, 9U);
  EXPECT_LE(loads_of(torus, paths).links, 16U * 32 + 16) << "detours do not pay";
}

/// Paths between r2 and r0, r1 all come over r3; r1 has a detour of seven links, too. Two paths on each of two channels
/// cost less than the detour, unless two are too many.
TEST(SinglePaths, TakeDetoursWhereChannelsWouldBeOverfull) {
  const Topology t = graph_of(10, {{0, 3}, {1, 3}, {3, 2}, {1, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 2}}, 3);
  const Channels channels(t);
  const WayRules rules(t, channels, all_dependencies(t, channels));
  const std::vector<RouterId> ends = routers_with_nodes(t);
  LinkBalance balance = shortest_only(rules, ends);
  balance.bound = 2.0;
  EXPECT_EQ(loads_of(t, single_paths(rules, ends, balance)).most, 2U);
  EXPECT_EQ(loads_of(t, single_paths(rules, ends, balance)).links, 6U * 2);
  for (const double bound : {1.0, 0.4, 1.0 + 1e-9}) {
    balance.bound = bound;
    EXPECT_EQ(loads_of(t, single_paths(rules, ends, balance)).links, 4U * 2 + 2 * 7) << bound;
  }
}

/// s - v - t, but no packet may go straight on at v; the shortest way round comes back to v.
TEST(SinglePaths, FallBackToTheTreeWhereEveryShareComesToARouterTwice) {
  // r0 = s, r1 = t, r2 = v; a loop v - r3 - r4 - v; far round: v - r5 - r6 - r7 - r8 - t
  const Topology t = graph_of(9, {{0, 2}, {2, 1}, {2, 3}, {3, 4}, {4, 2}, {2, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 1}}, 2);
  const Channels channels(t);
  Dependencies after = all_dependencies(t, channels);
  const auto forbid = [&](std::size_t a, std::size_t b, std::size_t c) {
    std::vector<std::uint32_t>& list = after[channel(t, channels, a, b)];
    list.erase(std::find(list.begin(), list.end(), channel(t, channels, b, c)));
  };
  forbid(0, 2, 1);
  forbid(1, 2, 0);
  WayRules rules(t, channels, after);
  rules.tree.assign(channels.count(), true);
  for (const auto& [a, b] : std::vector<std::pair<std::size_t, std::size_t>>{{2, 1}, {4, 2}}) {
    rules.tree[channel(t, channels, a, b)] = false;
    rules.tree[channel(t, channels, b, a)] = false;
  }
  const std::vector<RouterId> ends = routers_with_nodes(t);
  const LinkBalance balance = shortest_only(rules, ends);
  ASSERT_EQ(balance.ways[0 * 9 + 1].front().way.size(), 5U);
  const PathSet paths = single_paths(rules, ends, balance);
  EXPECT_TRUE(is_complete(t, paths));
  EXPECT_EQ(paths.at(RouterId{0}, RouterId{1}).ports.size(), 6U);
  EXPECT_EQ(paths.at(RouterId{1}, RouterId{0}).ports.size(), 6U);
}

/// The only link of each pair is its best way: nobody moves, and who has seen that looks no second time.
TEST(SinglePaths, LookOnceWhereNoPathHasABetterWay) {
  const Topology ring = ring_of(3);
  const Channels channels(ring);
  const WayRules rules(ring, channels, all_dependencies(ring, channels));
  const std::vector<RouterId> ends = routers_with_nodes(ring);
  LinkBalance balance = shortest_only(rules, ends);
  balance.bound = 1.0;
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> told;  // done, of all
  const PathSet paths = single_paths(rules, ends, balance, [&](const char* counts, std::size_t done, std::size_t all) {
    told[counts].emplace_back(done, all);
  });
  EXPECT_EQ(loads_of(ring, paths).most, 1U);
  using Told = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(told["pair"], (Told{{0, 9}, {3, 9}, {6, 9}})) << "a row of pairs each";
  EXPECT_EQ(told["move"], Told(9, {0, 0})) << "each pair once, and no move";
  EXPECT_EQ(told.size(), 2U);
}

/// As above, from r1 to r2 and back: two paths move, in the first sweep; nobody does in the last, where all nine pairs
/// are told so.
TEST(SinglePaths, TellHowManyHaveMoved) {
  const Topology t = graph_of(10, {{0, 3}, {1, 3}, {3, 2}, {1, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 2}}, 3);
  const Channels channels(t);
  const WayRules rules(t, channels, all_dependencies(t, channels));
  const std::vector<RouterId> ends = routers_with_nodes(t);
  LinkBalance balance = shortest_only(rules, ends);
  balance.bound = 1.0;
  std::vector<std::size_t> moves;
  (void)single_paths(rules, ends, balance, [&](const char* counts, std::size_t done, std::size_t) {
    if (std::string(counts) == "move") moves.push_back(done);
  });
  ASSERT_EQ(moves.size(), 18U) << "two sweeps";
  EXPECT_EQ(moves.front(), 0U);
  EXPECT_TRUE(std::is_sorted(moves.begin(), moves.end()));
  EXPECT_GE(std::count(moves.begin(), moves.end(), 2U), 9);
  EXPECT_EQ(moves.back(), 2U);
}

}  // namespace
}  // namespace braid::test::single_paths_test
