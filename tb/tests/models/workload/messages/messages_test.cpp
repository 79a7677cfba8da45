// Messages from the source to the last packet, under the schedulers of the network interface.
#include <gtest/gtest.h>

#include <string>

#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/po2_full_load.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::messages_test {
namespace {

using models::Experiment;

TEST(Messages, RunOnTheHybridMeshUnderEveryScheduler) {
  if (kBrief) GTEST_SKIP() << kLong;
  double fifo_short = 0.0;
  for (const char* scheduler : {"fifo", "alpha", "round_robin", "shortest_first", "round_robin_front"}) {
    Experiment e = uniform_mesh(0.35);
    e.set("message.packet_flits", 8);
    e.set("interface.scheduler", scheduler);
    e.set("traffic.length", "bursty");
    e.set("traffic.max_flits", 5);
    e.set("traffic.long_flits", 25);
    e.set("traffic.long_fraction", 0.1);
    Bench bench(e);
    bench.run(5000);
    bench.network->window() = {true, bench.network->now(), 1000};
    bench.run(30000);
    bench.network->window().open = false;
    bench.network->stop_sources();
    bench.run(30000);
    const models::MessageResults messages = *sources_of(bench).message_results();
    EXPECT_EQ(messages.created, messages.delivered) << scheduler;
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 0U);
    ASSERT_EQ(messages.by_length.front().packets, 1U);
    const double short_latency = messages.by_length.front().latency_mean_cycles;
    if (fifo_short == 0.0) fifo_short = short_latency;
    if (std::string(scheduler) == "alpha") {
      EXPECT_LT(short_latency, 0.8 * fifo_short);
    }
  }
}

TEST(Messages, OfPriorityWaitLess) {
  Experiment e = po2(0.7, "best_paths");
  e.set("interface.scheduler", "alpha");
  e.set("message.alpha", 0.0);
  e.set("message.priority_fraction", 0.1);
  Bench bench(e);
  bench.run(50000);
  bench.network->window() = {true, bench.network->now(), 1000};
  bench.run(200000);
  const models::MessageResults messages = *sources_of(bench).message_results();
  double latency[2] = {}, count[2] = {};
  for (const models::MessageLengthResult& l : messages.by_length) {
    if (l.packets > 5) continue;
    latency[l.priority] += l.latency_mean_cycles * static_cast<double>(l.messages);
    count[l.priority] += static_cast<double>(l.messages);
  }
  EXPECT_NEAR(count[1] / (count[0] + count[1]), 0.1, 0.02);
  EXPECT_LT(latency[1] / count[1], 0.5 * latency[0] / count[0]);
  e.set("interface.scheduler", "fifo");
  EXPECT_THROW(models::Simulation{e}, InputError);
}

}  // namespace
}  // namespace braid::test::messages_test
