// A stream program as a workload: what it says of itself to the watchdog, to who asks for loads, and to a checkpoint of
// another network.
#include "models/workload/streams/stream_workload.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::stream_workload_test {
namespace {

using models::Experiment;
using models::StreamWorkload;
using State = models::Workload::State;

StreamWorkload& workload_of(const Bench& bench) { return *bench.network->workload<StreamWorkload>(); }

/// Idle before its circuits stand; busy while an actor computes; else it waits for items.
TEST(StreamState, IsIdleThenBusyThenWaits) {
  Bench bench(tile_streams(2, 1, 1, {{0, 1}}, 1000));
  EXPECT_EQ(workload_of(bench).state(), State::kIdle);
  EXPECT_FALSE(workload_of(bench).advanced());
  while (!bench.network->setup_done()) bench.run(1);
  bench.run(1);
  EXPECT_EQ(workload_of(bench).state(), State::kBusy) << "the source computes";
  models::StreamProgram& program = program_of(bench);
  for (auto& actor : program.actors()) actor.state = models::StreamProgram::Actor::State::kWaiting;
  EXPECT_EQ(workload_of(bench).state(), State::kWaiting);
  Bench packets(streaming(stream_pair(10, 5, 4, 4)));
  EXPECT_EQ(workload_of(packets).state(), State::kWaiting) << "nothing is set up";
}

/// A sink's firing that has ended is a step further, once.
TEST(StreamState, HasComeOnWhenASinkHasFired) {
  Bench bench(streaming(stream_pair(10, 5, 4, 4)));
  StreamWorkload& stream = workload_of(bench);
  bench.run(20);
  EXPECT_FALSE(stream.advanced()) << "items are on their way";
  bench.run(100);
  EXPECT_TRUE(stream.advanced());
  EXPECT_FALSE(stream.advanced()) << "in no cycle at all";
  bench.run(10);
  EXPECT_TRUE(stream.advanced());
}

/// Four items in ten cycles, as were delivered in whole batches; of circuits no flow is told, they have their paths.
TEST(StreamFlows, AreTheItemsThatWereDelivered) {
  Bench bench(streaming(stream_pair(10, 5, 4, 4)));
  StreamWorkload& stream = workload_of(bench);
  bench.run(200);
  EXPECT_TRUE(stream.flows(1000).empty()) << "no window";
  bench.network->window() = {true, bench.network->now(), 100};
  stream.begin_window();
  bench.run(100);
  stream.end_batch();
  bench.run(50);
  const auto flows = stream.flows(100);
  ASSERT_EQ(flows.size(), 1U);
  EXPECT_EQ(flows[0].source, NodeId{0});
  EXPECT_EQ(flows[0].destination, NodeId{1});
  EXPECT_EQ(flows[0].name, "a -> b");
  EXPECT_EQ(flows[0].stream, routing::kNoRoute);
  EXPECT_NEAR(flows[0].weight, 0.4, 0.04);
  const double items = 1000.0 * flows[0].weight * 100.0 / 1000.0;
  EXPECT_DOUBLE_EQ(stream.results(100).edges[0].items_per_kilocycle, 10.0 * items) << "the same count";
  Experiment circuit = streaming(stream_pair(10, 5, 4, 4));
  circuit.set("interface.switching", "circuit");
  Bench other(circuit);
  other.run(300);
  workload_of(other).begin_window();
  workload_of(other).end_batch();
  EXPECT_TRUE(workload_of(other).flows(100).empty());
}

/// Packets of the program's own streams are known, and no others.
TEST(StreamPackets, AreOfItsEdges) {
  Bench bench(streaming(stream_pair(10, 5, 4, 4)));
  models::Packet packet;
  packet.tag = 0;
  EXPECT_TRUE(workload_of(bench).knows(packet));
  packet.tag = 1;
  EXPECT_FALSE(workload_of(bench).knows(packet));
}

std::string refusal(const Bench& from, const Bench& into) {
  return complaint<CheckpointError>([&] {
    Checkpoint saves;
    workload_of(from).checkpoint(saves);
    Checkpoint restores(saves.bytes());
    workload_of(into).checkpoint(restores);
    restores.finish();
  });
}

/// The same graph on other tiles, or with fewer lanes: ports and lanes that a checkpoint names must be there.
TEST(StreamCheckpoint, OfAnotherPlacementIsRefused) {
  const Bench here(tile_streams(3, 1, 1, {{0, 1}})), same(tile_streams(3, 1, 1, {{0, 1}}));
  const Bench there(tile_streams(3, 1, 1, {{1, 2}}));
  EXPECT_EQ(refusal(here, same), "");
  EXPECT_EQ(refusal(here, there), no_such_state("a stream that leaves by another node's port"));
  const auto two_streams = [](std::uint32_t lanes) {
    Experiment e = tile_streams(3, 1, 1, {{1, 0}, {1, 2}});
    e.set("router.circuit_lanes", lanes);
    return e;
  };
  Bench two(two_streams(2));
  const Bench one(two_streams(1));
  while (!two.network->setup_done()) two.run(1);
  ASSERT_EQ(program_of(two).edges()[0].source_lane + program_of(two).edges()[1].source_lane, 1U) << "a lane each";
  EXPECT_EQ(refusal(two, one), no_such_state("a stream on no lane"));
}

TEST(StreamCheckpoint, OfAProgramThatChangesIsRefused) {
  Experiment e = tile_streams(4, 1, 1, {{0, 1}});
  e.open("change");
  e.set("change.migrate", "t1@3");
  const Bench changing(e);
  EXPECT_NE(refusal(changing, changing).find("expected no section [change]"), std::string::npos);
}

// ---------------------------------------------------------------- sources that stall

/// Three nodes make a packet in each cycle, one leaves: of 300 source-cycles of a batch 200 find a full queue. Nobody
/// holds back a reply.
TEST(StalledSources, AreCountedByTheBatch) {
  Experiment e = overload();
  e.set("interface.source_queue_packets", 2);
  Bench bench(e);
  const auto stalled = [&](std::size_t traffic_class) {
    return sources_of(bench).stalled_source_cycles(traffic_class);
  };
  bench.run(300);
  EXPECT_TRUE(stalled(0).empty()) << "no window";
  bench.network->window() = {true, 300, 100};
  bench.run(200);
  EXPECT_EQ(stalled(0), (std::vector<std::uint64_t>{200, 200}));
  EXPECT_TRUE(stalled(1).empty());
  bench.network->window().open = false;
  bench.run(100);
  EXPECT_EQ(stalled(0).size(), 2U);
}

}  // namespace
}  // namespace braid::test::stream_workload_test
