// The busiest links and their sharers, against what a transpose on a 3x3 mesh does, X first, by hand.
#include "models/experiment/bottlenecks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::bottlenecks_test {
namespace {

using models::Bottleneck;
using models::Results;

struct Mesh {
  Bench bench{[] {
    models::Experiment e = uniform_mesh(0.1, 3, 3);
    e.set("traffic.pattern", "transpose");
    return e;
  }()};
  const routing::Topology& topology = bench.topology;
  std::vector<routing::Flow> flows = sources_of(bench).pattern_flows(0.5);

  std::vector<Bottleneck> of(const Results& results, std::size_t most = 5) const {
    return models::bottlenecks(results, topology, *bench.routing, flows, most);
  }
};

/// (1,0) and (2,0) go west and up column 0: both cross (1,0) -> (0,0); node 1 goes to node 3, node 2 to node 6.
TEST(Bottlenecks, NameWhoSharesTheLink) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{0}, routing::kEast, 0.25, 0.0}, {RouterId{1}, routing::kWest, 0.5, 0.25}};
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].from, RouterId{1});
  EXPECT_EQ(all[0].flits_per_cycle, 0.75);
  EXPECT_EQ(all[0].sources, 2U);
  EXPECT_EQ(all[0].destinations, 2U);
  ASSERT_EQ(all[0].sharers.size(), 2U);
  EXPECT_EQ(all[0].sharers[0].name, "1 -> 3");
  EXPECT_EQ(all[0].sharers[0].share, 0.5);
  EXPECT_EQ(all[0].sharers[1].name, "2 -> 6");
  EXPECT_TRUE(all[1].sharers.empty()) << "nobody goes east from (0,0)";
}

/// 512 x 512 pairs of nodes are as many flows as are worked out; of more nodes they are drawn.
TEST(PatternFlows, AreKnownOfAtMost512Nodes) {
  EXPECT_TRUE(sources_of(Bench(uniform_mesh(0.1, 32, 16))).knows_flows());
  EXPECT_FALSE(sources_of(Bench(uniform_mesh(0.1, 27, 19))).knows_flows());
}

TEST(Bottlenecks, AreTheBusiestInOrderAndNoneThatIsIdle) {
  const Mesh mesh;
  Results r;
  for (std::size_t i = 0; i < 4; ++i) r.links.push_back({RouterId{i}, routing::kNorth, i == 2 ? 0.0 : 0.5, 0.0});
  r.links[3].circuit_flits_per_cycle = 0.125;
  const std::vector<Bottleneck> all = mesh.of(r, 2);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].from, RouterId{3});
  EXPECT_EQ(all[1].from, RouterId{0}) << "the first of two alike";
  EXPECT_TRUE(mesh.of(Results{}).empty());
}

/// A link of four flits a cycle that carries 1.5 has more room than one of a flit that carries a half.
TEST(Bottlenecks, AreThoseWithTheLeastRoom) {
  models::Experiment e = uniform_mesh(0.1, 3, 3);
  e.set("router.architecture", "virtual_cut_through");
  e.set("router.vcs", 1);
  Bench bench(e);
  Results r;
  r.links = {{RouterId{0}, routing::kEast, 1.5, 0.0}, {RouterId{1}, routing::kEast, 0.5, 0.0}};
  for (const bool fast : {false, true}) {
    bench.topology.routers[0][routing::kEast.value].flits_per_cycle = fast ? 4 : 1;
    const std::vector<Bottleneck> all = models::bottlenecks(r, bench.topology, *bench.routing, {});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].from, RouterId{fast ? 1U : 0U});
    EXPECT_EQ(all[1].load(), fast ? 1.5 / 4 : 0.5);
    EXPECT_EQ(all[fast ? 1 : 0].flits_per_cycle, 1.5);
  }
}

