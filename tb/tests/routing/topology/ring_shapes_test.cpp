// Virtual rings and spanning trees where links differ in length, routers have no node, or no circuit is there; and what
// a topology's check says of routers that nobody reaches. By hand.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "routing/topology/ring.h"
#include "routing/topology/spanning_tree.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::ring_shapes_test {
namespace {

using namespace routing;
using Texts = std::vector<std::string>;

/// Stops and wires with their cycles, in order.
Texts told(const std::vector<RingStop>& ring) {
  Texts all;
  for (const RingStop& s : ring) {
    all.push_back("at " + std::to_string(s.node.value));
    for (const RingWire& w : s.wires) all.push_back(w.name + " " + std::to_string(w.cycles));
  }
  return all;
}
std::vector<std::uint32_t> stops(const Topology& t) {
  std::vector<std::uint32_t> all;
  for (const RingStop& s : virtual_ring(t)) all.push_back(s.node.value);
  return all;
}
using Stops = std::vector<std::uint32_t>;

/// Both ends of the link that begins at the router's port.
void set_latency(Topology& t, std::size_t router, std::size_t port, std::uint32_t cycles) {
  Port& here = t.routers[router][port];
  here.latency_cycles = cycles;
  t.routers[here.peer_router.value][here.peer_port.value].latency_cycles = cycles;
}

/// Ports 0 lead from r0 to r1, r2 and back, over links of 2, 3 and 4 cycles.
TEST(RingShapes, ACircleOfRoutersHasItsLinksLatencies) {
  Topology t = graph_of(3, {});
  const std::array<std::uint32_t, 3> cycles{2, 3, 4};  // from each router to the next
  for (std::uint32_t r = 0; r < 3; ++r) {
    const std::uint32_t next = (r + 1) % 3, last = (r + 2) % 3;
    t.nodes[r] = {{RouterId{r}, PortId{2}}};
    t.routers[r] = {{PortKind::kNetwork, RouterId{next}, PortId{1}, NodeId{}, cycles[r], "on"},
                    {PortKind::kNetwork, RouterId{last}, PortId{0}, NodeId{}, cycles[last], "back"},
                    {PortKind::kLocal, RouterId{}, PortId{}, NodeId{r}, 1, "local0"}};
  }
  t.check();
  EXPECT_EQ(told(virtual_ring(t)), (Texts{"at 0", "r0_to_r1 2", "at 1", "r1_to_r2 3", "at 2", "r2_to_r0 4"}));
}

/// A row by itself is no circuit: from its middle, which is the upper of two, to either side and back.
TEST(RingShapes, AGridOfOneRowOrColumnIsWalkedToAndFro) {
  EXPECT_EQ(stops(grid_of("mesh", 4, 1)), (Stops{2, 3, 1, 0}));
  EXPECT_EQ(stops(grid_of("mesh", 1, 4)), (Stops{2, 3, 1, 0}));
  EXPECT_EQ(stops(grid_of("mesh", 1, 3)), (Stops{1, 2, 0}));
  EXPECT_EQ(stops(grid_of("mesh", 3, 1)), (Stops{1, 2, 0}));
  EXPECT_EQ(stops(grid_of("mesh", 1, 2)), (Stops{1, 0}));
  EXPECT_EQ(stops(grid_of("mesh", 1, 1)), (Stops{0}));
}

/// By port 0 from r0 to r1 to r2, and from there to r1 again: three routers, and no circle.
TEST(RingShapes, AWayThatEndsInACircleIsNone) {
  const Topology t = graph_of(3, {{1, 2}, {0, 1}});
  EXPECT_EQ(told(virtual_ring(t)),
            (Texts{"at 1", "r1_to_r2 1", "at 2", "r2_to_r1 1", "r1_to_r0 1", "at 0", "r0_to_r1 1"}));
}

/// Two routers make no circle either: where r1 has the only node there is nowhere to go.
TEST(RingShapes, OfOneStopHasNoWire) {
  Topology t = graph_of(2, {{0, 1}}, 0);
  t.nodes.push_back({{RouterId{1}, PortId{1}}});
  t.routers[1].push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{0}, 1, "local0"});
  EXPECT_EQ(told(virtual_ring(t)), (Texts{"at 0"}));
}

