// The rules of a run after its warm-up: what is measured and over which cycles, when draining ends, what counts as
// saturated. Each case is a process of its own (SystemC).
#include "models/experiment/simulation.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/loads.h"

namespace braid::test::simulation_test {
namespace {

using models::Experiment;
using models::Results;

Results run(const Experiment& e) { return models::Simulation(e).run(); }

TEST(Run, OfAnEvenLoadHasItsFigures) {
  const Results r = run(even_load());
  EXPECT_EQ(r.measured_cycles, 500U);
  ASSERT_EQ(r.classes.size(), 1U);
  const models::TrafficClassResults& packets = r.classes[0];
  EXPECT_DOUBLE_EQ(packets.offered_flits_per_node_cycle, 1.0);
  EXPECT_DOUBLE_EQ(packets.accepted_flits_per_node_cycle.mean, 1.0);
  EXPECT_EQ(packets.accepted_flits_per_node_cycle.half_width_95, 0.0);
  EXPECT_EQ(packets.packet_latency_distribution.count, 16U * 500U);
  EXPECT_EQ(packets.packet_latency_distribution.min, 2.0);
  EXPECT_EQ(packets.packet_latency_distribution.max, 2.0);
  EXPECT_EQ(packets.queue_latency_mean_cycles, 1.0);
  EXPECT_EQ(packets.delivered_flits_per_cycle_by_node, std::vector<double>(16, 1.0));
  EXPECT_EQ(packets.injected_packets_by_node, std::vector<std::uint64_t>(16, 500));
  EXPECT_DOUBLE_EQ(packets.injection_spread.jain_index, 1.0);
  EXPECT_FALSE(r.saturated);
}

// ---------------------------------------------------------------- warm-up

/// A stream program that goes on evenly, and beside it broadcasts over a line of their own.
Experiment stream_and_broadcasts(int gap_cycles) {
  return models::read_experiment(
      source_file("tb/experiments/fm_radio.toml"),
      {"broadcast.medium=line", "broadcast.gap_cycles=" + std::to_string(gap_cycles), "simulation.measure_cycles=1000",
       "simulation.batch_cycles=1000", "simulation.max_warmup_cycles=20000"});
}

TEST(WarmUp, EndsWhereAllWorkloadsComeOn) { EXPECT_TRUE(run(stream_and_broadcasts(0)).steady); }

TEST(WarmUp, DoesNotEndWhereOneOfThemHasCeasedToComeOn) {
  const Results r = run(stream_and_broadcasts(1000000));  // one broadcast, and no other for long
  EXPECT_FALSE(r.steady);
  EXPECT_EQ(r.warmup_cycles, 20000U);
}

// ---------------------------------------------------------------- drain

TEST(Drain, GoesInStepsOfAHundredCycles) {
  const Results r = run(even_load());
  EXPECT_EQ(r.cycles, 300U + 500U + 100U) << "warm-up, measured, drain";
}

/// The last packets of the window, made in cycle 799, are delivered in 801: two more cycles must run.
TEST(Drain, OneCycleShortOfTheLastPacketIsSaturated) {
  Experiment e = even_load();
  e.set("simulation.max_drain_cycles", 1);
  const Results r = run(e);
  EXPECT_EQ(r.cycles, 801U);
  EXPECT_TRUE(r.saturated);
  EXPECT_EQ(r.classes[0].packet_latency_distribution.count, 16U * 499U);
}

TEST(Drain, ThatJustTakesTheLastPacketIsNotSaturated) {
  Experiment e = even_load();
  e.set("simulation.max_drain_cycles", 2);
  const Results r = run(e);
  EXPECT_EQ(r.cycles, 802U);
  EXPECT_FALSE(r.saturated);
}

/// A user's measurement ends without a drain: 32 packets, of the window's last two cycles, are under way then as they
/// would be at any time.
TEST(Drain, ThatNobodyAskedForCountsNoPacketAsLeft) {
  models::Simulation simulation(even_load());
  simulation.engine();
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  simulation.begin_measurement();
  sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_NS));
  const Results r = simulation.end_measurement();
  EXPECT_EQ(r.measured_cycles, 500U);
  EXPECT_EQ(simulation.network().measured_packets_under_way(), 32U);
  ASSERT_TRUE(r.classes.at(0).saturation);
  EXPECT_EQ(r.classes[0].saturation->undrained_packets, 0U);
  EXPECT_FALSE(r.saturated) << r.classes[0].saturation->reason;
}

/// 300 + 200 cycles have 1500 packets, one is sent in each cycle from 1 on. The link that goes first has no further
/// packet yet in cycle 1 and joins the turn again at once, so it is one ahead for ever: cycle 1500 goes to its 501st
/// packet, 1501 to the last of the 1500, which is delivered in 1502. So 1503 cycles must run.
Experiment short_overload(std::uint64_t max_drain) {
  Experiment e = overload();
  e.set("simulation.max_warmup_cycles", 300);
  e.set("simulation.measure_cycles", 200);
  e.set("simulation.max_drain_cycles", max_drain);
  return e;
}

