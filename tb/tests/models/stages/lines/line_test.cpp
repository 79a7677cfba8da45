// The broadcast's line alone on signals, and with stations, without a network: the stations' clock rises before the
// line's in each cycle. Cycles are those of tb/tests/models/event_lines/broadcast_line_test.cpp, by hand.
#include "models/stages/lines/line.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/stages/lines/station.h"
#include "tb/tests/support/module_wires.h"

namespace braid::test::broadcast_line_module_test {
namespace {

using models::stages::lines::kCountBits;
using models::stages::lines::kStateBits;
using models::stages::lines::Line;
using models::stages::lines::Station;

/// A root that tells one, who answers; wires of so many cycles.
struct Two {
  explicit Two(std::uint32_t wire_cycles, bool turn_round = true, bool with_stations = true)
      : line("line", models::BroadcastLineContext{parts,
                                                  {NodeId{0}, NodeId{1}},
                                                  [wire_cycles](std::uint32_t, std::uint32_t) { return wire_cycles; },
                                                  turn_round}) {
    line.clk_i(line_clock);
    for (std::size_t p = 0; p < 2; ++p) {
      drive.push_back(&wires(1));
      arrive.push_back(&wires(1));
      line.drive_i[p](*drive[p]);
      line.arrive_o[p](*arrive[p]);
    }
    for (unsigned p = 0; with_stations && p < 2; ++p) add_station(p, turn_round);
  }
  void add_station(unsigned p, bool turn_round) {
    stations.push_back(std::make_unique<Station>(
        sc_core::sc_gen_unique_name("station"),
        models::stages::lines::StationShape{p == 0, 1, p == 0 ? 1U : 0U, p == 0 ? 0U : 1U, turn_round, 1}));
    Station& s = *stations.back();
    finished.push_back(&wires(kCountBits));
    s.clk_i(station_clock);
    s.arrive_i(*arrive[p]);
    s.handled_i(wires(1, 1));
    for (auto& port : s.requested_i) port(wires(kCountBits, 1));
    s.drive_o(*drive[p]);
    s.state_o(wires(kStateBits));
    s.begun_o(wires(kCountBits));
    s.finished_o(*finished[p]);
  }
  void cycles(unsigned count) {
    while (count-- > 0) {
      edge(station_clock);
      edge(line_clock);
    }
  }

  const std::vector<traffic::BroadcastPart> parts{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};
  sc_core::sc_signal<bool> station_clock, line_clock;
  Wires wires;
  Line line;
  std::vector<Wire*> drive, arrive, finished;
  std::vector<std::unique_ptr<Station>> stations;
};

/// Driven in cycle 0 over a wire of 5 cycles: there in 6, after a turn of the unit's.
TEST(BroadcastLineModule, BringsAPulseAfterTheCyclesOfItsWire) {
  Two two(5, true, false);
  put(*two.drive[0], 1);
  two.cycles(1);
  put(*two.drive[0], 0);
  two.cycles(4);
  EXPECT_EQ(at(*two.arrive[1]), 0U) << "for cycle 5";
  two.cycles(1);
  EXPECT_EQ(at(*two.arrive[1]), 1U) << "for cycle 6";
  two.cycles(1);
  EXPECT_EQ(at(*two.arrive[1]), 0U);
  EXPECT_EQ(at(*two.arrive[0]), 0U) << "the other wire";
}

TEST(BroadcastLineModule, KeepsPulsesOfCyclesOnAfterTheOtherApart) {
  Two two(3, false, false);
  put(*two.drive[1], 1);
  two.cycles(2);
  put(*two.drive[1], 0);
  for (const std::uint64_t there : {1U, 1U, 0U}) {
    two.cycles(1);
    EXPECT_EQ(at(*two.arrive[0]), there);
  }
}

/// Root drives in 0; the other receives in 6, drives in 7; the root receives in 13.
TEST(BroadcastLineModule, WithItsStationsEndsABroadcastInTheCycleOfTheFastLine) {
  Two two(5);
  two.cycles(6);
  EXPECT_EQ(at(*two.finished[1]), 0U) << "after cycle 5";
  two.cycles(1);
  EXPECT_EQ(at(*two.finished[1]), 1U) << "after cycle 6";
  two.cycles(6);
  EXPECT_EQ(at(*two.finished[0]), 0U) << "after cycle 12";
  two.cycles(1);
  EXPECT_EQ(at(*two.finished[0]), 1U) << "after cycle 13";
}

TEST(BroadcastLineModule, WithoutTurnRoundTakesTheCyclesOfTheWires) {
  Two two(5, false);
  two.cycles(10);
  EXPECT_EQ(at(*two.finished[0]), 0U) << "after cycle 9";
  two.cycles(1);
  EXPECT_EQ(at(*two.finished[0]), 1U) << "after cycle 10";
}

/// A root that tells two, each over a wire of its own, who answer it; no stations.
struct Three {
  Three()
      : line("line", models::BroadcastLineContext{parts,
                                                  {NodeId{0}, NodeId{1}, NodeId{2}},
                                                  [](std::uint32_t from, std::uint32_t to) {
                                                    return to == 2 ? 3U : from == 2 ? 2U : 1U;
                                                  },
                                                  false}) {
    line.clk_i(clock);
    for (std::size_t p = 0; p < 3; ++p) {
      drive.push_back(&wires(p == 0 ? 2 : 1));
      arrive.push_back(&wires(p == 0 ? 2 : 1));
      line.drive_i[p](*drive[p]);
      line.arrive_o[p](*arrive[p]);
    }
  }
  void cycles(unsigned count) {
    while (count-- > 0) edge(clock);
  }
  /// For one cycle.
  void pulse(std::size_t station, std::uint64_t on) {
    put(*drive[station], on);
    cycles(1);
    put(*drive[station], 0);
  }

  const std::vector<traffic::BroadcastPart> parts{
      {"root", {1, 2}, {1, 2}, {}}, {"leaf", {0}, {}, {0}}, {"leaf", {0}, {}, {0}}};
  sc_core::sc_signal<bool> clock;
  Wires wires;
  Line line;
  std::vector<Wire*> drive, arrive;
};

/// From the root to the one a cycle, to the other three, and from there back two.
TEST(BroadcastLineModule, KeepsTheWiresOfAStationApart) {
  Three three;
  const auto arrives = [&](std::size_t station) { return at(*three.arrive[station]); };
  three.pulse(0, 0b11);
  EXPECT_EQ(arrives(1), 1U) << "for cycle 1";
  EXPECT_EQ(arrives(2), 0U);
  three.cycles(2);
  EXPECT_EQ(arrives(1), 0U) << "for cycle 3";
  EXPECT_EQ(arrives(2), 1U);
  three.pulse(0, 0b10);
  EXPECT_EQ(arrives(1), 0U) << "for cycle 4: the other wire alone";
  EXPECT_EQ(arrives(2), 0U);
  three.cycles(2);
  EXPECT_EQ(arrives(2), 1U) << "for cycle 6";
  three.pulse(2, 1);
  EXPECT_EQ(arrives(0), 0U) << "for cycle 7";
  three.cycles(1);
  EXPECT_EQ(arrives(0), 0b10U) << "for cycle 8: the second of two";
  three.pulse(1, 1);
  EXPECT_EQ(arrives(0), 0b01U) << "for cycle 9";
}

}  // namespace
}  // namespace braid::test::broadcast_line_module_test
