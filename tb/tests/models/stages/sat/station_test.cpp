// A SAT station alone, its ports on signals (docs/hardware-view/sat.md): thresholds to the packet, departures to the
// cycle.
#include "models/stages/sat/station.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/module_wires.h"

namespace braid::test::sat_station_module_test {
namespace {

using models::SatThresholds;
using models::stages::sat::kCountBits;
using models::stages::sat::kPassedBits;
using models::stages::sat::Station;

struct Alone {
  explicit Alone(SatThresholds thresholds, bool dead = false)
      : station("station", thresholds, dead), l(wires(kCountBits, thresholds.l)), k(wires(kCountBits, thresholds.k)) {
    station.clk_i(clock);
    station.passed_i(passed);
    station.waiting_i(waiting);
    station.l_i(l);
    station.k_i(k);
    station.signal_i(signal);
    station.signal_now_i(signal_now);
    station.signal_leaves_i(signal_leaves);
    station.satisfied_o(satisfied);
    station.open_o(open);
    station.starved_o(starved);
    station.holds_o(holds);
    station.sent_o(sent);
  }
  void cycle() { edge(clock); }
  /// A cycle in which so many packets go down, and one in which none does.
  void pass(unsigned packets = 1) {
    put(passed, packets);
    cycle();
    put(passed, 0);
  }
  /// A cycle in which the line does that.
  void line(Wire& does) {
    put(does, 1);
    cycle();
    put(does, 0);
  }

  sc_core::sc_signal<bool> clock;
  Wires wires;
  Station station;
  Wire &l, &k;
  Wire &passed = wires(kPassedBits), &waiting = wires(1);
  Wire &signal = wires(1), &signal_now = wires(1), &signal_leaves = wires(1);
  Wire &satisfied = wires(1), &open = wires(1), &starved = wires(1), &holds = wires(1), &sent = wires(kCountBits);
};

TEST(SatStationModule, ClosesAtTheKthPacketAndOpensWhenTheSignalHasLeft) {
  Alone a({1, 3});
  a.cycle();
  EXPECT_EQ(at(a.open), 1U);
  a.pass();
  a.pass();
  EXPECT_EQ(at(a.open), 1U) << "2 of 3";
  a.pass();
  EXPECT_EQ(at(a.open), 0U) << "3 of 3";
  EXPECT_EQ(at(a.sent), 3U);
  a.line(a.signal);
  EXPECT_EQ(at(a.holds), 1U) << "there in the cycle after the line brought it";
  EXPECT_EQ(at(a.open), 0U) << "it has not left";
  a.line(a.signal_leaves);
  EXPECT_EQ(at(a.open), 1U);
  EXPECT_EQ(at(a.sent), 0U);
  EXPECT_EQ(at(a.holds), 0U);
}

TEST(SatStationModule, CountsAPacketOfEachLocalPort) {
  Alone a({1, 4});
  a.pass(3);
  EXPECT_EQ(at(a.sent), 3U);
  EXPECT_EQ(at(a.open), 1U) << "3 of 4";
  a.pass(2);
  EXPECT_EQ(at(a.open), 0U) << "5 of 4: both went in the same cycle";
}

TEST(SatStationModule, KeepsTheSignalBelowLWhilePacketsWait) {
  Alone a({2, 3});
  a.cycle();
  EXPECT_EQ(at(a.satisfied), 1U) << "nothing to send";
  put(a.waiting, 1);
  a.cycle();
  EXPECT_EQ(at(a.satisfied), 0U) << "0 of 2, and more wait";
  EXPECT_EQ(at(a.starved), 1U);
  a.pass();
  EXPECT_EQ(at(a.satisfied), 0U) << "1 of 2";
  a.pass();
  EXPECT_EQ(at(a.satisfied), 1U) << "2 of 2";
  EXPECT_EQ(at(a.starved), 0U);
}

/// The packets that go down at an edge are of the round after the signal's departure in the cycle before.
TEST(SatStationModule, CountsAPacketAfterTheDepartureInTheNextRound) {
  Alone a({1, 2});
  a.pass(2);
  put(a.passed, 1);
  a.line(a.signal_leaves);
  EXPECT_EQ(at(a.sent), 1U);
}

TEST(SatStationModule, TakesNewThresholdsWhenTheSignalLeaves) {
  Alone a({1, 1});
  a.pass();
  put(a.l, 2);
  put(a.k, 2);
  a.cycle();
  EXPECT_EQ(at(a.open), 0U) << "k is still 1 here";
  a.line(a.signal_leaves);
  a.pass();
  EXPECT_EQ(at(a.open), 1U) << "1 of 2";
  put(a.waiting, 1);
  a.cycle();
  EXPECT_EQ(at(a.satisfied), 0U) << "l, too";
}

TEST(SatStationModule, HoldsASignalThatComesAndGoesInOneCycleNeverVisibly) {
  Alone a({1, 1});
  a.pass();
  put(a.signal_now, 1);
  a.line(a.signal_leaves);
  EXPECT_EQ(at(a.holds), 0U);
  EXPECT_EQ(at(a.sent), 0U) << "but it was there";
}

TEST(SatStationModule, DeadNeverLetsTheSignalGo) {
  Alone a({1, 1}, true);
  a.cycle();
  EXPECT_EQ(at(a.satisfied), 0U) << "nothing to send, and yet";
  EXPECT_EQ(at(a.starved), 0U);
}

/// Edges are at 1, 3, 5 … ns: with k = 2 it closes at the second packet's.
TEST(SatStationModule, IsSeenInAWaveform) {
  Alone a({1, 2});
  const std::string file = temporary_file("sat_station");
  sc_core::sc_trace_file* wave = sc_core::sc_create_vcd_trace_file(file.c_str());
  wave->set_time_unit(1, sc_core::SC_NS);
  sc_core::sc_trace(wave, a.open, "open_o");
  a.cycle();
  a.pass();
  a.pass();
  a.cycle();
  sc_core::sc_close_vcd_trace_file(wave);
  std::ifstream in(file + ".vcd");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("open_o"), std::string::npos);
  EXPECT_NE(text.str().find("#1\n1aaaaa"), std::string::npos) << text.str();
  EXPECT_EQ(text.str().find("#3\n"), std::string::npos) << "1 of 2";
  EXPECT_NE(text.str().find("#5\n0aaaaa"), std::string::npos) << "2 of 2";
}

}  // namespace
}  // namespace braid::test::sat_station_module_test
