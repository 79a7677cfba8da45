// Set-up of all streams at once (setup.searches = "parallel") to the cycle: what docs/setup.md draws. Streams A, B, ...
// are in the order of their ages where their sources are.
#include <gtest/gtest.h>

#include <set>

#include "routing/base/random.h"
#include "tb/tests/support/at_once.h"
#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/wave.h"

namespace braid::test::parallel_setup_test {
namespace {

using Names = std::set<std::string>;
using Routers = std::vector<std::uint32_t>;

/// 4x2 mesh, A: 0 -> 3, B: 4 -> 5. Ready after 4 h + 1, each as if it were alone; all sources know 2 x 4 links x 2
/// cycles after the last.
TEST(SetupAtOnce, TakesDisjointStreamsAsLongAsTheLongest) {
  AtOnce bench(grid(4, 2, 1), {{0, 3}, {4, 5}});
  EXPECT_EQ(bench.setup->agreement_cycles(), 16U);
  bench.run_to(4);
  EXPECT_EQ(bench.standing(), Names{});
  bench.run_to(5);
  EXPECT_EQ(bench.standing(), Names{"B"});
  bench.run_to(12);
  EXPECT_EQ(bench.standing(), Names{"B"});
  bench.run_to(13);
  EXPECT_EQ(bench.standing(), (Names{"A", "B"}));
  bench.run_to(13 + 15);
  EXPECT_FALSE(bench.setup->done());
  EXPECT_EQ(bench.user.successes, 0);
  bench.run_to(13 + 16);
  EXPECT_TRUE(bench.setup->done());
  EXPECT_EQ(bench.user.successes, 1);
  EXPECT_EQ(bench.user.found, (std::vector<std::size_t>{0, 1}));
  const models::SetupResults results = bench.setup->results();
  EXPECT_EQ(results.total_cycles, 29U);
  EXPECT_EQ(results.orders_tried, 1U);
  EXPECT_EQ(results.at_once->searches, 2U);
  EXPECT_EQ(results.at_once->rip_ups + results.at_once->waits + results.at_once->backtracks, 0U);
}

/// 3x2 mesh, A: 0 -> 2, B: 1 -> 2. B holds 1-2 when A's probe comes to 1 in cycle 3: rip-up, and A takes the link in 4.
TEST(SetupAtOnce, RipsUpAYoungerSearch) {
  AtOnce bench(grid(3, 2, 2), {{0, 2}, {1, 2}});
  bench.run_to(9);
  EXPECT_EQ(bench.standing(), Names{});
  bench.run_to(10);  // 4 x 2 + 1 and the cycle of the rip-up
  EXPECT_EQ(bench.standing(), Names{"A"});
  bench.run_to(28);
  EXPECT_EQ(bench.standing(), Names{"A"});
  bench.run_to(29);  // its second search begins in 9, a cycle after RIPPED-UP, and goes over five links
  EXPECT_EQ(bench.standing(), (Names{"A", "B"}));
  const models::SetupResults results = bench.end();
  EXPECT_EQ(AtOnce::routers(bench.circuit(results, "A")), (Routers{0, 1, 2}));
  EXPECT_EQ(AtOnce::routers(bench.circuit(results, "B")), (Routers{1, 0, 3, 4, 5, 2}));
  EXPECT_EQ(results.total_cycles, 29U + 12);
  EXPECT_EQ(results.at_once->searches, 3U);
  EXPECT_EQ(results.at_once->rip_ups, 1U);
  EXPECT_EQ(results.at_once->waits, 0U);
}

/// 2x2 mesh, A and B: 0 -> 3. The unit takes B's probe in cycle 2, a cycle after A's; it waits until A's
/// acknowledgement has passed in 9, and goes the other way.
TEST(SetupAtOnce, AYoungerSearchWaitsForAnOlderOne) {
  AtOnce bench(grid(2, 2, 2), {{0, 3}, {0, 3}});
  bench.run_to(8);
  EXPECT_EQ(bench.standing(), Names{});
  bench.run_to(9);
  EXPECT_EQ(bench.standing(), Names{"A"});
  bench.run_to(17);
  EXPECT_EQ(bench.standing(), Names{"A"});
  bench.run_to(18);
  EXPECT_EQ(bench.standing(), (Names{"A", "B"}));
  const models::SetupResults results = bench.end();
  EXPECT_EQ(AtOnce::routers(bench.circuit(results, "B")), (Routers{0, 2, 3}));
  EXPECT_EQ(results.total_cycles, 18U + 8);
  EXPECT_EQ(results.at_once->waits, 1U);
  EXPECT_EQ(results.at_once->searches, 2U);
}

/// A row of a torus, each stream two links on, so that each holds what the one behind it wants: all would wait for
/// ever.
TEST(SetupAtOnce, NoCycleOfWaitsCloses) {
  AtOnce bench(grid(5, 3, 2, "torus"), {{0, 2}, {1, 3}, {2, 4}, {3, 0}, {4, 1}});
  bench.run_to(2);
  EXPECT_EQ(bench.lanes_held(), 5U);
  bench.run_to(3);  // A, B, C, D rip up the next one's; E waits for A
  EXPECT_EQ(bench.setup->results().at_once->rip_ups, 4U);
  EXPECT_EQ(bench.setup->results().at_once->waits, 1U);
  bench.run_to(9);
  EXPECT_EQ(bench.standing(), Names{});
  bench.run_to(10);
  EXPECT_EQ(bench.standing(), Names{"A"});
  const models::SetupResults results = bench.end();
  EXPECT_EQ(results.circuits.size(), 5U) << results.failed_stream;
  EXPECT_EQ(bench.user.successes, 1);
}

/// 3x1 mesh: A takes the only link into 2. B comes back in 13, again in 23, when its source has known for five cycles
/// that A stands: the order has failed. All know in 31; A is torn down by 40, all know in 48.
TEST(SetupAtOnce, FailsWhenTheOldestThatIsLeftHasNoPath) {
  AtOnce bench(grid(3, 1, 2), {{0, 2}, {1, 2}});
  bench.run_to(31);
  EXPECT_EQ(bench.lanes_held(), 3U);
  bench.run_to(32);
  EXPECT_EQ(bench.lanes_held(), 2U) << "RIP-UP at the source";
  bench.run_to(47);
  EXPECT_FALSE(bench.setup->done());
  EXPECT_EQ(bench.lanes_held(), 0U);
  bench.run_to(48);
  ASSERT_TRUE(bench.setup->done());
  const models::SetupResults results = bench.setup->results();
  EXPECT_TRUE(results.fell_back_to_packets);
  EXPECT_EQ(results.failed_stream, "B");
  EXPECT_EQ(results.total_cycles, 48U);
  EXPECT_EQ(results.at_once->searches, 4U);
  EXPECT_EQ(results.at_once->backtracks, 2U);
  EXPECT_EQ(bench.user.failures, 1);
  EXPECT_TRUE(results.circuits.empty());
}

/// One link into 2, in any order, so each fails; the second begins in the cycle in which all know.
TEST(SetupAtOnce, TriesRetriesAndOneOrders) {
  for (const std::uint32_t retries : {0U, 1U, 3U}) {
    AtOnce bench(grid(3, 1, 2), {{0, 2}, {1, 2}}, retries);
    const models::SetupResults results = bench.end();
    EXPECT_EQ(results.orders_tried, retries + 1);
    EXPECT_EQ(bench.lanes_held(), 0U);
    EXPECT_GE(results.total_cycles, 40U * (retries + 1));
  }
}

/// Two streams, one injection lane: the younger cannot begin, and says so when it is the oldest that is left.
TEST(SetupAtOnce, FailsWhenANodeHasNoInjectionLaneLeft) {
  AtOnce bench(grid(2, 1, 1), {{0, 1}, {0, 1}});
  const models::SetupResults results = bench.end();
  EXPECT_TRUE(results.fell_back_to_packets);
  EXPECT_EQ(results.failed_stream, "B");
  // Ready in 5; known in 9: no lane; all know in 13. RIP-UP 14, 16; back in 18, all know in 22.
  EXPECT_EQ(results.total_cycles, 22U);
  EXPECT_EQ(results.at_once->searches, 1U);
}

/// 3x1 mesh, an ejection lane at 1. B's stands when A comes: A rips it up. B finds none and the order fails.
TEST(SetupAtOnce, RipsUpAYoungerCircuitForAnEjectionLane) {
  AtOnce bench(grid(4, 1, 1), {{0, 2}, {3, 2}});
  bench.run_to(4);
  EXPECT_EQ(bench.setup->results().at_once->rip_ups, 0U);
  EXPECT_EQ(bench.standing(), Names{});
  bench.run_to(5);
  EXPECT_EQ(bench.setup->results().at_once->rip_ups, 1U);
  EXPECT_EQ(bench.standing(), Names{}) << "acknowledged, and being ripped up";
  bench.run_to(10);
  EXPECT_EQ(bench.standing(), Names{"A"});
  EXPECT_EQ(bench.end().failed_stream, "B");
}

/// 4x2 mesh, two ejection lanes at 6; B and C have them when A comes in cycle 7: the youngest loses its own.
TEST(SetupAtOnce, RipsUpTheYoungestForAnEjectionLane) {
  AtOnce bench(grid(4, 2, 2), {{0, 6}, {5, 6}, {7, 6}});
  bench.run_to(6);
  EXPECT_EQ(bench.standing(), (Names{"B", "C"}));
  bench.run_to(7);
  EXPECT_EQ(bench.standing(), Names{"B"});
  EXPECT_EQ(bench.end().failed_stream, "C");
}

/// A message is at its unit in the cycle in which the unit takes it; of a stream that meets no other there is one.
TEST(SetupAtOnce, CountsTheMessagesOfAStreamThatAreAtAUnitAtOnce) {
  AtOnce bench(grid(3, 1, 1), {{0, 2}});
  EXPECT_EQ(bench.setup->units().most_waiting(), 0U) << "none has been sent";
  bench.end();
  EXPECT_EQ(bench.setup->units().most_waiting(), 1U);
}

/// With one attempt a stream that has been ripped up has none left.
TEST(SetupAtOnce, FailsWhenNumbersOfAttemptsHaveRunOut) {
  AtOnce bench(grid(3, 2, 2), {{0, 2}, {1, 2}});
  bench.setup->limit_attempts(1);
  const models::SetupResults results = bench.end();
  EXPECT_TRUE(results.fell_back_to_packets);
  EXPECT_EQ(results.failed_stream, "B");
  AtOnce two(grid(3, 2, 2), {{0, 2}, {1, 2}});
  two.setup->limit_attempts(2);
  EXPECT_FALSE(two.end().fell_back_to_packets);
  AtOnce idle(grid(3, 2, 2), {{0, 2}, {1, 2}});
  idle.setup->limit_attempts(1);
  for (std::uint64_t cycle = 10; !idle.setup->done() && cycle < 1000; ++cycle) {
    idle.run_to(cycle);
    EXPECT_FALSE(idle.setup->units().being_ripped_up(1)) << "B has come back in 9 and holds nothing, " << cycle;
  }
}

/// Links of three cycles: a message takes 1 + 3 for a link, up and down the tree as well.
TEST(SetupAtOnce, TakesTheLinksCycles) {
  Configuration network = grid(3, 1, 1);
  network.set("topology.link_latency_cycles", 3);
  AtOnce bench(network, {{0, 2}});
  bench.run_to(16);
  EXPECT_EQ(bench.standing(), Names{});
  bench.run_to(17);
  EXPECT_EQ(bench.standing(), Names{"A"});
  EXPECT_EQ(bench.end().total_cycles, 17U + 2 * 2 * 4);
}

/// Whatever streams there are: it ends; circuits stand for all or none, lead from source to destination and share no
/// lane; nothing else is held; a unit has three messages of a stream at most.
TEST(SetupAtOnce, LeavesDisjointCircuitsOrNothing) {
  Random random(3, "parallel_setup_test");
  std::uint32_t stood = 0, failed = 0;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t width = 2 + static_cast<std::uint32_t>(random.below(4)), height = 2 + i % 3;
    const std::size_t nodes = std::size_t{width} * height, count = 2 + random.below(2 * nodes);
    AtOnce::Ends streams;
    while (streams.size() < count) {
      const std::size_t from = random.below(nodes), to = random.below(nodes);
      if (from != to) streams.emplace_back(from, to);
    }
    const bool wraps = i % 4 == 0 && width > 2 && height > 2;
    AtOnce bench(grid(width, height, 1 + static_cast<std::uint32_t>(random.below(4)), wraps ? "torus" : "mesh"),
                 streams, 2, i);
    const models::SetupResults results = bench.end();
    ASSERT_TRUE(bench.setup->done()) << "no end, case " << i;
    ++(results.fell_back_to_packets ? failed : stood);
    EXPECT_EQ(results.circuits.size(), results.fell_back_to_packets ? 0 : count);
    EXPECT_LE(bench.setup->units().most_waiting(), 3U);
    std::set<std::pair<std::uint32_t, std::uint16_t>> taken;
    std::size_t lanes = 0;
    for (const models::CircuitResult& c : results.circuits) {
      lanes += c.path.size();
      ASSERT_FALSE(c.path.empty());
      EXPECT_EQ(c.path.front().router, bench.topology.router_of(c.source));
      EXPECT_EQ(c.path.back().router, bench.topology.router_of(c.destination));
      for (std::size_t s = 0; s < c.path.size(); ++s) {
        EXPECT_TRUE(taken.insert({c.path[s].router.value, c.path[s].port.value}).second) << c.stream << ", case " << i;
        const routing::Port& port = bench.topology.port(c.path[s].router, c.path[s].port);
        if (s + 1 < c.path.size()) {
          EXPECT_EQ(port.peer_router, c.path[s + 1].router);
        }
      }
    }
    EXPECT_EQ(bench.lanes_held(), lanes) << "case " << i;
  }
  EXPECT_GE(stood, 50U) << "the sample says too little";
  EXPECT_GE(failed, 50U) << "the sample says too little";
}

/// In a network: streams begin when all sources know, and are carried; however it is cut.
TEST(SetupAtOnceInANetwork, CarriesStreams) {
  for (const std::size_t slices : {1, 2, 6}) {
    models::Experiment e = tile_streams(3, 2, 2, {{0, 2}, {1, 2}}, 10);
    e.set("setup.searches", "parallel");
    Bench bench(e, slices);
    bench.run(41);
    EXPECT_FALSE(bench.network->setup_done());
    bench.run(1);
    EXPECT_TRUE(bench.network->setup_done()) << "in cycle 41";
    const models::SetupResults results = bench.network->setup_results();
    EXPECT_EQ(results.total_cycles, 41U);
    EXPECT_EQ(results.circuits.size(), 2U);
    EXPECT_EQ(bench.delivered(), 0U);
    bench.run(1000);
    EXPECT_GT(bench.delivered(), 10U);
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

/// Links that circuits keep to themselves are open to packets again when the order is given up.
TEST(SetupAtOnceInANetwork, GivesClosedLinksBack) {
  models::Experiment e = tile_streams(3, 1, 2, {{0, 2}, {1, 2}});
  e.set("setup.searches", "parallel");
  e.set("setup.retries", 0);
  e.set("router.share_reserved_links", false);
  Bench bench(e);
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  bench.run(2);
  EXPECT_TRUE(bank.closed_outputs[bank.port_index(RouterId{1}, routing::kEast)]);
  bench.run(47);
  EXPECT_TRUE(bench.network->setup_done());
  for (models::hybrid::PortIndex p = 0; p < bank.input_port_count(); ++p) EXPECT_FALSE(bank.closed_outputs[p]) << p;
}

TEST(SetupAtOnceInANetwork, GoesOnAsPackets) {
  models::Experiment e = tile_streams(3, 1, 2, {{0, 2}, {1, 2}}, 10);
  e.set("setup.searches", "parallel");
  e.set("setup.retries", 0);
  Bench bench(e);
  bench.run(49);
  EXPECT_TRUE(bench.network->setup_done());
  EXPECT_TRUE(bench.network->setup_results().fell_back_to_packets);
  EXPECT_EQ(bench.network->setup_results().total_cycles, 48U);
  bench.run(1000);
  EXPECT_GT(bench.delivered(), 10U);
}

/// What is at a unit in the next cycle: B's RIP_UP at 2 in 5, its RIPPED_UP at 1 in 7, its second request in 8.
TEST(SetupAtOnceInANetwork, ShowsItsMessagesInAWaveform) {
  models::Experiment e = tile_streams(3, 2, 2, {{0, 2}, {1, 2}});
  e.set("setup.searches", "parallel");
  Bench bench(e);
  Wave wave(bench);
  wave.run(12);
  EXPECT_EQ(wave.row("router_2_0.west.control"), "005015000000") << "PROBE of B, RIP_UP, PROBE of A";
  EXPECT_EQ(wave.row("router_1_0.east.control"), "000030230000") << "ACKNOWLEDGE of B, RIPPED_UP, ACKNOWLEDGE of A";
  EXPECT_EQ(wave.row("router_1_0.local0.control"), "500000050000");
  EXPECT_EQ(wave.row("router_1_0.east.circuit_out").substr(0, 2), "++") << "nothing comes in there";
}

/// The forecast for remedies is the set-up itself.
TEST(SetupAtOnceInANetwork, IsForetold) {
  for (const std::uint32_t height : {1U, 2U}) {
    models::Experiment e = tile_streams(3, height, 2, {{0, 2}, {1, 2}});
    e.set("setup.searches", "parallel");
    e.set("setup.retries", 1);
    Bench bench(e);
    EXPECT_EQ(bench.network->fabric().circuits_would_stand(program_of(bench).circuits()), height == 2);
  }
}

std::string refusal(const std::string& key, const std::string& value) {
  models::Experiment e = tile_streams(3, 2, 2, {{0, 2}});
  e.set("setup.searches", "parallel");
  e.set(key, value);
  try {
    const Bench bench(e, value == "process_per_stage" ? 6 : 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(SetupAtOnceInANetwork, IsRefusedInOneLineWhereUnitsTakeOneSearch) {
  for (const auto& [key, value] :
       {std::pair("setup.reroute", "each"), std::pair("setup.paths", "exact"),
        std::pair("simulation.schedule", "process_per_stage"), std::pair("router.implementation", "pins")}) {
    const std::string text = refusal(key, value);
    EXPECT_NE(text.find("setup.searches = \"parallel\""), std::string::npos) << key << ": " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace braid::test::parallel_setup_test