/// From one corner of a square to the other an adaptive algorithm prefers both ways alike; both links are explained.
TEST(Bottlenecks, SpreadFlowsOverTheWaysOfAnAdaptiveAlgorithm) {
  models::Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("routing.algorithm", "minimal_adaptive");
  const Bench bench(e);
  std::vector<routing::Flow> flows;
  for (std::size_t to = 1; to < 16; ++to) flows.push_back({NodeId{0}, NodeId{to}, 1.0});
  Results r;
  r.links = {{RouterId{0}, routing::kEast, 0.5, 0.0}, {RouterId{0}, routing::kNorth, 0.5, 0.0}};
  const std::vector<Bottleneck> all = models::bottlenecks(r, bench.topology, *bench.routing, flows);
  ASSERT_EQ(all.size(), 2U);
  for (const Bottleneck& link : all) EXPECT_GE(link.sharers.size(), 5U) << "three are to this side alone";
  EXPECT_EQ(all[0].sharers.size() + all[1].sharers.size(), 15U);
}

/// The links of nodes are among the busiest, with the flows that begin or end there.
TEST(Bottlenecks, KnowInjectionAndEjectionLinks) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{1}, routing::kWest, 0.5, 0.0}};
  r.node_links = {{NodeId{1}, 1, 0.75, 0.25}};
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].where, Bottleneck::Where::kInjection);
  EXPECT_EQ(all[0].node, NodeId{1});
  ASSERT_EQ(all[0].sharers.size(), 1U);
  EXPECT_EQ(all[0].sharers[0].name, "1 -> 3");
  EXPECT_EQ(all[1].where, Bottleneck::Where::kBetweenRouters);
  EXPECT_EQ(all[2].where, Bottleneck::Where::kEjection);
  EXPECT_EQ(all[2].sharers.at(0).name, "3 -> 1");
}

/// What was counted on a link goes before what is drawn.
TEST(Bottlenecks, TakeWhatWasCounted) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{1}, routing::kWest, 0.5, 0.0}};
  r.links[0].flows = std::vector<models::LinkFlow>{{NodeId{8}, NodeId{0}, "packets", 0.3},
                                                   {NodeId{7}, NodeId{0}, "loads replies", 0.1}};
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.at(0).sharers.size(), 2U);
  EXPECT_EQ(all[0].sharers[0].name, "8 -> 0");
  EXPECT_DOUBLE_EQ(all[0].sharers[0].share, 0.75);
  EXPECT_EQ(all[0].sharers[1].name, "loads replies 7 -> 0");
}

/// Of networks side by side each link has what was counted on its own; what begins or ends at a node is drawn as ever,
/// and circuits are where their set-up led.
TEST(Bottlenecks, TakeWhatWasCountedInTheirSubnet) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{1}, routing::kWest, 0.5, 0.0}, {RouterId{1}, routing::kWest, 0.25, 0.0}};
  r.links[0].subnet = 1;
  r.links[1].subnet = 0;
  r.links[0].flows = std::vector<models::LinkFlow>{{NodeId{8}, NodeId{0}, "packets", 0.3}};
  r.links[1].flows = std::vector<models::LinkFlow>{{NodeId{7}, NodeId{0}, "packets", 0.1}};
  r.node_links = {{NodeId{1}, 1, 0.125, 0.0}};
  r.setup.circuits.resize(1);
  r.setup.circuits[0].path = {{RouterId{1}, routing::kWest}};
  r.setup.circuits[0].stream = "a -> b";
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].subnet, 1U);
  ASSERT_EQ(all[0].sharers.size(), 1U);
  EXPECT_EQ(all[0].sharers[0].name, "8 -> 0");
  EXPECT_EQ(all[0].sharers[0].share, 1.0);
  EXPECT_EQ(all[0].sources, 1U);
  EXPECT_EQ(all[1].subnet, 0U);
  ASSERT_EQ(all[1].sharers.size(), 2U) << "there is no circuit but in the first";
  EXPECT_EQ(all[1].sharers[0].name, "a -> b");
  EXPECT_EQ(all[1].sharers[1].name, "7 -> 0");
  EXPECT_EQ(all[2].where, Bottleneck::Where::kInjection);
  ASSERT_EQ(all[2].sharers.size(), 1U);
  EXPECT_EQ(all[2].sharers[0].name, "1 -> 3");
}

