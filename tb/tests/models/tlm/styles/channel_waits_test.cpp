// The waits of the loosely timed style against numbers that were got without its formulas: by stepping two packets
// through two channels for every cycle by which one may be later than the other, and by iterating W_k
// (docs/tlm-styles.md).
#include "models/tlm/styles/channel_waits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace braid::test::channel_waits_test {

using models::ChannelWaits;
using models::RouterTiming;
using models::RouteStep;

RouteStep step(models::ChannelIndex channel, std::uint16_t ways = 1) {
  RouteStep s;
  s.channel = channel;
  s.ways = ways;
  return s;
}
/// So many packets that hold a channel for `cycles` each.
ChannelWaits::Held held(double packets, double cycles) {
  return {packets, packets * cycles, packets * cycles * cycles};
}

struct Pair {
  double first, second;        ///< cycles for which channels are held
  double to_second, to_first;  ///< after so many on one channel a packet asks for the other
};

/// Cycles that two packets that go opposite ways over two channels wait, summed over all cycles by which one may be
/// later than the other; first come, first served.
double waits_of_two(const Pair& p) {
  double sum = 0;
  for (int late = -2000; late <= 2000; ++late) {
    // One asks for the first channel in `late`, the other for the second in 0. Each begins at once on its first
    // channel unless the other has asked for that one, as its second, before.
    const double one = late, other = 0;
    double one_begins = one, other_begins = other;
    if (other + p.to_first < one) one_begins = std::max(one, other + p.to_first + p.first);
    if (one + p.to_second < other) other_begins = std::max(other, one + p.to_second + p.second);
    const double one_asks = one_begins + p.to_second, other_asks = other_begins + p.to_first;
    sum += one_begins - one + other_begins - other;
    if (one_asks >= other_begins) sum += std::max(other_begins + p.second - one_asks, 0.0);
    if (other_asks >= one_begins) sum += std::max(one_begins + p.first - other_asks, 0.0);
  }
  return sum;
}

/// One packet in 1000 cycles each way over two half-duplex channels.
ChannelWaits opposite_ways(const Pair& p) {
  RouterTiming routers;
  routers.half_duplex = true;
  ChannelWaits waits(2, routers);
  waits.add(0, step(0), held(1, p.first), 0);
  waits.add(0, step(1), held(1, p.second), p.to_second);
  waits.add(1, step(1), held(1, p.second), 0);
  waits.add(1, step(0), held(1, p.first), p.to_first);
  waits.end_observation(1000);
  return waits;
}
/// Of two packets in 1000 cycles on a channel, of whose pairs such a share meets.
double wait_of(double meet, double cycles) { return meet * 0.002 * cycles * cycles / 2 / (1 - 0.002 * cycles); }

TEST(ChannelWaits, TwoThatMeetOnOneHalfDuplexChannelDoNotMeetOnTheNext) {
  for (const Pair& p : {Pair{180, 180, 12, 12}, Pair{100, 100, 10, 10}, Pair{180, 180, 60, 60}}) {
    const ChannelWaits waits = opposite_ways(p);
    const double share = waits_of_two(p) / (p.first * p.first + p.second * p.second);
    EXPECT_GT(share, 0.5);
    EXPECT_LT(share, 1.0);
    // Half come over the other channel and do not meet each other; pairs of both kinds, half of all, meet so often.
    const double meet = 1.0 - 0.25 - 0.5 * (1.0 - share);
    EXPECT_NEAR(waits.at(step(0)), wait_of(meet, p.first), 0.1);
    EXPECT_NEAR(waits.at(step(1)), waits.at(step(0)), 1e-9);
  }
}

/// Of channels that are held for unlike times, by the formula of opposite_share()'s comment: of s_f^2 + s_k^2 a half,
/// and (a + b) (s_f + s_k - a - b) where both have begun; a + b is half of s_f + s_k at most.
TEST(ChannelWaits, OfUnlikeChannelsAreWeighedByTheirTimes) {
  struct Case {
    Pair pair;
    double share;
  };
  for (const Case& c :
       {Case{{100, 180, 12, 40}, 0.5 + 52.0 * 228 / 42400}, Case{{180, 60, 40, 5}, 0.5 + 45.0 * 195 / 36000},
        Case{{60, 100, 0, 30}, 0.5 + 30.0 * 130 / 13600}, Case{{60, 100, 50, 70}, 0.5 + 80.0 * 80 / 13600},
        Case{{100, 180, 0, 0}, 0.5}}) {
    const ChannelWaits waits = opposite_ways(c.pair);
    const double meet = 1.0 - 0.25 - 0.5 * (1.0 - c.share);
    EXPECT_NEAR(waits.at(step(0)), wait_of(meet, c.pair.first), 1e-9) << c.pair.first << " " << c.pair.second;
    EXPECT_NEAR(waits.at(step(1)), wait_of(meet, c.pair.second), 1e-9) << c.pair.first << " " << c.pair.second;
  }
}

