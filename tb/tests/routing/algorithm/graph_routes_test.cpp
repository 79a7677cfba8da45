// Dimension order by coordinates and derouting on small graphs: single queries by hand.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routing/algorithm/coordinate_order.h"
#include "routing/algorithm/port_table.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::graph_routes_test {
namespace {

using namespace routing;
using Links = std::vector<std::pair<std::size_t, std::size_t>>;

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t, std::uint32_t vcs = 4,
                                       const Configuration& configuration = {}) {
  RoutingContext context;
  context.vcs = vcs;
  context.configuration = configuration;
  return RoutingRegistry::instance().make(name, t, context);
}

/// r1 r0 below, r3 r2 above.
Topology square(const Links& links) {
  Topology t = graph_of(4, links);
  t.positions = {{5, 2}, {-1, 2}, {5, 7}, {-1, 7}};
  return t;
}
Ways from_node(const RoutingAlgorithm& algorithm, const Topology& t, std::size_t router, std::size_t to) {
  return ways(algorithm, {RouterId{router}, t.nodes[router][0].port, VcId{0}, NodeId{router}, NodeId{to}});
}

/// r0 - r1 twice, of which the first link is taken, and a link across the square, which is not.
TEST(CoordinateOrder, TakesTheFirstLinkToANeighbour) {
  const Topology t = square({{0, 1}, {0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}});
  const auto x = made("x_first", t), y = made("y_first", t);
  EXPECT_EQ(from_node(*x, t, 0, 3), (Ways{{0, 0, 15}})) << "west";
  EXPECT_EQ(from_node(*y, t, 0, 3), (Ways{{2, 0, 15}})) << "north";
  EXPECT_EQ(from_node(*x, t, 1, 2), (Ways{{0, 0, 15}})) << "east";
  EXPECT_EQ(from_node(*y, t, 1, 2), (Ways{{2, 0, 15}}));
  EXPECT_EQ(from_node(*x, t, 2, 1), (Ways{{0, 0, 15}}));
  EXPECT_EQ(from_node(*y, t, 2, 1), (Ways{{1, 0, 15}})) << "south";
  EXPECT_EQ(from_node(*x, t, 1, 3), (Ways{{2, 0, 15}})) << "nothing left in x";
  EXPECT_EQ(from_node(*y, t, 2, 3), (Ways{{0, 0, 15}})) << "nothing left in y";
  EXPECT_EQ(from_node(*x, t, 0, 0), (Ways{{4, 0, 15}}));
}

TEST(CoordinateOrder, IsATableWhereNodesHaveOnePort) {
  Topology t = square({{0, 1}, {2, 3}, {0, 2}, {1, 3}});
  const auto one = made("x_first", t);
  EXPECT_EQ(one->max_candidates(), 1U);
  EXPECT_TRUE(dynamic_cast<const PortTable&>(*one).is_table_of_ports());
  t.nodes[2].push_back({RouterId{2}, PortId{t.routers[2].size()}});
  t.routers[2].push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{2}, 1, "local1"});
  const auto two = made("x_first", t);
  EXPECT_EQ(two->max_candidates(), 2U);
  EXPECT_FALSE(dynamic_cast<const PortTable&>(*two).is_table_of_ports());
  EXPECT_EQ(from_node(*two, t, 2, 2), (Ways{{2, 0, 15}, {3, 0, 15}}));
}

/// A row and a column are full grids.
TEST(CoordinateOrder, GoesAlongOneRowOrColumn) {
  for (const bool row : {true, false}) {
    Topology t = graph_of(3, {{0, 1}, {1, 2}});
    t.positions = row ? std::vector<Position>{{1, 4}, {2, 4}, {9, 4}} : std::vector<Position>{{4, 1}, {4, 2}, {4, 9}};
    for (const char* name : {"x_first", "y_first"}) {
      const auto algorithm = made(name, t, 1);
      EXPECT_EQ(from_node(*algorithm, t, 0, 2), (Ways{{0, 0, 1}}));
      EXPECT_EQ(from_node(*algorithm, t, 1, 2), (Ways{{1, 0, 1}}));
      EXPECT_EQ(from_node(*algorithm, t, 1, 0), (Ways{{0, 0, 1}}));
    }
  }
}

TEST(CoordinateOrder, SaysWhatIsMissing) {
  const auto said = [](const Topology& t, const char* name = "x_first") { return complaint([&] { made(name, t); }); };
  EXPECT_EQ(said(square({{2, 3}, {0, 2}, {1, 3}})),
            "routing algorithm \"x_first\" on a graph: routers r1 and r0 are neighbours on its grid, but no link joins "
            "them");
  EXPECT_EQ(said(square({{0, 1}, {0, 2}, {1, 3}})),
            "routing algorithm \"x_first\" on a graph: routers r3 and r2 are neighbours on its grid, but no link joins "
            "them");
  EXPECT_EQ(said(square({{0, 1}, {2, 3}, {1, 3}})),
            "routing algorithm \"x_first\" on a graph: routers r0 and r2 are neighbours on its grid, but no link joins "
            "them");
  Topology one_place = square({{0, 1}, {2, 3}, {0, 2}, {1, 3}});
  one_place.positions[1] = {5, 2};
  EXPECT_EQ(said(one_place, "y_first"),
            "routing algorithm \"y_first\": routers r0 and r1 of the graph are at one place, x = 5 and y = 2");
  Topology hole = graph_of(3, {{0, 1}, {1, 2}});
  hole.positions = {{0, 0}, {1, 0}, {1, 3}};
  EXPECT_EQ(said(hole),
            "routing algorithm \"x_first\" on a graph needs routers on a full grid: the 3 of this one have 2 different "
            "x and 2 different y, and none is at x = 0, y = 3");
}

