// A network whose circuits are installed on planned paths (setup.paths), saved in each cycle of its set-up and gone on
// with: a probe that is under way knows its path.
#include <gtest/gtest.h>

#include <fstream>

#include "models/families/hybrid/setup_requests.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::planned_continued_test {
namespace {

/// Streams 0 -> 1 and 2 -> 3 of a 2x2 mesh, 0 1 / 2 3, each on the way round, which no search would take.
models::Experiment detours() {
  models::Experiment e = tile_streams(2, 2, 1, {{0, 1}, {2, 3}});
  const std::string paths = temporary_file("detours.txt");
  std::ofstream(paths) << "0,0 0,1 1,1 1,0\n0,1 0,0 1,0 1,1\n";
  e.set("setup.paths", "listed");
  e.set("disjoint.file", paths);
  return e;
}

std::vector<std::uint32_t> routers(const models::CircuitResult& circuit) {
  std::vector<std::uint32_t> all;
  for (const auto& step : circuit.path) all.push_back(step.router.value);
  return all;
}

/// Three links each: ready in 13, and 13 cycles after the token has moved on.
TEST(PlannedPaths, AreFollowedWhereverACheckpointHasCutTheSetUp) {
  const models::Experiment e = detours();
  constexpr std::uint64_t kEnd = 13 + 1 + 13 + 1;
  for (std::uint64_t cut = 0; cut <= kEnd; ++cut) {
    Bench before(e), after(e);
    before.run(cut);
    after.run(cut % 2 == 0 ? 5 : 60);
    restore(*after.network, saved(*before.network));
    after.run(kEnd - cut);
    EXPECT_FALSE(after.network->setup_done()) << "at cycle N - 1, cut at " << cut;
    after.run(1);
    EXPECT_TRUE(after.network->setup_done()) << "at cycle N = " << kEnd << ", cut at " << cut;
    const models::SetupResults setup = after.network->setup_results();
    ASSERT_FALSE(setup.fell_back_to_packets) << cut;
    ASSERT_EQ(setup.circuits.size(), 2U);
    EXPECT_EQ(routers(setup.circuits[0]), (std::vector<std::uint32_t>{0, 2, 3, 1})) << cut;
    EXPECT_EQ(routers(setup.circuits[1]), (std::vector<std::uint32_t>{2, 0, 1, 3})) << cut;
    for (const auto& circuit : setup.circuits) {
      EXPECT_EQ(circuit.setup_cycles, 13U) << cut;
      EXPECT_EQ(circuit.backtracks, 0U) << cut;
    }
    EXPECT_EQ(setup.total_cycles, kEnd);
  }
}

/// What was asked for last, as whoever watches the holder of the token sees it.
TEST(SetUpRequests, TellWhatWasAskedLast) {
  Bench bench(tile_streams(3, 1, 1, {{0, 1}, {1, 2}}));
  auto& requests = models::hybrid::of(bench.network->fabric()).setup_requests();
  EXPECT_FALSE(requests.asked().any);
  EXPECT_EQ(requests.searches(), 0U);
  EXPECT_FALSE(requests.last_avoids());
  bench.run(1);
  EXPECT_TRUE(requests.asked().any);
  EXPECT_EQ(requests.asked().cycle, 0U);
  EXPECT_EQ(requests.asked().circuit, 0U);
  EXPECT_EQ(requests.asked().kind, models::hybrid::ControlKind::kProbe);
  EXPECT_EQ(requests.searches(), 1U);
  bench.run(6);
  EXPECT_EQ(requests.asked().cycle, 6U) << "the token has moved on";
  EXPECT_EQ(requests.asked().circuit, 1U);
  EXPECT_EQ(requests.searches(), 2U);
  bench.run(20);
  ASSERT_TRUE(bench.network->setup_done());
  requests.tear_down(bench.network->now() - 1, 1);
  EXPECT_EQ(requests.asked().cycle, bench.network->now() - 1);
  EXPECT_EQ(requests.asked().circuit, 1U);
  EXPECT_EQ(requests.asked().kind, models::hybrid::ControlKind::kTearDown);
  bench.run(20);
  EXPECT_TRUE(requests.outcome().done);
  requests.limit_numbers(3);
  EXPECT_FALSE(requests.renumber(bench.network->now() - 1, 1)) << "one is left";
  EXPECT_EQ(requests.asked().kind, models::hybrid::ControlKind::kTearDown);
  EXPECT_TRUE(requests.renumber(bench.network->now() - 1, 2)) << "two are not";
  EXPECT_EQ(requests.asked().cycle, bench.network->now() - 1);
  EXPECT_EQ(requests.asked().circuit, 1U);
  EXPECT_EQ(requests.asked().kind, models::hybrid::ControlKind::kAcknowledge) << "of no search: units forget";
  EXPECT_EQ(requests.searches(), 0U);
  bench.run(1);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(models::hybrid::of(bench.network->fabric()).setup_units().history(RouterId{r}).search, 0U) << r;
  }
}

/// Where a circuit starts and ends: local ports are numbered node by node.
TEST(SetUpRequests, KnowTheEndsOfACircuit) {
  Bench two(tile_streams(3, 1, 2, {{0, 2}, {1, 0}}));
  two.run(60);
  ASSERT_FALSE(two.network->setup_results().fell_back_to_packets);
  const auto& requests = models::hybrid::of(two.network->fabric()).setup_requests();
  EXPECT_EQ(requests.source(0).local_port, 0U);
  EXPECT_EQ(requests.destination(0).local_port, 4U) << "the first of node 2";
  EXPECT_EQ(requests.source(1).local_port, 2U) << "the first of node 1";
  EXPECT_EQ(requests.destination(1).local_port, 0U);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(requests.source(c).lane, 0U);
    EXPECT_EQ(requests.destination(c).lane, 0U);
    EXPECT_EQ(requests.tree_of(c), c);
    EXPECT_TRUE(requests.all_sent(c));
    EXPECT_TRUE(requests.all_taken(c, requests.destination(c)));
    EXPECT_FALSE(requests.on_avoided_link(two.network->setup_results().circuits[c]));
  }
}

}  // namespace
}  // namespace braid::test::planned_continued_test
