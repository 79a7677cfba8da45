// What is said of a change of a stream program: of each stream that goes on, and the account of all items, which is not
// always 0; and what a program that changes, or that may stay on packets, is refused with.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/workload/streams/stream_changes.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::change_account_test {
namespace {

using models::Experiment;
using models::StreamChangeResult;
using models::StreamProgram;
using State = StreamProgram::Actor::State;

/// Three actors in a row of four tiles; the middle one goes to the free tile at the end.
Experiment middle_moves(const std::string& switching, std::uint32_t work) {
  Experiment e = tile_streams(4, 1, 1, {{0, 1}, {1, 2}}, work);
  e.open("change");
  e.set("interface.switching", switching);
  e.set("change.migrate", "t1@3,0").set("change.migrate_at_cycle", 30).set("change.state_words", 8);
  return e;
}

const models::StreamChanges& changes_of(const Bench& bench) {
  return *bench.network->workload<models::StreamWorkload>()->changes();
}
const StreamChangeResult& change_of(const Bench& bench) { return changes_of(bench).results().front(); }

/// As drawn in docs/stream-changes.md: the search over h links takes 4 h + 1 cycles, three links and then one.
TEST(ChangedStreams, AreNamedWithTheirCircuits) {
  Bench bench(middle_moves("circuit", 1000));
  bench.run(100);
  const std::vector<StreamChangeResult::Stream>& streams = change_of(bench).streams;
  ASSERT_EQ(streams.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(streams[i].number, i);
    EXPECT_EQ(streams[i].name, i == 0 ? "t0 -> t1" : "t1 -> t2");
    EXPECT_TRUE(streams[i].on_circuit);
    EXPECT_EQ(streams[i].links, i == 0 ? 3U : 1U);
    EXPECT_EQ(streams[i].search_cycles, i == 0 ? 13U : 5U);
    EXPECT_EQ(streams[i].resumed_cycle, i == 0 ? 82U : 88U);
    EXPECT_EQ(streams[i].waiting_items, 0U) << "nothing has been put out before cycle 1000";
  }
  EXPECT_EQ(change_of(bench).kind, "migration");
  EXPECT_EQ(change_of(bench).actor, "t1");
  EXPECT_EQ(change_of(bench).from, NodeId{1});
  EXPECT_EQ(change_of(bench).to, NodeId{3});
}

/// On packets no circuit is searched.
TEST(ChangedStreams, OnPacketsHaveNoCircuits) {
  Bench bench(middle_moves("packet", 1000));
  bench.run(100);
  const std::vector<StreamChangeResult::Stream>& streams = change_of(bench).streams;
  ASSERT_EQ(streams.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(streams[i].number, i);
    EXPECT_FALSE(streams[i].on_circuit);
    EXPECT_EQ(streams[i].links, 0U);
    EXPECT_EQ(streams[i].search_cycles, 0U);
    EXPECT_EQ(streams[i].resumed_cycle, 56U);
  }
}

/// A producer of an item a cycle has put out while its stream stood still: what waits in its queue when it goes on.
TEST(ChangedStreams, SayWhatWaitsWhenTheyGoOn) {
  Experiment e = middle_moves("circuit", 1);
  e.set("change.migrate_at_cycle", 500);
  Bench bench(e);
  while (changes_of(bench).results().empty() || change_of(bench).streams.empty()) {
    ASSERT_LT(bench.network->now(), 2000U);
    bench.run(1);
  }
  EXPECT_GT(change_of(bench).streams[0].waiting_items, 10U);
  EXPECT_EQ(change_of(bench).streams[0].waiting_items, program_of(bench).edges()[0].queued_items);
}

// ---------------------------------------------------------------- the account

/// Of t0 -> t1 and t1 -> t2, each of an item a firing; nothing moves by itself before cycle 1000.
struct Account {
  Account() : bench(middle_moves("packet", 1000)) { bench.run(20); }
  StreamProgram::Edge& edge(std::size_t e) { return program_of(bench).edges()[e]; }
  StreamProgram::Actor& actor(std::size_t a) { return program_of(bench).actors()[a]; }
  std::uint64_t lost() const { return changes_of(bench).lost_items(); }
  Bench bench;
};

/// What was put out is in the producer's queue or in packets: as many as its firings made, too few and too many count.
TEST(ItemAccount, SeesWhatTheProducerHasPutOut) {
  Account a;
  ASSERT_EQ(a.lost(), 0U);
  a.actor(0).firings += 5;
  EXPECT_EQ(a.lost(), 5U) << "five items are nowhere";
  a.edge(0).queued_items += 3;
  EXPECT_EQ(a.lost(), 2U);
  a.edge(0).packed_items += 2;
  EXPECT_EQ(a.lost(), 0U) << "in packets";
  a.edge(0).packed_items += 4;
  EXPECT_EQ(a.lost(), 4U) << "too many";
}

/// What has come was taken by firings that have begun, or waits, in the order of the stream or early.
TEST(ItemAccount, SeesWhatHasComeToTheConsumer) {
  Account a;
  ASSERT_EQ(a.actor(2).state, State::kWaiting);
  a.edge(1).delivered_items += 12;
  EXPECT_EQ(a.lost(), 12U);
  a.edge(1).received.arrive(0, 5);
  EXPECT_EQ(a.lost(), 7U);
  a.edge(1).received.arrive(2, 7);
  ASSERT_EQ(a.edge(1).received.early_items(), 7U);
  EXPECT_EQ(a.lost(), 0U) << "seven of them have overtaken others";
  a.edge(1).received.consume(2);
  EXPECT_EQ(a.lost(), 2U);
  a.actor(2).firings += 1;
  EXPECT_EQ(a.lost(), 1U);
  a.actor(2).state = State::kComputing;
  EXPECT_EQ(a.lost(), 0U) << "the firing that it is at";
  a.actor(2).state = State::kEmitting;
  EXPECT_EQ(a.lost(), 0U);
}

/// Initial items and those that another stream brought were there, too; both streams' differences add up.
TEST(ItemAccount, AddsUpAllStreams) {
  Account a;
  a.edge(0).rates.initial += 3;
  EXPECT_EQ(a.lost(), 3U);
  a.edge(0).handed_over -= 3;
  EXPECT_EQ(a.lost(), 0U);
  a.edge(0).handed_over -= 2;
  a.edge(1).handed_over += 4;
  EXPECT_EQ(a.lost(), 6U) << "too few of one, too many of the other";
  a.edge(0).queued_items += 1;
  EXPECT_EQ(a.lost(), 7U);
}

/// Of a stream that is not there yet nothing was taken.
TEST(ItemAccount, OfAnAbsentStreamCountsNoFirings) {
  Account a;
  a.actor(2).firings += 6;
  EXPECT_EQ(a.lost(), 6U);
  a.edge(1).absent = true;
  EXPECT_EQ(a.lost(), 0U);
}

// ---------------------------------------------------------------- input

/// Streams on paths of their own keep them: their packets name them.
TEST(ChangeInput, RefusesStreamsWithPathsOfTheirOwn) {
  Experiment e = middle_moves("packet", 1000);
  e.set("routing.algorithm", "disjoint_paths");
  EXPECT_EQ(refusal(e),
            "change: streams that have paths of their own keep them; expected a routing.algorithm that goes by source "
            "and destination");
}

/// A stream that may stay on packets has no queue of finite depth; one that may not has.
TEST(StreamInput, OfPacketsPerhapsHasNoBoundedQueue) {
  const auto said = [](bool or_packets, int receive_queue) {
    Experiment e = tile_streams(4, 1, 1, {{0, 1}});
    e.set("stream.remedies", true).set("stream.or_packets", or_packets);
    e.set("interface.receive_queue_items", receive_queue);
    return refusal(e);
  };
  EXPECT_EQ(said(true, 0), "");
  EXPECT_EQ(said(false, 16), "");
  EXPECT_EQ(said(true, 16),
            "stream.or_packets: pushed packets have no way to wait at their destination; expected "
            "interface.receive_queue_items = 0");
}

}  // namespace
}  // namespace braid::test::change_account_test
