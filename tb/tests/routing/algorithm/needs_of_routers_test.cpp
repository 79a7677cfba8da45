// What algorithms need of routers, virtual channels and networks: at the least that is enough, and one below.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "routing/algorithm/intermediate.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::needs_of_routers_test {
namespace {

using namespace routing;

std::string said(const char* name, const Topology& t, std::uint32_t vcs, const char* routers = "hybrid",
                 const char* phase_vcs = "halves") {
  RoutingContext context;
  context.vcs = vcs;
  context.configuration.set("router.architecture", std::string(routers));
  context.configuration.set("routing.phase_vcs", std::string(phase_vcs));
  return complaint([&] { RoutingRegistry::instance().make(name, t, context); });
}
std::string needs_vcs(const std::string& name, const std::string& where, std::uint32_t least) {
  return "routing algorithm \"" + name + "\" on a " + where + " needs router.vcs >= " + std::to_string(least) +
         "; it is " + std::to_string(least - 1);
}
std::string needs_hybrid(const std::string& name) {
  return "routing algorithm \"" + name + "\" needs router.architecture = \"hybrid\"";
}

TEST(NeedsOfRouters, WaysOfTwoOrdersHaveAVcForEach) {
  const Topology mesh = grid_of("mesh", 3, 2);
  for (const char* name : {"xy_yx", "adaptive_xy_yx"}) {
    EXPECT_EQ(said(name, mesh, 2), "");
    EXPECT_EQ(said(name, mesh, 1), needs_vcs(name, "mesh", 2));
    EXPECT_EQ(said(name, mesh, 2, "po2"), needs_hybrid(name));
    EXPECT_EQ(said(name, mesh, 1, "po2"), needs_hybrid(name)) << "of both this is said";
    EXPECT_EQ(said(name, grid_of("torus", 3, 4), 4),
              "routing algorithm \"" + std::string(name) + "\" needs a mesh; topology is torus 3x4");
  }
}

TEST(NeedsOfRouters, ShortestWaysOfADragonflyHaveAVcForEachGroup) {
  const Topology t = dragonfly_of(2, 1, 1);
  const char* const name = "dragonfly_minimal";
  EXPECT_EQ(said(name, t, 2), "");
  EXPECT_EQ(said(name, t, 1), needs_vcs(name, "dragonfly", 2));
  EXPECT_EQ(said(name, t, 2, "po2"), "") << "halves are good for all routers";
  EXPECT_EQ(said(name, t, 2, "po2", "one_each"), needs_hybrid(name));
  EXPECT_EQ(said(name, t, 2, "hybrid", "one_each"), "");
  EXPECT_EQ(said(name, t, 1, "po2", "one_each"), needs_vcs(name, "dragonfly", 2)) << "of both this is said";
}

TEST(NeedsOfRouters, WaysByAnIntermediateHaveVcsForEachPhase) {
  const Topology mesh = cube_of("cube", {3, 2}), torus = cube_of("cube", {3, 3}, true),
                 rows = cube_of("flattened_butterfly", {3, 2}), groups = dragonfly_of(2, 1, 1);
  for (const char* name : {"valiant", "romm", "ugal", "ugal_g"}) {
    EXPECT_EQ(said(name, mesh, 2), "") << name;
    EXPECT_EQ(said(name, rows, 2), "") << name;
    EXPECT_EQ(said(name, torus, 4), "") << name;
    EXPECT_EQ(said(name, mesh, 1), needs_vcs(name, "mesh or flattened butterfly", 2));
    EXPECT_EQ(said(name, rows, 1), needs_vcs(name, "mesh or flattened butterfly", 2));
    EXPECT_EQ(said(name, torus, 3), needs_vcs(name, "torus", 4));
    EXPECT_EQ(said(name, mesh, 2, "po2"), needs_hybrid(name));
  }
  for (const char* name : {"valiant", "ugal", "ugal_g"}) {
    EXPECT_EQ(said(name, groups, 3), "") << name;
    EXPECT_EQ(said(name, groups, 2), needs_vcs(name, "dragonfly", 3));
    EXPECT_EQ(said(name, groups, 3, "po2"), needs_hybrid(name));
  }
}

/// As the algorithm's own file says: one VC is enough where every row is joined, or a single one.
TEST(NeedsOfRouters, ChainsHaveTwoVcsWhereSomeRowsAreJoined) {
  const char* const name = "chiplet_order";
  EXPECT_EQ(said(name, chain_of(2, 2, 3), 1), "");
  EXPECT_EQ(said(name, chain_of(2, 2, 3, {1}), 1), "");
  EXPECT_EQ(said(name, chain_of(2, 2, 3, {0, 2}), 2), "");
  EXPECT_EQ(said(name, chain_of(2, 2, 3, {0, 2}), 1),
            needs_vcs(name, "chain of chiplets joined in several rows, but not in all,", 2));
  EXPECT_EQ(said(name, grid_of("mesh", 2, 2), 2),
            "routing algorithm \"chiplet_order\" needs topology.kind = \"chiplet_chain\"; topology is mesh 2x2");
}

/// So it is with elevators.
TEST(NeedsOfRouters, StacksHaveTwoVcsWhereSomeElevatorsAre) {
  const char* const name = "elevator_first";
  EXPECT_EQ(said(name, stack_of({2, 2, 2}), 1), "");
  EXPECT_EQ(said(name, stack_of({2, 2, 2}, {1, 0}), 1), "");
  EXPECT_EQ(said(name, stack_of({2, 2, 2}, {1, 0, 0, 1}), 2), "");
  EXPECT_EQ(said(name, stack_of({2, 2, 2}, {1, 0, 0, 1}), 1),
            needs_vcs(name, "mesh with several elevators, but not everywhere,", 2));
  const std::string three = "needs topology.kind = \"cube\" with three dimensions and without topology.wrap; ";
  EXPECT_EQ(said(name, cube_of("cube", {2, 2}), 2),
            "routing algorithm \"elevator_first\" " + three + "topology is mesh 2x2");
  EXPECT_EQ(said(name, cube_of("cube", {3, 3, 3}, true), 2),
            "routing algorithm \"elevator_first\" " + three + "topology is torus 3x3x3");
}

TEST(NeedsOfRouters, DimensionOrderOnRingsHasTwoVcs) {
  for (const char* name : {"x_first", "y_first"}) {
    EXPECT_EQ(said(name, grid_of("mesh", 3, 3), 1), "");
    EXPECT_EQ(said(name, grid_of("torus", 3, 3), 2), "");
    EXPECT_EQ(said(name, grid_of("torus", 3, 3), 1), needs_vcs(name, "torus", 2));
  }
  EXPECT_EQ(said("destination_tag", butterfly_of(2, 2), 1), "");
  EXPECT_EQ(said("destination_tag", grid_of("mesh", 2, 2), 1),
            "routing algorithm \"destination_tag\" needs a butterfly; topology is mesh 2x2");
}

/// Half-way round a ring of four both ways are as long: on the way to the intermediate the pair's bit 0 says which, on
/// the way from there bit 8 (intermediate.h). A packet whose intermediate is its own router, or its end, goes one way.
TEST(TiesByAnIntermediate, AreOfEachPhasesOwnBits) {
  const Topology ring = cube_of("cube", {4}, true);
  RoutingContext context;
  context.vcs = 4;
  const auto valiant = RoutingRegistry::instance().make("valiant", ring, context);
  std::uint32_t first = 0, second = 0, apart = 0;
  for (std::uint32_t draw = 0; draw < 256; ++draw) {
    const RouteQuery q{
        RouterId{0}, PortId{2}, VcId{0}, NodeId{0}, NodeId{2}, kNoRoute, static_cast<std::uint8_t>(draw)};
    const std::uint64_t by = intermediate_of(q, 4);
    if (by == 1 || by == 3) continue;
    const Ways way = ways(*valiant, q);
    ASSERT_EQ(way.size(), 1U);
    const std::uint32_t to = tie_bits(q) & 1U, on = tie_bits(q) >> 8U & 1U;
    const std::uint32_t port = std::get<0>(way[0]);
    apart += to != on ? 1 : 0;
    if (by == 2) {
      first += port == to ? 1 : 0;
      EXPECT_EQ(std::get<2>(way[0]) & 12U, 0U) << "the lower half";
    } else {
      second += port == on ? 1 : 0;
      EXPECT_EQ(std::get<2>(way[0]) & 3U, 0U) << "the upper half";
    }
  }
  EXPECT_GT(apart, 20U);
  EXPECT_TRUE(first == 0 || first == 64) << first << ": one bit, whichever way it says";
  EXPECT_EQ(second, first);
}

}  // namespace
}  // namespace braid::test::needs_of_routers_test
