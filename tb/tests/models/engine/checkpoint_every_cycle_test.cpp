// Circuits and workloads in checkpoints, step by step: from each cycle's checkpoint the next cycle's comes, whatever
// the network has done before it was restored. So by induction it goes on as the one that has never stopped, from
// wherever it was saved: in the middle of a search, a tear-down, a round of moves, a burst.
#include <gtest/gtest.h>

#include <memory>

#include "models/experiment/experiment_reader.h"
#include "routing/base/random.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::checkpoint_every_cycle_test {
namespace {

using models::Experiment;

Experiment of_file(const std::string& name, const std::vector<std::string>& settings) {
  return models::read_experiment(source_file("tb/experiments/" + name + ".toml"), settings);
}

/// So that figures are counted from the start on.
void measure(Bench& bench) { bench.network->begin_window(500); }

/// From `first` to `last` cycles, every one to `most_apart` of them. The network that is restored has come from the
/// checkpoint before by a random number of cycles, which is mostly further; or, one time in eight, it is a new one,
/// which goes on for longer.
void expect_each_follows(const Experiment& experiment, std::uint64_t first, std::uint64_t last,
                         std::uint64_t most_apart = 1, std::size_t slices = 1) {
  most_apart = 1 + (most_apart - 1 + 2 * (shortened() - 1)) * shortened();  // the nightly takes them as they are given
  Random random(1, "checkpoint_every_cycle_test");
  Bench twin(experiment, slices);
  auto other = std::make_unique<Bench>(experiment, slices);
  measure(twin);
  twin.run(first);
  other->run(random.below(50));
  std::string bytes = saved(*twin.network);
  while (twin.network->now() < last) {
    const bool is_new = random.below(8) == 0;
    if (is_new) other = std::make_unique<Bench>(experiment, slices);
    const std::uint64_t now = twin.network->now(), cycles = 1 + random.below(is_new ? 40 : most_apart);
    restore(*other->network, bytes);
    ASSERT_TRUE(saved(*other->network) == bytes) << "saved again in cycle " << now;
    twin.run(cycles);
    other->run(cycles);
    bytes = saved(*twin.network);
    ASSERT_EQ(told(*other->network), told(*twin.network)) << "from cycle " << now;
    ASSERT_TRUE(saved(*other->network) == bytes) << "from cycle " << now;
    other->run(random.below(3 * most_apart));
  }
  EXPECT_TRUE(twin.network->conservation().holds());
  EXPECT_GT(twin.delivered(), 0U);
}

std::uint64_t set_up_cycles(const Experiment& experiment) {
  Bench bench(experiment);
  while (!bench.network->setup_done()) bench.run(1);
  return bench.network->now();
}

/// Streams that fail in their first orders: searches, backtracks, tear-downs and the shuffled orders after them.
Experiment failing(const std::vector<std::string>& more) {
  std::vector<std::string> settings{"stream.anneal=false", "stream.computation_scaling=0.001"};
  settings.insert(settings.end(), more.begin(), more.end());
  return of_file("fm_radio", settings);
}

TEST(CheckpointEveryCycle, OfSetUp) {
  const Experiment e = failing({"topology.local_ports=2", "setup.retries=2", "setup.token_cycles=3"});
  const std::uint64_t end = set_up_cycles(e);
  Bench bench(e);
  bench.run(end);
  EXPECT_GT(bench.network->setup_results().orders_tried, 1U) << "or nothing is torn down";
  expect_each_follows(e, 0, end + 200);
}

TEST(CheckpointEveryCycle, OfSetUpThatSucceeds) {
  const Experiment e = of_file("mixed", {"topology.local_ports=1", "router.circuit_lanes=4"});
  const std::uint64_t end = set_up_cycles(e);
  expect_each_follows(e, end - 100, end + 100);
}

/// All streams at once: searches that wait and are ripped up, agreement, orders that are torn down.
TEST(CheckpointEveryCycle, OfSetUpOfAllAtOnce) {
  const Experiment e = failing({"topology.local_ports=2", "setup.retries=2", "setup.searches=parallel"});
  const std::uint64_t end = set_up_cycles(e);
  Bench bench(e);
  bench.run(end);
  EXPECT_GT(bench.network->setup_results().orders_tried, 1U) << "or nothing is torn down";
  EXPECT_GT(bench.network->setup_results().at_once->rip_ups, 0U);
  expect_each_follows(e, 0, end + 200);
}

TEST(CheckpointEveryCycle, OfARoundOfMoves) {
  const std::string at = "setup.reroute_at_cycle=";
  expect_each_follows(of_file("mixed", {"setup.reroute=each", at + "900", "setup.avoid_links=1,1.east 2,2.north",
                                        "traffic.rate_flits_per_node_cycle=0.05"}),
                      890, 1300);
}

/// As it is cut for two threads, and for a process of every stage of every router.
TEST(CheckpointEveryCycle, OfSlices) {
  for (const std::size_t slices : {2, 16}) {
    expect_each_follows(of_file("mixed", {"setup.reroute=each", "setup.reroute_at_cycle=900", "topology.local_ports=1",
                                          "router.circuit_lanes=4", "traffic.rate_flits_per_node_cycle=0.05"}),
                        400, 1200, 9, slices);
  }
}

TEST(CheckpointEveryCycle, OfARoundInWhichAllMove) {
  expect_each_follows(of_file("fm_radio", {"setup.reroute=all", "setup.reroute_at_cycle=900"}), 890, 1700);
}

/// Packets of a stream overtake each other; consumers ask for blocks; consumers hold their circuits back.
TEST(CheckpointEveryCycle, OfStreams) {
  const std::vector<std::string> packets{"interface.switching=packet", "routing.algorithm=minimal_adaptive"};
  expect_each_follows(of_file("fm_radio", packets), 0, 2000, 7);
  expect_each_follows(of_file("fm_radio", {"interface.switching=packet", "interface.transfer=pull",
                                           "interface.receive_queue_items=128"}),
                      0, 2000, 7);
  expect_each_follows(of_file("mixed", {"traffic.rate_flits_per_node_cycle=0.05"}), 1000, 4000, 20);
}

/// Whose turn it is among heads that speculate.
TEST(CheckpointEveryCycle, OfHeadsThatSpeculate) {
  expect_each_follows(of_file("mesh_uniform", {"router.speculative=true", "traffic.rate_flits_per_node_cycle=0.35"}),
                      500, 2000, 7);
}

/// Heads that have come to the front, and ask in the next cycle.
TEST(CheckpointEveryCycle, OfHeadsThatBringTheirRoute) {
  expect_each_follows(of_file("mesh_uniform", {"router.lookahead=true", "traffic.rate_flits_per_node_cycle=0.35"}), 500,
                      2000, 7);
}

/// Flits behind the switch that wait for their links, and whose turn it is at the crossbar's ports.
TEST(CheckpointEveryCycle, OfOutputBuffers) {
  expect_each_follows(of_file("mesh_uniform", {"router.output_speedup=2", "router.internal_speedup=1.5",
                                               "router.output_buffer=3", "traffic.rate_flits_per_node_cycle=0.5"}),
                      500, 2000, 7);
}

/// What a source owes, and whose turn it is at each port.
TEST(CheckpointEveryCycle, OfStreamsWithARateBesidePacketsThatHaveTurns) {
  expect_each_follows(of_file("mixed", {"topology.local_ports=1", "router.circuit_lanes=4",
                                        "router.circuit_burst_flits=2", "stream.rates=all=150",
                                        "stream.computation_scaling=0.001", "traffic.rate_flits_per_node_cycle=0.05"}),
                      1000, 4000, 20);
}

/// Whose turn it is among a node's ports, and packets' flits that it has not taken.
TEST(CheckpointEveryCycle, OfNodesThatServeFewerPortsThanTheyHave) {
  expect_each_follows(of_file("mixed", {"topology.local_ports=4", "router.circuit_lanes=1",
                                        "interface.packet_injection_flits=1", "interface.packet_ejection_flits=1",
                                        "interface.circuit_injection_flits=1", "interface.circuit_ejection_flits=1",
                                        "stream.computation_scaling=0.001", "traffic.rate_flits_per_node_cycle=0.2"}),
                      1000, 4000, 20);
}

/// Packets that wait for room at their ports, by VC, and packets that others have overtaken.
TEST(CheckpointEveryCycle, OfQueuesThatAreFull) {
  expect_each_follows(of_file("fm_radio", {"interface.switching=packet", "routing.algorithm=minimal_adaptive",
                                           "interface.packet_items=4", "interface.ejection_queue_items=40",
                                           "topology.local_ports=1", "stream.computation_scaling=0.001"}),
                      0, 2000, 7);
}

/// Its root waits no longer for node 7 in broadcast 9.
TEST(CheckpointEveryCycle, OfBroadcasts) {
  expect_each_follows(
      of_file("broadcast", {"topology.width=4", "topology.height=3", "broadcast.scheme=balanced_tree",
                            "broadcast.send_cycles=9", "broadcast.settle_cycles=10", "broadcast.after_cycles=8",
                            "broadcast.burst=4", "broadcast.gap_cycles=0", "broadcast.root=5",
                            "broadcast.timeout_cycles=700", "broadcast.silent_broadcast=9", "broadcast.silent_node=7"}),
      0, 4000, 9);
  expect_each_follows(
      of_file("broadcast", {"topology.width=5", "topology.height=3", "broadcast.arity=3", "broadcast.burst=6",
                            "broadcast.sequenced=true", "broadcast.queued_events=true", "broadcast.send_cycles=5"}),
      0, 3000, 9);
  expect_each_follows(
      of_file("broadcast", {"topology.width=4", "topology.height=3", "broadcast.burst=6", "broadcast.send_cycles=5",
                            "broadcast.queued_events=true", "broadcast.own_tasks=after_messages",
                            "broadcast.last_task_first=true", "broadcast.buffer_messages=1"}),
      0, 3000, 9);
}

TEST(CheckpointEveryCycle, OfAllReduces) {
  expect_each_follows(of_file("broadcast", {"topology.width=4", "topology.height=4", "broadcast.operation=all_reduce",
                                            "broadcast.flits=8", "broadcast.send_cycles=4", "broadcast.gap_cycles=50"}),
                      0, 4000, 9);
}

TEST(CheckpointEveryCycle, OfMessages) {
  Experiment e = uniform_mesh(0.4, 4, 4);
  e.set("message.packet_flits", 8);
  e.set("message.priority_fraction", 0.2);
  e.set("traffic.length", "bursty");
  e.set("traffic.max_flits", 5);
  e.set("traffic.long_flits", 25);
  e.set("traffic.long_fraction", 0.1);
  expect_each_follows(e, 0, 2000, 9);
}

/// The root's unit takes turns, or not; broadcasts follow each other closely.
TEST(CheckpointEveryCycle, OfBroadcastsByLine) {
  const std::vector<std::string> line{"topology.width=4", "topology.height=4", "broadcast.medium=line",
                                      "traffic.rate_flits_per_node_cycle=0.05"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), line.begin(), line.end());
    return of_file("mesh_uniform", more);
  };
  expect_each_follows(with({"broadcast.scheme=spanning_tree", "broadcast.turn_round=false", "broadcast.gap_cycles=20"}),
                      0, 500);
  expect_each_follows(with({"broadcast.arity=1", "broadcast.placement=ring", "broadcast.burst=9",
                            "broadcast.hop_cycles=2", "broadcast.most_under_way=4"}),
                      0, 500);
}

}  // namespace
}  // namespace braid::test::checkpoint_every_cycle_test
