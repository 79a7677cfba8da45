// Changes of a stream program one after the other: the set-up token is waited for from tear-down to search and from one
// change to the next, none begins before the circuits stand, each is measured by itself; and actors that cannot move.
// (The cycles of docs/stream-changes.md: a circuit over h links is down 2 h + 4 cycles after the request, one that is
// searched stands 4 h + 1 after it; a packet of 8 flits over three routers is there 26 cycles after the cycle before it
// is made.)
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/workload/streams/stream_changes.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::changes_in_turn_test {
namespace {

using models::Experiment;
using models::StreamChangeResult;

const models::StreamChanges& changes_of(const Bench& bench) {
  return *bench.network->workload<models::StreamWorkload>()->changes();
}

/// t0, t1 and t2 in a row of four tiles, an item in 1000 cycles.
Experiment moves(const std::string& migrate, std::uint32_t at, std::uint32_t token = 1) {
  Experiment e = tile_streams(4, 1, 1, {{0, 1}, {1, 2}});
  e.open("change");
  e.set("change.migrate", migrate).set("change.migrate_at_cycle", at).set("change.state_words", 8);
  e.set("setup.token_cycles", token);
  return e;
}

/// t0 -> t2 over two links is down in 38; the token is back in 42, and t0 -> denoise over three links stands in 55;
/// four cycles later denoise -> t2 is searched over one.
TEST(TokenOfAChange, IsWaitedForBetweenTearDownAndSearch) {
  Experiment e = tile_streams(4, 1, 1, {{0, 2}});
  e.open("change");
  e.set("change.add_filter", "denoise@3,0").set("change.add_between", "t0 -> t2").set("change.add_at_cycle", 30);
  e.set("setup.token_cycles", 4);
  Bench bench(e);
  bench.run(100);
  const StreamChangeResult& change = changes_of(bench).results().front();
  EXPECT_EQ(change.empty_cycle, 38U);
  EXPECT_EQ(change.moved_cycle, 38U);
  ASSERT_EQ(change.streams.size(), 2U);
  EXPECT_EQ(change.streams[0].resumed_cycle, 38U + 4 + 13);
  EXPECT_EQ(change.resumed_cycle, 55U + 4 + 5);
  EXPECT_EQ(change.streams[0].search_cycles, 13U) << "without the wait";
}

/// t1 goes to tile 3: down in 206 and, 20 cycles of the token later, in 232; its words are there in 258, the circuits
/// stand in 271 and in 291 + 5. Then t2 stands still at once, but its stream is torn down when the token is there, 20
/// cycles after the search before it: over one link in 6.
TEST(TokenOfAChange, IsWaitedForBetweenChanges) {
  Bench bench(moves("t1@3,0 t2@1,0", 200, 20));
  bench.run(800);
  const std::vector<StreamChangeResult>& changes = changes_of(bench).results();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].idle_cycle, 206U);
  EXPECT_EQ(changes[0].empty_cycle, 206U + 20 + 6);
  EXPECT_EQ(changes[0].moved_cycle, 232U + 26);
  EXPECT_EQ(changes[0].resumed_cycle, 258U + 13 + 20 + 5);
  EXPECT_EQ(changes[1].stopped_cycle, 297U);
  EXPECT_EQ(changes[1].idle_cycle, 296U + 20 + 6);
  EXPECT_EQ(changes[1].empty_cycle, changes[1].idle_cycle) << "nothing leads away";
  EXPECT_TRUE(changes[1].ended());
}

/// Without a word and without an item there is nothing to move: in the cycle in which all is empty, a search a token
/// later.
TEST(Migration, WithoutStateTakesNoTime) {
  Experiment e = moves("t1@3,0", 30);
  e.set("change.state_words", 0);
  Bench bench(e);
  bench.run(100);
  const StreamChangeResult& change = changes_of(bench).results().front();
  EXPECT_EQ(change.state_flits, 0U);
  EXPECT_EQ(change.empty_cycle, 43U);
  EXPECT_EQ(change.moved_cycle, 43U);
  EXPECT_EQ(change.resumed_cycle, 44U + 13 + 1 + 5);
}

/// Due in cycle 1, and begun at the end of the cycle in which the circuits stand.
TEST(Migration, BeginsWhenCircuitsStand) {
  Bench bench(moves("t1@3,0", 1));
  while (!program_of(bench).started()) {
    ASSERT_TRUE(changes_of(bench).results().empty());
    ASSERT_LT(bench.network->now(), 200U);
    bench.run(1);
  }
  ASSERT_EQ(changes_of(bench).results().size(), 1U);
  EXPECT_EQ(changes_of(bench).results().front().stopped_cycle, bench.network->now() - 1);
  EXPECT_GT(changes_of(bench).results().front().stopped_cycle, 10U) << "two searches";
}

/// Each is compared with what came before itself.
TEST(Migration, IsMeasuredByItself) {
  Bench bench(moves("t1@3,0 t2@1,0", 200));
  bench.run(600);
  const std::vector<StreamChangeResult>& changes = changes_of(bench).results();
  ASSERT_EQ(changes.size(), 2U);
  for (const StreamChangeResult& change : changes) EXPECT_EQ(change.rate.begin, change.stopped_cycle);
  EXPECT_EQ(changes_of(bench).planned(), 2U);
}

/// One that has ended has a standstill; where its rate does not hold nothing is said of when it does.
TEST(ChangeFigures, OfARateThatDoesNotHoldSayNothingOfIt) {
  models::StreamChangeResults all;
  StreamChangeResult change;
  change.stopped_cycle = 30;
  change.resumed_cycle = 88;
  change.rate.begin = 30;
  change.rate.before = change.rate.least_before = 10;
  change.rate.last = change.rate.last_low = 100;
  all.list = {change};
  const Report one = models::stream_change_figures().of(all).get<std::vector<Report>>("list").at(0);
  EXPECT_EQ(one.get<std::uint64_t>("standstill_cycles"), 58U);
  EXPECT_THROW((void)one.get<std::uint64_t>("cycles_until_rate_holds"), std::out_of_range);
}

/// An actor that puts items out to itself has no moment in which its streams are empty and it does not wait for them.
/// (No file has such a stream; a program made by hand may.)
TEST(ChangeInput, RefusesActorsWithAStreamToThemselves) {
  const auto said = [](const std::string& migrate) {
    traffic::StreamGraph graph;
    graph.actors = {{"a", 1, {}}, {"b", 1, {}}};
    graph.edges = {{0, 1, 1, 1, 1}, {1, 1, 1, 1, 1}};
    graph.edges[1].initial = 1;
    models::StreamOptions options;
    options.migrate = migrate;
    Experiment e;
    e.set("topology.width", 4).set("topology.height", 1);
    const routing::Topology topology = routing::make_topology(e);
    models::StreamProgram program(graph, {NodeId{0}, NodeId{1}}, options);
    return complaint([&] { models::StreamChanges(program, topology, models::LocalPortMap(topology)); });
  };
  EXPECT_EQ(said("a@3"), "") << "the other one may move";
  EXPECT_EQ(said("b@3"), "change.migrate: actor \"b\" has a stream to itself; expected another one");
}

}  // namespace
}  // namespace braid::test::changes_in_turn_test
