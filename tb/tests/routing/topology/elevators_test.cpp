// Meshes of three dimensions with elevators: wire by wire on a small one; links and distances in closed form; what is
// refused.
#include "routing/topology/elevators.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "routing/topology/failure.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::elevators_test {
namespace {

using namespace routing;
using Numbers = std::vector<std::uint32_t>;
using Ends = std::vector<std::string>;

Ends ends(const Topology& t, std::size_t router) {
  Ends all;
  for (const Port& p : t.routers[router]) {
    all.push_back(p.kind == PortKind::kUnconnected ? "-"
                  : p.kind == PortKind::kLocal     ? "node " + std::to_string(p.node.value)
                                                   : t.router_names[p.peer_router.value]);
  }
  return all;
}

/// Two columns, two rows, three planes; an elevator at x = 1, y = 0: routers 1, 5 and 9.
TEST(Elevators, TwoByTwoByThreeWireByWire) {
  const Topology t = stack_of({2, 2, 3}, {1, 0});
  EXPECT_EQ(t.name, "mesh 2x2x3 with 1 elevator");
  EXPECT_EQ(ends(t, 5), (Ends{"-", "0,0,1", "1,1,1", "-", "1,0,2", "1,0,0", "node 5"}));
  EXPECT_EQ(ends(t, 4), (Ends{"1,0,1", "-", "0,1,1", "-", "-", "-", "node 4"}));
  EXPECT_EQ(ends(t, 1), (Ends{"-", "0,0,0", "1,1,0", "-", "1,0,1", "-", "node 1"}));
  EXPECT_EQ(ends(t, 9), (Ends{"-", "0,0,2", "1,1,2", "-", "-", "1,0,1", "node 9"}));
  EXPECT_EQ(t.port(RouterId{4}, kUpwards).name, "z_up") << "ports keep their numbers and names";
  EXPECT_EQ(elevators_of(t), Numbers{1});
  EXPECT_TRUE(has_elevators(t));
  EXPECT_EQ(stack_of({2, 2, 3}, {1, 1, 0, 0}).name, "mesh 2x2x3 with 2 elevators");
  EXPECT_EQ(elevators_of(stack_of({2, 2, 3}, {1, 1, 0, 0})), (Numbers{0, 3}));
}

/// With one at every position it is the mesh.
TEST(Elevators, EverywhereAreAMesh) {
  const Topology listed = stack_of({2, 2, 2}, {1, 1, 0, 0, 1, 0, 0, 1}), mesh = stack_of({2, 2, 2});
  EXPECT_EQ(listed.name, "mesh 2x2x2");
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(ends(listed, r), ends(mesh, r));
  EXPECT_FALSE(has_elevators(listed));
  EXPECT_FALSE(has_elevators(mesh));
  EXPECT_FALSE(has_elevators(stack_of({3, 2, 1}))) << "one plane needs none";
  EXPECT_FALSE(has_elevators(cube_of("cube", {3, 3, 3}, true)));
  EXPECT_FALSE(has_elevators(cube_of("cube", {3, 3})));
  EXPECT_FALSE(has_elevators(grid_of("mesh", 3, 3)));
}

struct Shape {
  Numbers sizes, elevators;
};
class Stacks : public testing::TestWithParam<Shape> {};

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return std::max(a, b) - std::min(a, b); }

/// Links of the shortest way: in the plane, or by the elevator that makes it shortest.
std::uint32_t links_between(const Shape& s, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t w = s.sizes[0], h = s.sizes[1];
  const std::uint32_t x0 = from % w, y0 = from / w % h, z0 = from / (w * h);
  const std::uint32_t x1 = to % w, y1 = to / w % h, z1 = to / (w * h);
  if (z0 == z1) return apart(x0, x1) + apart(y0, y1);
  std::uint32_t least = UINT32_MAX;
  for (std::size_t i = 0; i < s.elevators.size(); i += 2) {
    const std::uint32_t x = s.elevators[i], y = s.elevators[i + 1];
    least = std::min(least, apart(x0, x) + apart(x, x1) + apart(y0, y) + apart(y, y1));
  }
  return least + apart(z0, z1);
}

