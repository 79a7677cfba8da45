// k-ary n-trees, virtual rings and spanning trees: closed forms of the paper (sat-fairness, sections II.B and IV.D).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "routing/topology/ring.h"
#include "routing/topology/spanning_tree.h"
#include "tb/tests/support/bench.h"

namespace braid::test::tree_test {
namespace {

using namespace routing;

Topology tree_of(std::uint32_t arity, std::uint32_t levels) {
  Configuration options;
  options.set("topology.kind", "k_ary_n_tree");
  options.set("topology.arity", arity);
  options.set("topology.levels", levels);
  return make_topology(options);
}

Topology grid_of(const char* kind, std::uint32_t width, std::uint32_t height) {
  Configuration options;
  options.set("topology.kind", kind);
  options.set("topology.width", width);
  options.set("topology.height", height);
  return make_topology(options);
}

std::unique_ptr<RoutingAlgorithm> algorithm_of(const char* name, const Topology& topology) {
  RoutingContext options;
  options.vcs = 1;
  return RoutingRegistry::instance().make(name, topology, options);
}

std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
  std::uint32_t result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

struct Shape {
  std::uint32_t arity, levels;
};
class Tree : public testing::TestWithParam<Shape> {};

constexpr std::array<const char*, 6> kNames{"tree_by_source", "tree_by_destination", "tree_by_pair",
                                            "tree_adaptive",  "tree_drawn",          "tree_two_choices"};

TEST_P(Tree, HasItsSwitchesAndLinks) {
  const auto [k, n] = GetParam();
  const Topology t = tree_of(k, n);
  EXPECT_EQ(t.node_count(), power(k, n));
  EXPECT_EQ(t.router_count(), n * power(k, n - 1));
  EXPECT_EQ(t.link_count(), 2 * (n - 1) * power(k, n));
}

/// Every algorithm goes up to the lowest level that has both nodes below, and down again.
TEST_P(Tree, PathsAreShortest) {
  const auto [k, n] = GetParam();
  const Topology t = tree_of(k, n);
  for (const char* name : kNames) {
    const auto algorithm = algorithm_of(name, t);
    for (std::uint32_t s = 0; s < t.node_count(); ++s) {
      const std::vector<std::uint32_t> distance = t.distances_to(t.router_of(NodeId{s}));
      for (std::uint32_t d = 0; d < t.node_count(); ++d) {
        const std::vector<Hop> path = path_between(t, *algorithm, NodeId{s}, NodeId{d});
        ASSERT_EQ(path.size(), distance[t.router_of(NodeId{d}).value] + 1) << name << " " << s << " to " << d;
        const Port& last = t.port(path.back().router, path.back().port);
        ASSERT_EQ(last.node, NodeId{d});
      }
    }
  }
}

/// By the source's digits no two sources share a link up; by the destination's no two destinations share a link down.
TEST_P(Tree, StaticChoicesKeepFlowsApart) {
  const auto [k, n] = GetParam();
  const Topology t = tree_of(k, n);
  for (const bool by_source : {true, false}) {
    const auto algorithm = algorithm_of(by_source ? "tree_by_source" : "tree_by_destination", t);
    std::map<std::pair<RouterId, PortId>, NodeId> owner;
    for (std::uint32_t s = 0; s < t.node_count(); ++s) {
      for (std::uint32_t d = 0; d < t.node_count(); ++d) {
        for (const Hop& hop : path_between(t, *algorithm, NodeId{s}, NodeId{d})) {
          const bool up = hop.port.value >= k;
          if (up != by_source) continue;
          const NodeId flow{by_source ? s : d};
          ASSERT_EQ(owner.emplace(std::pair(hop.router, hop.port), flow).first->second, flow);
        }
      }
    }
  }
}

TEST_P(Tree, RoutingHasNoCycle) {
  const auto [k, n] = GetParam();
  const Topology t = tree_of(k, n);
  for (const char* name : kNames) {
    const auto algorithm = algorithm_of(name, t);
    if (algorithm->draws() * t.node_count() > 20000) continue;  // every draw of every pair: for minutes
    EXPECT_TRUE(ChannelDependencyGraph(t, *algorithm, 1).find_cycle().empty()) << name;
  }
}

std::uint32_t ring_cycles(const std::vector<RingStop>& ring) {
  std::uint32_t cycles = 0;
  for (const RingStop& stop : ring) {
    for (const RingWire& wire : stop.wires) cycles += wire.cycles;
  }
  return cycles;
}

/// H(0) = 0, H(n) = 2k + k H(n - 1); nodes in ascending order.
TEST_P(Tree, RingIsThePapers) {
  const auto [k, n] = GetParam();
  std::uint32_t h = 0;
  for (std::uint32_t i = 0; i < n; ++i) h = 2 * k + k * h;
  const std::vector<RingStop> ring = virtual_ring(tree_of(k, n));
  ASSERT_EQ(ring.size(), power(k, n));
  EXPECT_EQ(ring_cycles(ring), h);
  for (std::uint32_t i = 0; i < ring.size(); ++i) EXPECT_EQ(ring[i].node, NodeId{i});
}

TEST_P(Tree, SpanningTreeIsAsDeepAsTheLevels) {
  const auto [k, n] = GetParam();
  const SpanningTree tree = spanning_tree(tree_of(k, n));
  std::vector<std::uint32_t> depth(tree.vertices.size());
  std::size_t nodes = 0;
  for (std::size_t v = 0; v < tree.vertices.size(); ++v) {
    if (v > 0) depth[v] = depth[tree.vertices[v].parent] + tree.vertices[v].link_cycles;
    nodes += tree.vertices[v].nodes.size();
  }
  EXPECT_EQ(*std::max_element(depth.begin(), depth.end()) + tree.node_link_cycles, n);
  EXPECT_EQ(nodes, power(k, n));
}
INSTANTIATE_TEST_SUITE_P(Shapes, Tree,
                         testing::Values(Shape{2, 1}, Shape{2, 3}, Shape{3, 3}, Shape{4, 2}, Shape{4, 3}, Shape{5, 2},
                                         Shape{4, 4}),
                         [](const auto& c) {
                           return std::to_string(c.param.arity) + "ary" + std::to_string(c.param.levels) + "tree";
                         });

TEST(TreeTopology, RefusesWhatIsNoTree) {
  EXPECT_THROW((void)tree_of(1, 3), InputError);
  EXPECT_THROW((void)tree_of(33, 2), InputError);
  EXPECT_THROW((void)tree_of(4, 0), InputError);
  EXPECT_THROW((void)tree_of(4, 11), InputError);
  EXPECT_THROW((void)algorithm_of("tree_adaptive", grid_of("mesh", 4, 4)), InputError);
}

/// Where a Hamiltonian circuit exists, every router is passed once and every wire is one link.
TEST(Ring, IsAHamiltonianCircuitOfGrids) {
  for (const auto& [kind, width, height] :
       std::vector<std::tuple<const char*, std::uint32_t, std::uint32_t>>{{"mesh", 8, 8},
                                                                          {"mesh", 5, 4},
                                                                          {"mesh", 4, 5},
                                                                          {"mesh", 2, 2},
                                                                          {"torus", 8, 8},
                                                                          {"torus", 5, 5},
                                                                          {"torus", 3, 7},
                                                                          {"torus", 7, 4}}) {
    const Topology t = grid_of(kind, width, height);
    const std::vector<RingStop> ring = virtual_ring(t);
    std::set<NodeId> seen;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      EXPECT_TRUE(seen.insert(ring[i].node).second);
      EXPECT_EQ(ring[i].wires.size(), 1U);
      const RouterId here = t.router_of(ring[i].node), next = t.router_of(ring[(i + 1) % ring.size()].node);
      EXPECT_EQ(t.distances_to(next)[here.value], 1U) << kind << " " << width << "x" << height << " stop " << i;
    }
    EXPECT_EQ(seen.size(), t.node_count());
  }
}

TEST(Ring, ToursASpanningTreeElsewhere) {
  const Topology odd = grid_of("mesh", 5, 3);  // odd times odd: no Hamiltonian circuit
  const std::vector<RingStop> ring = virtual_ring(odd);
  EXPECT_EQ(ring.size(), 15U);
  EXPECT_EQ(ring_cycles(ring), 2 * 14U);
  Configuration options;
  options.set("topology.kind", "graph");
  options.set("topology.file", source_file("tb/experiments/ring.graphml"));
  const Topology graph = make_topology(options);
  EXPECT_EQ(virtual_ring(graph).size(), graph.node_count());
}

}  // namespace
}  // namespace braid::test::tree_test
