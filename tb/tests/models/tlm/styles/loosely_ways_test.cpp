// The loosely timed style over many observations: how long each is, and when a pair with several ways has another one.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/tlm/styles/packet_timing.h"
#include "tb/tests/support/bench.h"

namespace braid::test::loosely_ways_test {
namespace {

std::unique_ptr<models::PacketTiming> loosely_timed(models::Experiment e, const Bench& bench) {
  e.set("tlm.style", "loosely_timed");
  return models::make_packet_timing(e, bench.topology, *bench.routing);
}

/// 1024 cycles, then twice as many each time, up to tlm.observation_cycles: by default 16384 (docs/configuration.md). A
/// packet of 4 flits every 8 cycles to begin with, then less in each observation: what it takes changes where one ends.
TEST(LooselyTimedLengths, DoubleUpToSixteenThousandCycles) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 1);
  const Bench bench(e);
  const auto timing = loosely_timed(e, bench);
  // What callers are told in `now` who are ahead of it, in the same 64 cycles each time: parts of a cycle are rounded
  // by the cycle.
  const auto takes = [&](std::uint64_t now) {
    constexpr std::uint64_t kAhead = 1 << 20;
    std::uint64_t sum = 0;
    for (std::uint64_t at = kAhead; at < kAhead + 64; ++at)
      sum += timing->deliver(NodeId{0}, NodeId{1}, 4, at, now) - at;
    return sum;
  };
  std::uint64_t begin = 0, every = 8;
  for (const std::uint64_t cycles : {1024U, 2048U, 4096U, 8192U, 16384U, 16384U, 16384U}) {
    const std::uint64_t now = takes(begin);
    for (std::uint64_t at = begin; at < begin + cycles; at += every)
      (void)timing->deliver(NodeId{0}, NodeId{1}, 4, at, at);
    EXPECT_EQ(takes(begin + cycles - 1), now) << "in the last of " << cycles << " cycles";
    EXPECT_NE(takes(begin + cycles), now) << "after " << cycles << " cycles";
    begin += cycles;
    every = every == 8 ? 64 : 8;  // another load than in the one before
  }
}

/// Two rows of sixteen routers. A packet from an even column to the next one and the other row has two ways: over the
/// link between the rows in its own column, or in the odd one, which is held half of the time. So what it takes says
/// which way it has. docs/tlm-styles.md: it is drawn again after as many observations as there have been, 16 at most.
class Ways {
 public:
  Ways() : bench_(experiment()), timing_(loosely_timed(experiment(), bench_)) {}

  /// In the next observation, of 1024 cycles.
  std::vector<bool> over_the_held_link() {
    // All at one time: the observation before ends with the first of them.
    const std::uint64_t now = observation_++ * 1024;
    for (std::size_t x = 1; x < kColumns; x += 2) {
      for (int packet = 0; packet < 16; ++packet) take(x, kColumns + x, 32, now);
    }
    std::vector<std::uint64_t> cycles;
    for (std::size_t x = 0; x < kColumns; x += 2) cycles.push_back(take(x, kColumns + x + 1, 1, now));
    // docs/router.md: 3 + 5 R + L - 1. 16 packets of 32 flits in 1024 cycles: a load of 1/2, and 8 / (1 - 1/2) cycles
    // to wait at the node's ejection link, which is theirs as well, and as many at the link that they hold.
    constexpr std::uint64_t kIdle = 3 + 5 * 3, kWait = 16;
    std::vector<bool> held;
    for (const std::uint64_t each : cycles) {
      const bool waits = each > kIdle + kWait * 3 / 2;
      if (observation_ > 1) {
        EXPECT_NEAR(static_cast<double>(each), kIdle + kWait * (waits ? 2 : 1), 1.5) << "of these packets, too";
      }
      held.push_back(waits);
    }
    return held;
  }

 private:
  static constexpr std::size_t kColumns = 32;
  static models::Experiment experiment() {
    models::Experiment e;
    e.set("topology.width", kColumns).set("topology.height", 2);
    e.set("routing.algorithm", "minimal_adaptive");
    e.set("tlm.observation_cycles", 64);
    return e;
  }
  std::uint64_t take(std::size_t from, std::size_t to, std::uint32_t flits, std::uint64_t now) {
    return timing_->deliver(NodeId{from}, NodeId{to}, flits, now, now) - now;
  }
  Bench bench_;
  std::unique_ptr<models::PacketTiming> timing_;
  std::uint64_t observation_ = 0;
};

TEST(LooselyTimedWays, AreDrawnAgainAfterAsManyObservationsAsThereHaveBeen) {
  Ways ways;
  (void)ways.over_the_held_link();  // the first: no load is known
  std::vector<bool> last = ways.over_the_held_link();
  std::set<int> changes;
  for (int observation = 3; observation <= 70; ++observation) {
    const std::vector<bool> now = ways.over_the_held_link();
    if (now != last) changes.insert(observation);
    last = now;
  }
  EXPECT_EQ(changes, (std::set<int>{4, 8, 16, 32, 48, 64}));
}

/// Half of the pairs each way, whatever the observation.
TEST(LooselyTimedWays, AreDrawnEachAsOften) {
  Ways ways;
  (void)ways.over_the_held_link();
  int held = 0, all = 0;
  for (int observation = 2; observation <= 64; ++observation) {
    for (const bool each : ways.over_the_held_link()) {
      if ((observation & (observation - 1)) != 0) continue;  // drawn in 2, 4, 8, 16, 32 and 64
      held += each ? 1 : 0;
      ++all;
    }
  }
  EXPECT_EQ(all, 6 * 16);
  EXPECT_NEAR(held, 6 * 16 / 2.0, 20) << "four times the deviation of so many coins";
}

}  // namespace
}  // namespace braid::test::loosely_ways_test
