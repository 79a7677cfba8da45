// Virtual rings and spanning trees router by router on small networks.
#include <gtest/gtest.h>

#include "routing/topology/ring.h"
#include "routing/topology/spanning_tree.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::known_rings_test {
namespace {

using namespace routing;

Configuration options_of(const char* kind) {
  Configuration options;
  options.set("topology.kind", kind);
  return options;
}
using Names = std::vector<std::string>;

std::vector<std::pair<std::uint32_t, std::uint32_t>> vertices(const SpanningTree& tree) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;  // router, parent's router
  for (const auto& v : tree.vertices) all.emplace_back(v.router.value, tree.vertices[v.parent].router.value);
  return all;
}
using Vertices = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// From the centre 4 of a 3x3 mesh, ports east, west, north, south: breadth first.
TEST(KnownSpanningTree, OfAMeshGrowsFromItsCentreInTheOrderOfPorts) {
  const SpanningTree tree = spanning_tree(grid_of("mesh", 3, 3));
  EXPECT_EQ(vertices(tree), (Vertices{{4, 4}, {5, 4}, {3, 4}, {7, 4}, {1, 4}, {8, 5}, {2, 5}, {6, 3}, {0, 3}}));
  EXPECT_EQ(tree.vertices[0].children, (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(tree.vertices[0].link_cycles, 0U);
  EXPECT_EQ(tree.vertices[1].link_cycles, 1U);
  EXPECT_EQ(tree.node_link_cycles, 0U);
}

/// A row of five, r0 to r4: r2 has the nearest farthest node. Without nodes at r3 and r4 it is r1, and r3, r4 are left
/// out; r1 is the middle of r0 to r2.
TEST(KnownSpanningTree, OfAGraphGrowsFromItsMiddleAndLeavesOutWhatHasNoNode) {
  const std::vector<std::pair<std::size_t, std::size_t>> row{{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  EXPECT_EQ(vertices(spanning_tree(graph_of(5, row))), (Vertices{{2, 2}, {1, 2}, {3, 2}, {0, 1}, {4, 3}}));
  EXPECT_EQ(vertices(spanning_tree(graph_of(5, row, 3))), (Vertices{{1, 1}, {0, 1}, {2, 1}}));
  EXPECT_EQ(vertices(spanning_tree(graph_of(4, {{0, 1}, {1, 2}, {2, 3}}))).front().first, 1U) << "of equals the lowest";
}

/// The root switch of a tree is word 0 of the highest level; its nodes are a link away.
TEST(KnownSpanningTree, OfATreeGrowsFromARootSwitch) {
  Configuration o = options_of("k_ary_n_tree");
  o.set("topology.arity", 2);
  o.set("topology.levels", 2);
  const SpanningTree tree = spanning_tree(make_topology(o));
  EXPECT_EQ(vertices(tree), (Vertices{{2, 2}, {0, 2}, {1, 2}}));
  EXPECT_EQ(tree.vertices[2].nodes, (std::vector<NodeId>{NodeId{2}, NodeId{3}}));
  EXPECT_EQ(tree.node_link_cycles, 1U);
}

std::vector<std::uint32_t> stops(const Topology& t) {
  std::vector<std::uint32_t> all;
  for (const RingStop& s : virtual_ring(t)) all.push_back(s.node.value);
  return all;
}
using Stops = std::vector<std::uint32_t>;

/// Row 0 to the right, the next to the left, ..., and back down column 0; columns in place of rows where only their
/// number is even.
TEST(KnownRing, WalksAGridToAndFro) {
  EXPECT_EQ(stops(grid_of("mesh", 4, 2)), (Stops{0, 1, 2, 3, 7, 6, 5, 4}));
  EXPECT_EQ(stops(grid_of("mesh", 3, 4)), (Stops{0, 1, 2, 5, 4, 7, 8, 11, 10, 9, 6, 3}));
  EXPECT_EQ(stops(grid_of("mesh", 2, 3)), (Stops{0, 2, 4, 5, 3, 1}));
  EXPECT_EQ(stops(grid_of("torus", 3, 3)), (Stops{0, 1, 2, 5, 4, 7, 8, 6, 3}));
}

TEST(KnownRing, NamesItsWiresAndTakesTheLinksLatency) {
  Configuration o = options_of("mesh");
  o.set("topology.width", 2);
  o.set("topology.height", 2);
  o.set("topology.link_latency_cycles", 3);
  const std::vector<RingStop> ring = virtual_ring(make_topology(o));
  std::vector<std::string> names;
  for (const RingStop& s : ring) {
    ASSERT_EQ(s.wires.size(), 1U);
    names.push_back(s.wires[0].name);
    EXPECT_EQ(s.wires[0].cycles, 3U);
  }
  EXPECT_EQ(names, (Names{"0,0_to_1,0", "1,0_to_1,1", "1,1_to_0,1", "0,1_to_0,0"}));
}

TEST(KnownRing, OfAHexagonalMeshFollowsOneDirection) {
  Configuration o = options_of("hexagonal");
  o.set("topology.edge", 2);
  EXPECT_EQ(stops(make_topology(o)), (Stops{0, 1, 2, 3, 4, 5, 6}));
}

/// H(1) = 2k: down to each node and up again.
TEST(KnownRing, OfATreeGoesDownToEachNodeAndUpAgain) {
  Configuration o = options_of("k_ary_n_tree");
  o.set("topology.arity", 2);
  o.set("topology.levels", 1);
  const std::vector<RingStop> ring = virtual_ring(make_topology(o));
  ASSERT_EQ(ring.size(), 2U);
  const auto names = [](const RingStop& s) { return Names{s.wires.at(0).name, s.wires.at(1).name}; };
  EXPECT_EQ(names(ring[0]), (Names{"node0_to_0.0", "0.0_to_node1"}));
  EXPECT_EQ(names(ring[1]), (Names{"node1_to_0.0", "0.0_to_node0"}));
}

/// A row of three: from the middle to r0 and back, to r2 and back.
TEST(KnownRing, OfARowGoesAroundItsTree) {
  const std::vector<RingStop> ring = virtual_ring(graph_of(3, {{0, 1}, {1, 2}}));
  Names names;
  for (const RingStop& s : ring) {
    names.push_back("at " + std::to_string(s.node.value));
    for (const RingWire& w : s.wires) names.push_back(w.name);
  }
  EXPECT_EQ(names, (Names{"at 1", "r1_to_r0", "at 0", "r0_to_r1", "r1_to_r2", "at 2", "r2_to_r1"}));
}

}  // namespace
}  // namespace braid::test::known_rings_test
