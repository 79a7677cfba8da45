// Demands of one router that carry the same items: the tentacle's paths are a tree, by hand (docs/setup.md).
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tb/tests/support/disjoint.h"

namespace braid::test::tree_demands_test {
namespace {

using namespace routing;
using Copies = std::optional<std::uint32_t>;

Demand demand(std::size_t from, std::size_t to, Copies copies = {}) { return {RouterId{from}, RouterId{to}, copies}; }

/// r0 - r1, and from r1 to r2 and r3: all share the link out of r0.
Topology fork() { return graph_of(4, {{0, 1}, {1, 2}, {1, 3}}); }

TEST(TreeDemands, ShareTheChannelsOfTheirTree) {
  const Topology t = fork();
  for (const std::uint32_t number : {0U, 1U, 7U}) {
    const DisjointPaths found = found_by("tentacle", t, {demand(0, 2, number), demand(0, 3, number)});
    ASSERT_EQ(found.answer, DisjointAnswer::kFound) << number;
    EXPECT_EQ(found.tries, 1U);
    EXPECT_EQ(found.backtracks, 0U);
    ASSERT_EQ(found.paths[0].size(), 2U);
    ASSERT_EQ(found.paths[1].size(), 2U);
    EXPECT_EQ(found.paths[0].front(), found.paths[1].front());
    EXPECT_NE(found.paths[0].back(), found.paths[1].back());
  }
}

TEST(TreeDemands, OfOtherItemsShareNone) {
  const Topology t = fork();
  const auto answer = [&](Copies one, Copies other) {
    return found_by("tentacle", t, {demand(0, 2, one), demand(0, 3, other)}).answer;
  };
  EXPECT_EQ(answer({}, {}), DisjointAnswer::kUnknown);
  EXPECT_EQ(answer(0U, {}), DisjointAnswer::kUnknown);
  EXPECT_EQ(answer({}, 0U), DisjointAnswer::kUnknown);
  EXPECT_EQ(answer(0U, 1U), DisjointAnswer::kUnknown);
  EXPECT_EQ(answer(1U, 0U), DisjointAnswer::kUnknown);
}

/// Three of one tree, the last to a router on its way.
TEST(TreeDemands, MayEndOnTheWay) {
  const Topology t = fork();
  const DisjointPaths found = found_by("tentacle", t, {demand(0, 2, 0), demand(0, 3, 0), demand(0, 1, 0)});
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.paths[2], std::vector<std::uint32_t>{found.paths[0].front()});
}

/// From r0 to r2 two ways are as short. Where a branch stands on the upper port's, a further one goes along it though
/// the lower port is free.
TEST(TreeDemands, FollowTheTreeBeforeFreeChannels) {
  const Topology t = graph_of(5, {{0, 1}, {0, 3}, {1, 2}, {3, 2}, {3, 4}});
  const DisjointPaths found = found_by("tentacle", t, {demand(0, 4, 0), demand(0, 2, 0)});
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.paths[1].front(), found.paths[0].front());
  EXPECT_EQ(found.paths[1].size(), 2U);
  const DisjointPaths alone = found_by("tentacle", t, {demand(0, 4), demand(0, 2)});
  ASSERT_EQ(alone.answer, DisjointAnswer::kFound);
  EXPECT_NE(alone.paths[1].front(), alone.paths[0].front());
}

/// r0 and r1 are as far from r2: along the tree to r1 is no step nearer, the free channel to r2 is.
TEST(TreeDemands, LeaveTheTreeWhereItComesNoNearer) {
  const Topology t = graph_of(3, {{0, 1}, {0, 2}, {1, 2}});
  const DisjointPaths found = found_by("tentacle", t, {demand(0, 1, 0), demand(0, 2, 0)});
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.paths[0].size(), 1U);
  EXPECT_EQ(found.paths[1].size(), 1U);
}

/// A tree keeps its channels from others, in whichever order they come.
TEST(TreeDemands, KeepTheirChannels) {
  const Topology t = fork();
  EXPECT_EQ(found_by("tentacle", t, {demand(0, 2, 3), demand(0, 3, 3), demand(1, 3)}).answer, DisjointAnswer::kUnknown);
  EXPECT_EQ(found_by("tentacle", t, {demand(0, 2, 3), demand(1, 3)}).answer, DisjointAnswer::kFound);
}

/// The direct link is another's, and the tree leads away from r2 and no further: back, and out by the detour.
TEST(TreeDemands, LeaveTheTreeByADetourAtLast) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {3, 2}});
  Configuration c;
  c.set("disjoint.tentacle_orders", 1);
  const DisjointPaths found = found_by("tentacle", t, {demand(0, 1, 0), demand(0, 2), demand(0, 2, 0)}, c);
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.paths[1].size(), 1U);
  EXPECT_EQ(found.paths[2].size(), 2U);
  EXPECT_EQ(Channels(t)[found.paths[2].front()].to, RouterId{3});
  EXPECT_EQ(found.backtracks, 1U) << "from r1";
}

/// The tree's own backtrack leaves its channel with the tree: a third branch goes along it.
TEST(TreeDemands, GiveNoChannelOfTheTreeBack) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {3, 2}});
  Configuration c;
  c.set("disjoint.tentacle_orders", 1);
  const std::vector<Demand> demands{demand(0, 1, 0), demand(0, 2), demand(0, 2, 0), demand(0, 1)};
  EXPECT_EQ(found_by("tentacle", t, demands, c).answer, DisjointAnswer::kUnknown) << "the link to r1 is the tree's";
  const std::vector<Demand> of_tree{demand(0, 1, 0), demand(0, 2), demand(0, 2, 0), demand(0, 1, 0)};
  const DisjointPaths found = found_by("tentacle", t, of_tree, c);
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.paths[3], found.paths[0]);
}

/// Two trees want the one link out of r0: whichever comes first has it, and each order fails.
TEST(TreeDemands, OfTwoTreesAreTriedInEveryOrder) {
  const Topology t = fork();
  std::size_t told = 0;
  const DisjointPaths none = found_by("tentacle", t, {demand(0, 2, 0), demand(0, 3, 1)}, {},
                                      [&](const char*, std::size_t, std::size_t) { ++told; });
  EXPECT_EQ(none.answer, DisjointAnswer::kUnknown);
  EXPECT_TRUE(none.paths.empty());
  EXPECT_EQ(none.tries, 9U);
  EXPECT_EQ(told, 9U);
}

}  // namespace
}  // namespace braid::test::tree_demands_test
