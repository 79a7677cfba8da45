// Circuits that their user takes down and has searched again (circuit_changes.h), by hand, to the cycle: a tear-down
// and a search take as long as those of circuits that move (rerouting_test.cpp). Programs that change:
// models/workload/streams/stream_changes_test.cpp.
#include "models/families/hybrid/circuit_changes.h"

#include <gtest/gtest.h>

#include "tb/tests/support/tile_streams.h"

namespace braid::test::circuit_changes_test {
namespace {

using Search = models::CircuitChanges::Search;

/// A row of three routers with circuits 0 -> 2 and 1 -> 0 that stand; nothing is sent before cycle 1000. What is asked
/// is asked at the end of the cycle before now().
struct Row {
  Row() { bench.run(50); }
  std::uint64_t cycle() const { return bench.network->now() - 1; }
  Search step() {
    bench.run(1);
    return changes.step(cycle());
  }
  /// Of the search that has just been asked for: so many cycles under way, then it ends.
  void expect_search(std::uint64_t cycles, Search end) {
    EXPECT_TRUE(fabric.transfers_under_way());
    for (std::uint64_t i = 1; i < cycles; ++i) {
      EXPECT_EQ(step(), Search::kUnderWay) << i << " of " << cycles;
      EXPECT_TRUE(fabric.transfers_under_way()) << i << " of " << cycles;
    }
    EXPECT_EQ(step(), end) << cycles;
    EXPECT_FALSE(fabric.transfers_under_way()) << "nothing is under way";
  }
  void take_down(std::size_t circuit) {
    changes.tear_down(cycle(), circuit);
    do {
      bench.run(1);
    } while (!changes.torn_down(cycle()));
  }
  std::vector<std::uint32_t> found() const {
    std::vector<std::uint32_t> routers;
    for (const auto& step : changes.found().path) routers.push_back(step.router.value);
    return routers;
  }
  std::vector<std::string> standing() const {
    std::vector<std::string> names;
    for (const models::CircuitResult& c : bench.network->setup_results().circuits) names.push_back(c.stream);
    return names;
  }
  Bench bench{tile_streams(3, 1, 1, {{0, 2}, {1, 0}})};
  models::hybrid::Fabric& fabric = models::hybrid::of(bench.network->fabric());
  models::CircuitChanges& changes = fabric.change_circuits();
};

/// Router r releases in 1 + 2 r; the destination has what was behind it three cycles after the last one.
TEST(CircuitChange, TakesACircuitDownAndHasAnotherSearched) {
  Row row;
  EXPECT_EQ(row.standing(), (std::vector<std::string>{"t0 -> t2", "t1 -> t0"}));
  EXPECT_TRUE(row.changes.all_sent(0));
  EXPECT_FALSE(row.fabric.transfers_under_way());
  EXPECT_EQ(row.changes.token_cycles(), 1U);
  row.changes.tear_down(row.cycle(), 0);
  EXPECT_EQ(row.standing(), std::vector<std::string>{"t1 -> t0"});
  for (int i = 1; i < 5 + 3; ++i) {
    row.bench.run(1);
    EXPECT_FALSE(row.changes.torn_down(row.cycle())) << i;
    EXPECT_TRUE(row.fabric.transfers_under_way()) << i;
  }
  row.bench.run(1);
  EXPECT_TRUE(row.changes.torn_down(row.cycle())) << "8";
  EXPECT_FALSE(row.fabric.transfers_under_way());
  row.changes.change_ends(0, {"other", NodeId{0}, NodeId{1}});
  row.changes.search(row.cycle(), 0);
  row.expect_search(5, Search::kFound);
  EXPECT_EQ(row.found(), (std::vector<std::uint32_t>{0, 1}));
  const models::CircuitResult& found = row.changes.found();
  EXPECT_EQ(found.stream, "other");
  EXPECT_EQ(found.source, NodeId{0});
  EXPECT_EQ(found.destination, NodeId{1});
  EXPECT_EQ(found.setup_cycles, 5U);
  EXPECT_EQ(found.backtracks, 0U);
  EXPECT_EQ(row.standing(), (std::vector<std::string>{"t1 -> t0", "other"}));
}

/// Its node's one injection lane is taken; or the link to its destination, so that the probe goes the other way and
/// comes back. What stands stays.
TEST(CircuitChange, FailsWhereNoLaneIsLeft) {
  Row row;
  row.changes.change_ends(2, {"one more", NodeId{0}, NodeId{1}});
  row.changes.search(row.cycle(), 2);
  row.expect_search(1, Search::kFailed);
  row.take_down(1);
  row.changes.change_ends(1, {"from 0", NodeId{0}, NodeId{1}});
  row.changes.search(row.cycle(), 1);
  row.expect_search(1, Search::kFailed);
  row.changes.change_ends(1, {"to 2", NodeId{1}, NodeId{2}});
  row.changes.search(row.cycle(), 1);
  row.expect_search(5, Search::kFailed);
  EXPECT_EQ(row.standing(), std::vector<std::string>{"t0 -> t2"});
  row.changes.change_ends(1, {"back", NodeId{2}, NodeId{0}});
  row.changes.search(row.cycle(), 1);
  row.expect_search(9, Search::kFound);
  EXPECT_EQ(row.found(), (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(row.standing(), (std::vector<std::string>{"t0 -> t2", "back"}));
  row.take_down(0);
  EXPECT_EQ(row.standing(), std::vector<std::string>{"back"});
  row.changes.search(row.cycle(), 0);
  row.expect_search(9, Search::kFound);
  EXPECT_EQ(row.standing(), (std::vector<std::string>{"back", "t0 -> t2"}));
}

/// ... whichever was taken down last.
TEST(CircuitChange, SearchesForTheCircuitThatItIsAskedFor) {
  Row row;
  row.take_down(1);
  row.take_down(0);
  EXPECT_EQ(row.standing(), std::vector<std::string>{});
  row.changes.search(row.cycle(), 1);
  row.expect_search(5, Search::kFound);
  EXPECT_EQ(row.changes.found().stream, "t1 -> t0");
  EXPECT_EQ(row.found(), (std::vector<std::uint32_t>{1, 0}));
  row.changes.search(row.cycle(), 0);
  row.expect_search(9, Search::kFound);
  EXPECT_EQ(row.changes.found().stream, "t0 -> t2");
  EXPECT_EQ(row.found(), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(row.standing(), (std::vector<std::string>{"t1 -> t0", "t0 -> t2"}));
}

/// Where numbers of searches have run out all units forget first, which takes a cycle.
TEST(CircuitChange, HasUnitsForgetWhenNumbersHaveRunOut) {
  Row row;
  row.take_down(0);
  row.fabric.setup_requests().limit_numbers(row.fabric.setup_requests().searches());
  row.changes.search(row.cycle(), 0);
  row.expect_search(10, Search::kFound);
  EXPECT_EQ(row.fabric.setup_requests().searches(), 1U);
  EXPECT_EQ(row.found(), (std::vector<std::uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace braid::test::circuit_changes_test
