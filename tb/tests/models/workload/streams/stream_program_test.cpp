// A stream program by itself: when actors fire, how long they compute, rooms of the queues and what must fit in them.
#include "models/workload/streams/stream_program.h"

#include <gtest/gtest.h>

#include "routing/base/input_error.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::stream_program_test {
namespace {

using namespace models;

/// Two actors, a -> b, by hand.
struct Pair {
  traffic::StreamGraph graph;
  StreamOptions options;

  explicit Pair(std::uint32_t push = 1, std::uint32_t pop = 1, std::uint32_t peek = 0) {
    graph.name = "pair";
    for (const auto& [name, work] : {std::pair{"a", 10}, {"b", 20}}) {
      graph.actors.push_back({name, static_cast<std::uint64_t>(work), {}});
    }
    graph.edges.push_back({0, 1, push, pop, peek == 0 ? pop : peek});
  }
  StreamProgram program() const { return {graph, {NodeId{0}, NodeId{1}}, options}; }
  /// What the program is refused with; empty: it is not.
  std::string refusal() const {
    return complaint([&] { program(); });
  }
};

TEST(Actor, ComputesForItsWorkTimesTheScalingRoundedAndAtLeastOneCycle) {
  struct {
    std::uint64_t work;
    double scaling;
    std::uint64_t cycles;
  } const cases[] = {{10, 1.0, 10},   {5, 0.5, 3}, {5, 0.49, 2}, {10, 0.24, 2},
                     {100, 2.5, 250}, {1, 0.1, 1}, {0, 1.0, 1}};
  for (const auto& c : cases) {
    Pair pair;
    pair.graph.actors[0].work_cycles = c.work;
    pair.options.computation_scaling = c.scaling;
    EXPECT_EQ(pair.program().actors()[0].firing_cycles, c.cycles) << c.work << " x " << c.scaling;
  }
}

TEST(Actor, EmitsAfterItsCyclesAndBeginsAgainInTheSameCycle) {
  StreamProgram program = Pair(4, 4).program();
  StreamProgram::Actor& a = program.actors()[0];
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) program.step(a, cycle);
  EXPECT_EQ(a.firings, 0U) << "in cycle 9";
  EXPECT_EQ(program.edges()[0].queued_items, 0U);
  program.step(a, 10);
  EXPECT_EQ(a.firings, 1U);
  EXPECT_EQ(program.edges()[0].queued_items, 4U);
  program.step(a, 19);
  EXPECT_EQ(a.firings, 1U);
  program.step(a, 20);
  EXPECT_EQ(a.firings, 2U);
}

TEST(Actor, WaitsUntilItsItemsFitIntoTheQueue) {
  Pair pair(4, 4);
  pair.options.stream_queue_items = 7;
  StreamProgram program = pair.program();
  StreamProgram::Actor& a = program.actors()[0];
  StreamProgram::Edge& edge = program.edges()[0];
  for (const std::uint64_t cycle : {0, 10, 20}) program.step(a, cycle);
  EXPECT_EQ(a.firings, 1U) << "4 + 4 items do not fit";
  EXPECT_FALSE(program.computing());
  edge.queued_items = 3;
  program.step(a, 25);
  EXPECT_EQ(a.firings, 2U) << "3 + 4 items fit";
  EXPECT_EQ(edge.queued_items, 7U);
  EXPECT_EQ(edge.most_queued, 7U);
  edge.queued_items = 0;
  EXPECT_EQ(edge.most_queued, 7U) << "what has gone is not forgotten";
  EXPECT_TRUE(program.computing());
  EXPECT_EQ(a.ready_cycle, 35U);
}

TEST(Actor, FiresWhenItSeesItsPeekAndTakesItsPop) {
  StreamProgram program = Pair(1, 2, 5).program();
  StreamProgram::Actor& b = program.actors()[1];
  ReceiveQueue& received = program.edges()[0].received;
  received.arrive(0, 4);
  program.step(b, 0);
  EXPECT_FALSE(program.computing());
  EXPECT_EQ(received.items(), 4U);
  received.arrive(1, 1);
  program.step(b, 1);
  EXPECT_TRUE(program.computing());
  EXPECT_EQ(received.items(), 3U);
  program.step(b, 20);
  EXPECT_EQ(b.firings, 0U);
  program.step(b, 21);
  EXPECT_EQ(b.firings, 1U);
  EXPECT_EQ(received.items(), 3U) << "too few to fire again";
}

