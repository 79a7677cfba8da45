// The watchdog over networks side by side, each of which is looked at by itself, and over a checkpoint.
#include <gtest/gtest.h>

#include <string>

#include "models/engine/watchdog.h"
#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/watchdog_limits.h"

namespace braid::test::watchdog_details_test {
namespace {

using models::Experiment;
using models::Watchdog;

std::string said(Watchdog& watchdog) {
  return complaint<models::DeadlockError>([&] { watchdog.check(); });
}

const std::string kSilent = "rate_flits_per_node_cycle = 0.0\n";
/// Classes 1 and 2, each by a subnet of its own; nobody sends unasked.
Experiment two_subnets(const std::string& sections) {
  return models::parse_experiment(sections + "[network]\nsubnets = 2\n[[traffic]]\nname = \"a\"\n" + kSilent +
                                      "[[traffic]]\nname = \"b\"\nsubnets = [1]\n" + kSilent,
                                  "e.toml");
}
void send(const Bench& bench, std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint8_t subnet) {
  bench.network->send_packet(NodeId{from}, NodeId{to}, flits, models::kNoTag, static_cast<std::uint8_t>(1 + subnet));
}

/// A flit of 40 enters in every cycle, then one crosses a switch or is delivered in every cycle: a limit of four cycles
/// is never reached, nor when all is over.
TEST(WatchdogOfSubnets, CountsEachMovementAndNothingMore) {
  for (const std::uint8_t subnet : {0, 1}) {
    Bench bench(two_subnets("[topology]\nwidth = 6\nheight = 1\n"));
    Watchdog watchdog(*bench.network, limits(4));
    bench.run(3);
    send(bench, 0, 5, 40, subnet);
    for (int cycle = 0; cycle < 200; ++cycle) {
      bench.run(1);
      ASSERT_EQ(said(watchdog), "") << "subnet " << int{subnet} << " in cycle " << bench.network->now();
    }
    EXPECT_EQ(bench.delivered(), 1U);
  }
}

/// A packet of 600 flits is on a link for 600 cycles, in which no counter grows; so are those of both subnets.
TEST(WatchdogOfSubnets, LetsAPacketCrossALinkForLongerThanItsLimit) {
  Bench bench(
      two_subnets("[topology]\nwidth = 3\nheight = 1\n[router]\narchitecture = \"virtual_cut_through\"\nvcs = "
                  "1\n"));
  Watchdog watchdog(*bench.network, limits(20));
  send(bench, 0, 2, 600, 0);
  bench.run(300);
  ASSERT_EQ(said(watchdog), "");
  send(bench, 2, 0, 600, 1);
  for (int cycle = 0; cycle < 3000; ++cycle) {
    bench.run(1);
    ASSERT_EQ(said(watchdog), "") << "in cycle " << bench.network->now();
  }
  EXPECT_EQ(bench.delivered(), 2U);
}

/// Four routers in a ring with one VC, everything clockwise: eight flits of each node two routers on stand still for
/// good.
Experiment ring() {
  return two_subnets("[topology]\nkind = \"graph\"\nfile = \"" + source_file("tb/experiments/ring.graphml") +
                     "\"\n[router]\nvcs = 1\nbuffer_depth = 2\n[routing]\nalgorithm = \"table\"\ntable_file = \"" +
                     source_file("tb/experiments/ring_clockwise.txt") + "\"\n");
}
void block(const Bench& bench, std::uint8_t subnet) {
  for (std::uint32_t n = 0; n < 4; ++n) send(bench, n, (n + 2) % 4, 8, subnet);
}

TEST(WatchdogOfSubnets, NamesTheSubnetInWhichAPacketIsTooOld) {
  for (const std::uint8_t subnet : {0, 1}) {
    Bench bench(ring());
    bench.run(10);
    block(bench, subnet);
    Watchdog watchdog(*bench.network, limits(0, 60));
    std::string text;
    while (text.empty() && bench.network->now() < 200) {
      bench.run(1);
      text = said(watchdog);
    }
    EXPECT_EQ(text.rfind("livelock: packet ", 0), 0U) << text;
    EXPECT_NE(text.find(" has been in subnet " + std::to_string(subnet) + " for 61 cycles (limit 60) and passed "),
              std::string::npos)
        << text;
  }
}

/// What it has seen move, and when, goes on over a checkpoint: another one, that has seen something else, ends the run
/// in the cycle in which the first one does, and for the same.
TEST(WatchdogCheckpoint, GoesOnCountingTheCyclesWithoutMovement) {
  for (const bool subnets : {false, true}) {
    for (const std::uint64_t saved_after : {20U, 40U, 70U, 99U}) {
      Experiment e = ring();
      if (!subnets) {
        e = models::parse_experiment(
            "[topology]\nkind = \"graph\"\nfile = \"" + source_file("tb/experiments/ring.graphml") +
                "\"\n[router]\nvcs = 1\nbuffer_depth = 2\n[routing]\nalgorithm = "
                "\"table\"\ntable_file = \"" +
                source_file("tb/experiments/ring_clockwise.txt") + "\"\n[[traffic]]\nname = \"a\"\n" + kSilent +
                "[[traffic]]\nname = \"b\"\n" + kSilent,
            "e.toml");
      }
      Bench bench(e);
      Watchdog one(*bench.network, limits(100)), other(*bench.network, limits(100));
      bench.run(10);
      block(bench, 1);
      std::uint64_t still = 0, before = 0;  // cycles since something has moved
      while (still < saved_after) {
        bench.run(1);
        ASSERT_EQ(said(one), "");
        still = before > 0 && bench.network->movements() == before ? still + 1 : 0;
        before = bench.network->movements();
        ASSERT_LT(bench.network->now(), 300U);
      }
      restore(other, saved(one));
      EXPECT_EQ(saved(other), saved(one));
      while (still < 100) {
        ASSERT_EQ(said(other), "") << still;
        bench.run(1);
        ++still;
      }
      const std::string text = said(other);
      EXPECT_EQ(text.rfind(subnets ? "deadlock: no flit of subnet 1 has moved" : "deadlock: no flit has moved", 0), 0U)
          << text;
      EXPECT_EQ(text, said(one));
    }
  }
}

}  // namespace
}  // namespace braid::test::watchdog_details_test
