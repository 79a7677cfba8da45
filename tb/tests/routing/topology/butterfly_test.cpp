// Butterflies (k-ary n-flies): wire by wire on a small one, closed forms of routers, links, degree, distance, paths and
// bisection (Dally and Towles, "Principles and practices of interconnection networks", chapter 4), and what other
// parts of the program make of links that go one way.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::butterfly_test {
namespace {

using namespace routing;
using Names = std::vector<std::string>;

/// Where the link of an output leads: "router.port", or the node that it ends at.
std::string end(const Topology& t, std::size_t router, std::size_t port) {
  const Port& p = t.routers[router][port];
  if (p.kind == PortKind::kLocal) return "to node " + std::to_string(p.node.value);
  if (p.kind == PortKind::kEntry) return "from node " + std::to_string(p.node.value);
  const std::string far = t.router_names[p.peer_router.value] + "." + t.port(p.peer_router, p.peer_port).name;
  return (p.kind == PortKind::kNetwork ? "to " : "from ") + far;
}
Names ends(const Topology& t, std::size_t router) {
  Names all;
  for (std::size_t p = 0; p < t.routers[router].size(); ++p) all.push_back(end(t, router, p));
  return all;
}

/// Figure 4.1 there: switch xy of a stage; between stages 0 and 1 x is exchanged, between 1 and 2 y.
TEST(Butterfly, TwoAryThreeFlyWireByWire) {
  const Topology t = butterfly_of(2, 3);
  EXPECT_EQ(t.name, "2-ary 3-fly");
  ASSERT_EQ(t.router_count(), 12U);
  ASSERT_EQ(t.node_count(), 8U);
  EXPECT_EQ(ends(t, 0), (Names{"to 1.0.in0", "to 1.2.in0", "from node 0", "from node 1"}));
  EXPECT_EQ(ends(t, 3), (Names{"to 1.1.in1", "to 1.3.in1", "from node 6", "from node 7"}));
  EXPECT_EQ(ends(t, 4 + 1), (Names{"to 2.0.in1", "to 2.1.in1", "from 0.1.out0", "from 0.3.out0"}));
  EXPECT_EQ(ends(t, 8 + 2), (Names{"to node 4", "to node 5", "from 1.2.out0", "from 1.3.out0"}));
}

/// Stages from left to right, two apart; the switches of a stage from the top down.
TEST(Butterfly, IsDrawnStageByStage) {
  const Topology t = butterfly_of(2, 3);
  ASSERT_EQ(t.positions.size(), 12U);
  const std::vector<double> right{0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4}, down{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  for (std::size_t r = 0; r < 12; ++r) {
    EXPECT_EQ(t.positions[r].x, right[r]) << r;
    EXPECT_EQ(t.positions[r].y, -down[r]) << r;
  }
}

TEST(Butterfly, OfOneStageIsOneSwitch) {
  const Topology t = butterfly_of(3, 1);
  ASSERT_EQ(t.router_count(), 1U);
  EXPECT_EQ(ends(t, 0), (Names{"to node 0", "to node 1", "to node 2", "from node 0", "from node 1", "from node 2"}));
  EXPECT_TRUE(t.one_way());
  EXPECT_EQ(t.link_count(), 0U);
}

struct Shape {
  std::uint32_t k, n;
};
class Shapes : public testing::TestWithParam<Shape> {
 protected:
  const std::uint32_t k = GetParam().k, n = GetParam().n;
  const Topology t = butterfly_of(k, n);
  const std::uint64_t nodes = [this] {
    std::uint64_t all = 1;
    for (std::uint32_t i = 0; i < n; ++i) all *= k;
    return all;
  }();
};

TEST_P(Shapes, HaveTheirNumbersOfRoutersLinksAndPorts) {
  EXPECT_EQ(t.node_count(), nodes);
  EXPECT_EQ(t.router_count(), n * nodes / k);
  EXPECT_EQ(t.link_count(), (n - 1) * nodes);
  for (const auto& ports : t.routers) {
    std::uint32_t out = 0, in = 0;
    for (const Port& p : ports) (p.leads_out() ? out : in) += 1;
    EXPECT_EQ(out, k);
    EXPECT_EQ(in, k);
  }
}

TEST_P(Shapes, EveryPairIsAsFarApart) {
  for (std::size_t to = 0; to < t.node_count(); ++to) {
    const auto distance = t.distances_to(t.exit_router(NodeId{to}));
    for (std::size_t from = 0; from < t.node_count(); ++from) {
      EXPECT_EQ(distance[t.entry_router(NodeId{from}).value], n - 1);
    }
  }
}

/// Nothing comes back: from a router of stage s only routers of later stages can be reached.
TEST_P(Shapes, NoLinkLeadsBack) {
  for (std::size_t to = 0; to < t.router_count(); ++to) {
    const auto distance = t.distances_to(RouterId{to});
    const std::uint32_t stage = t.butterfly->stage(RouterId{to});
    for (std::size_t from = 0; from < t.router_count(); ++from) {
      if (t.butterfly->stage(RouterId{from}) < stage) continue;
      EXPECT_EQ(distance[from], from == to ? 0U : UINT32_MAX);
    }
  }
}

/// Between each two there is one way: as many ways lead out of a router of stage 0 as there are nodes, one to each.
TEST_P(Shapes, OneWayLeadsFromEachNodeToEachOther) {
  std::vector<std::vector<std::uint64_t>> ways(t.router_count(), std::vector<std::uint64_t>(t.node_count()));
  for (std::size_t r = t.router_count(); r-- > 0;) {
    for (const Port& p : t.routers[r]) {
      if (p.kind == PortKind::kLocal) ++ways[r][p.node.value];
      if (p.kind != PortKind::kNetwork) continue;
      for (std::size_t node = 0; node < t.node_count(); ++node) ways[r][node] += ways[p.peer_router.value][node];
    }
  }
  for (std::size_t r = 0; r < nodes / k; ++r) {
    EXPECT_EQ(ways[r], std::vector<std::uint64_t>(t.node_count(), 1)) << "router " << r;
  }
}

/// Half of the nodes against the other: N / 2 links of one way, with k even and two stages at least.
TEST_P(Shapes, HaveTheirBisection) {
  if (k % 2 != 0 || n < 2) return;
  const std::uint32_t half = t.butterfly->routers_per_stage() / 2;
  std::size_t cut = 0;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (const Port& p : t.routers[r]) {
      if (p.kind != PortKind::kNetwork) continue;
      cut += (t.butterfly->word(RouterId{r}) < half) != (t.butterfly->word(p.peer_router) < half) ? 1 : 0;
    }
  }
  EXPECT_EQ(cut, nodes / 2);
}

/// BookSim 2's rule (dest_tag_fly): the destination's digits, the highest first.
TEST_P(Shapes, DestinationTagArrivesByTheDestinationsDigits) {
  const auto routing = RoutingRegistry::instance().make("destination_tag", t, {});
  const auto shortest = RoutingRegistry::instance().make("deterministic", t, {});
  for (std::uint32_t from = 0; from < t.node_count(); ++from) {
    for (std::uint32_t to = 0; to < t.node_count(); ++to) {
      const auto path = path_between(t, *routing, NodeId{from}, NodeId{to});
      ASSERT_EQ(path.size(), n);
      std::uint64_t weight = nodes;
      for (const Hop& hop : path) EXPECT_EQ(hop.port.value, to / (weight /= k) % k);
      EXPECT_EQ(t.port(path.back().router, path.back().port).node, NodeId{to});
      const auto other = path_between(t, *shortest, NodeId{from}, NodeId{to});
      EXPECT_TRUE(std::equal(path.begin(), path.end(), other.begin(), other.end(),
                             [](const Hop& a, const Hop& b) { return a.router == b.router && a.port == b.port; }));
    }
  }
}

/// All pairs alike load every link, and every ejection link, with a flit of each node.
TEST_P(Shapes, UniformTrafficLoadsAllLinksAlike) {
  std::vector<Flow> flows;
  for (std::size_t from = 0; from < nodes; ++from) {
    for (std::size_t to = 0; to < nodes; ++to) flows.push_back({NodeId{from}, NodeId{to}, 1.0});
  }
  const auto loads = link_loads(t, *RoutingRegistry::instance().make("destination_tag", t, {}), flows);
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (std::size_t p = 0; p < t.routers[r].size(); ++p) {
      EXPECT_EQ(loads[r][p], t.routers[r][p].leads_out() ? static_cast<double>(nodes) : 0.0);
    }
  }
}

