// Virtual cut-through routers: exact cycles, flow control by whole packets, the bubble condition, nothing lost.
#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "models/families/virtual_cut_through/fabric.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/trees.h"

namespace braid::test::vct_test {
namespace {

using models::Experiment;

const models::virtual_cut_through::Fabric& vct(const Bench& bench) {
  return dynamic_cast<const models::virtual_cut_through::Fabric&>(bench.network->fabric());
}

struct Case {
  std::uint32_t destination;
  std::uint32_t routers;
  std::uint32_t flits;
};
class VctLatency : public testing::TestWithParam<Case> {};

/// A cycle on the injection link, one at each router, and the tail follows the head.
TEST_P(VctLatency, IsOneCycleARouterAndTheLength) {
  const auto [destination, routers, flits] = GetParam();
  Bench bench(vct_tree(3, 0.0));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{destination}, flits);
  const std::uint32_t latency = routers + flits;
  bench.run(latency - 1);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << latency;
  EXPECT_EQ(bench.network->flit_hops(), std::uint64_t{routers} * flits);
}
INSTANTIATE_TEST_SUITE_P(Distances, VctLatency,
                         testing::Values(Case{0, 1, 16}, Case{3, 1, 1}, Case{4, 3, 16}, Case{15, 3, 1}, Case{16, 5, 16},
                                         Case{63, 5, 2}),
                         [](const auto& c) {
                           return "to" + std::to_string(c.param.destination) + "of" + std::to_string(c.param.flits);
                         });

TEST(VctLatencyOnLongLinks, AddsTheLinksCycles) {
  Experiment e = vct_tree(3, 0.0);
  e.set("topology.link_latency_cycles", 4);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{63}, 16);
  const std::uint32_t latency = 5 + 4 * 3 + 16;  // four links between switches, three further cycles each
  bench.run(latency - 1);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U);
}

/// The watchdog asks for the age of every queue's first packet, whichever port's it is.
TEST(Vct, ThePacketAtTheFrontOfEachQueueIsVisited) {
  Bench bench(vct_tree(2, 0.9));
  bench.run(200);
  std::vector<models::PacketSlot> wanted, fronts;
  const auto& bank = vct(bench).bank();
  for (models::PortIndex in = 0; in < bank.input_port_count(); ++in) {
    if (bank.queues[in].count > 0) wanted.push_back(bank.front(in).slot);
  }
  ASSERT_GT(wanted.size(), 5U);
  bench.network->fabric().for_each_front([&](models::PacketSlot slot) { fronts.push_back(slot); });
  EXPECT_EQ(fronts, wanted);
}

/// Two packets for one node: the second's head waits until the first's tail has left the port.
TEST(Vct, AnOutputIsFreeAfterTheTail) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{3}, 16);
  bench.network->send_packet(NodeId{1}, NodeId{3}, 16);
  bench.run(1 + 16);
  EXPECT_EQ(bench.delivered(), 1U);
  bench.run(15);
  EXPECT_EQ(bench.delivered(), 1U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 2U);
}

/// Credits in flits: a packet of 16 is sent from cycle 100 on, and leaves the queue downstream from cycle 105 on; its
/// buffer comes back with the last credit.
TEST(Vct, OccupancyFollowsTheFlits) {
  models::virtual_cut_through::Occupancy o;
  EXPECT_EQ(o.flits(100), 0U);
  o.granted_flits = 16;
  o.sent_at = 116;
  EXPECT_EQ(o.flits(101), 1U);
  EXPECT_EQ(o.flits(104), 4U);
  o.leaving_flits = 16;  // credits count from cycle 106 to cycle 121
  o.free_at = 121;
  EXPECT_EQ(o.flits(105), 5U);
  EXPECT_EQ(o.flits(106), 5U);
  EXPECT_EQ(o.flits(115), 5U);
  EXPECT_EQ(o.flits(117), 4U);
  EXPECT_EQ(o.flits(120), 1U);
}

