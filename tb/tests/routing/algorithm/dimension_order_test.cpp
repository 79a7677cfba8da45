// Routes in several dimensions, on graphs with coordinates and in dragonflies: every pair of nodes, every draw.
#include <gtest/gtest.h>

#include <map>

#include "routing/analysis/channel_dependency.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::dimension_order_test {
namespace {

using namespace routing;

struct Step {
  RouterId router;
  PortId out;
  VcMask vcs;
};
/// From a node to another, always on the VC of `pick`: 0 the lowest that is offered, 1 the highest.
std::vector<Step> walk(const Topology& t, const RoutingAlgorithm& algorithm, std::size_t from, std::size_t to,
                       std::uint8_t draw = 0, int pick = 0) {
  std::vector<Step> steps;
  const Attachment& start = t.nodes[from].front();
  RouteQuery q{start.router, start.port, VcId{0}, NodeId{from}, NodeId{to}, kNoRoute, draw};
  while (steps.size() < 100) {
    CandidateList ways;
    algorithm.route(q, ways);
    EXPECT_EQ(ways.size(), 1U);
    steps.push_back({q.router, ways[0].port, ways[0].vcs});
    const Port& out = t.port(q.router, ways[0].port);
    if (out.kind != PortKind::kNetwork) {
      EXPECT_EQ(out.node, NodeId{to});
      return steps;
    }
    const int vc = pick == 0 ? __builtin_ctz(ways[0].vcs) : 31 - __builtin_clz(ways[0].vcs);
    q = {out.peer_router, out.peer_port, VcId{static_cast<std::size_t>(vc)}, NodeId{from}, NodeId{to}, kNoRoute, draw};
  }
  ADD_FAILURE() << "node " << from << " to node " << to << " does not arrive";
  return steps;
}

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t, std::uint32_t vcs = 4) {
  RoutingContext context;
  context.vcs = vcs;
  return RoutingRegistry::instance().make(name, t, context);
}

TEST(CubeOrder, WaysAreShortestAndDimensionsInOrder) {
  for (const Topology& t : {cube_of("cube", {4, 3, 3}), cube_of("cube", {4, 5, 3}, true, 2),
                            cube_of("flattened_butterfly", {4, 3, 2}, false, 2), cube_of("cube", {6})}) {
    const auto algorithm = made("dimension_order", t);
    for (std::size_t to = 0; to < t.node_count(); ++to) {
      const auto distance = t.distances_to(t.router_of(NodeId{to}));
      for (std::size_t from = 0; from < t.node_count(); ++from) {
        for (std::uint32_t draw = 0; draw < algorithm->draws(); ++draw) {
          const auto steps = walk(t, *algorithm, from, to, static_cast<std::uint8_t>(draw), draw % 2);
          ASSERT_EQ(steps.size(), distance[t.router_of(NodeId{from}).value] + 1) << t.name;
          for (std::size_t i = 1; i < steps.size(); ++i)
            ASSERT_LE(steps[i - 1].out.value, steps[i].out.value) << t.name;
        }
      }
    }
  }
}

/// A ring of four, 4 VCs: 3 to 1 is a tie; up it crosses the closing link, which takes the upper half all along.
TEST(CubeOrder, WhoCrossesTheClosingLinkKeepsTheUpperHalf) {
  const Topology t = cube_of("cube", {4, 3}, true);
  const auto algorithm = made("dimension_order", t);
  EXPECT_EQ(algorithm->draws(), 4U);
  const auto masks = [&](std::size_t from, std::size_t to, std::uint8_t draw) {
    std::vector<VcMask> all;
    for (const Step& s : walk(t, *algorithm, from, to, draw)) all.push_back(s.vcs);
    return all;
  };
  using Masks = std::vector<VcMask>;
  EXPECT_EQ(masks(3, 1, 1), (Masks{12, 12, 15})) << "up: 3, 0, 1";
  EXPECT_EQ(masks(3, 1, 0), (Masks{3, 3, 15})) << "down: 3, 2, 1";
  EXPECT_EQ(masks(0, 3, 0), (Masks{12, 15})) << "down over the closing link";
  EXPECT_EQ(masks(0, 1, 0), (Masks{3, 15}));
}

TEST(CubeOrder, NoPairCanDeadlock) {
  for (const std::uint32_t vcs : {1U, 2U, 3U}) {
    for (const auto& t : {cube_of("cube", {3, 3, 2}), cube_of("flattened_butterfly", {3, 3, 2})}) {
      EXPECT_TRUE(ChannelDependencyGraph(t, *made("dimension_order", t, vcs), vcs).find_cycle().empty()) << t.name;
    }
    if (vcs == 1) continue;
    for (const auto& t :
         {cube_of("cube", {4, 5}, true), cube_of("cube", {3, 3, 4}, true), cube_of("cube", {7}, true)}) {
      EXPECT_TRUE(ChannelDependencyGraph(t, *made("dimension_order", t, vcs), vcs).find_cycle().empty()) << t.name;
    }
  }
}

