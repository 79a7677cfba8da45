// The SAT line by hand: thresholds at N - 1 and N, the signal's departures to the cycle, what the watchdog says and
// when, and how sat_auto moves k. Over the ring of one switch of four nodes the signal is at node n in cycle 3 n, and
// round in 12 when nobody holds it (docs/sat-fairness.md).
#include <gtest/gtest.h>

#include "models/injection/fairness/sat_gate.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_timing_test {
namespace {

using models::Experiment;
using models::SatStations;

Experiment switch_of_four(std::uint32_t l, std::uint32_t k, const char* fairness = "sat") {
  Experiment e = vct_tree(1, 0.0);
  e.set("interface.fairness", fairness);
  e.set("interface.source_queue_packets", 0);
  e.set("sat.l", l);
  e.set("sat.k", k);
  return e;
}

const SatStations& stations(const Bench& bench) {
  return dynamic_cast<const models::SatGate&>(*bench.network->gate()).stations();
}
const SatStations::Station& station(const Bench& bench, std::size_t n) { return stations(bench).station(NodeId{n}); }

std::size_t none_wait(NodeId) { return 0; }
std::size_t one_waits(NodeId) { return 1; }

SatStations two_stations(std::uint32_t l, std::uint32_t k) {
  models::SatOptions options;
  options.l = l;
  options.k = k;
  return {2, options};
}

// ---------------------------------------------------------------- the station

TEST(SatThresholds, CloseTheStationAtKPackets) {
  SatStations s = two_stations(1, 3);
  for (int sent = 0; sent < 3; ++sent) {
    EXPECT_TRUE(s.open(NodeId{1})) << sent << " sent";
    s.passed(NodeId{1});
  }
  EXPECT_FALSE(s.open(NodeId{1})) << "3 sent";
  EXPECT_TRUE(s.open(NodeId{0})) << "each node counts its own";
}

TEST(SatThresholds, HoldTheSignalBelowLWhilePacketsWait) {
  SatStations s = two_stations(2, 3);
  s.receive(NodeId{1}, 5);
  s.passed(NodeId{1});
  EXPECT_FALSE(s.try_release(NodeId{1}, one_waits)) << "1 of 2 sent";
  EXPECT_TRUE(s.station(NodeId{1}).holds);
  s.passed(NodeId{1});
  EXPECT_TRUE(s.try_release(NodeId{1}, one_waits)) << "2 of 2 sent";
  EXPECT_FALSE(s.station(NodeId{1}).holds);
  EXPECT_EQ(s.station(NodeId{1}).sent, 0U) << "counts from the departure on";
  EXPECT_FALSE(s.try_release(NodeId{1}, one_waits));
  EXPECT_TRUE(s.try_release(NodeId{1}, none_wait)) << "with nothing to send it is satisfied";
}

TEST(SatThresholds, ChangeWithTheSignalsNextDeparture) {
  SatStations s = two_stations(1, 1);
  s.passed(NodeId{0});
  s.set_thresholds({2, 2});
  EXPECT_FALSE(s.open(NodeId{0})) << "k is still 1 here";
  EXPECT_TRUE(s.try_release(NodeId{0}, one_waits)) << "l, too";
  s.passed(NodeId{0});
  EXPECT_TRUE(s.open(NodeId{0}));
  EXPECT_FALSE(s.try_release(NodeId{0}, one_waits));
}

TEST(SatThresholds, AreReportedReachedOnlyAtK) {
  SatStations s = two_stations(2, 2);
  s.passed(NodeId{0});
  s.receive(NodeId{0}, 5);
  EXPECT_FALSE(s.take_limited()) << "1 of 2 sent";
  s.passed(NodeId{0});
  s.receive(NodeId{0}, 9);
  EXPECT_TRUE(s.take_limited()) << "2 of 2 sent";
  EXPECT_FALSE(s.take_limited()) << "asked once";
}

TEST(SatIntervals, CountFromReceptionToReceptionOfEachStation) {
  SatStations s = two_stations(1, 1);
  s.receive(NodeId{0}, 10);
  s.receive(NodeId{1}, 13);
  EXPECT_EQ(s.intervals().count, 0U);
  s.receive(NodeId{0}, 22);
  s.receive(NodeId{1}, 43);
  EXPECT_EQ(s.intervals().count, 2U);
  EXPECT_EQ(s.intervals().sum, 12U + 30U);
  EXPECT_EQ(s.intervals().min, 12U);
  EXPECT_EQ(s.intervals().max, 30U);
  s.begin_window();
  EXPECT_EQ(s.intervals().count, 0U);
  s.receive(NodeId{0}, 29);
  EXPECT_EQ(s.intervals().sum, 7U) << "an interval counts where it ends";
}

// ---------------------------------------------------------------- the line

/// Node 1 has packets of 10 flits since before cycle 1 and l = 2: the first goes in 1, the next when the link is free,
/// in 11. The signal, there in 3, is on its way in 12 and at node 2 in 11 + 3.
TEST(SatLine, IsHeldUntilTheLthPacketGoes) {
  Bench bench(switch_of_four(2, 2));
  bench.run(1);
  for (int i = 0; i < 4; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 10);
  bench.run(3);
  EXPECT_TRUE(station(bench, 1).holds);
  EXPECT_EQ(station(bench, 1).received, 3U);
  EXPECT_EQ(station(bench, 1).sent, 1U);
  bench.run(7);
  EXPECT_TRUE(station(bench, 1).holds) << "after cycle 10";
  bench.run(1);
  EXPECT_FALSE(station(bench, 1).holds) << "after cycle 11";
  bench.run(2);
  EXPECT_EQ(station(bench, 2).received, 14U);
}

/// l < k: satisfied with l sent, the node lets the signal go and may still send up to k.
TEST(SatLine, IsNotHeldForPacketsBetweenLAndK) {
  Bench bench(switch_of_four(1, 3));
  bench.run(1);
  for (int i = 0; i < 9; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 1);
  bench.run(20);
  EXPECT_EQ(station(bench, 1).interval, 12U);
  EXPECT_EQ(station(bench, 2).interval, 12U);
}

/// On a switch with k = 4 and packets of 6 flits on one node, the signal waits for none: 12 cycles take two packets;
/// l = 2 is reached, l = 3 is not. So the interval is 12 with l = 2 and 3 * 6 = 18 with l = 3.
TEST(SatLine, ComesEveryLPacketsOfTheSlowestNode) {
  for (const std::uint32_t l : {2U, 3U, 4U}) {
    Bench bench(switch_of_four(l, 4));
    bench.run(1);
    for (int i = 0; i < 100; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 6);
    bench.run(200);
    EXPECT_EQ(station(bench, 0).interval, std::max(12U, 6 * l)) << "l = " << l;
  }
}

/// Every node has packets for a node of its own (n to n + 1 modulo 4), of 20 flits: with k = 1 over the spanning tree
/// the interval is that of the link, 20, and not 3; with nothing to send it is 2 n + 1 = 3.
TEST(SatLine, OverTheTreeWaitsForTheSlowestNode) {
  for (const bool busy : {false, true}) {
    Experiment e = switch_of_four(1, 1);
    e.set("sat.carrier", "spanning_tree");
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; busy && n < 4; ++n) {
      for (int i = 0; i < 20; ++i) bench.network->send_packet(NodeId{n}, NodeId{(n + 1) % 4}, 20);
    }
    bench.run(200);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(station(bench, n).interval, busy ? 20U : 3U);
  }
}