/// b fires three times in a steady state, and so does c, which then has fired twice as often.
TEST(Iterations, AreTheMeanOverSinksInThousandths) {
  Pair pair(3, 1);
  StreamProgram program = pair.program();
  EXPECT_EQ(program.milli_iterations(), 0U);
  program.actors()[1].firings = 1;
  EXPECT_EQ(program.milli_iterations(), 333U);
  program.actors()[1].firings = 7;
  EXPECT_EQ(program.milli_iterations(), 2333U);
  program.actors()[0].firings = 1000;
  EXPECT_EQ(program.milli_iterations(), 2333U) << "a is no sink";

  pair.graph.actors.push_back({"c", 1, {}});
  pair.graph.edges.push_back({0, 2, 3, 1, 1});
  StreamProgram fork(pair.graph, {NodeId{0}, NodeId{1}, NodeId{2}}, pair.options);
  fork.actors()[1].firings = 3;
  fork.actors()[2].firings = 6;
  EXPECT_EQ(fork.milli_iterations(), 1500U);
}

// ---------------------------------------------------------------- rooms

TEST(Room, IsPromisedToTheLastItemAndNotBeyond) {
  Pair pair(1, 3);
  pair.options.packet_items = 4;
  pair.options.receive_queue_items = 10;
  StreamProgram program = pair.program();
  StreamProgram::Edge& edge = program.edges()[0];
  EXPECT_TRUE(program.admit(edge, 4));
  EXPECT_TRUE(program.admit(edge, 4));
  EXPECT_FALSE(program.admit(edge, 3)) << "2 are left";
  EXPECT_EQ(edge.promised_items, 8U) << "a refusal takes nothing";
  EXPECT_TRUE(program.admit(edge, 2));
  EXPECT_FALSE(program.admit(edge, 1));
  edge.received.arrive(0, 4);  // the first block: its room is taken by its items now
  edge.promised_items -= 4;
  EXPECT_FALSE(program.admit(edge, 1));
  edge.received.consume(3);
  EXPECT_TRUE(program.admit(edge, 3));
  EXPECT_FALSE(program.admit(edge, 1));
}

TEST(Room, WithoutBoundIsAlwaysThere) {
  StreamProgram program = Pair().program();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(program.admit(program.edges()[0], 65535));
}

TEST(Room, OfTheStreamQueueIsOneFiringAtLeast) {
  Pair pair(5, 5);
  pair.options.stream_queue_items = 5;
  EXPECT_EQ(pair.refusal(), "");
  pair.options.stream_queue_items = 4;
  EXPECT_EQ(pair.refusal(), "interface.stream_queue_items = 4 is too small for edge a -> b: at least 5 (one firing)");
}

/// Pushes of two always fill a block of six in the end: gcd(2, 6) = 2, so 2 + 6 - 2.
TEST(Room, OfTheStreamQueueIsOneBlockAtLeastIfPulled) {
  Pair pair(2, 2);
  pair.options.transfer = Transfer::kPull;
  pair.options.pull_block_items = 6;
  pair.options.stream_queue_items = 6;
  EXPECT_EQ(pair.refusal(), "");
  pair.options.stream_queue_items = 5;
  EXPECT_EQ(pair.refusal(),
            "interface.stream_queue_items = 5 is too small for edge a -> b: at least 6 (one firing beside a block of "
            "interface.pull_block_items = 6 that is not full)");
}

/// Three items wait, a block has four, and a further firing would make six: a program with a queue of five stalls.
/// So push + block - gcd(push, block) is asked for, not max(push, block).
TEST(Room, OfTheStreamQueueIsEnoughForAFiringBesideABlockNotYetFull) {
  Pair pair(3, 3);
  pair.options.transfer = Transfer::kPull;
  pair.options.pull_block_items = 4;
  pair.options.stream_queue_items = 6;
  EXPECT_EQ(pair.refusal(), "");
  pair.options.stream_queue_items = 5;
  EXPECT_NE(pair.refusal(), "");
}

