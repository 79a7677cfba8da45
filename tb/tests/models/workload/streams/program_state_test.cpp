// What a stream program counts over several sinks, what a rate may be at the least, and what a program that changes
// says to the watchdog.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/workload/streams/source_rate.h"
#include "models/workload/streams/stream_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::program_state_test {
namespace {

using namespace models;
using State = StreamProgram::Actor::State;

/// a gives two items to b, which takes one, and four to c, which takes two of each of its streams: b and c fire twice
/// in an iteration.
StreamProgram forked() {
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}, {"b", 1, {}}, {"c", 1, {}}};
  graph.edges = {{0, 1, 2, 1, 1}, {0, 2, 4, 2, 2}, {0, 2, 4, 2, 2}};
  return {graph, {NodeId{0}, NodeId{1}, NodeId{2}}, {}};
}

/// Of each sink its firings, and of its next one the share of the items that wait, over its streams; of both the mean.
TEST(SinkProgress, IsTheMeanOverSinksOfTheMeanOverStreams) {
  StreamProgram program = forked();
  EXPECT_DOUBLE_EQ(program.sink_progress(), 0.0);
  program.edges()[1].received.arrive(0, 1);  // half of what c takes, of one stream of two
  EXPECT_DOUBLE_EQ(program.sink_progress(), 0.25 / 2 / 2) << "c fires twice an iteration, b has nothing";
  program.edges()[2].received.arrive(0, 9);
  EXPECT_DOUBLE_EQ(program.sink_progress(), 0.75 / 2 / 2) << "no more than a firing takes";
  program.actors()[1].firings = 3;
  EXPECT_DOUBLE_EQ(program.sink_progress(), (3.0 / 2 + 0.75 / 2) / 2);
  program.actors()[1].state = State::kComputing;
  EXPECT_DOUBLE_EQ(program.sink_progress(), (4.0 / 2 + 0.75 / 2) / 2) << "taken, though it has not ended";
  program.actors()[0].firings = 100;
  EXPECT_DOUBLE_EQ(program.sink_progress(), (4.0 / 2 + 0.75 / 2) / 2) << "a is no sink";
  EXPECT_EQ(program.milli_iterations(), (3 * 1000 / 2 + 0) / 2U);
}

/// Waits, computes or emits: only who computes is busy by himself.
TEST(ProgramState, ComputesWhereAnActorDoes) {
  StreamProgram program = forked();
  EXPECT_FALSE(program.computing());
  program.actors()[2].state = State::kEmitting;
  EXPECT_FALSE(program.computing()) << "it waits for room";
  program.actors()[2].state = State::kComputing;
  EXPECT_TRUE(program.computing());
}

/// A firing begins when all streams have what it sees, and is put out when all queues have room.
TEST(ProgramState, NeedsItemsOfAllStreamsAndRoomInAll) {
  StreamProgram program = forked();
  StreamProgram::Actor& c = program.actors()[2];
  program.edges()[1].received.arrive(0, 2);
  program.step(c, 0);
  EXPECT_EQ(c.state, State::kWaiting) << "the second has none";
  program.edges()[2].received.arrive(0, 2);
  program.step(c, 1);
  EXPECT_EQ(c.state, State::kComputing);
  EXPECT_EQ(program.edges()[1].received.items() + program.edges()[2].received.items(), 0U);
  StreamProgram::Actor& a = program.actors()[0];
  program.step(a, 1);
  program.edges()[2].queued_items = 61;
  program.step(a, 2);
  EXPECT_EQ(a.firings, 0U) << "61 and 4 are more than 64";
  EXPECT_EQ(program.edges()[0].queued_items, 0U) << "none is put out";
  program.edges()[2].queued_items = 60;
  program.step(a, 3);
  EXPECT_EQ(a.firings, 1U);
  EXPECT_EQ(program.edges()[0].queued_items, 2U);
  EXPECT_EQ(program.edges()[2].most_queued, 64U);
}

/// A held actor ends what it has begun, and begins nothing.
TEST(ProgramState, OfAHeldActorIsToWait) {
  StreamProgram program = forked();
  StreamProgram::Actor& a = program.actors()[0];
  program.step(a, 0);
  ASSERT_EQ(a.state, State::kComputing);
  a.held = true;
  program.step(a, 1);
  EXPECT_EQ(a.firings, 1U);
  EXPECT_EQ(a.state, State::kWaiting);
  program.step(a, 2);
  EXPECT_EQ(a.state, State::kWaiting);
  a.held = false;
  program.step(a, 3);
  EXPECT_EQ(a.state, State::kComputing);
}

/// A thousandth of an item a kilocycle is the least, and 1000 of each item of a firing the most.
TEST(ReadRates, AreAThousandthAtLeast) {
  const StreamProgram program = forked();
  const auto read = [&](const std::string& text) { return read_rates(text, program.graph()).at(0).millirate; };
  EXPECT_EQ(read("a=0.001"), 1U);
  EXPECT_EQ(read("a=10000"), 10'000'000U) << "2 + 4 + 4 items a firing";
  EXPECT_EQ(read("a=1.2344"), 1234U);
  EXPECT_EQ(read("a=1.2346"), 1235U) << "rounded";
  EXPECT_NE(complaint([&] { read("a=0.00099"); }), "");
  EXPECT_NE(complaint([&] { read("a=10001"); }), "");
}

/// While a change goes on the watchdog need not see a flit, though nobody computes; before and after it does.
TEST(ProgramState, IsBusyWhileAChangeGoesOn) {
  Experiment e = tile_streams(4, 1, 1, {{0, 1}, {1, 2}});
  e.open("change");
  e.set("interface.switching", "packet").set("change.migrate", "t1@3,0").set("change.migrate_at_cycle", 30);
  Bench bench(e);
  StreamWorkload& workload = *bench.network->workload<StreamWorkload>();
  const auto state = [&] {
    for (StreamProgram::Actor& actor : program_of(bench).actors()) actor.state = State::kWaiting;
    return workload.state();
  };
  EXPECT_TRUE(workload.acts_between_cycles());
  bench.run(30);
  EXPECT_EQ(state(), Workload::State::kWaiting);
  bench.run(1);
  EXPECT_EQ(state(), Workload::State::kBusy);
  bench.run(200);
  ASSERT_TRUE(workload.changes()->results().front().ended());
  EXPECT_EQ(state(), Workload::State::kWaiting);
  EXPECT_FALSE(Bench(tile_streams(4, 1, 1, {{0, 1}})).network->workload<StreamWorkload>()->acts_between_cycles());
}

/// Packets name their streams only where they are pushed in packets.
TEST(ProgramStreams, AreNamedWhereTheyArePushedInPackets) {
  const auto named = [](const std::string& switching, const std::string& transfer) {
    Experiment e = tile_streams(4, 1, 1, {{0, 1}, {1, 2}});
    e.set("interface.switching", switching).set("interface.transfer", transfer);
    const Bench bench(e);
    return bench.network->workload<StreamWorkload>()->name_streams();
  };
  EXPECT_TRUE(named("circuit", "push").empty());
  EXPECT_TRUE(named("packet", "pull").empty());
  const auto pushed = named("packet", "push");
  ASSERT_EQ(pushed.size(), 2U);
  EXPECT_EQ(pushed[1].source, NodeId{1});
  EXPECT_EQ(pushed[1].destination, NodeId{2});
}

}  // namespace
}  // namespace braid::test::program_state_test
