// The clock of a source with a rate in its first cycles, where its accumulator is one short of a firing; and what a
// program says of itself in its first iterations and in the first cycle of a measurement.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/streams/source_rate.h"
#include "models/workload/streams/stream_workload.h"
#include "tb/tests/support/loads.h"

namespace braid::test::rate_phases_test {
namespace {

using namespace models;
using Cycles = std::vector<std::uint64_t>;

/// Cycles in which a source of so many items a firing fires, which is ready in cycle 0 and finds room at all times.
Cycles fired(std::uint64_t millirate, std::uint64_t items, std::uint64_t cycles) {
  SourceRate rate({0, items, millirate});
  Cycles all;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    rate.begin_cycle(true);
    if (rate.due()) {
      rate.put_out(cycle);
      all.push_back(cycle);
    }
    rate.end_cycle(cycle, 0);
  }
  return all;
}

/// 333.333 items a kilocycle: in three cycles 0.999999 of an item, so that the second firing is due in the fourth; from
/// then on three cycles bring one each, with what is left over.
TEST(RatePhase, OfAMillionthLessThanAnItemIsNoItem) {
  EXPECT_EQ(fired(333'333, 1, 14), (Cycles{0, 4, 7, 10, 13}));
  EXPECT_EQ(fired(333'334, 1, 14), (Cycles{0, 3, 6, 9, 12})) << "a millionth more";
}

/// Of firings of several items each is due when all of its items have come.
TEST(RatePhase, IsOfAllItemsOfAFiring) {
  EXPECT_EQ(fired(1'000'000, 3, 10), (Cycles{0, 3, 6, 9}));
  EXPECT_EQ(fired(1'500'000, 3, 10), (Cycles{0, 2, 4, 6, 8}));
  EXPECT_EQ(fired(3'000'000, 3, 4), (Cycles{0, 1, 2, 3})) << "a firing a cycle";
}

/// Nothing is due before the source is ready; then one firing is, whenever that is.
TEST(RatePhase, BeginsWhenTheSourceIsReady) {
  SourceRate rate({7, 1, 100'000});
  EXPECT_EQ(rate.actor(), 7U);
  EXPECT_FALSE(rate.due());
  EXPECT_FALSE(rate.waits_for_clock()) << "for its own work";
  for (int cycle = 0; cycle < 30; ++cycle) {
    rate.begin_cycle(false);
    EXPECT_FALSE(rate.due());
    EXPECT_FALSE(rate.waits_for_clock());
  }
  rate.begin_cycle(true);
  EXPECT_TRUE(rate.due());
  EXPECT_FALSE(rate.waits_for_clock());
  rate.put_out(30);
  EXPECT_FALSE(rate.due());
  EXPECT_TRUE(rate.waits_for_clock());
}

/// Two are owed when a third one comes: each but the first is late, and what is owed counts in items beside the fullest
/// queue.
TEST(RatePhase, CountsWhatIsOwedInItems) {
  SourceRate rate({0, 4, 2'000'000});
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}};
  rate.begin_window();
  for (std::uint64_t cycle = 0; cycle <= 4; ++cycle) {
    rate.begin_cycle(true);
    rate.end_cycle(cycle, 5);
  }
  rate.end_batch();
  StreamRateResult r = rate.result(graph, 5);
  EXPECT_EQ(r.late_firings, 2U) << "due in 0, 2 and 4";
  EXPECT_EQ(r.deepest_queue_items, 5U + 3 * 4);
  EXPECT_EQ(r.worst_gap_cycles, 0U) << "none has gone";
  EXPECT_EQ(r.asked_gap_cycles, 2U);
  EXPECT_DOUBLE_EQ(r.asked, 2000.0);
  EXPECT_EQ(r.put_out, 0.0);
  for (std::uint64_t cycle = 5; cycle <= 6; ++cycle) {
    rate.begin_cycle(true);
    rate.put_out(cycle);
    rate.end_cycle(cycle, 9);
  }
  rate.end_batch();
  r = rate.result(graph, 8);
  EXPECT_EQ(r.worst_gap_cycles, 1U);
  EXPECT_DOUBLE_EQ(r.put_out, 1000.0 * 2 * 4 / 8);
  EXPECT_EQ(r.late_firings, 3U) << "that of cycle 6, too";
}

/// Of a program's actor a, of `work` cycles and one item a firing in ten cycles, whose items the network takes at once.
struct Watched {
  StreamProgram program;
  std::uint64_t now = 0;

  explicit Watched(std::uint64_t work) : program(made(work)) {}
  static StreamProgram made(std::uint64_t work) {
    traffic::StreamGraph g;
    g.actors = {{"a", work, {}}, {"b", 1, {}}};
    g.edges = {{0, 1, 1, 1, 1}};
    StreamOptions o;
    o.rates = "a=100";
    return {g, {NodeId{0}, NodeId{1}}, o};
  }
  void run_to(std::uint64_t cycle) {
    for (; now < cycle; ++now) {
      program.edges()[0].queued_items = 0;
      program.step(program.actors()[0], now);
    }
  }
  std::uint64_t deepest(std::uint64_t first, std::uint64_t last) {
    run_to(first);
    program.rates()[0].begin_window();
    run_to(last + 1);
    program.rates()[0].end_batch();
    return program.rates()[0].result(program.graph(), last + 1 - first).deepest_queue_items;
  }
};

/// Due in 1, 11, 21, and out at once: between two of them nothing is in the queue and nothing is owed.
TEST(DeepestQueue, IsEmptyWhereNothingIsDue) {
  EXPECT_EQ(Watched(1).deepest(2, 10), 0U);
  EXPECT_EQ(Watched(1).deepest(2, 11), 1U);
}

/// Ready in 20, where the clock starts: one is owed from 30 on, which it puts out in 40, when another one is due.
TEST(DeepestQueue, IsWhatIsOwedWhereTheQueueIsEmpty) {
  EXPECT_EQ(Watched(20).deepest(21, 29), 0U);
  EXPECT_EQ(Watched(20).deepest(21, 39), 1U);
  EXPECT_EQ(Watched(20).deepest(21, 40), 2U);
  EXPECT_EQ(Watched(20).deepest(41, 49), 1U);
}

// ---------------------------------------------------------------- a program in its first iterations

/// A sink that fires a thousand times in an iteration: its first firing is a thousandth, and that is a step further.
TEST(FirstIteration, IsAStepFurtherWithItsFirstFiring) {
  Experiment e = streaming(stream_pair(4000, 1, 1000, 1));
  e.set("interface.stream_queue_items", 1000);
  Bench bench(e);
  program_of(bench).edges()[0].received.arrive(0, 2);
  StreamWorkload& stream = *bench.network->workload<StreamWorkload>();
  EXPECT_FALSE(stream.advanced());
  while (program_of(bench).actors()[1].firings == 0) bench.run(1);
  ASSERT_EQ(program_of(bench).milli_iterations(), 1U);
  EXPECT_TRUE(stream.advanced());
  EXPECT_FALSE(stream.advanced());
}

/// A measurement that has no batch yet has counted nothing: its queues are those of its begin, its streams have moved
/// no item.
TEST(FirstBatch, OfAMeasurementHasNotEnded) {
  Bench bench(streaming(stream_pair(10, 5, 4, 4)));
  StreamWorkload& stream = *bench.network->workload<StreamWorkload>();
  bench.run(300);
  bench.network->window() = {true, 300, 100};
  stream.begin_window();
  bench.run(50);
  EXPECT_EQ(stream.results(100).edges[0].items_per_kilocycle, 0.0);
  EXPECT_FALSE(stream.results(100).bound.has_value());
  EXPECT_LE(stream.results(100).edges[0].most_at_producer, 4U);
  bench.run(50);
  EXPECT_GT(stream.results(100).edges[0].items_per_kilocycle, 300.0);
  EXPECT_EQ(stream.results(100).edges[0].most_at_producer, 4U);
  EXPECT_TRUE(stream.results(100).bound.has_value());
}

/// Four items in ten cycles are an iteration in ten, in each batch of a measurement and of the next one.
TEST(FirstBatch, HasTheIterationsOfItsCycles) {
  Bench bench(streaming(stream_pair(10, 5, 4, 4)));
  StreamWorkload& stream = *bench.network->workload<StreamWorkload>();
  bench.run(300);
  for (int measurement = 0; measurement < 2; ++measurement) {
    bench.network->window() = {true, bench.network->now(), 100};
    stream.begin_window();
    for (int batch = 0; batch < 3; ++batch) {
      bench.run(100);
      const StreamResults r = stream.results(100 + 100 * static_cast<std::uint64_t>(batch));
      EXPECT_NEAR(r.iterations_per_kilocycle.mean, 100.0, 1e-9);
      EXPECT_NEAR(r.bound->reached, 1.0, 1e-9);
      EXPECT_NEAR(r.edges[0].items_per_kilocycle, 400.0, 1e-9);
      EXPECT_EQ(r.edges[0].most_at_consumer, 4U);
    }
    bench.network->window().open = false;
  }
}

}  // namespace
}  // namespace braid::test::rate_phases_test
