// The SAT line: thresholds, closed forms, every carrier on every fabric, and what it says of stations that starve or
// die (paper: sat-fairness).
#include "tb/tests/support/sat.h"

#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_test {
namespace {

using models::Experiment;

/// Between two departures of the signal a node sends k packets and no more.
TEST(SatStation, StopsAtKUntilTheSignalLeaves) {
  Experiment e = with_sat(vct_tree(3, 1.0), "ring", 3, 3);
  e.set("traffic.process", "saturated");
  e.set("traffic.pattern", "butterfly").set("traffic.silent_fixed_points", true);
  Bench bench(e);
  const auto& stations = gate_of(bench).stations();
  for (int i = 0; i < 3000; ++i) {
    bench.run(1);
    for (std::size_t n = 0; n < 64; ++n) ASSERT_LE(stations.station(NodeId{n}).sent, 3U);
  }
}

/// A saturated source whose packets meet nobody's: min(1, 16 k / 232) flits/cycle, at the 32 nodes that send.
TEST(SatStation, ThroughputIsKPacketsAnInterval) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const std::uint32_t k : {1U, 5U, 8U, 14U, 15U, 20U}) {
    Experiment e = with_sat(vct_tree(3, 1.0), "ring", k, k);
    e.set("traffic.process", "saturated");
    e.set("traffic.pattern", "butterfly").set("traffic.silent_fixed_points", true);
    Bench bench(e);
    bench.run(3000);
    const std::uint64_t cycles = 232 * 15 * 20;  // a multiple of the intervals for every k
    const std::uint64_t before = bench.network->fabric().counters().flits_injected;
    bench.run(cycles);
    const double flits = static_cast<double>(bench.network->fabric().counters().flits_injected - before);
    const double expected = std::min(1.0, 16.0 * k / 232.0);
    EXPECT_NEAR(flits / (32.0 * static_cast<double>(cycles)), expected, 0.001 * expected) << "k = " << k;
  }
}

/// A starved node holds the signal; a node with nothing to send does not.
TEST(SatStation, HoldsWhileStarved) {
  Experiment e = with_sat(vct_tree(1, 0.0), "ring", 2, 2);
  Bench bench(e);
  const auto& stations = gate_of(bench).stations();
  const auto holder = [&] { return stations.station(NodeId{1}).holds; };
  while (!stations.station(NodeId{0}).holds) bench.run(1);
  bench.run(1);  // node 1 gets it three cycles after node 0 had it
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{1}, NodeId{3}, 16);
  while (!holder()) bench.run(1);
  const std::uint64_t received = stations.station(NodeId{1}).received;
  while (holder()) bench.run(1);
  // The first packet has gone by then; the second goes when the link is free again, 16 cycles after the first.
  EXPECT_GT(bench.network->now() - received, 10U);
  EXPECT_EQ(stations.station(NodeId{1}).sent, 0U);
  while (!holder()) bench.run(1);
  const std::uint64_t second = stations.station(NodeId{1}).received;
  while (holder()) bench.run(1);
  // It is back 12 cycles after it left, which was when the second packet went; the third goes 16 cycles after that, and
  // none waits then, so the signal leaves at the end of that cycle.
  EXPECT_EQ(bench.network->now() - second, 16U - 12U + 1U);
}

/// A queue behind the gate: as many packets as it holds pass one a cycle, though the link takes 16 cycles for each.
TEST(InjectionPoint, PacketsMayWaitBehindTheGate) {
  for (const std::uint32_t behind : {0U, 1U, 3U}) {
    Experiment e = with_sat(vct_tree(1, 0.0), "ring", 0, 5);
    e.set("interface.behind_gate_packets", behind);
    Bench bench(e);
    bench.run(1);
    for (int i = 0; i < 6; ++i) bench.network->send_packet(NodeId{1}, NodeId{3}, 16);
    bench.run(5);
    EXPECT_EQ(bench.network->waiting(NodeId{1}), 6U - std::max(behind, 1U)) << behind;
    bench.run(400);
    EXPECT_EQ(bench.delivered(), 6U) << behind;
  }
  Experiment e = with_sat(vct_tree(1, 0.0), "ring", 0, 5);
  e.set("interface.behind_gate_packets", 4);
  e.set("interface.source_queue_packets", 4);
  EXPECT_THROW(models::Simulation{e}, InputError);
}