TEST(DragonflyMinimal, GoesOverOneLinkBetweenGroups) {
  for (const Topology& t : {dragonfly_of(4, 2, 2), dragonfly_of(3, 1, 1), dragonfly_of(1, 2, 3),
                            dragonfly_of(4, 2, 2, "absolute"), dragonfly_of(3, 1, 1, "absolute")}) {
    const auto algorithm = made("dragonfly_minimal", t);
    for (std::size_t to = 0; to < t.node_count(); ++to) {
      for (std::size_t from = 0; from < t.node_count(); ++from) {
        const auto steps = walk(t, *algorithm, from, to);
        const Dragonfly& d = *t.dragonfly;
        std::string kinds;  // l in the source's group, g, L in the destination's
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
          const bool between = steps[i].out.value + 1U >= d.routers_per_group;
          const bool arrived = d.group(steps[i].router) == d.group(t.router_of(NodeId{to}));
          kinds += between ? 'g' : arrived ? 'L' : 'l';
          if (!between && !arrived) {
            EXPECT_EQ(steps[i].vcs, 3U);
          } else if (!between && i > 0) {
            EXPECT_EQ(steps[i].vcs, 12U);
          }
        }
        const bool far = d.group(t.router_of(NodeId{from})) != d.group(t.router_of(NodeId{to}));
        if (far) {
          EXPECT_TRUE(kinds == "g" || kinds == "lg" || kinds == "gL" || kinds == "lgL") << kinds;
        } else {
          EXPECT_TRUE(kinds.empty() || kinds == "L") << kinds;
        }
      }
    }
    for (const std::uint32_t vcs : {2U, 3U}) {
      EXPECT_TRUE(ChannelDependencyGraph(t, *made("dragonfly_minimal", t, vcs), vcs).find_cycle().empty()) << t.name;
    }
  }
}

TEST(DragonflyMinimal, TakesAVcAPhaseOfHybridRoutersAlone) {
  RoutingContext context;
  context.configuration.set("routing.phase_vcs", "one_each");
  context.configuration.set("router.architecture", "po2");
  EXPECT_EQ(complaint([&] { RoutingRegistry::instance().make("dragonfly_minimal", dragonfly_of(2, 1, 1), context); }),
            "routing algorithm \"dragonfly_minimal\" needs router.architecture = \"hybrid\"");
}

/// VC 0 up to the link between groups, VC 1 from it on, the node's link too; within a group, VC 0. Of 2 VCs or more.
TEST(DragonflyMinimal, TakesAVcAPhase) {
  for (const Topology& t : {dragonfly_of(4, 2, 2), dragonfly_of(4, 2, 2, "absolute"), dragonfly_of(1, 2, 3)}) {
    for (const std::uint32_t vcs : {2U, 3U}) {
      RoutingContext context;
      context.vcs = vcs;
      context.configuration.set("routing.phase_vcs", "one_each");
      const auto algorithm = RoutingRegistry::instance().make("dragonfly_minimal", t, context);
      EXPECT_TRUE(ChannelDependencyGraph(t, *algorithm, vcs).find_cycle().empty()) << t.name;
      for (std::size_t to = 0; to < t.node_count(); ++to) {
        for (std::size_t from = 0; from < t.node_count(); ++from) {
          bool between = false;
          for (const Step& step : walk(t, *algorithm, from, to)) {
            between = between || t.port(step.router, step.out).name.rfind("group_", 0) == 0;
            EXPECT_EQ(step.vcs, between ? 2U : 1U) << t.name << ": " << from << " to " << to;
          }
        }
      }
      // Whatever VC a node's packet has on the injection link, it begins with VC 0.
      const Attachment& start = t.nodes[0].front();
      for (std::size_t v = 0; v < vcs; ++v) {
        for (std::size_t to = 0; to < t.node_count(); ++to) {
          CandidateList ways;
          algorithm->route({start.router, start.port, VcId{v}, NodeId{0}, NodeId{to}, kNoRoute, 0}, ways);
          const bool leaves = t.port(start.router, ways[0].port).name.rfind("group_", 0) == 0;
          EXPECT_EQ(ways[0].vcs, leaves ? 2U : 1U);
        }
      }
    }
  }
}