// ---------------------------------------------------------------- complaints

/// Node 2 has the signal since cycle 6 and never lets it go. Ten rounds are 120 cycles.
TEST(SatComplaint, NamesADeadStationAfterTenRounds) {
  Experiment e = switch_of_four(4, 4);
  e.set("sat.dead_nodes", std::vector<std::uint32_t>{2});
  Bench bench(e);
  bench.run(126);
  EXPECT_EQ(bench.network->complaint(), "") << "held for 120 cycles";
  bench.run(1);
  EXPECT_EQ(bench.network->complaint(),
            "dead SAT station: node 2 has held the SAT signal since cycle 6, though it is satisfied: 0 packets sent "
            "(l = 4), 0 waiting");
}

TEST(SatComplaint, NamesADeadStationAfterAShorterTimeout) {
  Experiment e = switch_of_four(4, 4);
  e.set("sat.dead_nodes", std::vector<std::uint32_t>{2});
  e.set("sat.timeout_cycles", 30);
  Bench bench(e);
  bench.run(36);
  EXPECT_EQ(bench.network->complaint(), "");
  bench.run(1);
  EXPECT_EQ(bench.network->complaint().rfind("dead SAT station: node 2 has held", 0), 0U);
}

/// Node 1's second packet waits for 2000 cycles behind the first: the signal is held since cycle 3. Not dead after ten
/// rounds, for it is not satisfied; starving after the timeout.
TEST(SatComplaint, NamesAStarvingNodeAfterTheTimeout) {
  Experiment e = switch_of_four(2, 2);
  e.set("sat.timeout_cycles", 500);
  Bench bench(e);
  bench.run(1);
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{1}, NodeId{3}, 2000);
  bench.run(300);
  EXPECT_EQ(bench.network->complaint(), "") << "more than ten rounds";
  bench.run(503 - bench.network->now());
  EXPECT_EQ(bench.network->complaint(), "") << "held for 500 cycles";
  bench.run(1);
  EXPECT_EQ(bench.network->complaint(),
            "starvation: node 1 has held the SAT signal since cycle 3 (sat.timeout_cycles = 500): 1 of l = 2 packets "
            "sent, 2 waiting");
}

