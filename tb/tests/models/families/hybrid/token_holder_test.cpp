// What the holder of the set-up token says of itself while circuits change or move (SetupSequencer::view()), in
// networks of one slice and of several; what is left of orders that failed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/families/hybrid/setup_sequencer.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::token_holder_test {
namespace {

using models::Experiment;
using models::hybrid::Fabric;
using models::hybrid::SetupSequencer;
using Phase = SetupSequencer::View::Phase;
using Search = models::CircuitChanges::Search;

Fabric& fabric_of(const Bench& bench) { return models::hybrid::of(bench.network->fabric()); }
SetupSequencer::View view(const Bench& bench) { return fabric_of(bench).setup_sequencer()->view(); }

/// Streams 0 -> 2 and 1 -> 0 on a row, in so many slices.
struct Row {
  explicit Row(std::size_t slices) : bench(tile_streams(3, 1, 1, {{0, 2}, {1, 0}}), slices) { bench.run(50); }
  std::uint64_t cycle() const { return bench.network->now() - 1; }
  /// In so many cycles the circuit is down, and all that came by it has been taken.
  std::uint64_t take_down(std::size_t circuit) {
    changes.tear_down(cycle(), circuit);
    std::uint64_t cycles = 0;
    do {
      bench.run(1);
      ++cycles;
    } while (!changes.torn_down(cycle()) && cycles < 100);
    return cycles;
  }
  Search search(std::size_t circuit) {
    changes.search(cycle(), circuit);
    Search end = Search::kUnderWay;
    for (int i = 0; i < 100 && end == Search::kUnderWay; ++i) {
      bench.run(1);
      end = changes.step(cycle());
    }
    return end;
  }
  Bench bench;
  models::CircuitChanges& changes = fabric_of(bench).change_circuits();
};

TEST(TokenHolder, IsDoneWhenAllCircuitsStand) {
  Bench bench(tile_streams(3, 1, 1, {{0, 2}, {1, 0}}));
  EXPECT_EQ(view(bench).phase, Phase::kPassesToken) << "before the first cycle";
  EXPECT_EQ(view(bench).order, 1U);
  EXPECT_EQ(view(bench).stream, 0U);
  EXPECT_EQ(view(bench).standing, 0U);
  bench.run(1);
  EXPECT_EQ(view(bench).phase, Phase::kSearches);
  bench.run(49);
  EXPECT_EQ(view(bench).phase, Phase::kDone);
  EXPECT_EQ(view(bench).stream, 0U) << "none comes next";
  EXPECT_EQ(view(bench).standing, 2U);
}

/// A stream that changes leaves the order and joins it at its end: all that are in it stand, and none comes next.
TEST(TokenHolder, CountsCircuitsThatChange) {
  for (const std::size_t slices : {1U, 3U}) {
    Row row(slices);
    EXPECT_EQ(view(row.bench).standing, 2U);
    EXPECT_EQ(row.take_down(1), 3U + 3) << "over one link, " << slices << " slices";
    EXPECT_EQ(view(row.bench).standing, 1U);
    EXPECT_EQ(view(row.bench).stream, 0U);
    EXPECT_EQ(row.take_down(0), 5U + 3) << "over two, " << slices << " slices";
    EXPECT_EQ(view(row.bench).standing, 0U);
    EXPECT_EQ(view(row.bench).stream, 0U) << "no stream is left";
    EXPECT_EQ(row.search(1), Search::kFound);
    EXPECT_EQ(view(row.bench).standing, 1U);
    EXPECT_EQ(row.search(0), Search::kFound);
    EXPECT_EQ(view(row.bench).standing, 2U);
    EXPECT_EQ(view(row.bench).stream, 0U) << "none comes next";
    EXPECT_EQ(view(row.bench).phase, Phase::kDone);
    EXPECT_EQ(row.take_down(1), 3U + 3) << "once more";
  }
}

/// Whoever reads such a sequencer from a checkpoint finds an order of its streams, and a place in it.
TEST(TokenHolder, IsSavedAndRestoredWhenCircuitsHaveChanged) {
  Row row(1), other(1);
  auto& sequencer = const_cast<SetupSequencer&>(*fabric_of(row.bench).setup_sequencer());
  auto& restored = const_cast<SetupSequencer&>(*fabric_of(other.bench).setup_sequencer());
  row.take_down(0);
  EXPECT_EQ(row.search(0), Search::kFound);
  restore(restored, saved(sequencer));
  EXPECT_EQ(restored.standing(0).stream, "t0 -> t2");
  EXPECT_EQ(restored.standing(1).stream, "t1 -> t0");
  EXPECT_EQ(restored.results().circuits[0].stream, "t1 -> t0") << "in its order";
}

/// An ejection link of several cycles: the last flit is the node's so much later, whichever node it is.
TEST(CircuitChangeInSlices, WaitsForTheEndOfItsOwnCircuit) {
  for (const std::size_t slices : {1U, 2U, 3U}) {
    Row row(slices);
    EXPECT_EQ(row.take_down(0), 5U + 3) << slices;
    EXPECT_EQ(row.take_down(1), 3U + 3) << slices;
    EXPECT_EQ(row.search(0), Search::kFound);
    EXPECT_EQ(row.search(1), Search::kFound);
    EXPECT_TRUE(row.changes.all_sent(0));
    EXPECT_TRUE(row.changes.all_sent(1));
  }
}

// ---------------------------------------------------------------- orders that failed

/// 2x2 mesh as in parallel_orders_test.cpp: 0 -> 3 before 1 -> 3 leaves that no way; the other way round all stand.
TEST(SetupOrders, ThatFailLeaveNothingBehind) {
  std::uint32_t most = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Experiment e = tile_streams(2, 2, 2, {{0, 3}, {1, 0}, {1, 3}});
    e.set("setup.retries", 100);
    e.set("experiment.seed", seed);
    Bench bench(e);
    while (!bench.network->setup_done()) bench.run(1);
    const models::SetupResults setup = bench.network->setup_results();
    ASSERT_FALSE(setup.fell_back_to_packets) << seed;
    EXPECT_EQ(setup.failed_stream, "") << "it stands at last";
    EXPECT_EQ(setup.circuits.size(), 3U);
    for (const models::CircuitResult& c : setup.circuits) {
      EXPECT_EQ(c.path.size(), c.stream == "t0 -> t3" ? 3U : 2U) << c.stream;
    }
    EXPECT_EQ(view(bench).order, setup.orders_tried);
    EXPECT_EQ(view(bench).standing, 3U);
    most = std::max(most, setup.orders_tried);
  }
  EXPECT_GE(most, 3U) << "the sample says too little";
}