/// Every flow has its way back, as much more as replies are longer.
TEST(Bottlenecks, OfRequestsKnowTheReplies) {
  models::Experiment e = uniform_mesh(0.1, 3, 3);
  e.set("traffic.pattern", "transpose").set("traffic.length", "fixed").set("traffic.flits", 2);
  e.set("traffic.request_reply", true).set("traffic.reply_flits", 6);
  const Bench bench(e);
  const std::vector<routing::Flow> flows = sources_of(bench).flows(1);
  ASSERT_EQ(flows.size() % 2, 0U);
  const routing::Flow &request = flows[0], &reply = flows[flows.size() / 2];
  EXPECT_EQ(reply.source, request.destination);
  EXPECT_EQ(reply.destination, request.source);
  EXPECT_DOUBLE_EQ(reply.weight, 3.0 * request.weight);
  EXPECT_NE(reply.name.find("(replies)"), std::string::npos);
}

/// Half-way round a torus a flow is on both ways, with half of its weight on each.
TEST(Bottlenecks, ShareAFlowWhosePacketsDrawTheirWays) {
  models::Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("topology.kind", "torus");
  const Bench bench(e);
  Results r;
  r.links = {{RouterId{0}, routing::kEast, 0.5, 0.0}, {RouterId{0}, routing::kWest, 0.25, 0.0}};
  const std::vector<routing::Flow> flows{{NodeId{0}, NodeId{2}, 1.0}, {NodeId{0}, NodeId{1}, 1.5}};
  const std::vector<Bottleneck> all = models::bottlenecks(r, bench.topology, *bench.routing, flows);
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].sharers.size(), 2U);
  EXPECT_EQ(all[0].sharers[0].name, "0 -> 1");
  EXPECT_EQ(all[0].sharers[0].share, 0.75);
  EXPECT_EQ(all[0].sharers[1].share, 0.25);
  ASSERT_EQ(all[1].sharers.size(), 1U);
  EXPECT_EQ(all[1].sharers[0].name, "0 -> 2");
}

/// Five where nobody says how many. Of networks side by side a flow is on the links of its own.
TEST(Bottlenecks, AreFiveAndOfTheirSubnet) {
  const Mesh mesh;
  Results r;
  for (std::uint32_t i = 0; i < 6; ++i) r.links.push_back({RouterId{i}, routing::kNorth, 0.5 + 0.0625 * i, 0.0});
  EXPECT_EQ(models::bottlenecks(r, mesh.topology, *mesh.bench.routing, {}).size(), 5U);
  r.links = {{RouterId{1}, routing::kWest, 0.5, 0.0}, {RouterId{1}, routing::kWest, 0.25, 0.0}};
  r.links[0].subnet = 1;
  r.links[1].subnet = 0;
  std::vector<routing::Flow> flows{{NodeId{1}, NodeId{0}, 1.0, "first"}, {NodeId{2}, NodeId{0}, 1.0, "second"}};
  flows[0].subnet = 1;
  const auto found = models::bottlenecks(r, mesh.topology, *mesh.bench.routing, flows);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].subnet, 1U);
  ASSERT_EQ(found[0].sharers.size(), 1U);
  EXPECT_EQ(found[0].sharers[0].name, "first");
  EXPECT_EQ(found[1].subnet, 0U);
  ASSERT_EQ(found[1].sharers.size(), 1U);
  EXPECT_EQ(found[1].sharers[0].name, "second");
}

/// Flows that weigh nothing share nothing; who wants most comes first, of equals the first.
TEST(Bottlenecks, OrderSharersByWhatTheyWant) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{1}, routing::kWest, 0.5, 0.0}};
  const auto sharers = [&](double first, double second, double third) {
    const std::vector<routing::Flow> flows{
        {NodeId{1}, NodeId{0}, first}, {NodeId{2}, NodeId{0}, second}, {NodeId{1}, NodeId{3}, third}};
    const std::vector<Bottleneck> found = models::bottlenecks(r, mesh.topology, *mesh.bench.routing, flows);
    std::string all;
    for (const Bottleneck::Sharer& s : found.at(0).sharers) {
      all += s.name + " " + std::to_string(std::lround(1000.0 * s.share)) + "; ";
    }
    return all;
  };
  EXPECT_EQ(sharers(1.0, 2.0, 1.0), "2 -> 0 500; 1 -> 0 250; 1 -> 3 250; ");
  EXPECT_EQ(sharers(0.0, 0.0, 0.0), "1 -> 0 0; 2 -> 0 0; 1 -> 3 0; ");
}