// ---------------------------------------------------------------- thresholds that find themselves

std::uint64_t k_of(const Bench& bench) { return bench.network->policy_reports().gate.get<std::uint64_t>("k"); }

/// Node 1 always has a packet of one flit and nobody holds the signal: after every four rounds of 12 cycles k doubles.
TEST(SatAuto, DoublesAfterFourRoundsInWhichSomebodyReachedK) {
  Bench bench(switch_of_four(1, 1, "sat_auto"));
  bench.run(1);
  for (int i = 0; i < 200; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 1);
  bench.run(46);
  for (std::uint32_t k = 1; k < 8; k *= 2) {
    EXPECT_EQ(k_of(bench), k) << "in cycle " << bench.network->now();
    bench.run(1);
    EXPECT_EQ(k_of(bench), 2 * k) << "in cycle " << bench.network->now();
    bench.run(47);
  }
}

TEST(SatAuto, StaysWhereNobodyReachesK) {
  Bench bench(switch_of_four(1, 3, "sat_auto"));
  bench.run(600);
  EXPECT_EQ(k_of(bench), 3U);
}

/// A packet in two cycles: twelve cycles take six. From k = 20 the interval of 40 brings k down in proportion; at 6 it
/// is reached before the signal comes, so k grows by one, an eighth but not less; at 7 the interval is 14, less than
/// 1.25 times the shortest, and k is not reached in 12: it stays.
TEST(SatAuto, ShrinksInProportionAndThenGrowsByAnEighth) {
  Bench bench(switch_of_four(1, 20, "sat_auto"));
  bench.run(53);
  for (int i = 0; i < 2000; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 2);
  bench.run(75);
  EXPECT_EQ(k_of(bench), 20U);
  bench.run(2000);
  for (int i = 0; i < 20; ++i) {
    bench.run(50);
    EXPECT_EQ(k_of(bench), 7U) << "in cycle " << bench.network->now();
  }
  EXPECT_EQ(station(bench, 0).interval, 14U);
}

/// The home station itself holds the signal, for 20 packets of 2 flits, so that rounds take about 40 cycles. They
/// count, not the cycles in which it holds it: the fourth one since cycle 48 ends after 12 and three of 40.
TEST(SatAuto, MeasuresEachRoundOnceHoweverLongHomeHoldsTheSignal) {
  Bench bench(switch_of_four(1, 20, "sat_auto"));
  bench.run(53);
  for (int i = 0; i < 2000; ++i) bench.network->send_packet(NodeId{0}, NodeId{2}, 2);
  bench.run(75);
  EXPECT_GT(station(bench, 0).interval, 36U);
  EXPECT_EQ(k_of(bench), 20U);
  bench.run(32);
  EXPECT_EQ(k_of(bench), 20U) << "in cycle 160";
  bench.run(100);
  EXPECT_LT(k_of(bench), 20U);
}

/// Packets of 60 flits take five rounds each: k is one, and never none.
TEST(SatAuto, NeverGoesBelowOnePacket) {
  Bench bench(switch_of_four(1, 2, "sat_auto"));
  bench.run(53);
  for (int i = 0; i < 100; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 60);
  bench.run(3000);
  EXPECT_EQ(k_of(bench), 1U);
  EXPECT_EQ(station(bench, 0).interval, 60U);
}

}  // namespace
}  // namespace braid::test::sat_timing_test