/// Rounds in which no order can avoid the links that it should: each tries as many orders, counted from 1, and what
/// stood stands again. It is no set-up that failed.
TEST(ReroutingOfAll, CountsTheOrdersOfEachRoundAnew) {
  Experiment e = tile_streams(3, 2, 2, {{0, 2}, {3, 2}, {5, 0}});
  e.set("setup.reroute", "all");
  e.set("setup.avoid_links", "2,0.west 2,0.north 0,0.north");
  e.set("setup.retries", 2);
  e.set("setup.reroute_at_cycle", 100);
  e.set("setup.reroute_every_cycles", 400);
  Bench bench(e);
  std::string orders, standing;
  for (int cycle = 0; cycle < 900; ++cycle) {
    bench.run(1);
    const auto order = static_cast<char>('0' + static_cast<char>(view(bench).order));
    const auto stand = static_cast<char>('0' + static_cast<char>(view(bench).standing));
    if (orders.empty() || orders.back() != order) orders += order;
    if (standing.empty() || standing.back() != stand) standing += stand;
  }
  EXPECT_EQ(orders, "12341234") << "set-up's first, then three at random and the one that stood, twice";
  EXPECT_EQ(standing.substr(0, 5), "01230") << "none stands when the round's first order begins";
  EXPECT_EQ(standing.back(), '3');
  EXPECT_EQ(fabric_of(bench).reroute_results().rounds, 2U);
  EXPECT_EQ(fabric_of(bench).reroute_results().moves.size(), 6U);
  EXPECT_EQ(bench.network->setup_results().failed_stream, "");
  EXPECT_EQ(bench.network->setup_results().orders_tried, 1U) << "of the set-up";
}

/// One round only, unless more are asked for; and a set-up that gave up has nothing to move.
TEST(ReroutingRounds, AreOneOrNone) {
  for (const bool stands : {true, false}) {
    Experiment e = stands ? tile_streams(3, 1, 1, {{0, 1}, {1, 2}}) : tile_streams(2, 1, 1, {{0, 1}, {0, 1}});
    e.set("setup.reroute", "each");
    e.set("setup.reroute_at_cycle", 60);
    e.set("setup.retries", 0);
    Bench bench(e);
    bench.run(1000);
    EXPECT_EQ(bench.network->setup_results().fell_back_to_packets, !stands);
    EXPECT_EQ(fabric_of(bench).reroute_results().rounds, stands ? 1U : 0U);
    EXPECT_EQ(fabric_of(bench).reroute_results().moves.size(), stands ? 2U : 0U);
    EXPECT_FALSE(fabric_of(bench).transfers_under_way());
  }
}

}  // namespace
}  // namespace braid::test::token_holder_test