/// Walked, not taken at its word.
TEST_P(Shapes, NoChannelsWaitForEachOther) {
  for (const char* name : {"destination_tag", "deterministic"}) {
    const auto routing = RoutingRegistry::instance().make(name, t, {});
    const ChannelDependencyGraph graph(t, *routing, 4);
    EXPECT_TRUE(graph.find_cycle().empty());
  }
}
INSTANTIATE_TEST_SUITE_P(All, Shapes,
                         testing::Values(Shape{2, 1}, Shape{2, 2}, Shape{2, 4}, Shape{3, 3}, Shape{4, 3}, Shape{5, 2},
                                         Shape{8, 2}),
                         [](const auto& s) { return std::to_string(s.param.k) + "ary" + std::to_string(s.param.n); });

TEST(Butterfly, LinksHaveTheirLatencyAndSpeed) {
  Configuration options;
  options.set("topology.kind", "butterfly");
  options.set("topology.link_latency_cycles", 5);
  options.set("topology.link_flits_per_cycle", 2);
  for (const auto& ports : make_topology(options).routers) {
    for (const Port& p : ports) {
      EXPECT_EQ(p.latency_cycles, p.came_from_router() ? 5U : 1U);
      EXPECT_EQ(p.flits_per_cycle, p.came_from_router() ? 2U : 1U);
    }
  }
}

