// broadcast.scheme = "router_multicast": the root sends one packet, which routers copy. To the cycle, beside traffic,
// over a checkpoint, and what is refused. (Every message against an independent reference: tb/python/rings.)
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/workload/broadcast/broadcast_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/program.h"

namespace braid::test::router_multicast_test {
namespace {

using models::BroadcastResults;
using models::Experiment;

/// Costs that are all different.
Experiment broadcasts(std::uint32_t width, std::uint32_t height) {
  Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.open("broadcast");
  e.set("broadcast.scheme", "router_multicast");
  e.set("broadcast.receive_cycles", 3);
  e.set("broadcast.event_cycles", 17);
  e.set("broadcast.send_cycles", 5);
  e.set("broadcast.settle_cycles", 11);
  e.set("broadcast.after_cycles", 7);
  e.set("broadcast.issue_cycles", 13);
  return e;
}

BroadcastResults after(Bench& bench, std::uint64_t cycle) {
  bench.network->window() = {true, 0, 1000};
  bench.run(cycle + 1 - bench.network->now());
  return bench.network->workload<models::BroadcastWorkload>()->results();
}

/// A row of three. The root begins in cycle 1 and has sent once in 1 + 5. Node 1 has the packet in 6 + 13, its
/// processor in 20; it answers in 20 + 3 + 17 + 5 = 45, in the root's queue in 45 + 13 + 1 = 59. Node 2 has it in 6 +
/// 18, its processor in 25, answers in 50, in the queue in 69. The root's processor is at the first until 59 + 3 + 7 =
/// 69, takes the second and has received it in 72. (By unicasts node 2 is told 5 cycles later.)
TEST(RouterMulticast, OfThreeNodesIsCompleteInItsCycle) {
  Bench bench(broadcasts(3, 1));
  EXPECT_EQ(after(bench, 71).completed, 0U);
  const BroadcastResults r = after(bench, 72);
  EXPECT_EQ(r.completed, 1U);
  EXPECT_EQ(r.latency_cycles.max, 71.0);
  EXPECT_EQ(r.positions, 3U);
  EXPECT_EQ(r.messages, 3U) << "one to all, and two answers";
  EXPECT_EQ(r.longest_path, 2U);
  EXPECT_TRUE(r.refused.empty());
  const auto counters = bench.network->fabric().counters();
  EXPECT_EQ(counters.flits_injected, 3U);
  EXPECT_EQ(counters.flits_copied, 1U);
  Experiment e = broadcasts(3, 1);
  e.set("broadcast.scheme", "unicast");
  Bench unicast(std::move(e));
  EXPECT_EQ(after(unicast, 76).completed, 0U);
  EXPECT_EQ(after(unicast, 77).completed, 1U);
}

TEST(RouterMulticast, OfOneNodeIsCompleteByItself) {
  Bench bench(broadcasts(1, 1));
  EXPECT_EQ(after(bench, 1 + 13 + 17 - 1).completed, 0U) << "nobody is sent anything";
  EXPECT_EQ(after(bench, 1 + 13 + 17).completed, 1U);
}

/// Beside packets of others that are longer than the buffers, and of two classes of length.
TEST(RouterMulticast, GoesBesideTraffic) {
  Experiment e = broadcasts(4, 4);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 4);
  e.set("broadcast.flits", 4);
  e.set("broadcast.burst", 8);
  add_traffic(e, 0.25);
  e.set("traffic.flits", 10);
  Bench bench(std::move(e));
  const BroadcastResults r = after(bench, 20000);
  EXPECT_GT(r.completed, 50U);
  EXPECT_TRUE(r.refused.empty());
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.network->fabric().counters().flits_copied, 50U * 4 * 14);
}

/// With copies on their way, in buffers, and half sent.
TEST(RouterMulticast, GoesOnFromACheckpoint) {
  Experiment e = broadcasts(4, 4);
  e.set("router.vcs", 1);
  e.set("router.buffer_depth", 4);
  e.set("broadcast.flits", 4);
  e.set("broadcast.burst", 4);
  add_traffic(e, 0.3);
  for (std::uint64_t cycle = 10; cycle < 130; cycle += 3) {
    expect_continues(e, cycle, 60);
    if (HasFailure()) return;
  }
}

TEST(RouterMulticast, SaysInALineWhatItDoesNotGoWith) {
  const auto said = [](const std::string& options) {
    const Ended ended = braid("run " + experiment("broadcast") + " --set broadcast.scheme=router_multicast " + options);
    EXPECT_EQ(ended.status, 2) << options;
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
    return ended.output;
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--set broadcast.flits=5", "expected packets of at most router.buffer_depth = 4 flits, not of 5"},
      {"--set broadcast.buffer_messages=1", "expected broadcast.buffer_messages = 0"},
      {"--set broadcast.operation=all_reduce", "broadcast.operation = \"all_reduce\" sends every message by itself"},
      {"--set broadcast.operation=shoot_down", "a broadcast.operation of several roots sends every message by itself"},
      {"--set broadcast.medium=line", "broadcast.medium = \"line\" sends every message by itself"},
      {"--set simulation.schedule=process_per_stage", "expected simulation.schedule = \"static\""},
      {"--threads 2 --set simulation.engine=lists", "simulation.threads = 1"},
      {"--set routing.algorithm=west_first", "expected a routing.algorithm that is deterministic"},
      {"--set router.architecture=ideal", "expected router.architecture = \"hybrid\""},
      {"--set router.architecture=virtual_cut_through --set router.vcs=1", "expected router.architecture = \"hybrid\""},
      {"--set simulation.engine=planes", "expected simulation.engine = \"auto\" or \"lists\""},
      {"--set interface.scheduler=classes", "expected interface.scheduler = \"fifo\""},
      {"--set interface.fairness=sat", "interface.fairness = \"none\""},
  };
  for (const auto& [options, line] : cases) {
    const std::string text = said(options);
    EXPECT_NE(text.find(line), std::string::npos) << options << ": " << text;
  }
}

}  // namespace
}  // namespace braid::test::router_multicast_test