/// Two heads in one switch choose a way up in the same cycle. If it is the same one, the loser sees it filling in the
/// next cycle and takes another: it loses one cycle, never a packet's length.
TEST(Vct, AdaptiveHeadsAvoidEachOther) {
  int delayed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{4}, 16);
    bench.network->send_packet(NodeId{1}, NodeId{8}, 16);
    bench.run(3 + 16);
    delayed += bench.delivered() == 1 ? 1 : 0;
    bench.run(1);
    ASSERT_EQ(bench.delivered(), 2U) << "seed " << seed;
  }
  EXPECT_NEAR(delayed, 60 / 4.0, 10) << "one in four chooses the other's way first";
}

/// Round robin over packets: two inputs for one output share it evenly.
TEST(Vct, InputsTakeTurns) {
  Experiment e = vct_tree(1, 1.0);
  e.set("topology.arity", 2);
  e.set("traffic.process", "saturated");
  e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
  e.set("traffic.hot_fraction", 1.0);
  e.set("traffic.hot_region_nodes", 1);
  Bench bench(e);
  bench.run(1000);
  bench.network->window() = {true, bench.network->now(), 1600};
  bench.run(1600);
  bench.network->window().open = false;
  const auto packets = bench.network->merged_statistics().results(1600).at(0);
  EXPECT_EQ(packets.injected_packets_by_node, (std::vector<std::uint64_t>{50, 50}));
}