std::string refusal(std::uint32_t k, std::uint32_t n) {
  return complaint([&] { butterfly_of(k, n); });
}

TEST(Butterfly, SaysWhatItCannotBe) {
  EXPECT_NE(refusal(33, 1).find("topology.arity"), std::string::npos);
  EXPECT_NE(refusal(1, 3).find("topology.arity"), std::string::npos);
  EXPECT_EQ(refusal(4, 9), "topology.stages: a 4-ary 9-fly is out of range: expected at most 65536 nodes");
  EXPECT_EQ(refusal(2, 16), "");
}

/// Every other algorithm says in one line that it cannot, whether it knows a topology of its own or any.
TEST(Butterfly, EveryOtherRoutingIsRefused) {
  std::set<std::string> work;
  const Topology t = butterfly_of(2, 3);
  for (const std::string& name : RoutingRegistry::instance().names()) {
    Configuration options;
    options.set("topology.kind", "butterfly");
    options.set("routing.algorithm", name);
    const std::string said = complaint([&] { make_routing(t, options); });
    if (said.empty()) work.insert(name);
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_EQ(work, (std::set<std::string>{"destination_tag", "deterministic"}));
  Configuration options;
  options.set("routing.algorithm", "best_paths");
  EXPECT_EQ(complaint([&] { make_routing(t, options); }),
            "routing.algorithm = \"best_paths\" needs links that go both ways; topology is 2-ary 3-fly");
}

TEST(Butterfly, DestinationTagNeedsOne) {
  EXPECT_EQ(complaint([&] { RoutingRegistry::instance().make("destination_tag", grid_of("mesh", 2, 2), {}); }),
            "routing algorithm \"destination_tag\" needs a butterfly; topology is mesh 2x2");
}

/// Links of one way are checked as others are: both ends agree, and every node can be reached.
TEST(OneWay, BothEndsOfALinkAgree) {
  Topology t = butterfly_of(2, 2);
  t.routers[0][1].peer_port = PortId{std::size_t{3}};
  EXPECT_EQ(complaint([&] { t.check(); }), "router 0.0 port out1: the far end of the link does not lead back");
  t = butterfly_of(2, 2);
  t.routers[2][2].latency_cycles = 7;
  EXPECT_EQ(complaint([&] { t.check(); }), "router 0.0 port out0: the far end of the link does not lead back");
  t = butterfly_of(2, 2);
  t.exits.clear();  // then links have to go both ways
  EXPECT_EQ(complaint([&] { t.check(); }), "router 0.0 port out0: the far end of the link does not lead back");
  t = butterfly_of(2, 2);
  t.routers[2][2].kind = t.routers[0][0].kind = PortKind::kUnconnected;
  EXPECT_EQ(complaint([&] { t.check(); }), "topology 2-ary 2-fly: router 1.0 cannot be reached from router 0.0");
}

}  // namespace
}  // namespace braid::test::butterfly_test