TEST(Room, AtTheConsumerIsWhatAFiringSeesAndAMessageInExcess) {
  Pair pair(1, 3, 10);
  pair.options.switching = Switching::kCircuit;
  pair.options.packet_items = 8;
  pair.options.receive_queue_items = 17;
  EXPECT_EQ(pair.refusal(), "");
  pair.options.receive_queue_items = 16;
  EXPECT_EQ(pair.refusal(),
            "interface.receive_queue_items = 16 is too small for edge a -> b: at least 17 (what one firing must see, "
            "and one packet in excess)");
}

TEST(Room, AtTheConsumerIsWhatAFiringTakesAndABlockInExcessIfPulled) {
  Pair pair(1, 7);
  pair.options.transfer = Transfer::kPull;
  pair.options.pull_block_items = 4;
  pair.options.receive_queue_items = 10;
  EXPECT_EQ(pair.refusal(), "");
  pair.options.receive_queue_items = 9;
  EXPECT_EQ(pair.refusal(),
            "interface.receive_queue_items = 9 is too small for edge a -> b: at least 10 (what one firing must see, "
            "and one packet in excess)");
}

// ---------------------------------------------------------------- reassembly

TEST(ReceiveQueue, CountsAnItemOnlyWhenAllBeforeItAreThere) {
  ReceiveQueue queue;
  const std::vector<std::pair<std::uint32_t, std::uint64_t>> arrivals{{3, 0}, {1, 0}, {0, 3}, {2, 15}, {4, 31}};
  for (const auto& [sequence, items] : arrivals) {  // packet n has 2^n items
    queue.arrive(sequence, 1U << sequence);
    EXPECT_EQ(queue.items(), items) << "after packet " << sequence;
  }
  queue.consume(30);
  EXPECT_EQ(queue.items(), 1U);
}

/// What has overtaken is early, until what is before it comes; nothing is under way when all up to the next is here.
TEST(ReceiveQueue, KnowsWhatIsEarlyAndWhetherAllIsThere) {
  ReceiveQueue queue(3);
  EXPECT_TRUE(queue.complete(0));
  EXPECT_FALSE(queue.complete(1));
  queue.arrive(1, 5);
  queue.arrive(2, 7);
  EXPECT_EQ(queue.early_items(), 12U);
  EXPECT_FALSE(queue.complete(3));
  queue.arrive(0, 1);
  EXPECT_EQ(queue.early_items(), 0U);
  EXPECT_TRUE(queue.complete(3));
  EXPECT_EQ(queue.take_all(), 16U);
  EXPECT_EQ(queue.items(), 0U);
  EXPECT_TRUE(queue.complete(3)) << "somebody else has them";
}

/// A firing takes 10^12 cycles at most, so that sums of them fit.
TEST(Actor, ComputesNoLongerThanSumsOfCyclesMayBe) {
  Pair pair;
  pair.graph.actors[1].work_cycles = 1'000'000;
  pair.options.computation_scaling = 1e6;
  EXPECT_EQ(pair.refusal(), "");
  pair.options.computation_scaling = 2e6;
  EXPECT_EQ(
      pair.refusal(),
      "stream.computation_scaling = 2000000: a firing of actor b would take 2e+12 cycles; expected at most 1e+12");
}

TEST(StreamProgramFile, IsKnownByTheEndOfItsName) {
  EXPECT_TRUE(is_stream_program("fm.str"));
  EXPECT_TRUE(is_stream_program("a/b.c.str"));
  for (const char* other : {".str", "str", "fm.toml", "fm.str.toml", "fm.STR", "fmstr", ""}) {
    EXPECT_FALSE(is_stream_program(other)) << other;
  }
}

TEST(ReceiveQueue, KnowsTheMostItemsSinceItWasToldToForget) {
  ReceiveQueue queue(2);
  EXPECT_EQ(queue.most_items(), 2U) << "that were there at first";
  queue.arrive(1, 100);
  EXPECT_EQ(queue.most_items(), 2U) << "those before them are missing";
  queue.consume(1);
  queue.arrive(0, 4);
  EXPECT_EQ(queue.most_items(), 105U);
  queue.consume(103);
  queue.forget_most();
  EXPECT_EQ(queue.most_items(), 2U) << "that are there now";
  queue.consume(2);
  queue.arrive(2, 1);
  EXPECT_EQ(queue.most_items(), 2U);
}

}  // namespace
}  // namespace braid::test::stream_program_test