TEST(Drain, OfAnOverloadEndsAfterTheStepThatTakesTheLastPacket) {
  const Results r = run(short_overload(20000));
  EXPECT_EQ(r.cycles, 1600U);
  EXPECT_FALSE(r.steady);
  EXPECT_TRUE(r.saturated);
  ASSERT_TRUE(r.classes.at(0).saturation);
  EXPECT_EQ(r.classes[0].saturation->reason, "accepted below offered") << "though all are drained";
  EXPECT_EQ(r.classes[0].saturation->undrained_packets, 0U);
}

TEST(Drain, OfAnOverloadAtItsLimitIsSaturatedWithOnePacketLeft) {
  const Results r = run(short_overload(1002));
  EXPECT_EQ(r.cycles, 1502U);
  EXPECT_TRUE(r.saturated);
  ASSERT_EQ(r.classes.size(), 1U);
  ASSERT_TRUE(r.classes[0].saturation);
  EXPECT_EQ(r.classes[0].saturation->reason, "packets not drained");
  EXPECT_EQ(r.classes[0].saturation->undrained_packets, 1U);
  EXPECT_EQ(r.classes[0].packet_latency_distribution.count, 3U * 200U - 1U);
  EXPECT_DOUBLE_EQ(r.classes[0].offered_flits_per_node_cycle, 1.0);
  EXPECT_NEAR(r.classes[0].accepted_flits_per_node_cycle.mean, 1.0 / 3.0, 1e-12) << "node 2 takes one a cycle";
  EXPECT_EQ(r.classes[0].delivered_flits_per_cycle_by_node, (std::vector<double>{0.0, 0.0, 1.0}));
}

TEST(Drain, OfAnOverloadOneCycleLaterHasNoPacketLeft) {
  const Results r = run(short_overload(1003));
  EXPECT_EQ(r.cycles, 1503U);
  ASSERT_TRUE(r.classes.at(0).saturation);
  EXPECT_EQ(r.classes[0].saturation->undrained_packets, 0U);
}

// ---------------------------------------------------------------- links and figures

/// A flit in every cycle from node 0 over two links to node 2, the warm-up as long as the measurement.
TEST(Links, CarryWhatTheyCarryInTheMeasuredCycles) {
  Experiment e = short_run(uniform_mesh(1.0, 3, 1));
  e.set("traffic.flits", 1);
  e.set("traffic.pattern", "permutation");
  e.set("traffic.file", temporary_file("pair.txt"));
  std::ofstream(e.get<std::string>("traffic.file")) << "0 2\n";
  e.set("simulation.min_warmup_cycles", 500);
  models::Simulation simulation(e);
  const Results r = simulation.run();
  ASSERT_EQ(r.links.size(), 4U);  // 0 - 1 and 1 - 2, each way
  for (const models::LinkResult& link : r.links) {
    const RouterId to = simulation.topology().port(link.from, link.port).peer_router;
    EXPECT_EQ(link.packet_flits_per_cycle, to.value > link.from.value ? 1.0 : 0.0) << link.from.value;
    EXPECT_EQ(link.circuit_flits_per_cycle, 0.0);
  }
}

/// Four items every ten cycles on a circuit over three links.
TEST(Links, OfACircuitCarryItsItems) {
  Experiment e = short_run(streaming(stream_pair(10, 1, 4, 4, 3), 4));
  e.set("interface.switching", "circuit");
  e.set("simulation.min_warmup_cycles", 500);
  models::Simulation simulation(e);
  const Results r = simulation.run();
  ASSERT_EQ(r.setup.circuits.size(), 1U);
  ASSERT_EQ(r.links.size(), 6U);
  for (const models::LinkResult& link : r.links) {
    const RouterId to = simulation.topology().port(link.from, link.port).peer_router;
    EXPECT_EQ(link.circuit_flits_per_cycle, to.value > link.from.value ? 0.4 : 0.0) << link.from.value;
    EXPECT_EQ(link.packet_flits_per_cycle, 0.0);
  }
  EXPECT_EQ(r.warmup_cycles % 100, 0U) << "set-up is no part of it";
  EXPECT_GE(r.cycles, r.setup.total_cycles + r.warmup_cycles + 500U);
}