/// The injection point costs nothing: with a gate that is always open every packet moves in the same cycles as without.
TEST(InjectionPoint, AnOpenGateChangesNothing) {
  for (const Experiment& e : {vct_tree(3, 1.0), vct_grid("torus", 0.6), uniform_mesh(0.3)}) {
    Bench without(e), with(with_sat(e, "ring", 0, 1000000000));
    without.run(5000);
    with.run(5000);
    EXPECT_EQ(with.network->merged_statistics().packet_hash(), without.network->merged_statistics().packet_hash())
        << e.get<std::string>("router.architecture");
  }
}

/// One station a node of the wrapped hexagonal mesh, in overload: shares come together, and nothing is lost.
TEST(Sat, IsFairOnPo2) {
  Experiment e;
  e.set("topology.kind", "hexagonal");
  e.set("topology.edge", 3);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "best_paths");
  e.set("routing.allow_deadlock", true);
  e.open("traffic");
  e.set("traffic.pattern", "uniform_without_self");
  e.set("traffic.rate_flits_per_node_cycle", 0.45);
  e.set("traffic.flits", 160);
  double spread_of[2];
  for (const bool sat : {false, true}) {
    Bench bench(sat ? with_sat(e, "ring", 8, 8) : e);
    bench.run(100000);
    bench.network->window() = {true, bench.network->now(), 10000};
    bench.run(1000000);
    bench.network->window().open = false;
    const auto spread = bench.network->merged_statistics().results(1000000).at(0).injection_spread;
    EXPECT_EQ(spread.nodes, 19U);
    EXPECT_TRUE(bench.network->conservation().holds());
    spread_of[sat] = (spread.max - spread.min) / spread.mean;
  }
  EXPECT_LT(spread_of[1], 0.03);
  EXPECT_GT(spread_of[0], 2 * spread_of[1]);
}

/// k = l makes every node's share the same, whatever the fabric; without it the extremes are far apart.
TEST(Sat, IsFairOnEveryFabricAndCarrier) {
  struct Network {
    const char* name;
    Experiment experiment;
    std::uint32_t k_ring, k_tree;
  };
  std::vector<Network> networks{{"tree", vct_tree(3, 1.0), 12, 2}};
  for (const char* kind : {"mesh", "torus"}) {
    networks.push_back({kind, vct_grid(kind, 1.0), 4, 2});
    Experiment hybrid = uniform_mesh(1.0);
    hybrid.set("topology.kind", kind);
    hybrid.set("interface.source_queue_packets", 8);
    hybrid.set("traffic.hot_fraction", 0.25);
    networks.push_back({kind, hybrid, 16, 4});
  }
  for (const Network& network : networks) {
    for (const char* carrier : {"none", "ring", "spanning_tree"}) {
      Experiment e = network.experiment;
      e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
      const bool ring = std::string(carrier) == "ring";
      const std::uint32_t k = ring ? network.k_ring : network.k_tree;
      if (std::string(carrier) != "none") e = with_sat(e, carrier, k, k);
      Bench bench(e);
      bench.run(kSanitized ? 2000 : 20000);
      bench.network->window() = {true, bench.network->now(), 1000};
      bench.run(kSanitized ? 4000 : 80000);
      bench.network->window().open = false;
      const auto spread = bench.network->merged_statistics().results(80000).at(0).injection_spread;
      const std::string where =
          std::string(network.name) + " " + network.experiment.get<std::string>("router.architecture") + " " + carrier;
      EXPECT_EQ(spread.nodes, 64U) << where;
      EXPECT_TRUE(bench.network->conservation().holds()) << where;
      if (kSanitized) continue;  // too short for shares
      if (std::string(carrier) == "none") {
        EXPECT_GT(spread.max - spread.min, 0.4 * spread.mean) << where;
        EXPECT_LT(spread.jain_index, 0.99) << where;
      } else {
        EXPECT_LT(spread.max - spread.min, 0.02 * spread.mean) << where;
        EXPECT_GT(spread.jain_index, 0.9999) << where;
      }
    }
  }
}

/// l < k lets the shares differ, but not by more than k : l.
TEST(Sat, KOverLBoundsTheSpread) {
  Experiment e = with_sat(vct_tree(3, 1.0), "ring", 12, 24);
  e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
  Bench bench(e);
  bench.run(20000);
  bench.network->window() = {true, bench.network->now(), 1000};
  bench.run(100000);
  bench.network->window().open = false;
  const auto spread = bench.network->merged_statistics().results(100000).at(0).injection_spread;
  EXPECT_GT(spread.max, 1.2 * spread.min);
  EXPECT_LE(spread.max, 2.02 * spread.min);
}