/// 0.002 packets a cycle have one way, 0.003 two; all hold it for 100 cycles. W_1 = 25 + Q, W_2 = (50 / 3 + Q) / 2,
/// Q = 100 (0.002 W_1 + 0.003 W_2), iterated from 0.
TEST(ChannelWaits, WhoHasTwoWaysWaitsLessAndOthersLessForIt) {
  std::array<double, 2> w{};
  for (int i = 0; i < 200; ++i) {
    const double queue = 100 * (0.002 * w[0] + 0.003 * w[1]);
    w = {25 + queue, (50.0 / 3 + queue) / 2};
  }
  ChannelWaits waits(1, RouterTiming{});
  waits.add(0, step(0), held(2, 100), 0);
  waits.add(0, step(0, 2), held(3, 100), 0);
  waits.end_observation(1000);
  EXPECT_DOUBLE_EQ(waits.load(0), 0.5);
  EXPECT_NEAR(waits.at(step(0)), w[0], 1e-6) << "36.54, where all of one way would wait 50";
  EXPECT_NEAR(waits.at(step(0, 2)), w[1], 1e-6) << "14.10";
  EXPECT_LT(waits.at(step(0, 3)), w[1]);
}

/// More than a channel can bear: waits are long, and no less than with less.
TEST(ChannelWaits, EndWhereAChannelIsFull) {
  double last = 0;
  for (const double packets : {8.0, 9.0, 9.9, 11.0, 20.0}) {
    ChannelWaits waits(1, RouterTiming{});
    waits.add(0, step(0), held(packets, 100), 0);
    waits.end_observation(1000);
    EXPECT_GT(waits.at(step(0)), last);
    last = waits.at(step(0));
  }
  EXPECT_LT(last, 10000);
}

/// Two injection channels, 0 and 2, lead to channel 1: each brings it 50 packets of 4 cycles in 1000.
ChannelWaits two_into_one(bool interleave, bool one_queue) {
  RouterTiming routers;
  routers.flits_interleave = interleave;
  routers.one_queue_an_input = one_queue;
  ChannelWaits waits(3, routers);
  for (const models::ChannelIndex from : {0U, 2U}) {
    waits.add(from, step(from), held(50, 4), 0);
    waits.add(from, step(1), held(50, 4), 0);
  }
  waits.end_observation(1000);
  return waits;
}

/// By hand: loads 0.2 and 0.4, so 0.8 / (2 x 0.8) and 1.6 / (2 x 0.6); of two ways 0.4 (2/3 0.8 + 0.8 / 1.5).
TEST(ChannelWaits, OfFlitsInTurnAreTheFormulas) {
  const ChannelWaits waits = two_into_one(true, false);
  EXPECT_NEAR(waits.at(step(0)), 0.5, 1e-9);
  EXPECT_NEAR(waits.at(step(1)), 1.6 / 1.2, 1e-9);
  EXPECT_NEAR(waits.at(step(1, 2)), 0.4 * (2 * 0.8 / 3 + 0.8 / 1.5), 1e-9);
}

/// Half of them come from the same channel and do not meet: 1 - 2 x 0.5^2.
TEST(ChannelWaits, OfWholePacketsAreForThoseThatMeet) {
  const ChannelWaits waits = two_into_one(false, false);
  EXPECT_NEAR(waits.at(step(0)), 0.5, 1e-9) << "what a node makes comes at random";
  EXPECT_NEAR(waits.at(step(1)), 0.5 * 1.6 / 1.2, 1e-9);
}

/// Behind channel 0 a packet holds the queue for its 4 cycles and the 2/3 that it waits for channel 1.
TEST(ChannelWaits, InAQueueAreForThoseBefore) {
  const ChannelWaits waits = two_into_one(false, true);
  const double service = 4 + 2.0 / 3;
  const double with = 0.05 * service * service / (2 * (1 - 0.05 * service)), without = 0.5;
  EXPECT_NEAR(waits.at(step(0)), 0.5 + (with - without), 1e-9);
  EXPECT_NEAR(waits.at(step(1)), 0.5 * 1.6 / 1.2, 1e-9) << "nobody waits behind the last";
}

/// A channel over which nothing has gone holds nobody up, whatever the routers' queues are; nor does one whose packets
/// nobody waits behind.
TEST(ChannelWaits, AreNoneWhereNothingGoes) {
  for (const bool interleave : {false, true}) {
    RouterTiming routers;
    routers.flits_interleave = interleave;
    routers.one_queue_an_input = true;
    ChannelWaits waits(4, routers);
    for (int observation = 0; observation < 3; ++observation) {
      waits.add(0, step(0), held(50, 4), 0);
      waits.add(0, step(1, 2), held(50, 4), 0);
      waits.end_observation(1000);
      for (const models::ChannelIndex quiet : {2U, 3U}) {
        EXPECT_EQ(waits.load(quiet), 0.0);
        for (const std::uint16_t ways : {1, 2, 3, 4, 5}) EXPECT_EQ(waits.at(step(quiet, ways)), 0.0) << ways;
      }
    }
    EXPECT_NEAR(waits.load(0), 0.2, 1e-12);
  }
}

