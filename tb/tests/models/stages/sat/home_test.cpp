// The home station of sat_auto alone: it decides after four rounds (docs/sat-fairness.md).
#include "models/stages/sat/home.h"

#include <gtest/gtest.h>

#include "tb/tests/support/module_wires.h"

namespace braid::test::sat_home_module_test {
namespace {

using models::stages::sat::kCountBits;

struct Alone {
  explicit Alone(std::uint32_t first) : home("home", first) {
    home.clk_i(clock);
    home.received_i(received);
    home.interval_i(interval);
    home.limited_i(limited);
    home.l_o(l);
    home.k_o(k);
  }
  /// So many rounds of that length, a cycle each.
  void rounds(unsigned count, std::uint64_t cycles) {
    put(interval, cycles);
    put(received, 1);
    for (unsigned i = 0; i < count; ++i) edge(clock);
    put(received, 0);
  }
  sc_core::sc_signal<bool> clock;
  Wires wires;
  models::stages::sat::Home home;
  Wire &received = wires(1), &interval = wires(kCountBits), &limited = wires(1);
  Wire &l = wires(kCountBits), &k = wires(kCountBits);
};

TEST(SatHomeModule, DoublesKAfterFourRoundsThatNobodyHeld) {
  Alone a(5);
  put(a.limited, 1);
  a.rounds(3, 100);
  EXPECT_EQ(at(a.k), 5U) << "3 of 4";
  a.rounds(1, 100);
  EXPECT_EQ(at(a.k), 10U);
  EXPECT_EQ(at(a.l), 10U);
}

TEST(SatHomeModule, LeavesKWhereNoStationHadReachedIt) {
  Alone a(5);
  a.rounds(4, 100);
  EXPECT_EQ(at(a.k), 5U);
}

/// Four rounds of twice the shortest: k shrinks to 1.1 / 2 of it.
TEST(SatHomeModule, LowersKWhereStationsHoldTheSignalForLong) {
  Alone a(20);
  a.rounds(4, 100);
  a.rounds(4, 200);
  EXPECT_EQ(at(a.k), 11U);
}

TEST(SatHomeModule, MeasuresOnlyRoundsThatEnded) {
  Alone a(5);
  put(a.limited, 1);
  a.rounds(2, 0);  // the first time the signal comes it has no interval
  a.rounds(3, 100);
  for (int i = 0; i < 3; ++i) edge(a.clock);
  EXPECT_EQ(at(a.k), 5U);
  a.rounds(1, 100);
  EXPECT_EQ(at(a.k), 10U);
}

}  // namespace
}  // namespace braid::test::sat_home_module_test
