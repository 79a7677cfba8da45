// Steps in networks of several dimensions, links beside each other and ties on a torus: each class by itself, by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "routing/algorithm/cube_ways.h"
#include "routing/algorithm/parallel_links.h"
#include "routing/algorithm/torus_ways.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::ways_of_cubes_test {
namespace {

using namespace routing;

struct Step {
  std::size_t from, to;
  std::uint32_t in_port, in_vc;
  bool up_where_even;  // of two ways as long
  std::uint32_t port;
  VcMask vcs;
};
void expect_steps(const Topology& t, VcMask all, const std::vector<Step>& steps) {
  const CubeWays ways(t, "it");
  const CubeWays::Vcs vcs(all);
  for (const Step& s : steps) {
    const RouteQuery q{RouterId{s.from}, PortId{s.in_port}, VcId{s.in_vc}, NodeId{0}, NodeId{s.to}};
    const Candidate way = ways.next(q, RouterId{s.to}, vcs, [&](std::size_t) { return s.up_where_even; });
    EXPECT_EQ(way.port, PortId{s.port}) << s.from << " to " << s.to;
    EXPECT_EQ(way.vcs, s.vcs) << s.from << " to " << s.to << " from port " << s.in_port;
    EXPECT_EQ(way.priority, 0U);
  }
}

/// Five routers in x, four in y; ports x up, x down, y up, y down, node. Who crosses the link that closes a ring has
/// the upper half.
TEST(CubeWays, OnRingsAreTheShorterOnesOnTheHalfOfTheirDateline) {
  expect_steps(cube_of("cube", {5, 4}, true), 15,
               {{0, 2, 4, 0, false, 0, 3},
                {0, 3, 4, 0, false, 1, 12},
                {4, 1, 4, 0, false, 0, 12},
                {4, 2, 4, 0, false, 1, 3},
                {1, 0, 4, 0, false, 1, 3},
                {0, 10, 4, 0, true, 2, 3},
                {0, 10, 4, 0, false, 3, 12},
                {10, 0, 4, 0, true, 2, 12},
                {10, 0, 4, 0, false, 3, 3},
                {15, 0, 4, 0, false, 2, 12},
                {0, 15, 4, 0, false, 3, 12},
                {0, 7, 4, 0, false, 0, 3}});
}

TEST(CubeWays, OnARingKeepTheirHalf) {
  const Topology t = cube_of("cube", {5, 4}, true);
  expect_steps(t, 15,
               {{3, 4, 1, 3, false, 0, 12},
                {3, 4, 1, 2, false, 0, 12},
                {3, 4, 0, 1, false, 0, 3},
                {4, 0, 1, 0, false, 0, 3},
                {4, 0, 2, 0, false, 0, 12},
                {3, 4, 2, 3, false, 0, 3},
                {5, 10, 3, 3, false, 2, 12},
                {5, 10, 2, 3, false, 2, 12},
                {5, 10, 1, 3, false, 2, 3},
                {5, 10, 4, 3, false, 2, 3}});
  expect_steps(t, 12,
               {{3, 4, 1, 0, false, 0, 4}, {3, 4, 1, 3, false, 0, 8}, {4, 0, 1, 1, false, 0, 8}});  // of other VCs: new
}

/// A row is one link: ports to routers of the row, ascending, without one to itself.
TEST(CubeWays, OfAFlattenedButterflyAreALinkADimension) {
  const Topology t = cube_of("flattened_butterfly", {4, 3});
  expect_steps(t, 7,
               {{1, 3, 5, 0, false, 2, 7},
                {1, 0, 5, 0, false, 0, 7},
                {2, 0, 5, 0, false, 0, 7},
                {2, 1, 5, 0, false, 1, 7},
                {0, 8, 5, 0, false, 4, 7},
                {8, 0, 5, 0, false, 3, 7},
                {4, 8, 5, 0, false, 4, 7},
                {0, 11, 5, 0, false, 2, 7}});
  const CubeWays ways(t, "it");
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{3}), 1U);
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{11}), 2U);
  EXPECT_EQ(ways.links(RouterId{5}, RouterId{5}), 0U);
  EXPECT_FALSE(ways.leads_to_node(PortId{4}));
  EXPECT_TRUE(ways.leads_to_node(PortId{5}));
  EXPECT_FALSE(ways.rings());
}

TEST(CubeWays, OfAMeshTakeTheLowestDimensionFirst) {
  const Topology t = cube_of("cube", {4, 3});
  expect_steps(t, 5,
               {{0, 11, 4, 0, false, 0, 5},
                {3, 11, 4, 0, false, 2, 5},
                {11, 3, 4, 0, false, 3, 5},
                {11, 8, 4, 0, false, 1, 5},
                {11, 0, 4, 0, false, 1, 5}});
  const CubeWays ways(t, "it");
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{11}), 5U);
  EXPECT_EQ(ways.links(RouterId{11}, RouterId{0}, 0), 3U);
  EXPECT_EQ(ways.links(RouterId{11}, RouterId{0}, 1), 2U);
  EXPECT_EQ(ways.coordinate(RouterId{7}, 0), 3U);
  EXPECT_EQ(ways.coordinate(RouterId{7}, 1), 1U);
  EXPECT_EQ(ways.dimensions(), 2U);
}