/// r0 and r3 have nodes, r1 and r2 between them have none: the walk begins at r1, so that the wire to r0 comes last.
TEST(RingShapes, BeginsAtAStopWhereverTheWalkBegins) {
  Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 3}}, 1);
  t.nodes.push_back({{RouterId{3}, PortId{1}}});
  t.routers[3].push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{1}, 1, "local0"});
  set_latency(t, 0, 0, 7);
  set_latency(t, 1, 1, 5);
  set_latency(t, 2, 1, 3);
  EXPECT_EQ(told(virtual_ring(t)), (Texts{"at 0", "r0_to_r1 7", "r1_to_r2 5", "r2_to_r3 3", "at 1", "r3_to_r2 3",
                                          "r2_to_r1 5", "r1_to_r0 7"}));
  const SpanningTree tree = spanning_tree(t);
  ASSERT_EQ(tree.vertices.size(), 4U);
  const std::vector<std::array<std::uint32_t, 3>> expected{{1, 0, 0}, {0, 0, 7}, {2, 0, 5}, {3, 2, 3}};
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_EQ(tree.vertices[v].router, RouterId{expected[v][0]}) << v;
    EXPECT_EQ(tree.vertices[v].parent, expected[v][1]) << v;
    EXPECT_EQ(tree.vertices[v].link_cycles, expected[v][2]) << v;
    EXPECT_EQ(tree.vertices[v].nodes.size(), v == 1 || v == 3 ? 1U : 0U) << v;
  }
  EXPECT_EQ(tree.vertices[0].children, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(tree.vertices[2].children, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(tree.vertices[3].children, (std::vector<std::uint32_t>{}));
}

/// Of several links between two routers the first counts, and each router is reached once.
TEST(SpanningTrees, TakeTheFirstOfParallelLinks) {
  Topology t = graph_of(2, {{0, 1}, {0, 1}});
  set_latency(t, 0, 0, 4);
  set_latency(t, 0, 1, 9);
  const SpanningTree tree = spanning_tree(t);
  ASSERT_EQ(tree.vertices.size(), 2U);
  EXPECT_EQ(tree.vertices[1].link_cycles, 4U);
}

/// r2 in the middle has no node and stands above r3, which has none either, and is its first neighbour: r0 and r1 need
/// r2 whatever r3 does.
TEST(SpanningTrees, KeepARouterThatAnyBranchNeeds) {
  const SpanningTree tree = spanning_tree(graph_of(4, {{2, 3}, {2, 0}, {2, 1}}, 2));
  ASSERT_EQ(tree.vertices.size(), 3U);
  EXPECT_EQ(tree.vertices[0].router, RouterId{2});
  EXPECT_EQ(tree.vertices[1].router, RouterId{0});
  EXPECT_EQ(tree.vertices[2].router, RouterId{1});
  EXPECT_EQ(tree.vertices[0].children, (std::vector<std::uint32_t>{1, 2}));
}

TEST(SpanningTrees, OfAGridGrowFromTheUpperOfTwoMiddles) {
  EXPECT_EQ(spanning_tree(grid_of("mesh", 4, 3)).vertices[0].router, RouterId{6});
  EXPECT_EQ(spanning_tree(grid_of("mesh", 2, 5)).vertices[0].router, RouterId{5});
}

TEST(TopologyCheck, NamesARouterThatIsNotReached) {
  const Topology t = graph_of(4, {{0, 1}, {2, 3}});
  EXPECT_EQ(complaint([&] { t.check(); }), "topology a graph: router r2 cannot be reached from router r0");
  const Topology without_node = graph_of(3, {{0, 1}}, 2);
  EXPECT_EQ(complaint([&] { without_node.check(); }), "") << "nobody wants to go there";
}

/// A link of both ways in a network that also has others: it is followed either way, and checked as others are.
TEST(TopologyCheck, FollowsLinksOfBothWaysWhereOthersGoOneWay) {
  Topology t = graph_of(3, {{0, 1}, {1, 2}});
  t.exits = t.nodes;
  ASSERT_TRUE(t.one_way());
  EXPECT_EQ(complaint([&] { t.check(); }), "");
  EXPECT_EQ(t.distances_to(RouterId{2}), (std::vector<std::uint32_t>{2, 1, 0}));
  t.routers[1][1].kind = PortKind::kIncoming;  // now it leads from r2 to r1 alone
  EXPECT_EQ(t.distances_to(RouterId{1}), (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(t.distances_to(RouterId{2}), (std::vector<std::uint32_t>{UINT32_MAX, UINT32_MAX, 0}));
}

/// Of a network of one way, the exits of 64 nodes are looked at: node 63's, and not node 64's.
TEST(TopologyCheck, LooksFrom64ExitsWhereLinksGoOneWay) {
  for (const std::size_t node : {0U, 63U, 64U, 127U}) {
    Topology t = butterfly_of(2, 7);
    const std::size_t last = t.router_count() - 1;  // whose links go, and where this node alone leaves
    t.exits.assign(t.node_count(), {{RouterId{last - 1}, PortId{0}}});
    t.exits[node] = {{RouterId{last}, PortId{0}}};
    for (Port& port : t.routers[last]) {
      if (port.kind != PortKind::kIncoming) continue;
      t.routers[port.peer_router.value][port.peer_port.value].kind = PortKind::kUnconnected;
      port.kind = PortKind::kUnconnected;
    }
    const std::string said = complaint([&] { t.check(); });
    EXPECT_EQ(said, node <= 63 ? "topology 2-ary 7-fly: router 6.63 cannot be reached from router 0.0" : "") << node;
  }
}

/// In a butterfly of two stages nodes 2 and 3 leave at the last router, which loses its link from the first.
TEST(TopologyCheck, NamesBothEndsWhereLinksGoOneWay) {
  Topology t = butterfly_of(2, 2);
  EXPECT_EQ(complaint([&] { t.check(); }), "");
  for (Port& port : t.routers[0]) {
    if (port.kind != PortKind::kNetwork || port.peer_router != RouterId{3}) continue;
    t.routers[3][port.peer_port.value].kind = PortKind::kUnconnected;
    port.kind = PortKind::kUnconnected;
  }
  EXPECT_EQ(complaint([&] { t.check(); }), "topology " + t.name + ": router " + t.router_names[3] +
                                               " cannot be reached from router " + t.router_names[0]);
  EXPECT_EQ(complaint([&] { t.refuse_one_way("it"); }), "it needs links that go both ways; topology is " + t.name);
  EXPECT_EQ(complaint([] { ring_of(3).refuse_one_way("it"); }), "");
}

}  // namespace
}  // namespace braid::test::ring_shapes_test
