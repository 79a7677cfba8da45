// Set-up to the cycle: token, order of ports, tear-down, the orders that are tried (docs/setup.md). A request in cycle
// t over h links with b backtracks of one link is ready in t + 4 h + 1 + 4 b; a tear-down moves at two cycles a hop.
#include <gtest/gtest.h>

#include "tb/tests/support/tile_streams.h"

namespace braid::test::setup_timing_test {
namespace {

using models::Experiment;
std::size_t ready(const Bench& bench) { return bench.network->setup_results().circuits.size(); }

/// The first circuit is ready in 5; its successor's request is `token_cycles` later, ready 5 after that.
TEST(SetupToken, MovesOnAfterItsCycles) {
  for (const std::uint32_t token : {1U, 7U}) {
    Experiment e = tile_streams(3, 1, 1, {{0, 1}, {1, 2}});
    e.set("setup.token_cycles", token);
    Bench bench(e);
    bench.run(5);
    EXPECT_EQ(ready(bench), 0U);
    bench.run(1);
    EXPECT_EQ(ready(bench), 1U) << "in cycle 5";
    bench.run(token + 4);
    EXPECT_EQ(ready(bench), 1U);
    bench.run(1);
    EXPECT_EQ(ready(bench), 2U) << "in cycle 10 + " << token;
    EXPECT_FALSE(bench.network->setup_done());
    bench.run(token - 1);
    EXPECT_FALSE(bench.network->setup_done());
    bench.run(1);
    EXPECT_TRUE(bench.network->setup_done()) << "the token has passed the last stream";
    EXPECT_EQ(bench.network->setup_results().total_cycles, 10 + 2 * token);
    EXPECT_EQ(bench.network->setup_results().orders_tried, 1U);
  }
}

std::vector<std::uint32_t> path(const models::CircuitResult& circuit) {
  std::vector<std::uint32_t> routers;
  for (const auto& step : circuit.path) routers.push_back(step.router.value);
  return routers;
}

/// 2x2 mesh, routers 0 1 / 2 3. To the opposite corner east comes before north; with the link east taken, north.
TEST(SetupSearch, TakesMinimalPortsLowestFirst) {
  Bench bench(tile_streams(2, 2, 2, {{0, 3}, {0, 3}}));
  bench.run(9 + 1 + 9 + 1);
  const models::SetupResults setup = bench.network->setup_results();
  ASSERT_EQ(setup.circuits.size(), 2U) << "two links each: ready in 9 and in 19";
  EXPECT_EQ(path(setup.circuits[0]), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(path(setup.circuits[1]), (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(setup.circuits[0].setup_cycles, 9U);
  EXPECT_EQ(setup.circuits[1].setup_cycles, 9U);
  EXPECT_EQ(setup.circuits[0].backtracks + setup.circuits[1].backtracks, 0U);
}

/// Two streams between neighbours: the second takes the detour over the other two routers, 13 cycles for three links.
TEST(SetupSearch, GoesRoundATakenLink) {
  Bench bench(tile_streams(2, 2, 2, {{0, 1}, {0, 1}}));
  bench.run(19);
  EXPECT_EQ(ready(bench), 1U);
  bench.run(1);
  ASSERT_EQ(ready(bench), 2U) << "in 6 + 13";
  EXPECT_EQ(path(bench.network->setup_results().circuits[1]), (std::vector<std::uint32_t>{0, 2, 3, 1}));
}

/// 3x3 mesh, from the middle to its east, twice. Of three detours the lowest port, west; there north before south; then
/// minimal ports, east and east before the link south: five links, 21 cycles.
TEST(SetupSearch, TakesDetoursLowestFirst) {
  Bench bench(tile_streams(3, 3, 2, {{4, 5}, {4, 5}}));
  bench.run(6 + 21);
  EXPECT_EQ(ready(bench), 1U);
  bench.run(1);
  ASSERT_EQ(ready(bench), 2U);
  EXPECT_EQ(path(bench.network->setup_results().circuits[1]), (std::vector<std::uint32_t>{4, 3, 6, 7, 8, 5}));
}

/// Links of three cycles: a probe takes 1 + 3 for a link, an acknowledgement the same: 8 h + 1.
TEST(SetupSearch, TakesTheLinksCyclesThereAndBack) {
  Experiment e = tile_streams(3, 1, 1, {{0, 2}});
  e.set("topology.link_latency_cycles", 3);
  Bench bench(e);
  bench.run(17);
  EXPECT_EQ(ready(bench), 0U);
  bench.run(1);
  EXPECT_EQ(ready(bench), 1U);
}

/// One injection link at node 0, two streams from it. The first is ready in 5; in 6 no link is left for the second,
/// and the order is given up. TEAR_DOWN at router 0 in 7, at router 1 in 9: down; then the next order, or packets.
TEST(SetupOrders, AreGivenUpWhenANodeHasNoInjectionLinkLeft) {
  Experiment e = tile_streams(2, 1, 1, {{0, 1}, {0, 1}});
  e.set("setup.retries", 0);
  Bench bench(e);
  bench.run(9);
  EXPECT_FALSE(bench.network->setup_done());
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  const models::hybrid::PortIndex from = bank.port_index(RouterId{0}, routing::kFirstGridLocalPort);
  EXPECT_EQ(bank.circuit_out(bank.circuit_vc(from)), models::hybrid::kNone) << "released in 7";
  const models::hybrid::VcIndex to = bank.circuit_vc(bank.port_index(RouterId{1}, routing::kFirstGridLocalPort));
  EXPECT_EQ(bank.circuit_in(to), bank.circuit_vc(bank.port_index(RouterId{1}, routing::kWest))) << "not yet";
  bench.run(1);
  EXPECT_TRUE(bench.network->setup_done());
  const models::SetupResults setup = bench.network->setup_results();
  EXPECT_TRUE(setup.fell_back_to_packets);
  EXPECT_EQ(setup.orders_tried, 1U);
  EXPECT_EQ(setup.total_cycles, 9U);
  EXPECT_EQ(setup.failed_stream, "t0 -> t1");
  EXPECT_TRUE(setup.circuits.empty());
  EXPECT_EQ(bank.circuit_in(to), models::hybrid::kNone);
}

/// Each order is two searches, the second of which fails. With three numbers all units forget before every fourth
/// search, a cycle each; nothing else changes.
TEST(SetupNumbers, BeginAnewWhenTheyHaveRunOut) {
  const auto cycles = [](std::uint32_t numbers) {
    Experiment e = tile_streams(3, 1, 1, {{0, 2}, {1, 2}});
    e.set("setup.retries", 19);
    Bench bench(e);
    models::hybrid::of(bench.network->fabric()).setup_requests().limit_numbers(numbers);
    bench.run(3000);
    const models::SetupResults setup = bench.network->setup_results();
    EXPECT_TRUE(bench.network->setup_done());
    EXPECT_EQ(setup.orders_tried, 20U);
    return setup.total_cycles;
  };
  const std::uint64_t with_all = cycles(models::hybrid::kMaxSearches);
  EXPECT_EQ(cycles(3), with_all + 39 / 3);
  EXPECT_EQ(cycles(40), with_all);
  EXPECT_EQ(cycles(39), with_all + 1);
  EXPECT_EQ(cycles(1), with_all + 39) << "each search is the only one that the units have seen";
}

/// A tear-down waits at a router whose buffer has the circuit's last flit. The consumer takes none, so it waits for
/// ever.
TEST(SetupTearDown, LeavesTheLastFlitInItsBuffer) {
  Experiment e = slow_consumer(1, 1000000);
  e.set("router.circuit_buffer_depth", 1);
  Bench bench(e);
  bench.run(200);
  auto& fabric = models::hybrid::of(bench.network->fabric());
  const models::hybrid::RouterBank& bank = fabric.bank();
  const models::hybrid::PortIndex in = bank.port_index(RouterId{0}, routing::kFirstGridLocalPort);
  ASSERT_EQ(bank.input_vcs[bank.vc_index(in, bank.circuit_lane())].count, 1U);
  fabric.slice(0).send_local_control(bench.network->now() - 1,
                                     {in, models::hybrid::ControlKind::kTearDown, 1, NodeId{0}});
  bench.run(100);
  EXPECT_NE(bank.circuit_out(bank.circuit_vc(in)), models::hybrid::kNone);
  EXPECT_EQ(bank.input_vcs[bank.vc_index(in, bank.circuit_lane())].count, 1U);
}

/// Links that circuits keep to themselves are open to packets again when the order is given up.
TEST(SetupOrders, GiveClosedLinksBackWhenTheyAreGivenUp) {
  Experiment e = tile_streams(2, 1, 1, {{0, 1}, {0, 1}});
  e.set("setup.retries", 0);
  e.set("router.share_reserved_links", false);
  Bench bench(e);
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  const models::hybrid::PortIndex out = bank.port_index(RouterId{0}, routing::kEast);
  bench.run(5);
  EXPECT_TRUE(bank.closed_outputs[out]) << "the first stream's";
  bench.run(5);
  EXPECT_TRUE(bench.network->setup_done());
  for (models::hybrid::PortIndex p = 0; p < bank.input_port_count(); ++p) EXPECT_FALSE(bank.closed_outputs[p]) << p;
}

/// The same with retries: each order takes those ten cycles (the token moves on in one), and the last one ends it.
TEST(SetupOrders, AreTriedRetriesAndOneTimes) {
  for (const std::uint32_t retries : {0U, 1U, 2U, 5U}) {
    Experiment e = tile_streams(2, 1, 1, {{0, 1}, {0, 1}});
    e.set("setup.retries", retries);
    Bench bench(e);
    bench.run(10 * retries + 9);
    EXPECT_FALSE(bench.network->setup_done()) << retries << " retries";
    bench.run(1);
    EXPECT_TRUE(bench.network->setup_done()) << retries << " retries";
    EXPECT_EQ(bench.network->setup_results().orders_tried, retries + 1);
    EXPECT_EQ(bench.network->setup_results().total_cycles, 10 * retries + 9);
    bench.run(3000);
    EXPECT_GT(bench.delivered(), 1U) << "the streams go as packets";
  }
}

/// A circuit over three routers is torn down at two cycles a hop: router 0 in 11, 1 in 13, 2 in 15.
TEST(SetupTearDown, MovesAtTwoCyclesAHop) {
  Experiment e = tile_streams(3, 1, 1, {{0, 2}, {0, 1}});
  e.set("setup.retries", 0);
  Bench bench(e);
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  const auto reserved = [&](std::size_t r) {
    const PortId in = r == 0 ? routing::kFirstGridLocalPort : routing::kWest;
    return bank.circuit_out(bank.circuit_vc(bank.port_index(RouterId{r}, in))) != models::hybrid::kNone;
  };
  bench.run(10);  // ready in 9; given up in 10
  for (std::size_t r = 0; r < 3; ++r) EXPECT_TRUE(reserved(r));
  bench.run(1);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_TRUE(reserved(r)) << "before cycle " << 11 + 2 * r;
    bench.run(1);
    EXPECT_FALSE(reserved(r)) << "in cycle " << 11 + 2 * r;
    if (r < 2) bench.run(1);
  }
  EXPECT_TRUE(bench.network->setup_done());
  EXPECT_EQ(bench.network->setup_results().total_cycles, 15U);
}

}  // namespace
}  // namespace braid::test::setup_timing_test