/// By router and port: links that share one of both are others.
TEST(Bottlenecks, TakeWhatWasCountedOnTheLinkItself) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{0}, routing::kEast, 0.125, 0.0},
             {RouterId{0}, routing::kNorth, 0.25, 0.0},
             {RouterId{1}, routing::kEast, 0.5, 0.0},
             {RouterId{1}, routing::kNorth, 0.75, 0.0}};
  for (std::uint32_t i = 0; i < 4; ++i) {
    r.links[i].flows = std::vector<models::LinkFlow>{{NodeId{i}, NodeId{8}, "packets", 0.1}};
  }
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(all[i].sharers.size(), 1U);
    EXPECT_EQ(all[i].sharers[0].name, std::to_string(3 - i) + " -> 8");
    EXPECT_EQ(all[i].destinations, 1U);
  }
}

/// Half-way round a torus in x both ways come to one column: the link up it has the flow once, with all of its weight.
TEST(Bottlenecks, ShareAFlowWhoseWaysMeetAgainOnce) {
  models::Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("topology.kind", "torus");
  const Bench bench(e);
  Results r;
  r.links = {{RouterId{2}, routing::kNorth, 0.5, 0.0}};
  const std::vector<routing::Flow> flows{{NodeId{0}, NodeId{6}, 1.0}, {NodeId{2}, NodeId{6}, 1.0}};
  const std::vector<Bottleneck> all = models::bottlenecks(r, bench.topology, *bench.routing, flows);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].sharers.size(), 2U);
  EXPECT_EQ(all[0].sharers[0].name, "0 -> 6");
  EXPECT_EQ(all[0].sharers[0].share, 0.5);
  EXPECT_EQ(all[0].sources, 2U);
  EXPECT_EQ(all[0].destinations, 1U);
}

/// Where no link between routers is told of, those of nodes are explained all the same.
TEST(Bottlenecks, OfNodesAloneAreExplained) {
  const Mesh mesh;
  Results r;
  r.node_links = {{NodeId{2}, 1, 0.25, 0.5}};
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].where, Bottleneck::Where::kEjection);
  EXPECT_EQ(all[0].flits_per_cycle, 0.5);
  EXPECT_EQ(all[0].load(), 0.5);
  EXPECT_EQ(all[0].sharers.at(0).name, "6 -> 2");
  EXPECT_EQ(all[1].where, Bottleneck::Where::kInjection);
  EXPECT_EQ(all[1].sharers.at(0).name, "2 -> 6");
}

/// An algorithm of a user's, against its contract.
class NoWay final : public routing::RoutingAlgorithm {
 public:
  NoWay() : RoutingAlgorithm(1) {}
  void route(const routing::RouteQuery&, routing::CandidateList& out) const override { out.clear(); }
  std::size_t max_candidates() const override { return 1; }
};

TEST(Bottlenecks, NameTheRouterWithoutACandidate) {
  const Mesh mesh;
  Results r;
  r.links = {{RouterId{1}, routing::kWest, 0.5, 0.25}};
  try {
    models::bottlenecks(r, mesh.topology, NoWay(), mesh.flows);
    FAIL();
  } catch (const std::logic_error& e) {
    EXPECT_STREQ(e.what(), "the routing algorithm gave no candidate at router 0,0 for node 0");
  }
}

TEST(Bottlenecks, CountCircuitsByTheirPath) {
  Mesh mesh;
  mesh.flows.clear();
  Results r;
  r.links = {{RouterId{4}, routing::kEast, 0.0, 0.5}};
  r.setup.circuits.resize(2);
  r.setup.circuits[0].path = {{RouterId{3}, routing::kEast}, {RouterId{4}, routing::kEast}};
  r.setup.circuits[0].stream = "a -> b";
  r.setup.circuits[1].path = {{RouterId{4}, routing::kNorth}};
  const std::vector<Bottleneck> all = mesh.of(r);
  ASSERT_EQ(all.at(0).sharers.size(), 1U);
  EXPECT_EQ(all[0].sharers[0].name, "a -> b");
  EXPECT_EQ(all[0].sharers[0].share, 1.0);
}

}  // namespace
}  // namespace braid::test::bottlenecks_test
