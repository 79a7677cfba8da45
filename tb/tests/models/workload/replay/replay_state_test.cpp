// What a replayed trace says of itself while the network runs: busy, waiting or idle; what has been made and delivered;
// what it bears; and that a file that somebody cuts brings no packet twice.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/workload/replay/replay_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::replay_state_test {
namespace {

using models::Experiment;
using models::ReplayResults;
using models::ReplayWorkload;
using State = models::Workload::State;

/// A 2x2 mesh that replays this trace of one class, or of two.
Experiment replaying(const std::string& records, const std::string& by,
                     const std::string& classes = "class packets\n") {
  const std::string file = temporary_file("state.trace");
  std::ofstream(file, std::ios::binary) << "braid-trace 1\nnodes 4\n" << classes << records;
  Experiment e;
  e.set("topology.width", 2).set("topology.height", 2);
  e.open("replay");
  e.set("replay.file", file).set("replay.by", by);
  return e;
}

ReplayWorkload& replay_of(const Bench& bench) { return *bench.network->workload<ReplayWorkload>(); }

/// A packet over a link takes 3 + 5 x 2 cycles. By time the trace is busy until its last packet is made, whatever is
/// under way; then it is idle.
TEST(ReplayState, ByTimeIsBusyUntilTheLastPacketIsMade) {
  Bench bench(replaying("0 5 0 1 1 0\n1 20 2 3 1 0\nend 2\n", "time"));
  ReplayWorkload& replay = replay_of(bench);
  EXPECT_TRUE(replay.bears_losses());
  EXPECT_TRUE(replay.open_loop());
  EXPECT_EQ(replay.state(), State::kBusy);
  EXPECT_FALSE(replay.results().last_delivery.has_value());
  EXPECT_EQ(replay.results().trace_packets, 2U);
  bench.run(20);
  EXPECT_EQ(replay.results().made, 1U);
  EXPECT_EQ(replay.results().delivered, 1U);
  EXPECT_EQ(replay.results().last_delivery, 18U);
  EXPECT_DOUBLE_EQ(replay.results().trace_share, 0.5);
  EXPECT_EQ(replay.state(), State::kBusy) << "cycle 20 is to come";
  bench.run(1);
  EXPECT_EQ(replay.results().made, 2U);
  EXPECT_EQ(replay.state(), State::kIdle) << "what is under way is the network's";
  bench.run(20);
  EXPECT_EQ(replay.results().delivered, 2U);
  EXPECT_EQ(replay.results().last_delivery, 33U);
  EXPECT_EQ(replay.results().held_back, 0U);
}

/// By dependency it waits while its packets travel, is busy while one only counts its delay, and idle at the end.
TEST(ReplayState, ByDependencyWaitsForArrivals) {
  Bench bench(replaying("0 5 0 1 1 0\n1 - 1 3 1 0 after 0 delay 10\nend 2\n", "dependency"));
  ReplayWorkload& replay = replay_of(bench);
  EXPECT_FALSE(replay.bears_losses());
  EXPECT_FALSE(replay.open_loop());
  bench.run(1);
  EXPECT_EQ(replay.state(), State::kBusy) << "cycle 5 is to come";
  bench.run(5);
  EXPECT_EQ(replay.results().made, 1U);
  EXPECT_EQ(replay.state(), State::kWaiting);
  bench.run(14);  // the first has arrived in cycle 18
  EXPECT_EQ(replay.results().delivered, 1U);
  EXPECT_EQ(replay.state(), State::kBusy) << "the second goes in 28";
  bench.run(8);
  EXPECT_EQ(replay.results().made, 1U);
  bench.run(1);
  EXPECT_EQ(replay.results().made, 2U);
  EXPECT_EQ(replay.state(), State::kWaiting);
  bench.run(20);
  EXPECT_EQ(replay.results().delivered, 2U);
  EXPECT_EQ(replay.state(), State::kIdle);
  EXPECT_EQ(replay.results().trace_share, 1.0);
}

TEST(ReplayState, ThatIsStoppedMakesNoPacketAndIsIdle) {
  for (const char* by : {"time", "dependency", "both"}) {
    Bench bench(replaying("0 5 0 1 1 0\n1 20 2 3 1 0\nend 2\n", by));
    bench.run(10);
    bench.network->stop_sources();
    bench.run(50);
    EXPECT_EQ(replay_of(bench).results().made, 1U) << by;
    EXPECT_EQ(replay_of(bench).results().delivered, 1U) << by;
    EXPECT_EQ(replay_of(bench).state(), State::kIdle) << by;
  }
}

/// Behind the place where the file is cut there is nothing: what came before is made once, and no more.
TEST(ReplayState, OfAFileThatWasCutMakesNothingTwice) {
  std::string records;
  for (int i = 0; i < 9000; ++i) records += std::to_string(i) + " " + std::to_string(i) + " 0 1 1 0\n";
  const Experiment e = replaying(records + "end 9000\n", "time");
  Bench bench(e);
  std::filesystem::resize_file(e.get<std::string>("replay.file"), 80000);
  bench.run(9000);
  const std::uint64_t made = replay_of(bench).results().made;
  EXPECT_LT(made, 9000U);
  bench.run(200);
  EXPECT_EQ(replay_of(bench).results().made, made);
  EXPECT_EQ(replay_of(bench).results().delivered, made);
}

/// A subnet for each class of the trace, in its order, or none said; each below their number.
TEST(ReplaySubnets, AreOneAClass) {
  const auto with = [](const std::vector<std::uint32_t>& subnets) {
    Experiment e = replaying("0 5 0 1 1 0\n1 6 0 1 1 1\nend 2\n", "time", "class packets\nclass others\n");
    e.open("network");
    e.set("network.subnets", 2);
    if (!subnets.empty()) e.set("replay.subnets", subnets);
    return e;
  };
  EXPECT_EQ(refusal(with({1, 0})), "");
  EXPECT_EQ(refusal(with({1})),
            "replay.subnets: 1 of them: expected 2, one for each class of the trace (packets, others)");
  EXPECT_EQ(refusal(with({1, 0, 1})),
            "replay.subnets: 3 of them: expected 2, one for each class of the trace (packets, others)");
  EXPECT_EQ(refusal(with({0, 2})), "replay.subnets: subnet 2: expected 0 to 1 (network.subnets = 2)");
  Bench bench(with({1, 0}));
  const models::ClassSubnets classes = replay_of(bench).class_subnets().value();
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0], std::vector<std::uint32_t>{1});
  EXPECT_EQ(classes[1], std::vector<std::uint32_t>{0});
  bench.run(40);
  EXPECT_EQ(bench.network->fabric().subnet(0).counters().flits_delivered, 1U);
  EXPECT_EQ(bench.network->fabric().subnet(1).counters().flits_delivered, 1U);
}

}  // namespace
}  // namespace braid::test::replay_state_test
