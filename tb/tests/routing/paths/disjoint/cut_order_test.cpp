// Which of several overfull cuts is named: small rectangles before large ones, routers in order, leaving first.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "routing/paths/disjoint/demand_cuts.h"
#include "tb/tests/support/disjoint.h"

namespace braid::test::cut_order_test {
namespace {

using namespace routing;

std::vector<Demand> demands_of(const std::vector<std::pair<std::size_t, std::size_t>>& ends) {
  std::vector<Demand> demands;
  for (const auto& [from, to] : ends) demands.push_back({RouterId{from}, RouterId{to}});
  return demands;
}

/// One path from each other router of a 2x2 mesh to the last one, which two links enter: the other three are no
/// rectangle, so it is the last one itself that is named, though they stand before it.
TEST(CutOrder, NoRectangleGoesBeyondTheEdgeOfTheGrid) {
  const Topology t = grid_of("mesh", 2, 2);
  const auto cut = overfull_region(t, Channels(t), demands_of({{0, 3}, {1, 3}, {2, 3}}), {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->routers, std::vector<RouterId>{RouterId{3}});
  EXPECT_FALSE(cut->leaving);
  EXPECT_EQ(cut->demands, 3U);
  EXPECT_EQ(cut->channels, 2U);
}

/// The corner (0,0) of a mesh has two links: three paths leave it and four enter.
TEST(CutOrder, WhatLeavesIsNamedBeforeWhatEnters) {
  const Topology t = grid_of("mesh", 2, 2);
  const Channels channels(t);
  const auto demands = demands_of({{1, 0}, {2, 0}, {3, 0}, {3, 0}, {0, 1}, {0, 2}, {0, 3}});
  for (const auto& cut : {overfull_router(t, channels, demands), overfull_region(t, channels, demands, {})}) {
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->routers, std::vector<RouterId>{RouterId{0}});
    EXPECT_TRUE(cut->leaving);
    EXPECT_EQ(cut->demands, 3U);
    EXPECT_EQ(cut->channels, 2U);
  }
}

/// Two paths enter r0 and two leave r2, the ends of a row, which have a link each.
TEST(CutOrder, TheLowestRouterIsNamedWhicheverWayItIsOverfull) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}});
  const auto cut = overfull_router(t, Channels(t), demands_of({{2, 1}, {2, 0}, {1, 0}}));
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->routers, std::vector<RouterId>{RouterId{0}});
  EXPECT_FALSE(cut->leaving);
  EXPECT_EQ(cut->demands, 2U);
  EXPECT_EQ(cut->channels, 1U);
}

/// A row of four, one link each way between the halves: paths from right to left, no two of one router.
TEST(CutOrder, ABallIsNamedForWhatEntersItToo) {
  const Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 3}});
  const auto demands = demands_of({{2, 0}, {3, 1}});
  EXPECT_FALSE(overfull_router(t, Channels(t), demands));
  const auto cut = overfull_region(t, Channels(t), demands, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->routers, (std::vector<RouterId>{RouterId{0}, RouterId{1}}));
  EXPECT_FALSE(cut->leaving);
  EXPECT_EQ(cut->demands, 2U);
  EXPECT_EQ(cut->channels, 1U);
}

/// Two rectangles with the corner are overfull: the one in its row is looked at first.
TEST(CutOrder, RectanglesGrowToTheRightBeforeTheyGrowDown) {
  const Topology t = grid_of("mesh", 3, 3);
  // (0,0) (1,0) have three links out together, and so have (0,0) (0,1): four paths leave both pairs.
  const auto demands = demands_of({{0, 4}, {0, 8}, {1, 4}, {1, 5}, {3, 4}, {3, 7}});
  EXPECT_FALSE(overfull_router(t, Channels(t), demands_of({{0, 4}, {0, 8}, {1, 4}, {1, 5}})));
  const auto cut = overfull_region(t, Channels(t), demands, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->routers, (std::vector<RouterId>{RouterId{0}, RouterId{1}}));
  EXPECT_TRUE(cut->leaving);
  EXPECT_EQ(cut->demands, 4U);
  EXPECT_EQ(cut->channels, 3U);
}

}  // namespace
}  // namespace braid::test::cut_order_test