/// A node's port is busy for 80 + 160 cycles with each packet that it sends and 20 + 160 with each that it takes
/// (po2.* overheads, 160 flits); at both ends of the window a packet may be cut off.
TEST(RouterFigures, AreOfTheMeasuredCycles) {
  Experiment e;
  e.set("topology.kind", "hexagonal");
  e.set("topology.edge", 2);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "deterministic");
  e.set("routing.allow_deadlock", true);
  e.set("message.packet_flits", 160);
  e.open("traffic");
  e.set("traffic.pattern", "uniform_without_self");
  e.set("traffic.rate_flits_per_node_cycle", 0.2);
  e.set("traffic.flits", 1);
  e.set("simulation.min_warmup_cycles", 20000);
  e.set("simulation.measure_cycles", 20000);
  const Results r = run(e);
  const models::TrafficClassResults& packets = r.classes.at(0);
  const auto& sent = packets.injected_packets_by_node;
  double busy = 240.0 * static_cast<double>(std::accumulate(sent.begin(), sent.end(), std::uint64_t{0}));
  for (const double rate : packets.delivered_flits_per_cycle_by_node) busy += 180.0 * rate * 20000.0 / 160.0;
  EXPECT_NEAR(r.router.get<double>("pe_port_busy"), busy / 7.0 / 20000.0, 240.0 / 20000.0);
}

// ---------------------------------------------------------------- stream programs

/// The busiest actor of FM radio takes 155 cycles an iteration on the ideal network.
double fm_radio_iterations(int degree, bool relays, std::uint32_t width) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", width, width);
  e.set("stream.graph", source_file("scripts/braid_tools/papers/tentacle/graphs/FMRadio_4x4.toml"));
  e.set("router.architecture", "ideal");
  e.set("interface.switching", "packet");
  e.set("stream.computation_scaling", 0.1);
  e.set("stream.degree", degree);
  if (degree != 0) e.set("stream.relays", relays);
  e.set("simulation.min_warmup_cycles", 30000);
  e.set("simulation.measure_cycles", 20000);
  return run(e).workloads.get<Estimate>("stream.iterations_per_kilocycle").mean;
}

TEST(StreamFigures, BoundByComputationAreThoseOfTheBusiestActor) {
  EXPECT_NEAR(fm_radio_iterations(0, true, 6), 1000.0 / 155.0, 0.05);
}

TEST(StreamFigures, BoundByComputationDoNotChangeWithSplittersAndJoiners) {
  EXPECT_NEAR(fm_radio_iterations(4, false, 6), 1000.0 / 155.0, 0.05);
}

/// They work 3 cycles an item at scaling 1 for what they pass on.
TEST(StreamFigures, BoundByComputationHardlyChangeWithRelays) {
  EXPECT_NEAR(fm_radio_iterations(4, true, 4), 1000.0 / 155.0, 0.15);
}

TEST(StreamFigures, ADegreeOfOneIsRefused) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.degree", 1);
  EXPECT_EQ(complaint([&] { (void)run(e); }), "stream.degree = 1: expected 0 (any number) or 2 to 64");
}

/// The producer emits 4 items every 100 cycles: 10 iterations and 40 items a kilocycle, in every batch.
TEST(StreamFigures, OfAPipelineAreThoseOfItsSlowProducer) {
  Experiment e = streaming(stream_pair(50, 5, 4, 4));
  e.set("stream.computation_scaling", 2.0);
  e.set("simulation.measure_cycles", 5000);
  const Results r = run(e);
  EXPECT_EQ(r.workloads.get<std::string>("stream.graph"), "pair");
  EXPECT_DOUBLE_EQ(r.workloads.get<Estimate>("stream.iterations_per_kilocycle").mean, 10.0);
  EXPECT_EQ(r.workloads.get<Estimate>("stream.iterations_per_kilocycle").half_width_95, 0.0);
  const auto& edges = r.workloads.get<std::vector<Report>>("stream.edges");
  ASSERT_EQ(edges.size(), 1U);
  EXPECT_EQ(edges[0].get<std::string>("name"), "a -> b");
  EXPECT_DOUBLE_EQ(edges[0].get<double>("items_per_kilocycle"), 40.0);
  const auto& actors = r.workloads.get<std::vector<Report>>("stream.actors");
  ASSERT_EQ(actors.size(), 2U);
  EXPECT_EQ(actors[0].get<std::string>("name"), "a");
  EXPECT_EQ(actors[1].get<std::string>("name"), "b");
  EXPECT_EQ(actors[1].get<std::uint64_t>("node"), 1U);
  EXPECT_FALSE(r.saturated) << "only synthetic traffic saturates";
}

// ---------------------------------------------------------------- progress

TEST(Progress, ThatIsRefusedInterruptsTheRun) {
  Experiment e = even_load();
  e.set("traffic.rate_flits_per_node_cycle", 0.0);
  e.set("simulation.max_warmup_cycles", 1000000000);
  e.set("simulation.min_warmup_cycles", 700);
  models::Simulation simulation(e);
  int calls = 0;
  simulation.on_progress([&](const models::Progress& progress) {
    EXPECT_STREQ(progress.phase, "warm-up");
    EXPECT_EQ(progress.expected_cycles, std::max<std::uint64_t>(progress.cycle, 700 + 500));
    return ++calls < 2;
  });
  EXPECT_THROW(simulation.run(), models::Interrupted);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace braid::test::simulation_test
