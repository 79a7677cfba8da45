// How well a window knows the wait in a queue, by hand: a reflected Brownian motion with a drift of idle and a variance
// of 2 wait idle remembers for 2 wait / idle cycles.
#include "models/workload/heavy_traffic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace braid::test::heavy_traffic_test {
namespace {

using models::heavy_traffic;
using models::HeavyTraffic;
using models::QueueLoad;
using models::relative_half_width;
using models::relaxation_cycles;

constexpr double kNormal = 1.959963984540054;

/// Pollaczek and Khinchine: a fixed service of 4 cycles at a load of 3/4 waits 3/4 x 4 / (2 x 1/4).
TEST(HeavyTraffic, BeforeAnEjectionPortPacketsWaitAsPoissonsDo) {
  const QueueLoad one = models::before_ejection(0.5, 0.75, 1.0, 4.0),
                  two = models::before_ejection(0.5, 0.75, 2.0, 4.0);
  EXPECT_EQ(one.share, 0.5);
  EXPECT_DOUBLE_EQ(one.wait_cycles, 6.0);
  EXPECT_DOUBLE_EQ(one.idle, 0.25);
  EXPECT_DOUBLE_EQ(two.wait_cycles, 3.0) << "two ports work off a wait twice as fast";
  EXPECT_EQ(models::before_ejection(0.5, 1.0, 1.0, 4.0).idle, 0.0);
  EXPECT_FALSE(heavy_traffic({}, {models::before_ejection(0.01, 1.0, 1.0, 4.0)}, 60.0, 1e9).reliable);
}

/// Variance 2 x 6 x 1/4 = 3 a cycle, over the square of the drift 1/16.
TEST(HeavyTraffic, AQueueRemembersItsVarianceOverTheSquareOfItsDrift) {
  EXPECT_DOUBLE_EQ(relaxation_cycles({1.0, 6.0, 0.25}), 48.0);
  EXPECT_TRUE(std::isinf(relaxation_cycles({1.0, 6.0, 0.0}))) << "never empty";
  EXPECT_EQ(relaxation_cycles({1.0, 0.0, 0.0}), 0.0) << "nothing waits";
}

/// Over 200 times what it remembers, the mean has a standard deviation of a tenth of itself.
TEST(HeavyTraffic, AMeanIsKnownByTheRootOfTheTimesItsQueueForgets) {
  EXPECT_DOUBLE_EQ(relative_half_width({1.0, 6.0, 0.25}, 9600.0), kNormal * 0.1);
  EXPECT_DOUBLE_EQ(relative_half_width({1.0, 6.0, 0.25}, 38400.0), kNormal * 0.05);
}

/// 40 cycles at a tenth idle are remembered for 800: of 80,000 cycles the mean is known to 1.96 sqrt(1600 / 80000) =
/// 0.277, 20 cycles of the latency to 5.5. Two cycles at a half idle are remembered for eight: the batches know them.
TEST(HeavyTraffic, AQueueThatIsHardToKnowGivesTheLeastHalfWidth) {
  const HeavyTraffic said = heavy_traffic({{0.5, 40.0, 0.1}, {0.5, 2.0, 0.5}}, {}, 60.0, 80000.0);
  EXPECT_TRUE(said.reliable);
  EXPECT_EQ(said.cycles_wanted, 0.0);
  EXPECT_DOUBLE_EQ(said.least_half_width, 20.0 * kNormal * std::sqrt(0.02));
  EXPECT_DOUBLE_EQ(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 60.0, 399999.0).least_half_width,
                   20.0 * kNormal * std::sqrt(1600.0 / 399999.0));
  EXPECT_EQ(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 60.0, 400000.0).least_half_width, 0.0) << "500 times";
}

/// Fifty times 800.
TEST(HeavyTraffic, AWindowOfFewRelaxationTimesMakesNoInterval) {
  const HeavyTraffic said = heavy_traffic({{0.5, 40.0, 0.1}, {0.5, 2.0, 0.5}}, {}, 60.0, 39999.0);
  EXPECT_FALSE(said.reliable);
  EXPECT_DOUBLE_EQ(said.cycles_wanted, 40000.0);
  EXPECT_TRUE(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 60.0, 40001.0).reliable);
}

/// 20 cycles of 1001 are less than a fiftieth.
TEST(HeavyTraffic, AWaitThatIsLittleOfTheLatencyIsNotAskedFor) {
  EXPECT_TRUE(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 1001.0, 20000.0).reliable);
  EXPECT_FALSE(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 999.0, 20000.0).reliable);
  const HeavyTraffic many = heavy_traffic({{0.25, 40.0, 0.1}, {0.25, 40.0, 0.1}}, {}, 999.0, 20000.0);
  EXPECT_FALSE(many.reliable) << "many small ones are as much as one";
}

/// The port of one node in ten waits 40 cycles at a tenth idle, known to 0.277: so are the 10 cycles that packets wait
/// at their sources, which by themselves the batches would know.
TEST(HeavyTraffic, WhatWaitsAtSourcesStandsBehindTheFullestPort) {
  const std::vector<QueueLoad> sources = {{1.0, 10.0, 0.5}}, ports = {{0.1, 40.0, 0.1}, {0.9, 1.0, 0.9}};
  EXPECT_EQ(heavy_traffic(sources, {}, 60.0, 80000.0).least_half_width, 0.0);
  EXPECT_DOUBLE_EQ(heavy_traffic(sources, ports, 60.0, 80000.0).least_half_width, 14.0 * kNormal * std::sqrt(0.02));
  EXPECT_FALSE(heavy_traffic(sources, ports, 60.0, 39999.0).reliable);
}

TEST(HeavyTraffic, AQueueThatNeverRanEmptyTakesForEver) {
  const HeavyTraffic said = heavy_traffic({{1.0, 40.0, 0.0}}, {}, 60.0, 1e12);
  EXPECT_FALSE(said.reliable);
  EXPECT_TRUE(std::isinf(said.cycles_wanted));
}

}  // namespace
}  // namespace braid::test::heavy_traffic_test
