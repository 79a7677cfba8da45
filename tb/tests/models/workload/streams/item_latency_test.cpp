// Latency of items from source to sink: which source firing an item hangs on, worked out by hand.
#include "models/workload/streams/item_latency.h"

#include <gtest/gtest.h>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::item_latency_test {
namespace {

using namespace models;
using Cycles = std::vector<std::uint64_t>;

traffic::StreamGraph graph_of(std::size_t actors, const std::vector<traffic::StreamEdge>& edges) {
  traffic::StreamGraph graph;
  for (std::size_t a = 0; a < actors; ++a) graph.actors.push_back({"a" + std::to_string(a), 1, {}});
  graph.edges = edges;
  return graph;
}

/// from, to, push, pop, peek, initial
traffic::StreamEdge edge(std::uint32_t from, std::uint32_t to, std::uint32_t push = 1, std::uint32_t pop = 1,
                         std::uint32_t peek = 0, std::uint32_t initial = 0) {
  traffic::StreamEdge e;
  e.from = from;
  e.to = to;
  e.push = push;
  e.pop = pop;
  e.peek = peek == 0 ? pop : peek;
  e.initial = initial;
  return e;
}

/// All that were counted, ascending.
Cycles counted(const ItemLatency& latency) {
  Cycles all;
  const LatencyBuckets buckets = latency.cycles().buckets();
  for (std::size_t b = 0; b < buckets.packets.size(); ++b) {
    all.insert(all.end(), buckets.packets[b], buckets.first_cycle[b]);
  }
  return all;
}

TEST(ItemLatency, OfEachItemIsFromItsFiringToWhereItIsTaken) {
  ItemLatency latency(graph_of(2, {edge(0, 1, 2, 3)}));
  for (const std::uint64_t cycle : {10, 20, 30}) latency.put_out(0, cycle);
  latency.taken(1, 25);  // items 1 to 3: two of the firing in 10, one of that in 20
  latency.end_batch();
  EXPECT_EQ(counted(latency), (Cycles{5, 15, 15}));
  latency.taken(1, 34);  // 4 to 6: one of that in 20, two of that in 30
  latency.end_batch();
  EXPECT_EQ(counted(latency), (Cycles{4, 4, 5, 14, 15, 15}));
}

/// A filter that sees five items and takes one hangs on the fifth for the first that it makes, on the sixth for the
/// next.
TEST(ItemLatency, GoesByTheLastItemThatAFilterSees) {
  ItemLatency latency(graph_of(3, {edge(0, 1, 1, 1, 5), edge(1, 2)}));
  for (std::uint64_t cycle = 1; cycle <= 6; ++cycle) latency.put_out(0, 10 * cycle);
  latency.taken(2, 100);
  latency.taken(2, 101);
  latency.end_batch();
  EXPECT_EQ(counted(latency), (Cycles{41, 50}));
}

/// Of two sources the later one, of two ways from one source the one that needs more of it.
TEST(ItemLatency, GoesByTheLastOfAllSources) {
  ItemLatency joined(graph_of(4, {edge(0, 2), edge(1, 2), edge(2, 3)}));
  joined.put_out(0, 10);
  joined.put_out(1, 40);
  joined.taken(3, 50);
  joined.end_batch();
  EXPECT_EQ(counted(joined), (Cycles{10}));
  ItemLatency split(graph_of(4, {edge(0, 1), edge(0, 2, 1, 1, 3), edge(1, 3), edge(2, 3)}));
  for (const std::uint64_t cycle : {10, 20, 30}) split.put_out(0, cycle);
  split.taken(3, 35);  // by way of 1: item 1, by way of 2: items 1 to 3
  split.end_batch();
  EXPECT_EQ(counted(split), (Cycles{5, 25}));
}

/// An initial item is nobody's; behind it all are a firing later.
TEST(ItemLatency, LeavesOutWhatNoSourceHasAPartIn) {
  ItemLatency latency(graph_of(2, {edge(0, 1, 1, 1, 1, 2)}));
  latency.put_out(0, 10);
  for (const std::uint64_t cycle : {1, 2, 13}) latency.taken(1, cycle);
  latency.end_batch();
  EXPECT_EQ(counted(latency), (Cycles{3}));
}

/// ... nor has one in what a filter makes of initial items alone: its first two firings here.
TEST(ItemLatency, LeavesOutWhatAFilterMakesOfInitialItems) {
  ItemLatency latency(graph_of(3, {edge(0, 1, 1, 1, 1, 2), edge(1, 2)}));
  latency.put_out(0, 10);
  for (const std::uint64_t cycle : {1, 2, 13}) latency.taken(2, cycle);
  latency.end_batch();
  EXPECT_EQ(counted(latency), (Cycles{3}));
}

/// In a loop an item hangs on what went round before, which is never later.
TEST(ItemLatency, GoesRoundLoops) {
  ItemLatency latency(graph_of(4, {edge(0, 1), edge(1, 2), edge(2, 1, 1, 1, 1, 1), edge(2, 3)}));
  for (std::uint64_t n = 1; n <= 1000; ++n) {
    latency.put_out(0, 10 * n);
    latency.taken(3, 10 * n + 7);
    if (n % 100 == 0) latency.end_batch();
  }
  EXPECT_EQ(counted(latency), Cycles(1000, 7));
}

/// A firing is kept until the slower of two sinks has taken what hangs on it.
TEST(ItemLatency, OfAFiringIsKnownToTheLastWhoAsks) {
  ItemLatency latency(graph_of(3, {edge(0, 1), edge(0, 2)}));
  constexpr std::uint64_t kFirings = 500;
  for (std::uint64_t n = 0; n < kFirings; ++n) latency.put_out(0, n);
  for (std::uint64_t n = 0; n < kFirings; ++n) latency.taken(2, n + 1);
  latency.end_batch();
  for (std::uint64_t n = 0; n < kFirings; ++n) {
    latency.taken(1, n + 1000);
    latency.end_batch();
  }
  Cycles expected(kFirings, 1);
  expected.resize(2 * kFirings, 1000);
  EXPECT_EQ(counted(latency), expected);
}

/// However long a program runs, no more is kept than what its sinks are behind its sources: a checkpoint is as long
/// after ten thousand firings as after a hundred. An actor that feeds no sink asks for nothing.
TEST(ItemLatency, ForgetsWhatNobodyAsksForAgain) {
  const auto bytes_after = [](std::uint64_t firings) {
    ItemLatency latency(graph_of(6, {edge(0, 1), edge(1, 2, 1, 1, 3), edge(2, 1, 1, 1, 1, 3), edge(2, 3), edge(0, 4),
                                     edge(4, 5), edge(5, 4, 1, 1, 1, 1)}));
    for (std::uint64_t n = 1; n <= firings; ++n) {
      latency.put_out(0, 10 * n);
      if (n > 2) latency.taken(3, 10 * n + 5);
      if (n % 10 == 0) latency.end_batch();
    }
    EXPECT_EQ(latency.cycles().count(), firings - 2);
    Checkpoint saves;
    latency.checkpoint(saves);
    return saves.bytes().size();
  };
  const std::size_t short_run = bytes_after(100);
  EXPECT_EQ(bytes_after(10000), short_run);
  EXPECT_LT(short_run, 4000U);
}

/// Of a graph that leads the other way: its source is no sink.
TEST(ItemLatency, OfACheckpointIsOfTheSameGraph) {
  ItemLatency forth(graph_of(2, {edge(0, 1)})), back(graph_of(2, {edge(1, 0)})), same(graph_of(2, {edge(0, 1)}));
  forth.put_out(0, 10);
  forth.taken(1, 25);
  Checkpoint saves;
  forth.checkpoint(saves);
  Checkpoint wrong(saves.bytes()), right(saves.bytes());
  EXPECT_THROW(back.checkpoint(wrong), CheckpointError);
  same.checkpoint(right);
  right.finish();
  same.end_batch();
  EXPECT_EQ(counted(same), (Cycles{15}));
}

TEST(ItemLatency, CountsTheWindowAlone) {
  ItemLatency latency(graph_of(3, {edge(0, 1), edge(1, 2)}));
  latency.put_out(0, 10);
  latency.put_out(0, 20);
  latency.taken(2, 19);
  latency.begin_window();
  latency.taken(2, 26);
  EXPECT_EQ(counted(latency), Cycles{}) << "no batch has ended";
  latency.end_batch();
  EXPECT_EQ(counted(latency), (Cycles{6}));
}

/// One item in 1000 cycles, over 0, 1, 2 links: five cycles a router on packets, two on a circuit (section 3).
TEST(ItemLatency, OnAnIdleNetworkIsThatOfThePacket) {
  const auto latency_over = [](std::size_t links, const char* switching) {
    models::Experiment e = tile_streams(4, 1, 1, {{0, links}});
    e.set("interface.switching", switching);
    e.set("stream.latency", true);
    Bench bench(e);
    bench.run(10000);
    ItemLatency& latency = *program_of(bench).latency();
    latency.end_batch();
    const Cycles cycles = counted(latency);
    EXPECT_GT(cycles.size(), 5U);
    EXPECT_EQ(cycles.front(), cycles.back());
    return cycles.front();
  };
  for (const auto& [switching, a_hop] : {std::pair{"packet", 5U}, {"circuit", 2U}}) {
    EXPECT_EQ(latency_over(2, switching), latency_over(1, switching) + a_hop) << switching;
    EXPECT_EQ(latency_over(3, switching), latency_over(1, switching) + 2 * a_hop) << switching;
  }
  EXPECT_EQ(latency_over(1, "packet"), 3U + 5 * 2) << "docs/router.md: 3 + 5 R";
}

}  // namespace
}  // namespace braid::test::item_latency_test
