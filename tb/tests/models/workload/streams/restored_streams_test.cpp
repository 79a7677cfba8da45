// What a checkpoint may bring to a stream program and to the latency of its items: counts of as many streams as there
// are, sinks that take, and no stamp that is forgotten before it is asked for.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "models/workload/streams/item_latency.h"
#include "models/workload/streams/stream_workload.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/saved.h"

namespace braid::test::restored_streams_test {
namespace {

using models::StreamWorkload;

StreamWorkload& workload_of(const Bench& bench) { return *bench.network->workload<StreamWorkload>(); }

/// One stream over one of two links, in a window whose first batch has not ended. Before the end stand, each behind
/// its length: the most items received, the most queued, flits of links at the last batch's end (none yet) and at the
/// window's begin, the progress of batches (none); the progress; items in the window, and before it.
TEST(RestoredStreams, HaveCountsOfTheirOwnStreams) {
  Bench bench(streaming(stream_pair(10, 5, 4, 4)));
  const Bench other(streaming(stream_pair(10, 5, 4, 4)));
  const auto said = [&](const std::string& bytes) {
    return complaint<CheckpointError>([&] { restore(workload_of(other), bytes); });
  };
  bench.run(100);
  EXPECT_EQ(said(saved(workload_of(bench))), "") << "no window yet";
  workload_of(bench).begin_window();
  const std::string bytes = saved(workload_of(bench));
  EXPECT_EQ(said(bytes), "");
  constexpr std::size_t kRest = 8 + 24 + 8 + 8, kList = 16;
  for (const std::size_t before_end : {kList, 2 * kList, 3 * kList + kRest, 4 * kList + kRest}) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + bytes.size() - before_end, sizeof length);
    ASSERT_EQ(length, 1U) << before_end;
    std::string none = bytes;
    none[none.size() - before_end] = 0;
    none.erase(none.size() - before_end + 8, 8);
    EXPECT_EQ(said(none), no_such_state("counts of other streams")) << before_end;
  }
}

/// a and b give to c, c gives to d; the first leaves with the second. At the end stand for each its port before a
/// search (none), whose tree it goes with, and whose items go with its own.
TEST(RestoredStreams, ForkToStreamsThatThereAre) {
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}, {"b", 1, {}}, {"c", 1, {}}, {"d", 1, {}}};
  graph.edges = {{0, 2, 1, 1, 1}, {1, 2, 1, 1, 1}, {2, 3, 1, 1, 1}};
  models::StreamOptions options;
  options.multicast = models::Multicast::kInRouters;
  models::StreamProgram program(graph, {NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}}, options);
  program.circuit_joined(0, 1);
  program.set_up(true);
  const std::string bytes = saved(program);
  constexpr std::size_t kBranch = 10 + 4, kTree = kBranch + 10 + 8 + 4;  // of the second, of the first
  const auto said = [&](std::size_t before_end, char edge) {
    std::string damaged = bytes;
    damaged[damaged.size() - before_end] = edge;
    return complaint<CheckpointError>([&] { restore(program, damaged); });
  };
  ASSERT_EQ(bytes[bytes.size() - kBranch], 0);
  ASSERT_EQ(bytes[bytes.size() - kTree], 1);
  EXPECT_EQ(said(kTree, 2), "");
  EXPECT_EQ(said(kTree, 3), "edge of the graph 3, here are 3");
  EXPECT_EQ(said(kBranch, 2), "");
  EXPECT_EQ(said(kBranch, 3), "edge of the graph 3, here are 3");
}

// ---------------------------------------------------------------- latency

/// A source gives to a sink, an item a firing.
models::ItemLatency pair() {
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}, {"b", 1, {}}};
  graph.edges = {{0, 1, 1, 1, 1}};
  return models::ItemLatency(graph);
}

/// Of the source how many firings are forgotten, of the sink how many are counted; and what each has taken.
std::string said(std::uint64_t forgotten, std::uint64_t counted, std::vector<std::uint64_t> source_took = {},
                 std::vector<std::uint64_t> sink_took = {}) {
  Checkpoint made;
  std::deque<std::uint64_t> stamps, none;
  std::uint64_t zero = 0;
  models::LatencyHistogram cycles;
  made.count(2);
  made(stamps, forgotten, source_took, zero);
  made(none, zero, sink_took, counted);
  made(cycles);
  return complaint<CheckpointError>([&] {
    models::ItemLatency latency = pair();
    restore(latency, made.bytes());
  });
}

TEST(RestoredItemLatency, HasStampsThatAreStillAskedFor) {
  const std::string soon = no_such_state("a firing that is forgotten too soon");
  EXPECT_EQ(said(0, 0), "");
  EXPECT_EQ(said(1, 0), soon) << "the sink has not taken the first item";
  EXPECT_EQ(said(1, 1), "");
  EXPECT_EQ(said(2, 1), soon);
  EXPECT_EQ(said(5, 7), "");
}

TEST(RestoredItemLatency, IsOfSinksThatTake) {
  EXPECT_EQ(said(0, 0, {}, {5, 9}), "");
  EXPECT_EQ(said(0, 0, {5}, {}), no_such_state("items taken by an actor that is no sink"));
}

}  // namespace
}  // namespace braid::test::restored_streams_test
