// SAT stations as modules use them: what the line does at a station in a cycle comes in an order, and all of it is in
// checkpoints.
#include "models/injection/fairness/sat_stations.h"

#include <gtest/gtest.h>

#include <string>

#include "routing/base/checkpoint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::sat_stations_test {
namespace {

using models::SatStations;

SatStations two_stations() {
  models::SatOptions options;
  options.l = 1;
  options.k = 2;
  return {2, options};
}
constexpr NodeId kOne{1};
constexpr SatStations::Visit kHere{true, false, false}, kLeaves{false, true, false}, kArrives{false, false, true},
    kLeavesAndArrives{false, true, true};

/// It is there in the cycle, or from the next one on; and one that leaves may be back at once.
TEST(SatVisits, AreTakenInOrder) {
  SatStations s = two_stations();
  s.passed(kOne);
  s.take(kOne, kHere, 5);
  EXPECT_TRUE(s.station(kOne).holds);
  EXPECT_EQ(s.station(kOne).received, 5U);
  EXPECT_EQ(s.station(kOne).interval, 0U) << "the first time";
  s.take(kOne, {}, 6);
  EXPECT_TRUE(s.station(kOne).holds) << "nothing has happened";
  EXPECT_EQ(s.station(kOne).sent, 1U);
  s.take(kOne, kLeaves, 7);
  EXPECT_FALSE(s.station(kOne).holds);
  EXPECT_EQ(s.station(kOne).sent, 0U);
  s.take(kOne, kArrives, 9);
  EXPECT_TRUE(s.station(kOne).holds);
  EXPECT_EQ(s.station(kOne).received, 10U);
  EXPECT_EQ(s.station(kOne).interval, 5U);
  s.passed(kOne);
  s.take(kOne, kLeavesAndArrives, 12);
  EXPECT_TRUE(s.station(kOne).holds);
  EXPECT_EQ(s.station(kOne).received, 13U);
  EXPECT_EQ(s.station(kOne).sent, 0U);
  EXPECT_EQ(s.intervals().count, 2U);
  EXPECT_EQ(s.intervals().sum, 8U);
  EXPECT_EQ(s.intervals().min, 3U);
  EXPECT_EQ(s.intervals().max, 5U);
  s.begin_window();
  EXPECT_EQ(s.intervals().count, 0U);
  EXPECT_FALSE(s.station(NodeId{0}).received_before) << "the other one";
}

/// Thresholds to come and those that count, the bit that travels with the signal, intervals and every register.
TEST(SatStationsInCheckpoints, AreWhatTheyWere) {
  SatStations before = two_stations(), restored = two_stations();
  before.set_thresholds({3, 4});
  for (int i = 0; i < 2; ++i) before.passed(kOne);
  before.receive(kOne, 5);
  before.release(kOne);
  before.passed(kOne);
  before.receive(kOne, 9);
  before.set_thresholds({5, 6});
  const std::string bytes = saved(before);
  restored.passed(NodeId{0});
  Checkpoint c(bytes);
  restored.checkpoint(c);
  c.finish();
  EXPECT_TRUE(saved(restored) == bytes);
  EXPECT_EQ(restored.thresholds().l, 5U);
  EXPECT_EQ(restored.thresholds().k, 6U);
  EXPECT_EQ(restored.station(kOne).thresholds.l, 3U);
  EXPECT_EQ(restored.station(kOne).thresholds.k, 4U);
  EXPECT_EQ(restored.station(kOne).sent, 1U);
  EXPECT_EQ(restored.station(kOne).interval, 4U);
  EXPECT_EQ(restored.station(NodeId{0}).sent, 0U);
  EXPECT_EQ(restored.intervals().sum, 4U);
  EXPECT_TRUE(restored.take_limited()) << "two packets are k";
  EXPECT_FALSE(restored.take_limited());
}

}  // namespace
}  // namespace braid::test::sat_stations_test