/// The queue behind a busy port takes queue_packets packets and no more; a buffer comes back with its credit.
TEST(Vct, AQueueHoldsItsPacketsAndNoMore) {
  for (const std::uint32_t depth : {1U, 4U, 7U}) {
    Experiment e = vct_tree(2, 1.0);
    e.set("router.queue_packets", depth);
    e.set("traffic.process", "saturated");
    e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
    e.set("traffic.hot_fraction", 1.0);
    e.set("traffic.hot_region_nodes", 1);
    Bench bench(e);
    std::uint32_t most = 0;
    for (int i = 0; i < 2000; ++i) {
      bench.run(1);
      for (const auto& queue : vct(bench).bank().queues) most = std::max<std::uint32_t>(most, queue.count);
    }
    EXPECT_EQ(most, depth);
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

/// A full stream through one port: no cycle is lost between packets, whatever the credit delay.
TEST(Vct, APortCarriesAFlitACycle) {
  Experiment e = vct_tree(3, 1.0);
  e.set("traffic.process", "saturated");
  e.set("traffic.pattern", "butterfly").set("traffic.silent_fixed_points", true);
  Bench bench(e);
  bench.run(1000);
  const std::uint64_t before = bench.network->fabric().counters().flits_injected;
  bench.run(1600);
  EXPECT_EQ(bench.network->fabric().counters().flits_injected - before, 32U * 1600U) << "32 nodes send";
}

TEST(Vct, LosesNothingAtSaturationAndEmpties) {
  std::vector<Experiment> experiments;
  for (const char* routing : {"tree_by_source", "tree_by_destination", "tree_by_pair", "tree_adaptive"}) {
    experiments.push_back(vct_tree(3, 1.0));
    experiments.back().set("routing.algorithm", routing);
  }
  for (const char* routing : {"x_first", "west_first", "odd_even"}) {
    experiments.push_back(vct_grid("mesh", 1.0));
    experiments.back().set("routing.algorithm", routing);
  }
  experiments.push_back(vct_grid("torus", 1.0));
  for (Experiment& e : experiments) {
    e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
    e.set("interface.source_queue_packets", 8);
    const auto routing = e.get<std::string>("routing.algorithm");
    Bench bench(e);
    bench.run(3000);
    EXPECT_TRUE(bench.network->conservation().holds()) << routing;
    EXPECT_GT(bench.network->conservation().flits_in_flight, 1000U) << routing;
    bench.network->stop_sources();
    bench.run(60000);
    const models::Conservation end = bench.network->conservation();
    EXPECT_TRUE(end.holds()) << routing;
    EXPECT_EQ(end.packets_in_flight, 0U) << e.get<std::string>("topology.kind") << " " << routing;
    for (const std::uint32_t r : {0U, 5U}) {  // all credits are back
      EXPECT_EQ(vct(bench).bank().downstream[vct(bench).bank().port_index(RouterId{r}, PortId{0})].granted_flits, 0U);
    }
  }
}

/// X first on a torus with or without the router's help.
class RingRouting final : public routing::RoutingAlgorithm {
 public:
  RingRouting(const routing::RoutingAlgorithm& x_first, bool bubble)
      : RoutingAlgorithm(1), x_first_(x_first), bubble_(bubble) {}
  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override { x_first_.route(q, out); }
  std::size_t max_candidates() const override { return x_first_.max_candidates(); }
  bool relies_on_bubble() const override { return bubble_; }
  std::uint32_t draws() const override { return x_first_.draws(); }

 private:
  const routing::RoutingAlgorithm& x_first_;
  bool bubble_;
};

/// Tornado traffic fills every ring of a torus: without the bubble it stops for ever, with it never.
TEST(Vct, BubbleKeepsRingsMoving) {
  for (const bool bubble : {true, false}) {
    Experiment e = vct_grid("torus", 1.0);
    e.set("traffic.pattern", "tornado");
    e.set("traffic.process", "saturated");
    e.set("interface.source_queue_packets", 2);
    e.set("router.queue_packets", 2);
    Bench bench(e);
    const RingRouting routing(*bench.routing, bubble);
    models::Network network(bench.experiment, bench.topology, routing, 1);
    for (int i = 0; i < 20000; ++i) network.cycle();
    const std::uint64_t movements = network.movements();
    for (int i = 0; i < 2000; ++i) network.cycle();
    EXPECT_EQ(network.movements() > movements, bubble);
    if (!bubble) {
      EXPECT_NE(network.fabric().describe_waiting().find("waiting queues, each needs room in the next one"),
                std::string::npos);
    }
  }
}

std::string refusal(const Experiment& e) {
  try {
    const models::Simulation simulation(e);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Vct, RefusesWhatItHasNot) {
  Experiment vcs = vct_tree(2, 0.1);
  vcs.set("router.vcs", 4);
  EXPECT_NE(refusal(vcs).find("no virtual channels"), std::string::npos);
  Experiment torus = vct_grid("torus", 0.1);
  torus.set("routing.bubble", false);
  EXPECT_NE(refusal(torus).find("needs router.vcs >= 2"), std::string::npos);
  torus.set("routing.bubble", true);
  EXPECT_EQ(refusal(torus), "");
  torus.set("router.queue_packets", 1);
  EXPECT_NE(refusal(torus).find("two packet buffers"), std::string::npos);
  torus.set("router.architecture", "hybrid");
  torus.set("router.credit_delay_cycles", 2);
  EXPECT_NE(refusal(torus).find("routing.bubble = true needs"), std::string::npos) << refusal(torus);
  Experiment circuits = stream_mesh("fm_radio_4x4.toml", 4, 4);
  circuits.set("router.architecture", "virtual_cut_through");
  circuits.set("router.vcs", 1);
  EXPECT_NE(refusal(circuits).find("other routers have no circuits"), std::string::npos);
  Experiment slow = vct_tree(2, 0.1);
  slow.set("router.credit_delay_cycles", 2);
  EXPECT_EQ(refusal(slow), "");
  slow.set("router.credit_delay_cycles", 3);
  EXPECT_EQ(refusal(slow), "router.credit_delay_cycles = 3: expected integer, 1 to 2");
  Experiment unbounded = vct_tree(2, 0.1);
  unbounded.set("traffic.process", "saturated");
  unbounded.set("interface.source_queue_packets", 0);
  EXPECT_NE(refusal(unbounded).find("source_queue_packets"), std::string::npos);
}

}  // namespace
}  // namespace braid::test::vct_test
