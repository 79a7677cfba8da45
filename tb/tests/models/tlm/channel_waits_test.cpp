// Waits by observed loads, held to the formulas of docs/tlm-styles.md worked out by hand.
#include "models/tlm/channel_waits.h"

#include <gtest/gtest.h>

namespace braid::test::channel_waits_test {
namespace {

using models::ChannelWaits;

/// Two injection channels, 0 and 2, lead to channel 1: each brings it 50 packets of 4 cycles in 1000.
ChannelWaits two_into_one(bool interleave, bool one_queue) {
  models::RouterTiming routers;
  routers.flits_interleave = interleave;
  routers.one_queue_an_input = one_queue;
  ChannelWaits waits(3, routers);
  for (const models::ChannelIndex from : {0U, 2U}) {
    waits.add(from, from, {50, 50 * 4, 50 * 16});
    waits.add(from, 1, {50, 50 * 4, 50 * 16});
  }
  waits.end_observation(1000);
  return waits;
}

/// Loads 0.2 and 0.4: 0.8 / (2 x 0.8) and 1.6 / (2 x 0.6).
TEST(ChannelWaits, OfFlitsInTurnAreTheFormulas) {
  const ChannelWaits waits = two_into_one(true, false);
  EXPECT_DOUBLE_EQ(waits.at({0, 1, 0}), 0.5);
  EXPECT_DOUBLE_EQ(waits.at({1, 1, 0}), 1.6 / 1.2);
  EXPECT_DOUBLE_EQ(waits.at({1, 2, 0}), 0.4 * 1.6 / 1.2) << "of two ways one is free unless both are held";
}

/// Half of them come from the same channel and do not meet: 1 - 2 x 0.5^2.
TEST(ChannelWaits, OfWholePacketsAreForThoseThatMeet) {
  const ChannelWaits waits = two_into_one(false, false);
  EXPECT_DOUBLE_EQ(waits.at({0, 1, 0}), 0.5) << "what a node makes comes at random";
  EXPECT_DOUBLE_EQ(waits.at({1, 1, 0}), 0.5 * 1.6 / 1.2);
}

/// Behind channel 0 a packet holds the queue for its 4 cycles and the 2/3 that it waits for channel 1.
TEST(ChannelWaits, InAQueueAreForThoseBefore) {
  const ChannelWaits waits = two_into_one(false, true);
  const double service = 4 + 2.0 / 3;
  const double with = 0.05 * service * service / (2 * (1 - 0.05 * service)), without = 0.5;
  EXPECT_DOUBLE_EQ(waits.at({0, 1, 0}), 0.5 + (with - without));
  EXPECT_DOUBLE_EQ(waits.at({1, 1, 0}), 0.5 * 1.6 / 1.2) << "nobody waits behind the last";
  EXPECT_DOUBLE_EQ(waits.at({1, 2, 0}), 0.4 * 0.5 * 1.6 / 1.2);
}

}  // namespace
}  // namespace braid::test::channel_waits_test