/// From one packet a round to what a hand finds: within 3 % of the throughput at l12k12, and as fair.
TEST(SatAuto, FindsThresholdsFromTheInterval) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const char* pattern : {"uniform", "hot_region", "bit_transpose"}) {
    models::InjectionSpread spreads[2];
    for (const bool automatic : {false, true}) {
      Experiment e = with_sat(vct_tree(3, 1.0), "ring", 12, automatic ? 1 : 12);  // sat_auto does not ask for l
      if (automatic) e.set("interface.fairness", "sat_auto");
      e.set("traffic.pattern", pattern);
      if (std::string(pattern) == "hot_region") e.set("traffic.hot_fraction", 0.25);
      if (std::string(pattern) == "bit_transpose") e.set("traffic.silent_fixed_points", true);
      Bench bench(e);
      bench.run(30000);
      bench.network->window() = {true, bench.network->now(), 1000};
      bench.run(60000);
      bench.network->window().open = false;
      spreads[automatic ? 1 : 0] = bench.network->merged_statistics().results(60000).at(0).injection_spread;
      if (!automatic) continue;
      const Report r = bench.network->policy_reports().gate;
      const auto k = r.get<std::uint64_t>("k");
      EXPECT_EQ(r.get<std::string>("policy"), "sat_auto");
      EXPECT_EQ(r.get<std::uint64_t>("l"), k);
      EXPECT_GE(k, 4U) << pattern;
      EXPECT_LE(k, 14U) << pattern;
    }
    EXPECT_GT(spreads[1].mean, 0.97 * spreads[0].mean) << pattern;
    EXPECT_LT(spreads[1].max - spreads[1].min, 0.02 * spreads[1].mean) << pattern;
  }
}

TEST(Sat, RefusesThresholdsThatCannotWork) {
  const Experiment e = vct_tree(2, 0.1);
  EXPECT_EQ(refusal(with_sat(e, "ring", 0, 0)), "sat.k = 0: no node could ever send; expected 1 or more");
  EXPECT_EQ(refusal(with_sat(e, "ring", 5, 4)).rfind("sat.l = 5 is more than sat.k = 4:", 0), 0U);
  EXPECT_EQ(refusal(with_sat(e, "rign", 4, 4)).rfind("unknown SAT carrier \"rign\" (did you mean \"ring\"?)", 0), 0U);
  Experiment dead = with_sat(e, "ring", 4, 4);
  dead.set("sat.dead_nodes", std::vector<std::uint32_t>{16});
  EXPECT_EQ(refusal(dead), "sat.dead_nodes: node 16 is out of range: expected 0 to 15");
}

/// What the watchdog would end the run with at a cycle.
std::string complaint_after(const Experiment& e, std::uint64_t cycles) {
  Bench bench(e);
  bench.run(cycles);
  return bench.network->complaint();
}

/// After ten rounds of a signal that nobody holds: 560 and 50 cycles.
TEST(Sat, NamesADeadStation) {
  for (const auto& [carrier, early] : {std::pair("ring", 500), std::pair("spanning_tree", 40)}) {
    Experiment e = with_sat(vct_tree(2, 1.0), carrier, 4, 4);
    e.set("sat.dead_nodes", std::vector<std::uint32_t>{7});
    EXPECT_EQ(complaint_after(e, early), "");
    EXPECT_EQ(complaint_after(e, 6000).rfind("dead SAT station: node 7 has held the SAT signal since cycle", 0), 0U)
        << complaint_after(e, 6000);
    e.set("sat.timeout_cycles", 0);
    EXPECT_EQ(complaint_after(e, 6000), "");
  }
}

/// All nodes send to node 0 through one port: nobody gets 8 packets through in 100 cycles.
TEST(Sat, NamesAStarvingNode) {
  Experiment e = with_sat(vct_tree(2, 1.0), "ring", 8, 8);
  e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
  e.set("traffic.hot_fraction", 1.0);
  e.set("traffic.hot_region_nodes", 1);
  e.set("sat.timeout_cycles", 100);
  Bench bench(e);
  std::string complaint;
  for (int i = 0; i < 10000 && complaint.empty(); ++i) {
    bench.run(1);
    complaint = bench.network->complaint();
  }
  EXPECT_EQ(complaint.rfind("starvation: node ", 0), 0U) << complaint;
  EXPECT_NE(complaint.find("of l = 8 packets sent"), std::string::npos) << complaint;
}

}  // namespace
}  // namespace braid::test::sat_test