/// Three columns and four rows of a drawing: routers in no order, x and y apart by anything, y = -row.
Topology drawn_grid(std::vector<std::pair<std::size_t, std::size_t>> more = {}) {
  const std::vector<double> xs{-7, 0.5, 100}, ys{4, 3, -20, -21};
  const auto router = [](std::size_t column, std::size_t row) { return (5 * (3 * row + column) + 2) % 12; };
  std::vector<std::pair<std::size_t, std::size_t>> links = std::move(more);
  std::vector<Position> positions(12);
  for (std::size_t row = 4; row-- > 0;) {
    for (std::size_t column = 0; column < 3; ++column) {
      positions[router(column, row)] = {xs[column], ys[row]};
      if (row + 1 < 4) links.emplace_back(router(column, row), router(column, row + 1));
      if (column + 1 < 3) links.emplace_back(router(column + 1, row), router(column, row));
    }
  }
  Topology t = graph_of(12, links);
  t.positions = std::move(positions);
  return t;
}

/// From place to place: first all steps that keep y, then all that keep x, or the other way round; as many as there are
/// between the two. A link across the grid is not used.
TEST(DimensionOrder, FollowsTheCoordinatesOfAGraph) {
  for (const Topology& t : {drawn_grid(), drawn_grid({{0, 11}})}) {
    for (const bool x_first : {true, false}) {
      const auto algorithm = made(x_first ? "x_first" : "y_first", t, 1);
      const Topology plain = drawn_grid();
      for (std::size_t from = 0; from < 12; ++from) {
        for (std::size_t to = 0; to < 12; ++to) {
          const auto steps = walk(t, *algorithm, from, to);
          ASSERT_EQ(steps.size(), plain.distances_to(RouterId{to})[from] + 1);
          std::string axes;
          for (std::size_t i = 1; i < steps.size(); ++i) {
            const Position& a = t.positions[steps[i - 1].router.value];
            const Position& b = t.positions[steps[i].router.value];
            ASSERT_TRUE((a.x == b.x) != (a.y == b.y));
            axes += (a.y == b.y) == x_first ? '1' : '2';
          }
          EXPECT_EQ(axes.find("21"), std::string::npos) << from << " to " << to;
        }
      }
      EXPECT_TRUE(ChannelDependencyGraph(t, *algorithm, 1).find_cycle().empty());
    }
  }
}

TEST(DimensionOrder, IsRefusedOnAGraphThatIsNoGrid) {
  const auto refusal = [](const Topology& t) { return complaint([&] { made("y_first", t, 1); }); };
  Topology one_place = drawn_grid();
  one_place.positions[3] = one_place.positions[4];
  EXPECT_EQ(refusal(one_place).substr(0, 80),
            "routing algorithm \"y_first\": routers r3 and r4 of the graph are at one place, x ");
  Topology hole = drawn_grid();
  hole.positions[2].x = -8;
  EXPECT_EQ(
      refusal(hole),
      "routing algorithm \"y_first\" on a graph needs routers on a full grid: the 12 of this one have 4 different x "
      "and 4 different y, and none is at x = -8, y = -21");
  Topology torn = graph_of(4, {{0, 1}, {1, 3}, {3, 2}});
  torn.positions = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(refusal(torn),
            "routing algorithm \"y_first\" on a graph: routers r0 and r2 are neighbours on its grid, but no link joins "
            "them");
  EXPECT_EQ(refusal(graph_of(4, {{0, 1}, {1, 3}, {3, 2}})),
            "routing algorithm \"y_first\" needs a mesh or torus; topology is a graph");
}

TEST(DimensionOrder, IsRefusedWhereItCannotWork) {
  const auto refusal = [](const char* name, const Topology& t, std::uint32_t vcs) {
    return complaint([&] { made(name, t, vcs); });
  };
  EXPECT_EQ(refusal("dimension_order", cube_of("cube", {3, 3}, true), 1),
            "routing algorithm \"dimension_order\" on a torus needs router.vcs >= 2; it is 1");
  EXPECT_EQ(refusal("dimension_order", dragonfly_of(2, 1, 1), 4),
            "routing algorithm \"dimension_order\" needs topology.kind = \"cube\" or \"flattened_butterfly\"; topology "
            "is dragonfly a=2 p=1 h=1");
  EXPECT_EQ(refusal("dragonfly_minimal", dragonfly_of(2, 1, 1), 1),
            "routing algorithm \"dragonfly_minimal\" on a dragonfly needs router.vcs >= 2; it is 1");
  EXPECT_EQ(refusal("dragonfly_minimal", cube_of("cube", {2, 2}), 4),
            "routing algorithm \"dragonfly_minimal\" needs topology.kind = \"dragonfly\"; topology is mesh 2x2");
}

}  // namespace
}  // namespace braid::test::dimension_order_test
