// The route unit alone, at signals: when a packet's ports are known, and when its patience ends (docs/po2.md).
#include "models/stages/po2/route_unit.h"

#include <gtest/gtest.h>

#include "tb/tests/support/po2_stage.h"

namespace braid::test::route_unit_test {
namespace {

using models::stages::po2::RouteUnit;

constexpr unsigned kWayBits = 3;  // of six: five ports and none

/// A packet for a node gets buffer 6 in the next cycle, by that port.
void grant(StageOnSignals& b, unsigned port, std::uint64_t destination) {
  b.set("grant_i", port);
  b.set("buffer_i", port, 6, 5);
  b.set("destination_i", port, destination, 16);
}

/// Header cycles: 2. Granted in cycle 4, a packet waits from 6 on.
TEST(RouteUnit, KnowsAPacketsPortsWhenItsHeaderIsIn) {
  Po2Stage<RouteUnit> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  b.run_to(4);
  grant(b, kWestOf1, 2);
  b.run();
  b.set("grant_i", kWestOf1, 0);
  EXPECT_EQ(b.get("waiting_o", 6), 0U) << "cycle 5: not yet";
  b.run();
  EXPECT_EQ(b.get("waiting_o", 6), 1U) << "cycle 6";
  EXPECT_EQ(b.get("since_o", 6, 64), 6U);
  EXPECT_EQ(b.get("in_port_o", 6, kWayBits), kWestOf1 + 1);
}

/// 3 cycles of overhead before the header's 2: granted in cycle 4, it waits from 9 on.
TEST(RouteUnit, WaitsForTheOverheadOfANodesPort) {
  Po2Stage<RouteUnit> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  b.run_to(4);
  grant(b, kNodeOf1, 2);
  b.run();
  b.set("grant_i", kNodeOf1, 0);
  b.run_to(8);
  EXPECT_EQ(b.get("waiting_o", 6), 0U) << "cycle 8: not yet";
  b.run();
  EXPECT_EQ(b.get("waiting_o", 6), 1U) << "cycle 9";
}

/// Router 1's node is 1; node 2 is east of it. One way each, until the packet leaves.
TEST(RouteUnit, NamesThePortsOnAPacketsWay) {
  Po2Stage<RouteUnit> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  const unsigned ways = 6 * static_cast<unsigned>(alone.routing->max_candidates() + 1);
  grant(b, kWestOf1, 2);
  b.run();
  b.set("grant_i", kWestOf1, 0);
  b.run();
  EXPECT_EQ(b.get("ways_o", ways, kWayBits), kEastOf1 + 1);
  EXPECT_EQ(b.get("ways_o", ways + 1, kWayBits), 0U);
  b.set("leaving_i", 6);
  b.run();
  EXPECT_EQ(b.get("waiting_o", 6), 0U);
  EXPECT_EQ(b.get("ways_o", ways, kWayBits), 0U);
}

/// Waits from cycle 2; its patience of 30 ends with cycle 31, and from 32 on it may go up to router 0, as class 1.
TEST(RouteUnit, AddsTheEscapeWhenPatienceEndsAndNotBefore) {
  models::Experiment e = small_po2(3, 1);
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.escape_patience_cycles", 30);
  Po2Stage<RouteUnit> alone(e);
  StageOnSignals& b = alone.bench;
  grant(b, kEastOf1, 0);
  b.run();
  b.set("grant_i", kEastOf1, 0);
  b.run_to(31);
  EXPECT_EQ(b.get("waiting_o", 6), 1U);
  EXPECT_EQ(b.get("escape_o", 6), 0U) << "cycle 31: not yet";
  b.run();
  EXPECT_EQ(b.get("escape_o", 6), 1U) << "cycle 32";
  EXPECT_EQ(b.get("escape_class_o", 6, 2), 1U);
  const unsigned ways = 6 * static_cast<unsigned>(alone.routing->max_candidates() + 1);
  EXPECT_EQ(b.get("ways_o", ways, kWayBits), kWestOf1 + 1);
  EXPECT_EQ(b.get("ways_o", ways + 1, kWayBits), kWestOf1 + 1) << "the escape takes the same link here";
}

}  // namespace
}  // namespace braid::test::route_unit_test
