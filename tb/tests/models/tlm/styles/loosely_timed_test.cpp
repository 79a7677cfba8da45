// The loosely timed style: when its observations end, and which of several ways its packets take.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"

namespace braid::test::loosely_timed_test {
namespace {

/// Of a network that nobody else sends over.
struct Estimate {
  explicit Estimate(models::Experiment e, int observation_cycles = 0) : bench(e) {
    if (observation_cycles > 0) e.set("tlm.observation_cycles", observation_cycles);
    e.set("tlm.style", "loosely_timed");
    timing = models::make_packet_timing(e, bench.topology, *bench.routing);
  }
  /// Cycles that a packet takes which is made in the present cycle.
  std::uint64_t take(std::size_t from, std::size_t to, std::uint32_t flits, std::uint64_t cycle) const {
    return timing->deliver(NodeId{from}, NodeId{to}, flits, cycle, cycle) - cycle;
  }
  Bench bench;
  std::unique_ptr<models::PacketTiming> timing;
};

models::Experiment two_routers() {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  return e;
}
constexpr std::uint64_t kIdle = 3 + 5 * 2;  // docs/router.md; and the flits but one

/// The first observation has 1024 cycles, each further one twice as many, up to tlm.observation_cycles. A packet of 4
/// flits every 8 cycles makes a load of 1/2 and waits of 2 cycles on each of three channels; later nobody sends, and
/// what was observed fades.
TEST(LooselyTimedObservations, AreTwiceAsLongAsTheOneBefore) {
  const Estimate e(two_routers());
  for (std::uint64_t at = 0; at < 1024; at += 8) ASSERT_EQ(e.take(0, 1, 4, at), kIdle + 3) << at;
  std::uint64_t last = kIdle + 3 + 6;
  std::uint64_t begin = 1024;
  for (const std::uint64_t cycles : {2048U, 4096U}) {
    EXPECT_EQ(e.take(0, 1, 4, begin), last) << begin;
    EXPECT_EQ(e.take(0, 1, 4, begin + cycles - 1), last) << "the last cycle of " << cycles;
    const std::uint64_t now = e.take(0, 1, 4, begin + cycles);
    EXPECT_LT(now, last);
    begin += cycles;
    last = now;
  }
}

/// 2048 is the most: the third observation has as many as the second.
TEST(LooselyTimedObservations, AreNotLongerThanTheMost) {
  const Estimate e(two_routers(), 2048);
  constexpr std::uint64_t kThird = 1024 + 2048, kEnd = kThird + 2048;
  for (std::uint64_t at = 0; at < kThird; at += 8) (void)e.take(0, 1, 4, at);
  constexpr std::uint64_t kBusy = kIdle + 3 + 6;
  // Enough packets to be worth the work, but few for a load: what is known now stands to the end, but for rounding.
  for (std::uint64_t at = kThird; at < kEnd; at += 100) EXPECT_NEAR(e.take(0, 1, 4, at), kBusy, 1) << at;
  EXPECT_NEAR(e.take(0, 1, 4, kEnd - 1), kBusy, 1);
  EXPECT_LE(e.take(0, 1, 4, kEnd), kBusy - 2);
}

/// With fewer than 16 packets a pair an observation goes on, up to 16 times its length. A packet of 20 flits in 128
/// cycles: load 20 / 128, 1.85 cycles at each of three channels.
TEST(LooselyTimedObservations, GoOnWherePacketsAreFew) {
  for (const std::uint64_t end : {1023U, 1024U}) {
    const Estimate few(two_routers(), 64);
    for (std::uint64_t at = 0; at < 1000; at += 128) ASSERT_EQ(few.take(0, 1, 20, at), kIdle + 19) << at;
    EXPECT_NEAR(few.take(0, 1, 20, end), kIdle + 19 + (end == 1024 ? 5.56 : 0), 1) << end;
  }
  const Estimate many(two_routers(), 64);
  for (std::uint64_t at = 0; at < 64; at += 4) ASSERT_EQ(many.take(0, 1, 2, at), kIdle + 1) << at;
  EXPECT_GT(many.take(0, 1, 2, 64), kIdle + 1) << "sixteen have been seen";
  const Estimate one_less(two_routers(), 64);
  for (std::uint64_t at = 4; at < 64; at += 4) ASSERT_EQ(one_less.take(0, 1, 2, at), kIdle + 1) << at;
  EXPECT_EQ(one_less.take(0, 1, 2, 64), kIdle + 1);
  EXPECT_GT(one_less.take(0, 1, 2, 128), kIdle + 1);
  const Estimate two_pairs(two_routers(), 64);
  (void)two_pairs.take(1, 0, 1, 0);  // 17 packets are too few for two pairs
  for (std::uint64_t at = 0; at < 64; at += 4) ASSERT_EQ(two_pairs.take(0, 1, 2, at), kIdle + 1) << at;
  EXPECT_EQ(two_pairs.take(0, 1, 2, 64), kIdle + 1);
}

/// Packets of routers that take the first way that is free. In every second row each link is held for a share of the
/// time; a packet from there to the next row, one column on, has two ways: over that link or, if it finds it held, up
/// first. As many pairs find it held as the share says.
TEST(LooselyTimedWays, TheFirstIsTakenAsOftenAsItIsFree) {
  constexpr std::size_t kSide = 16;
  models::Experiment e = uniform_mesh(0.0, kSide, kSide);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "best_paths").set("routing.allow_deadlock", true);
  constexpr std::uint32_t kFlits = 40, kAcknowledge = 33;
  e.set("po2.acknowledge_cycles", kAcknowledge);
  const Estimate estimate(e);
  constexpr std::uint64_t kPackets = 3;  // each way
  for (std::uint64_t at = 0; at < kPackets * 100; at += 100) {
    for (std::size_t y = 0; y < kSide; y += 2) {
      for (std::size_t x = 0; x + 1 < kSide; ++x) {
        (void)estimate.take(y * kSide + x, y * kSide + x + 1, kFlits, at);
        (void)estimate.take(y * kSide + x + 1, y * kSide + x, kFlits, at);
      }
    }
  }
  std::vector<std::uint64_t> took;
  for (std::size_t y = 0; y < kSide; y += 2) {
    for (std::size_t x = 1; x + 1 < kSide; ++x) {
      took.push_back(estimate.take(y * kSide + x, (y + 1) * kSide + x + 1, kFlits, 1024));
    }
  }
  const std::uint64_t least = *std::min_element(took.begin(), took.end());
  const auto over_the_link = static_cast<double>(
      std::count_if(took.begin(), took.end(), [&](std::uint64_t cycles) { return cycles > least; }));
  const double held = 2.0 * kPackets * (kFlits + kAcknowledge) / 1024.0;
  EXPECT_NEAR(over_the_link / static_cast<double>(took.size()), 1.0 - held, 0.1);
}

}  // namespace
}  // namespace braid::test::loosely_timed_test
