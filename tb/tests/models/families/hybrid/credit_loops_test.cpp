// Credits that are filed far ahead: any delay on links of any latency, whoever runs the routers, by the loop that
// hybrid_pipeline_test.cpp draws: 3 + 2 n + d cycles with links of n cycles and a credit delay of d.
#include <gtest/gtest.h>

#include "tb/tests/support/bench.h"

namespace braid::test::credit_loops_test {
namespace {

using models::Experiment;

Experiment row(std::uint32_t latency, std::uint32_t delay, std::uint32_t depth) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("router.vcs", 1);
  e.set("topology.link_latency_cycles", latency);
  e.set("router.credit_delay_cycles", delay);
  e.set("router.buffer_depth", depth);
  e.set("simulation.engine", "lists");
  return e;
}

/// Flits that cross the middle of a row in three loops, when the pipeline is full.
std::uint64_t carried(const Experiment& e, std::size_t slices, std::uint64_t loop) {
  Bench bench(e, slices);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 20000);
  bench.run(6 * loop + 20);
  const auto sent = [&] { return bench.network->fabric().link_use(RouterId{1}, routing::kEast).packet_flits; };
  const std::uint64_t before = sent();
  bench.run(3 * loop);
  return sent() - before;
}

/// With a buffer of three places three flits go round in the loop, neither more nor less, of all slices that there are.
TEST(CreditLoop, TakesItsCyclesForEveryDelay) {
  for (const std::size_t slices : {1U, 3U}) {
    for (std::uint32_t delay = 2; delay <= 19; ++delay) {
      for (const std::uint32_t latency : {1U, 2U}) {
        const std::uint64_t loop = 3 + 2 * latency + delay;
        EXPECT_EQ(carried(row(latency, delay, 3), slices, loop), 9U)
            << "delay " << delay << ", links of " << latency << ", " << slices << " slices";
      }
    }
    for (const std::uint32_t delay : {31U, 32U, 33U, 63U, 64U}) {
      const std::uint64_t loop = 3 + 2 + delay;
      EXPECT_EQ(carried(row(1, delay, 3), slices, loop), 9U) << "delay " << delay << ", " << slices << " slices";
    }
  }
}

TEST(CreditLoop, TakesItsCyclesOnLinksOfEveryLatency) {
  for (const std::size_t slices : {1U, 3U}) {
    for (std::uint32_t latency = 1; latency <= 18; ++latency) {
      for (const std::uint32_t delay : {2U, 3U, 4U}) {
        const std::uint64_t loop = 3 + 2 * latency + delay;
        EXPECT_EQ(carried(row(latency, delay, 4), slices, loop), 12U)
            << "delay " << delay << ", links of " << latency << ", " << slices << " slices";
      }
    }
  }
}

/// A crossbar that is faster than the links: the credit of a flit that crosses in a later step of its cycle is not
/// lost, however far ahead it is filed. A single flit has all of its credits back when it has gone.
TEST(CreditLoop, BringsEveryCreditBackWhereTheCrossbarIsFaster) {
  for (const std::size_t slices : {1U, 3U}) {
    for (const double speedup : {1.5, 2.0, 3.0}) {
      for (const std::uint32_t delay : {2U, 3U, 4U, 5U, 6U, 8U, 9U, 10U, 16U, 17U, 18U}) {
        Experiment e = row(1, delay, 3);
        e.set("router.internal_speedup", speedup);
        Bench bench(e, slices);
        bench.run(1);
        for (std::uint64_t round = 1; round <= 3; ++round) {
          bench.network->send_packet(NodeId{0}, NodeId{2}, 7);
          bench.run(300);
          EXPECT_EQ(bench.delivered(), round) << speedup << ", delay " << delay << ", " << slices << " slices";
          for (std::size_t r = 0; r < 2; ++r) {
            EXPECT_EQ(bench.network->fabric().credits(RouterId{r}, routing::kEast, 0), 3U)
                << speedup << ", delay " << delay << ", " << slices << " slices";
          }
        }
        EXPECT_TRUE(bench.network->conservation().holds());
      }
    }
  }
}

}  // namespace
}  // namespace braid::test::credit_loops_test