/// Who has several ways waits behind those before it as long as who has one: 2/3 cycles on the channel ahead make a
/// service of 4 + 2/3 (InAQueueAreForThoseBefore), and what that adds to a wait is added whatever the ways are.
TEST(ChannelWaits, InAQueueAreAsLongWithManyWays) {
  const ChannelWaits waits = two_into_one(false, true), without = two_into_one(false, false);
  const double behind = waits.at(step(0)) - without.at(step(0));
  EXPECT_GT(behind, 0.1);
  for (const std::uint16_t ways : {2, 3, 4}) {
    EXPECT_NEAR(waits.at(step(0, ways)), without.at(step(0, ways)) + behind, 1e-12) << ways;
    EXPECT_NEAR(waits.at(step(1, ways)), without.at(step(1, ways)), 1e-12) << ways;
  }
}

/// W_k by hand, load 0.2 and R = 0.4 of packets of one way: Q = 0.4 x 0.2 / 0.8 = 0.1; W_k = 0.2^(k - 1) (0.8 / (k +
/// 1) + 0.1).
TEST(ChannelWaits, OfPacketsThatHaveMoreWaysThanOthers) {
  RouterTiming routers;
  routers.flits_interleave = true;
  ChannelWaits waits(1, routers);
  waits.add(0, step(0), held(50, 4), 0);
  waits.end_observation(1000);
  double held_by_all = 1;
  for (std::uint16_t ways = 1; ways <= 4; ++ways, held_by_all *= 0.2)
    EXPECT_NEAR(waits.at(step(0, ways)), held_by_all * (0.8 / (ways + 1) + 0.1), 1e-12) << ways;
}

/// All cycles count alike until the newest observation is an eighth of them; then it has that weight, and what was
/// before fades. Of nothing that is observed any more 1/n is left after n observations, up to eight.
TEST(ChannelWaits, AreOfAMovingAverage) {
  RouterTiming routers;
  routers.flits_interleave = true;
  ChannelWaits waits(1, routers);
  waits.add(0, step(0), held(50, 4), 0);
  for (int n = 1; n <= 10; ++n) {
    waits.end_observation(1000);
    const double left = n <= 8 ? 1.0 / n : 1.0 / 8 * std::pow(7.0 / 8, n - 8), load = 0.2 * left;
    EXPECT_NEAR(waits.load(0), load, 1e-12) << n;
    EXPECT_NEAR(waits.at(step(0)), 0.8 * left / (2 * (1 - load)), 1e-12) << n;
  }
  ChannelWaits longer(1, routers);
  longer.add(0, step(0), held(50, 4), 0);
  longer.end_observation(1000);
  longer.end_observation(3000);
  EXPECT_NEAR(longer.load(0), 0.05, 1e-12) << "200 of 4000 cycles";
  longer.add(0, step(0), held(500, 4), 0);
  longer.end_observation(4000);
  EXPECT_NEAR(longer.load(0), 2200.0 / 8000, 1e-12);
}

/// Who comes over which channel is averaged, too: half from each in the first observation, all from one in the second,
/// so that 3/4 and 1/4 do not meet: 1 - 9/16 - 1/16.
TEST(ChannelWaits, OfWholePacketsAreForThoseThatMetInAllObservations) {
  ChannelWaits waits(3, RouterTiming{});
  const auto add = [&](models::ChannelIndex from, double packets) {
    waits.add(from, step(from), held(packets, 4), 0);
    waits.add(from, step(1), held(packets, 4), 0);
  };
  add(0, 50);
  add(2, 50);
  waits.end_observation(1000);
  add(0, 60);
  add(0, 40);
  waits.end_observation(1000);
  EXPECT_NEAR(waits.load(1), 0.4, 1e-12);
  EXPECT_NEAR(waits.at(step(1)), 0.375 * 1.6 / 1.2, 1e-9);
}

/// Of more than four ways as of four.
TEST(ChannelWaits, OfManyWaysAreThoseOfFour) {
  ChannelWaits four(1, RouterTiming{}), nine(1, RouterTiming{});
  four.add(0, step(0, 4), held(50, 4), 0);
  nine.add(0, step(0, 9), held(50, 4), 0);
  four.end_observation(1000);
  nine.end_observation(1000);
  for (const std::uint16_t ways : {1, 2, 3, 4}) EXPECT_EQ(nine.at(step(0, ways)), four.at(step(0, ways))) << ways;
  EXPECT_EQ(four.at(step(0, 5)), four.at(step(0, 4)));
  EXPECT_LT(four.at(step(0, 4)), four.at(step(0, 3)));
  EXPECT_NEAR(four.load(0), 0.2, 1e-12);
}

}  // namespace braid::test::channel_waits_test
