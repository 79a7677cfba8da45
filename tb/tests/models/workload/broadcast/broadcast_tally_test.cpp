// What is counted of broadcasts: completions by their end, latencies by their begin, bursts, slices put together; and
// that a second measurement knows nothing of the first.
#include "models/workload/broadcast/broadcast_tally.h"

#include <gtest/gtest.h>

#include <cmath>

namespace braid::test::broadcast_tally_test {
namespace {

using models::BroadcastResults;
using models::BroadcastTally;
using models::MeasurementWindow;

/// From cycle 100 on, batches of 50.
struct Counted {
  MeasurementWindow window{true, 100, 50};
  BroadcastTally tally{window};
};

TEST(BroadcastTally, CountsByTheEndAndTakesLatenciesByTheBegin) {
  Counted c;
  c.tally.complete(99, 110);
  c.tally.complete(100, 130);
  c.tally.complete(120, 170);
  c.tally.end_burst(99, 130);
  c.tally.end_burst(100, 140);
  c.window.open = false;
  c.tally.complete(140, 500);
  c.tally.end_burst(140, 500);
  EXPECT_EQ(c.tally.completed(), 3U);
  const BroadcastResults r = c.tally.results(6);
  EXPECT_EQ(r.completed, 3U);
  EXPECT_EQ(r.latency_cycles.count, 2U);
  EXPECT_EQ(r.latency_cycles.min, 30.0);
  EXPECT_EQ(r.latency_cycles.max, 50.0);
  EXPECT_EQ(r.burst_cycles.count, 1U);
  EXPECT_EQ(r.burst_cycles.max, 40.0);
  EXPECT_DOUBLE_EQ(r.burst_rate, 1000.0 * 6 / 40);
}

/// Two of 50 cycles are 40 a kilocycle, none are 0: variance 800 over two, t of one degree of freedom 12.706.
TEST(BroadcastTally, HasARateABatch) {
  Counted c;
  c.tally.complete(100, 110);
  c.tally.complete(110, 149);
  c.tally.end_batch();
  c.tally.end_batch();
  const BroadcastResults r = c.tally.results(1);
  EXPECT_DOUBLE_EQ(r.broadcasts_per_kilocycle.mean, 20.0);
  EXPECT_NEAR(r.broadcasts_per_kilocycle.half_width_95, 12.7062047361747 * std::sqrt(800.0 / 2.0), 1e-6);
  EXPECT_TRUE(std::isnan(r.burst_rate)) << "no burst has ended";
}

TEST(BroadcastTally, OfSlicesIsTheirSum) {
  for (const bool into_longer : {false, true}) {
    const MeasurementWindow window{true, 100, 50};
    BroadcastTally shorter(window), longer(window);
    shorter.complete(100, 110);
    shorter.end_burst(100, 120);
    shorter.end_batch();
    longer.complete(100, 130);
    longer.complete(100, 140);
    longer.end_batch();
    longer.complete(110, 160);
    longer.end_burst(110, 170);
    longer.end_burst(120, 190);
    longer.end_batch();
    BroadcastTally all = into_longer ? longer : shorter;
    all.merge(into_longer ? shorter : longer);
    const BroadcastResults r = all.results(2);
    EXPECT_EQ(all.completed(), 4U);
    EXPECT_EQ(r.latency_cycles.count, 4U);
    EXPECT_EQ(r.latency_cycles.min, 10.0);
    EXPECT_EQ(r.latency_cycles.max, 50.0);
    EXPECT_EQ(r.burst_cycles.count, 3U);
    EXPECT_DOUBLE_EQ(r.broadcasts_per_kilocycle.mean, (60.0 + 20.0) / 2);
    EXPECT_DOUBLE_EQ(r.burst_rate, 1000.0 * 2 / 60);
  }
}

/// Of what has completed in a batch that the second measurement cuts off, too.
TEST(BroadcastTally, OfASecondMeasurementKnowsNothingOfTheFirst) {
  Counted c;
  c.tally.complete(100, 130);
  c.tally.end_burst(100, 130);
  c.tally.end_batch();
  c.tally.complete(140, 160);
  c.window.first_cycle = 170;
  c.tally.begin_window();
  EXPECT_EQ(c.tally.completed(), 0U);
  c.tally.end_batch();
  const BroadcastResults r = c.tally.results(1);
  EXPECT_EQ(r.completed, 0U);
  EXPECT_EQ(r.latency_cycles.count, 0U);
  EXPECT_EQ(r.burst_cycles.count, 0U);
  EXPECT_EQ(r.broadcasts_per_kilocycle.mean, 0.0);
  EXPECT_TRUE(std::isnan(r.broadcasts_per_kilocycle.half_width_95)) << "one batch";
}

TEST(BroadcastTally, GoesThroughACheckpoint) {
  Counted c;
  c.tally.complete(100, 130);
  c.tally.end_burst(100, 140);
  c.tally.end_batch();
  c.tally.complete(150, 190);
  Checkpoint saves;
  c.tally.checkpoint(saves);
  Counted other;
  Checkpoint restores(saves.bytes());
  other.tally.checkpoint(restores);
  restores.finish();
  for (BroadcastTally* tally : {&c.tally, &other.tally}) {
    tally->end_batch();
    const BroadcastResults r = tally->results(1);
    EXPECT_EQ(r.completed, 2U);
    EXPECT_EQ(r.latency_cycles.max, 40.0);
    EXPECT_EQ(r.burst_cycles.max, 40.0);
    EXPECT_DOUBLE_EQ(r.broadcasts_per_kilocycle.mean, 20.0);
    EXPECT_EQ(r.broadcasts_per_kilocycle.half_width_95, 0.0);
  }
}

}  // namespace
}  // namespace braid::test::broadcast_tally_test