/// Of a square whose last corner is empty all others are there; of one with two corners the first empty one is said.
TEST(CoordinateOrder, NamesTheFirstPlaceWithoutARouter) {
  const auto said = [](const Links& links, const std::vector<Position>& positions) {
    Topology t = graph_of(positions.size(), links);
    t.positions = positions;
    return complaint([&] { made("x_first", t); });
  };
  const auto none = [](const char* routers, const char* place) {
    return "routing algorithm \"x_first\" on a graph needs routers on a full grid: the " + std::string(routers) +
           " of this one have 2 different x and 2 different y, and none is at " + place;
  };
  EXPECT_EQ(said({{0, 1}, {0, 2}}, {{0, 0}, {1, 0}, {0, 1}}), none("3", "x = 1, y = 1"));
  EXPECT_EQ(said({{0, 1}}, {{0, 0}, {1, 1}}), none("2", "x = 1, y = 0"));
  EXPECT_EQ(said({{0, 1}}, {{0, 1}, {1, 0}}), none("2", "x = 0, y = 0"));
  EXPECT_EQ(said({{0, 1}}, {{0, 4}, {1, 4}}), "") << "a row";
}

/// Of graphs with a place for each router, and of nothing that Braid makes.
TEST(CoordinateOrder, IsOfGraphsAlone) {
  Topology t = square({});
  EXPECT_TRUE(has_coordinates_alone(t));
  EXPECT_FALSE(has_coordinates_alone(graph_of(4, {})));
  const auto with = [&](void (*shape)(Topology&)) {
    Topology other = t;
    shape(other);
    return has_coordinates_alone(other);
  };
  EXPECT_FALSE(with([](Topology& o) { o.grid = Grid{}; }));
  EXPECT_FALSE(with([](Topology& o) { o.tree = Tree{}; }));
  EXPECT_FALSE(with([](Topology& o) { o.cube = Cube{}; }));
  EXPECT_FALSE(with([](Topology& o) { o.dragonfly = Dragonfly{}; }));
  EXPECT_FALSE(with([](Topology& o) { o.chain = ChipletChain{}; }));
}

/// From r0 to r3, two links by r1 (port 0) or r2 (port 1); r4 (port 2) is a dead end, r5 (port 3) as far as r0 itself.
Topology with_deroutes() { return graph_of(6, {{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 3}, {2, 3}, {5, 1}}); }

Ways derouted(const char* order, std::uint32_t in_port, std::uint32_t in_vc) {
  const Topology t = with_deroutes();
  Configuration c;
  c.set("routing.max_deroutes", 2);
  c.set("routing.deroute_order", std::string(order));
  const auto algorithm = made("derouting", t, 3, c);
  return ways(*algorithm, {RouterId{0}, PortId{in_port}, VcId{in_vc}, NodeId{0}, NodeId{3}});
}

TEST(Deroutes, AreOfferedBehindTheShortestWaysOnTheNextVc) {
  EXPECT_EQ(derouted("ascending", 4, 0), (Ways{{0, 1, 1}, {1, 1, 1}, {2, 0, 2}, {3, 0, 2}}));
  EXPECT_EQ(derouted("sideways_first", 4, 0), (Ways{{0, 1, 1}, {1, 1, 1}, {3, 0, 2}, {2, 0, 2}}));
}

TEST(Deroutes, DoNotLeadBack) {
  EXPECT_EQ(derouted("ascending", 2, 1), (Ways{{0, 1, 2}, {1, 1, 2}, {3, 0, 4}}));
  EXPECT_EQ(derouted("sideways_first", 3, 1), (Ways{{0, 1, 2}, {1, 1, 2}, {2, 0, 4}}));
  EXPECT_EQ(derouted("ascending", 0, 1), (Ways{{0, 1, 2}, {1, 1, 2}, {2, 0, 4}, {3, 0, 4}})) << "a shortest way may";
}

TEST(Deroutes, EndWhereAllHaveBeenTaken) { EXPECT_EQ(derouted("ascending", 4, 2), (Ways{{0, 1, 4}, {1, 1, 4}})); }

TEST(Deroutes, NeedAVcMoreThanThereAreOfThem) {
  const Topology t = with_deroutes();
  Configuration c;
  c.set("routing.max_deroutes", 2);
  EXPECT_EQ(complaint([&] { made("derouting", t, 2, c); }),
            "routing algorithm \"derouting\" with routing.max_deroutes = 2 needs router.vcs > 2; it is 2");
  const auto algorithm = made("derouting", t, 3, c);
  EXPECT_EQ(algorithm->injection_vcs(), 1U) << "none taken";
  EXPECT_EQ(algorithm->max_candidates(), 5U) << "ports of r0";
}

}  // namespace
}  // namespace braid::test::graph_routes_test