TEST_P(Stacks, HaveTheirClosedForms) {
  const Shape& s = GetParam();
  const Topology t = stack_of(s.sizes, s.elevators);
  const std::uint32_t w = s.sizes[0], h = s.sizes[1], planes = s.sizes[2];
  const std::size_t count = s.elevators.size() / 2;
  EXPECT_EQ(t.router_count(), std::size_t{w} * h * planes);
  EXPECT_EQ(t.node_count(), t.router_count());
  EXPECT_EQ(t.link_count(), 2 * (planes * ((w - 1) * h + w * (h - 1)) + count * (planes - 1)));
  EXPECT_EQ(t.max_port_count(), 7U);
  for (std::uint32_t to = 0; to < t.router_count(); ++to) {
    const auto distance = t.distances_to(RouterId{to});
    for (std::uint32_t from = 0; from < t.router_count(); ++from) {
      ASSERT_EQ(distance[from], links_between(s, from, to)) << t.name << ": " << from << " to " << to;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, Stacks,
                         testing::Values(Shape{{4, 4, 4}, {0, 0, 3, 3}}, Shape{{4, 4, 2}, {1, 2}},
                                         Shape{{3, 5, 3}, {0, 4, 2, 1, 1, 1}}, Shape{{1, 4, 3}, {0, 0, 0, 2}},
                                         Shape{{5, 1, 2}, {4, 0}}, Shape{{1, 1, 6}, {0, 0}}));

TEST(Elevators, HaveTheLatencyAndSpeedOfTheirDimension) {
  Configuration options;
  options.set("topology.kind", "cube");
  options.set("topology.sizes", Numbers{2, 2, 2});
  options.set("topology.elevators", Numbers{1, 0});
  options.set("topology.link_latencies", Numbers{1, 2, 9});
  options.set("topology.link_speeds", Numbers{1, 2, 3});
  const Topology t = make_topology(options);
  EXPECT_EQ(t.port(RouterId{1}, kUpwards).latency_cycles, 9U);
  EXPECT_EQ(t.port(RouterId{5}, kDownwards).flits_per_cycle, 3U);
}

/// One of two may lose a link, as hosts that choose paths then go by the other; the only one may not.
TEST(Elevators, MayFailWhereAnotherIsLeft) {
  for (const Numbers& elevators : {Numbers{1, 0}, Numbers{1, 0, 0, 1}}) {
    const Topology t = stack_of({2, 2, 3}, elevators);
    const std::string told = complaint([&] { (void)without_link(t, {RouterId{5}, kUpwards}); });
    EXPECT_EQ(told.empty(), elevators.size() > 2) << told;
  }
}

std::string refusal(const Numbers& sizes, const Numbers& elevators, bool wrap = false) {
  Configuration options;
  options.set("topology.kind", "cube");
  options.set("topology.sizes", sizes);
  options.set("topology.wrap", wrap);
  options.set("topology.elevators", elevators);
  return complaint([&] { make_topology(options); });
}

TEST(Elevators, AreRefusedWhereTheyCannotBe) {
  const std::string needs = "topology.elevators needs a mesh of three dimensions and two planes or more; topology is ";
  EXPECT_EQ(refusal({4, 4}, {0, 0}), needs + "mesh 4x4");
  EXPECT_EQ(refusal({4, 4, 4, 4}, {0, 0}), needs + "mesh 4x4x4x4");
  EXPECT_EQ(refusal({4, 4, 4}, {0, 0}, true), needs + "torus 4x4x4");
  EXPECT_EQ(refusal({4, 4, 1}, {0, 0}), needs + "mesh 4x4x1");
  EXPECT_EQ(refusal({4, 4, 2}, {0, 0, 1}),
            "topology.elevators has 3 numbers: expected x, y, x, y ..., so an even number");
  const std::string expected = ": expected x of 0 to 3 and y of 0 to 2, each position once";
  EXPECT_EQ(refusal({4, 3, 2}, {0, 0, 4, 0}), "topology.elevators has x, y = 4, 0" + expected);
  EXPECT_EQ(refusal({4, 3, 2}, {0, 3}), "topology.elevators has x, y = 0, 3" + expected);
  EXPECT_EQ(refusal({4, 3, 2}, {3, 2, 0, 0, 3, 2}), "topology.elevators has x, y = 3, 2 twice" + expected);
  EXPECT_EQ(refusal({4, 3, 2}, {3, 2}), "");
  EXPECT_EQ(refusal({4, 4}, {}), "") << "none listed: nothing to refuse";
}

}  // namespace
}  // namespace braid::test::elevators_test
