// A station of the broadcast's line alone, on signals (docs/hardware-view/lines.md): turns to the cycle.
#include "models/stages/lines/station.h"

#include <gtest/gtest.h>

#include "tb/tests/support/lone_module.h"

namespace braid::test::line_station_test {
namespace {

using models::stages::lines::Station;
using models::stages::lines::StationShape;

enum State : std::uint64_t { kIdle, kHolds, kReceives, kDrives };

/// Hears from one, tells one when done.
struct Alone {
  explicit Alone(const StationShape& shape) : station("station", shape), bench(station) { bench.set("handled_i", 1); }
  /// What it does in the next cycle, when those of `arrive` have come.
  std::uint64_t drives(std::uint64_t arrive = 0) {
    bench.set("arrive_i", arrive);
    bench.edge();
    bench.set("arrive_i", 0);
    return bench.get("drive_o");
  }
  Station station;
  LoneModule bench;
};

StationShape leaf() { return {false, 1, 0, 1, true, 4}; }

/// A pulse that comes in cycle 2 is received in 2 and passed on in 3.
TEST(LineStation, PassesOnInTheCycleAfterItHasReceived) {
  Alone a(leaf());
  EXPECT_EQ(a.drives(), 0U);
  EXPECT_EQ(a.drives(), 0U);
  EXPECT_EQ(a.bench.get("state_o"), kIdle) << "at N - 1";
  EXPECT_EQ(a.drives(1), 0U) << "a turn to receive";
  EXPECT_EQ(a.bench.get("state_o"), kReceives);
  EXPECT_EQ(a.bench.get("begun_o"), 1U);
  EXPECT_EQ(a.drives(), 1U) << "at N";
  EXPECT_EQ(a.bench.get("state_o"), kDrives);
  EXPECT_EQ(a.bench.get("finished_o"), 1U);
  EXPECT_EQ(a.drives(), 0U);
}

TEST(LineStation, WithoutTurnRoundPassesOnInTheSameCycle) {
  StationShape shape = leaf();
  shape.turn_round = false;
  Alone a(shape);
  EXPECT_EQ(a.drives(), 0U);
  EXPECT_EQ(a.drives(1), 1U);
  EXPECT_EQ(a.drives(), 0U);
}

/// The node lets the event go in cycle 5: not yet in 4.
TEST(LineStation, HoldsTheBroadcastUntilItsNodeHasHandledTheEvent) {
  Alone a(leaf());
  a.bench.set("handled_i", 0);
  EXPECT_EQ(a.drives(1), 0U);
  for (int cycle = 1; cycle < 5; ++cycle) {
    EXPECT_EQ(a.drives(), 0U) << cycle;
    EXPECT_EQ(a.bench.get("state_o"), kHolds) << cycle;
  }
  EXPECT_EQ(a.bench.get("finished_o"), 0U);
  a.bench.set("handled_i", 1);
  EXPECT_EQ(a.drives(), 1U) << "5";
  EXPECT_EQ(a.bench.get("finished_o"), 1U);
}

/// A gather position hears from two. Both pulses come in cycle 0: one is received in 0, the other in 1.
TEST(LineStation, IsCompleteWhenAllThatItHearsHaveCome) {
  Alone a({false, 2, 0, 1, true, 4});
  EXPECT_EQ(a.drives(0b11), 0U);
  EXPECT_EQ(a.bench.get("begun_o"), 1U);
  EXPECT_EQ(a.bench.get("finished_o"), 0U);
  EXPECT_EQ(a.drives(), 0U) << "a turn for the second";
  EXPECT_EQ(a.bench.get("finished_o"), 1U);
  EXPECT_EQ(a.drives(), 1U);
}

/// The root tells three, a wire a cycle, and is complete with the last answer.
TEST(LineStation, OfTheRootDrivesAWireACycle) {
  Alone root({true, 3, 3, 0, true, 1});
  EXPECT_EQ(root.drives(), 0U) << "not asked";
  root.bench.set("requested_i_0", 1);
  EXPECT_EQ(root.drives(), 0b001U);
  EXPECT_EQ(root.drives(), 0b010U);
  EXPECT_EQ(root.drives(), 0b100U);
  EXPECT_EQ(root.drives(0b111), 0U);
  root.drives();
  EXPECT_EQ(root.bench.get("finished_o"), 0U) << "2 of 3";
  root.drives();
  EXPECT_EQ(root.bench.get("finished_o"), 1U);
}

/// With room for two broadcasts the third begins when the first is complete.
TEST(LineStation, OfTheRootBeginsNoMoreThanItCounts) {
  Alone root({true, 1, 1, 0, true, 2});
  root.bench.set("requested_i_0", 9);
  EXPECT_EQ(root.drives(), 1U);
  EXPECT_EQ(root.drives(), 1U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(root.drives(), 0U) << "two are under way";
  EXPECT_EQ(root.drives(1), 0U) << "receives";
  EXPECT_EQ(root.drives(), 1U);
  EXPECT_EQ(root.bench.get("begun_o"), 3U);
}

}  // namespace
}  // namespace braid::test::line_station_test