TEST(CubeWays, CountTheLinksOfTheShorterWayRound) {
  const Topology t = cube_of("cube", {5, 4}, true);
  const CubeWays ways(t, "it");
  EXPECT_TRUE(ways.rings());
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{3}, 0), 2U);
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{2}, 0), 2U);
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{10}, 1), 2U);
  EXPECT_EQ(ways.links(RouterId{0}, RouterId{18}), 3U);
  EXPECT_FALSE(ways.leads_to_node(PortId{3}));
  EXPECT_TRUE(ways.leads_to_node(PortId{4}));
}

TEST(CubeWays, NeedACube) {
  EXPECT_EQ(complaint([] { require_cube(stack_of({2, 2, 2}, {0, 0}), "it"); }),
            "routing algorithm \"it\" needs vertical links at every router, \"elevator_first\" does not; topology is "
            "mesh 2x2x2 with 1 elevator");
  EXPECT_EQ(complaint([] { require_cube(stack_of({2, 2, 2}), "it"); }), "");
}

/// r0 has three links to r1, on ports 0, 1 and 3, and one to r2 on port 2: by the node's number modulo three.
TEST(ParallelLinks, AreChosenByTheNodesNumber) {
  const Topology t = graph_of(3, {{0, 1}, {0, 1}, {0, 2}, {0, 1}});
  const auto chosen = [&](const char* choice, std::size_t router, std::uint32_t port, std::size_t from,
                          std::size_t to) {
    Configuration c;
    c.set("routing.parallel_links", std::string(choice));
    const RouteQuery q{RouterId{router}, PortId{4}, VcId{0}, NodeId{from}, NodeId{to}};
    return ParallelLinks(t, c).of(q, PortId{port}).value;
  };
  EXPECT_EQ(chosen("lowest", 0, 0, 7, 8), 0U);
  EXPECT_EQ(chosen("lowest", 0, 3, 7, 8), 3U) << "the port that is given";
  EXPECT_EQ(chosen("by_destination", 0, 0, 7, 9), 0U);
  EXPECT_EQ(chosen("by_destination", 0, 0, 8, 7), 1U);
  EXPECT_EQ(chosen("by_destination", 0, 0, 7, 8), 3U);
  EXPECT_EQ(chosen("by_source", 0, 0, 7, 8), 1U);
  EXPECT_EQ(chosen("by_source", 0, 3, 8, 7), 3U);
  EXPECT_EQ(chosen("by_source", 0, 2, 8, 7), 2U) << "the only one to r2";
  EXPECT_EQ(chosen("by_destination", 1, 0, 7, 8), 2U) << "of the next router";
  EXPECT_EQ(chosen("by_destination", 2, 0, 7, 8), 0U) << "of the last router";
}

TEST(ParallelLinks, LookAtTheSourceWhereTheyAreChosenByIt) {
  const Topology t = graph_of(2, {{0, 1}, {0, 1}});
  for (const std::string& choice : {std::string("lowest"), std::string("by_destination"), std::string("by_source")}) {
    Configuration c;
    c.set("routing.parallel_links", choice);
    EXPECT_EQ(ParallelLinks(t, c).by_source(), choice == "by_source");
  }
  EXPECT_FALSE(ParallelLinks(t, Configuration()).by_source());
}

/// "auto" is "drawn" unless pins stand between routers.
TEST(TorusTies, AreDrawnUnlessRoutersHavePins) {
  Configuration none, model, pins;
  model.set("router.implementation", std::string("model"));
  pins.set("router.implementation", std::string("rtl"));
  for (const Configuration* c : {&none, &model, &pins}) {
    EXPECT_EQ(ties_are_drawn(Ties::kAuto, *c), c != &pins);
    EXPECT_TRUE(ties_are_drawn(Ties::kDrawn, *c));
    EXPECT_FALSE(ties_are_drawn(Ties::kFixed, *c));
  }
}

TEST(TorusTies, AreFixedForWhoKnowsNoDraws) {
  const auto ties = [](const char* given) {
    Configuration c;
    if (given != nullptr) c.set("routing.ties", std::string(given));
    return to_text(without_draws(c).find("routing.ties")->value);
  };
  EXPECT_EQ(ties(nullptr), "\"fixed\"");
  EXPECT_EQ(ties("auto"), "\"fixed\"");
  EXPECT_EQ(ties("fixed"), "\"fixed\"");
  EXPECT_EQ(ties("drawn"), "\"drawn\"") << "whoever says so means it";
}

TEST(TorusTies, AreThereOnATorus) {
  Configuration c;
  EXPECT_FALSE(on_torus(c));
  c.set("topology.kind", std::string("mesh"));
  EXPECT_FALSE(on_torus(c));
  c.set("topology.kind", std::string("torus"));
  EXPECT_TRUE(on_torus(c));
}

}  // namespace
}  // namespace braid::test::ways_of_cubes_test
