// Circuits that move while the program runs (setup.reroute), to the cycle: docs/setup.md draws them. A round that finds
// nothing to send at the end of cycle c, over h links before and h' after, token t: the circuit is down at router r in
// c + 1 + 2 r, the last flit is the node's in c + 4 + 2 h, the search begins in the t-th cycle after, and the new
// circuit stands in c + 2 h + 4 h' + 5 + t.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "models/engine/watchdog.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::rerouting_test {
namespace {

using models::Experiment;
using models::Move;
using models::hybrid::kNone;
using models::hybrid::RouterBank;

/// Circuits move from cycle 30 on.
Experiment streams(std::uint32_t width, std::uint32_t height, std::uint32_t local_ports, const std::vector<Way>& ways,
                   std::uint32_t work = 1000) {
  Experiment e = tile_streams(width, height, local_ports, ways, work);
  e.set("setup.reroute", "each");
  e.set("setup.reroute_at_cycle", 30);
  return e;
}

const models::RerouteResults& moved(const Bench& bench) {
  return models::hybrid::of(bench.network->fabric()).reroute_results();
}
const RouterBank& bank_of(const Bench& bench) { return models::hybrid::of(bench.network->fabric()).bank(); }

std::vector<std::uint32_t> path(const Bench& bench, std::size_t circuit) {
  std::vector<std::uint32_t> routers;
  const models::SetupResults setup = bench.network->setup_results();
  for (const auto& step : setup.circuits[circuit].path) routers.push_back(step.router.value);
  return routers;
}

/// Three routers in a row: router r releases in 31 + 2 r; the last flit, had there been one, is the node's in 38; the
/// token is back at the source in 39, and 9 cycles later the circuit stands again, in 48 = 30 + 4 + 8 + 5 + 1.
TEST(ReroutingTiming, IsDrawnInTheDocumentation) {
  Bench bench(streams(3, 1, 1, {{0, 2}}));
  const RouterBank& bank = bank_of(bench);
  const auto reserved = [&](std::size_t r) {
    const PortId in = r == 0 ? routing::kFirstGridLocalPort : routing::kWest;
    return bank.circuit_out(bank.circuit_vc(bank.port_index(RouterId{r}, in))) != kNone;
  };
  bench.run(31);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_TRUE(reserved(r)) << "before cycle " << 31 + 2 * r;
    bench.run(1);
    EXPECT_FALSE(reserved(r)) << "in cycle " << 31 + 2 * r;
    if (r < 2) bench.run(1);
  }
  bench.run(40 - 36);
  EXPECT_FALSE(reserved(0)) << "the probe is not there before cycle 40";
  bench.run(1);
  EXPECT_TRUE(reserved(0)) << "in cycle 40";
  bench.run(48 - 41);
  EXPECT_TRUE(moved(bench).moves.empty());
  EXPECT_TRUE(program_of(bench).edges()[0].stopped) << "cycle N - 1 = 47";
  bench.run(1);
  EXPECT_FALSE(program_of(bench).edges()[0].stopped) << "cycle N = 48";
  ASSERT_EQ(moved(bench).moves.size(), 1U);
  const Move& move = moved(bench).moves[0];
  EXPECT_EQ(move.stopped_cycle, 30U);
  EXPECT_EQ(move.empty_cycle, 30U);
  EXPECT_EQ(move.torn_cycle, 38U);
  EXPECT_EQ(move.resumed_cycle, 48U);
  EXPECT_FALSE(move.moved) << "without links to avoid a search finds the path that it has left";
  EXPECT_EQ(moved(bench).rounds, 0U) << "the token has yet to pass on";
  bench.run(1);
  EXPECT_EQ(moved(bench).rounds, 1U);
}

/// With three numbers: set-up's search has 1, the first round's 2. A round needs two, for a second search where none
/// avoids links; so before the next one all units forget, which takes a cycle. They would take the old number for seen.
TEST(ReroutingNumbers, BeginAnewWhenTheyHaveRunOut) {
  Experiment e = streams(3, 1, 1, {{0, 2}});
  e.set("setup.reroute_every_cycles", 40);
  Bench bench(e);
  models::hybrid::of(bench.network->fabric()).setup_requests().limit_numbers(3);
  bench.run(30 + 6 * 40);
  const std::vector<Move>& moves = moved(bench).moves;
  ASSERT_EQ(moves.size(), 6U);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(moves[i].resumed_cycle - moves[i].torn_cycle, i % 2 == 0 ? 10U : 11U) << i;
    EXPECT_EQ(moves[i].search_cycles, 9U) << i;
  }
  EXPECT_EQ(moves[0].resumed_cycle, 48U) << "as drawn";
}

/// h and h' links, token t, links of some cycles.
TEST(ReroutingTiming, FollowsItsFormula) {
  for (const std::uint32_t token : {1U, 4U}) {
    for (std::uint32_t hops = 1; hops <= 5; ++hops) {
      Experiment e = streams(hops + 1, 1, 1, {{0, hops}});
      e.set("setup.token_cycles", token);
      e.set("setup.reroute_at_cycle", 50);
      Bench bench(e);
      bench.run(50 + 6 * hops + 5 + token);
      EXPECT_TRUE(moved(bench).moves.empty()) << hops << " links, token " << token;
      bench.run(1);
      ASSERT_EQ(moved(bench).moves.size(), 1U) << hops << " links, token " << token;
      EXPECT_EQ(moved(bench).moves[0].standstill_cycles(), 6 * hops + 5 + token);
    }
  }
  Experiment slow = streams(3, 1, 1, {{0, 2}});
  slow.set("topology.link_latency_cycles", 3);
  Bench bench(slow);
  bench.run(100);
  // Tear-down: 1 + 2 x 4; ejection link 2 + its latency; token 1; search 8 x 2 + 1.
  const std::uint64_t ejection =
      bank_of(bench).links[bank_of(bench).port_index(RouterId{2}, routing::kFirstGridLocalPort)].latency_cycles;
  ASSERT_EQ(moved(bench).moves.size(), 1U);
  EXPECT_EQ(moved(bench).moves[0].standstill_cycles(), 9 + 2 + ejection + 1 + 17);
}

/// 2x2 mesh, 0 1 / 2 3: from 0 to 1 without the link between them three links are left. 30 + 2 + 12 + 6.
TEST(ReroutingAvoids, TheLinksThatAreGivenUp) {
  for (const char* end : {"0,0.east", "1,0.west"}) {
    Experiment e = streams(2, 2, 1, {{0, 1}});
    e.set("setup.avoid_links", end);
    Bench bench(e);
    bench.run(30);
    EXPECT_EQ(path(bench, 0), (std::vector<std::uint32_t>{0, 1}));
    bench.run(50 - 30);
    EXPECT_TRUE(moved(bench).moves.empty()) << "cycle N - 1";
    bench.run(1);
    ASSERT_EQ(moved(bench).moves.size(), 1U) << "cycle N = 50";
    EXPECT_EQ(path(bench, 0), (std::vector<std::uint32_t>{0, 2, 3, 1}));
    EXPECT_TRUE(moved(bench).moves[0].moved);
    EXPECT_TRUE(moved(bench).moves[0].avoids);
    const RouterBank& bank = bank_of(bench);
    EXPECT_FALSE(bank.reserved(bank.port_index(RouterId{0}, routing::kEast)));
  }
}

/// Two routers: no other way. The search that avoids the link ends a cycle after its request, and in that cycle the one
/// that takes any goes out: 1 cycle more than without links to avoid.
TEST(ReroutingAvoids, NothingWhereNoOtherPathIsFound) {
  Experiment e = streams(2, 1, 1, {{0, 1}});
  e.set("setup.avoid_links", "0,0.east");
  Bench bench(e);
  bench.run(30 + 12 + 1);
  EXPECT_TRUE(moved(bench).moves.empty()) << "cycle N - 1";
  bench.run(1);
  ASSERT_EQ(moved(bench).moves.size(), 1U) << "cycle N";
  EXPECT_FALSE(moved(bench).moves[0].moved);
  EXPECT_FALSE(moved(bench).moves[0].avoids);
  EXPECT_EQ(moved(bench).moves[0].standstill_cycles(), 13U);
  bench.run(5000);
  EXPECT_GT(program_of(bench).edges()[0].delivered_items, 2U) << "the stream goes on as before";
}

/// All: 0 -> 1 is down in 30 + 4 + 2, the token moves on in 1; 1 -> 2 in 37 + 6; then the token goes round once more
/// and both are searched, 5 cycles each and 1 for the token: 44 + 1 + 5 + 1 + 5 + 1.
TEST(ReroutingTiming, OfAllGoesTwiceRound) {
  Experiment e = streams(3, 1, 1, {{0, 1}, {1, 2}});
  e.set("setup.reroute", "all");
  Bench bench(e);
  bench.run(57);
  EXPECT_TRUE(moved(bench).moves.empty()) << "cycle N - 1";
  bench.run(1);
  ASSERT_EQ(moved(bench).moves.size(), 2U) << "cycle N = 57";
  EXPECT_EQ(moved(bench).moves[0].empty_cycle, 30U);
  EXPECT_EQ(moved(bench).moves[0].torn_cycle, 36U);
  EXPECT_EQ(moved(bench).moves[1].empty_cycle, 37U);
  EXPECT_EQ(moved(bench).moves[1].torn_cycle, 43U);
  for (const Move& move : moved(bench).moves) EXPECT_EQ(move.resumed_cycle, 57U);
  EXPECT_EQ(moved(bench).rounds, 1U);
}

/// Whatever the streams avoid, they have paths again when the round ends: here no order can avoid the one link.
TEST(ReroutingOfAll, FindsTheOldPathsWhereEveryOrderFails) {
  Experiment e = streams(3, 2, 2, {{0, 2}, {3, 2}, {5, 0}});
  e.set("setup.reroute", "all");
  e.set("setup.avoid_links", "2,0.west 2,0.north 0,0.north");
  e.set("setup.retries", 3);
  e.set("setup.reroute_at_cycle", 100);
  Bench bench(e);
  bench.run(99);
  std::vector<std::vector<std::uint32_t>> before;
  for (std::size_t c = 0; c < 3; ++c) before.push_back(path(bench, c));
  bench.run(1000);
  ASSERT_EQ(moved(bench).moves.size(), 3U);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(path(bench, c), before[c]);
  for (const Move& move : moved(bench).moves) EXPECT_FALSE(move.moved);
}

/// Rounds begin so many cycles after each other, or when the one before has ended.
TEST(ReroutingRounds, BeginEverySoManyCycles) {
  Experiment e = streams(3, 1, 1, {{0, 2}});
  e.set("setup.reroute_every_cycles", 40);
  Bench bench(e);
  bench.run(30 + 5 * 40);
  ASSERT_EQ(moved(bench).moves.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(moved(bench).moves[i].stopped_cycle, 30 + 40 * i);
  e.set("setup.reroute_every_cycles", 1);
  Bench often(e);
  often.run(200);
  for (std::size_t i = 1; i < moved(often).moves.size(); ++i) {
    EXPECT_EQ(moved(often).moves[i].stopped_cycle, 30 + 20 * i) << "18 cycles and the token's";
  }
  EXPECT_GT(moved(often).moves.size(), 5U);
}

/// A full stream of 1 item a cycle: what was given to the interface goes by the old circuit, the rest by the new one.
/// The first flit after it is on the injection link three cycles after the circuit stands: made, sent, on the link.
TEST(ReroutingTiming, OfAFullStreamWaitsForWhatTheInterfaceHas) {
  Experiment e = streams(3, 1, 1, {{0, 2}}, 1);
  e.set("log.file", "unwritten.csv");
  e.set("setup.reroute_at_cycle", 200);
  e.set("interface.packet_items", 4);
  Bench bench(e);
  bench.run(400);
  ASSERT_EQ(moved(bench).moves.size(), 1U);
  const Move& move = moved(bench).moves[0];
  std::uint64_t last_left = 0, last_delivered = 0, next_injected = UINT64_MAX;
  for (const models::PacketRecord& r : bench.network->packet_log()->pages()[0].records()) {
    if (r.packet.created <= move.stopped_cycle) {
      last_left = std::max(last_left, r.left_queue.value());
      last_delivered = std::max(last_delivered, r.delivered.value());
    } else if (r.delivered) {
      next_injected = std::min(next_injected, r.packet.injected);
    }
  }
  EXPECT_EQ(move.stopped_cycle, 200U);
  EXPECT_EQ(move.empty_cycle, last_left);
  EXPECT_GT(move.empty_cycle, move.stopped_cycle) << "the interface had something";
  EXPECT_EQ(move.torn_cycle, move.empty_cycle + 8);
  EXPECT_LE(last_delivered, move.torn_cycle);
  EXPECT_EQ(move.standstill_cycles(), 18U);
  EXPECT_EQ(next_injected, move.resumed_cycle + 3);
  EXPECT_GT(move.waiting_items, 0U);
}

// ------------------------------------------------------------------------------------------------ random, with traffic

struct Named {
  const char* name;
  std::string graph;
  const char* reroute;
  const char* avoid;
};

Experiment moving(const Named& c) {
  Experiment e = stream_mesh("", 4, 4);
  e.set("stream.graph", source_file(c.graph));
  e.set("stream.computation_scaling", 0.001);
  e.set("setup.retries", 40);
  e.set("setup.reroute", c.reroute);
  e.set("setup.avoid_links", c.avoid);
  e.set("setup.reroute_at_cycle", 1500);
  e.set("setup.reroute_every_cycles", 1500);
  e.set("log.file", "unwritten.csv");
  add_traffic(e, 0.1);
  return e;
}

/// Of every stream: packets 0, 1, 2, … come in that order, and none is missing.
void expect_order(const Bench& bench) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> delivered;  // stream, position: cycle
  std::map<std::uint32_t, std::uint32_t> sent;
  for (const models::PacketLog::Page& page : bench.network->packet_log()->pages()) {
    for (const models::PacketRecord& r : page.records()) {
      if (r.packet.tag == models::kNoTag) continue;
      ++sent[r.packet.tag];
      if (!r.delivered) continue;
      EXPECT_TRUE(delivered[r.packet.tag].emplace(r.packet.tag_sequence, *r.delivered).second) << "twice";
    }
  }
  EXPECT_FALSE(delivered.empty());
  for (const auto& [stream, packets] : delivered) {
    std::uint32_t expected = 0;
    std::uint64_t last = 0;
    for (const auto& [position, cycle] : packets) {
      EXPECT_EQ(position, expected++) << "of stream " << stream;
      EXPECT_GT(cycle, last) << "stream " << stream << ", packet " << position << " overtakes";
      last = cycle;
    }
  }
}

class MovingProgram : public testing::TestWithParam<Named> {};

TEST_P(MovingProgram, LosesNothingAndKeepsTheOrder) {
  const Experiment e = moving(GetParam());
  std::uint64_t hash = 0;
  for (const std::size_t slices : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{16}}) {
    Bench bench(e, slices);
    bench.run(8000);
    ASSERT_FALSE(bench.network->setup_results().fell_back_to_packets);
    EXPECT_TRUE(bench.network->conservation().holds());
    EXPECT_GE(moved(bench).rounds, 2U);
    expect_order(bench);
    const std::uint64_t other_paths = static_cast<std::uint64_t>(
        std::count_if(moved(bench).moves.begin(), moved(bench).moves.end(), [](const Move& m) { return m.moved; }));
    EXPECT_GT(other_paths, 0U) << "something has moved";
    const std::uint64_t found = bench.network->merged_statistics().packet_hash();
    if (slices == 1) hash = found;
    EXPECT_EQ(found, hash) << slices << " slices";
  }
}

const std::string kGraphs = "scripts/braid_tools/papers/tentacle/graphs/";
INSTANTIATE_TEST_SUITE_P(
    Programs, MovingProgram,
    testing::Values(Named{"fm_radio_each", "traffic/graphs/fm_radio_4x4.toml", "each", "1,1.east 2,2.north"},
                    Named{"fm_radio_all", "traffic/graphs/fm_radio_4x4.toml", "all", ""},
                    Named{"bitonic_sort_each", kGraphs + "BitonicSort_4x4.toml", "each", "1,1.east 2,2.north"},
                    Named{"bitonic_sort_all", kGraphs + "BitonicSort_4x4.toml", "all", "1,1.east 2,2.north"},
                    Named{"des_each", kGraphs + "DES_4x4.toml", "each", "1,1.east 2,2.north"},
                    Named{"des_all", kGraphs + "DES_4x4.toml", "all", "1,1.east 2,2.north"}),
    [](const auto& c) { return c.param.name; });

/// Without links to avoid a search has no more free links than the one that found the path before: it finds it again.
TEST(ReroutingOfEach, FindsEveryPathAgain) {
  Bench bench(moving({"", "traffic/graphs/fm_radio_4x4.toml", "each", ""}));
  bench.run(6000);
  EXPECT_GE(moved(bench).moves.size(), 2U * 18U);
  for (const Move& move : moved(bench).moves) EXPECT_FALSE(move.moved) << move.stream;
}

/// A consumer of an item in 100 cycles with room for one: behind the tear-down five flits wait in its interface, and
/// the token waits for them.
TEST(ReroutingOfEach, WaitsForFlitsThatTheInterfaceHolds) {
  Experiment e = slow_consumer(1, 100);
  e.set("setup.reroute", "each");
  e.set("setup.reroute_at_cycle", 1000);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.run(5000);
  ASSERT_EQ(moved(bench).moves.size(), 1U);
  const Move& move = moved(bench).moves[0];
  std::uint64_t last = 0;
  for (const models::PacketRecord& r : bench.network->packet_log()->pages()[0].records()) {
    if (r.packet.created <= move.stopped_cycle) last = std::max(last, r.delivered.value());
  }
  EXPECT_EQ(move.torn_cycle, last) << "in the cycle in which the consumer takes the last of them";
  EXPECT_GT(move.torn_cycle, move.empty_cycle + 500);
  expect_order(bench);
}

/// Queues of a few items, a slow consumer: circuits wait for room while they are to be emptied, and are emptied.
TEST(ReroutingOfEach, GoesOnWhereReceiversAreFull) {
  Experiment e = moving({"", "traffic/graphs/fm_radio_4x4.toml", "each", "1,1.east"});
  e.set("interface.receive_queue_items", 72);
  e.set("stream.computation_scaling", 0.01);
  Bench bench(e);
  bench.run(20000);
  EXPECT_GE(moved(bench).rounds, 2U);
  EXPECT_TRUE(bench.network->conservation().holds());
  expect_order(bench);
}

/// The new circuit's lane is told to whoever sends on it, whatever it took to be its lane before.
TEST(Rerouting, TellsTheProgramOnWhichLaneAStreamGoesOn) {
  Experiment e = streams(3, 1, 1, {{0, 2}});
  e.set("router.circuit_lanes", 2);
  Bench bench(e);
  bench.run(29);
  const models::StreamProgram::Edge& edge = program_of(bench).edges()[0];
  ASSERT_EQ(edge.source_lane, 0U);
  program_of(bench).circuit_found(0, edge.source_port, 1);
  bench.run(100);
  ASSERT_EQ(moved(bench).moves.size(), 1U);
  EXPECT_EQ(edge.source_lane, 0U);
}

// ------------------------------------------------------------------------------------------------- watchdog, bad input

std::string complaint(models::Watchdog& watchdog) {
  try {
    watchdog.check();
  } catch (const models::DeadlockError& error) {
    return error.what();
  }
  return {};
}

/// Six routers, a limit shorter than the standstill: no flit moves while the producer waits with a full queue, and no
/// deadlock is called.
TEST(ReroutingWatchdog, KnowsThatTheTokenIsUnderWay) {
  Experiment e = streams(6, 1, 1, {{0, 5}}, 1);
  e.set("interface.stream_queue_items", 2);
  e.set("setup.reroute_at_cycle", 200);
  Bench bench(e);
  bench.run(100);
  models::WatchdogOptions options;
  options.watchdog_cycles = 10;
  models::Watchdog watchdog(*bench.network, options);
  int waiting = 0;
  for (int i = 0; i < 300; ++i) {
    bench.run(1);
    const bool waits = bench.network->workloads()[0]->state() == models::Workload::State::kWaiting;
    waiting += waits && bench.network->flits_in_network() == 0 ? 1 : 0;
    ASSERT_EQ(complaint(watchdog), "") << "in cycle " << bench.network->now();
  }
  EXPECT_GT(waiting, 20);
  ASSERT_EQ(moved(bench).moves.size(), 1U);
  EXPECT_GT(moved(bench).moves[0].standstill_cycles(), 20U);
}

/// What a tear-down that nothing holds up is given, before a flit must be in its way: what it takes, as drawn above,
/// and a cycle more at most. With more a deadlock would be told late.
TEST(ReroutingWatchdog, GivesATearDownTheCyclesOfItsDrawing) {
  for (std::uint32_t hops = 1; hops <= 5; ++hops) {
    Bench bench(streams(hops + 1, 1, 1, {{0, hops}}));
    bench.run(100);
    ASSERT_EQ(moved(bench).moves.size(), 1U);
    const std::uint64_t taken = moved(bench).moves[0].torn_cycle - moved(bench).moves[0].empty_cycle;
    EXPECT_EQ(taken, 4 + 2 * hops);
    const auto& requests = models::hybrid::of(bench.network->fabric()).setup_requests();
    EXPECT_GE(requests.tear_down_cycles(hops + 1), taken) << hops << " links";
    EXPECT_LE(requests.tear_down_cycles(hops + 1), taken + 1) << hops << " links";
  }
}

/// A consumer that never takes its items: the tear-down waits behind them for ever, and that is a deadlock.
TEST(ReroutingWatchdog, EndsARunWhoseCircuitIsNeverEmptied) {
  Experiment e = slow_consumer(40, 100000);
  e.set("setup.reroute", "each");
  e.set("setup.reroute_at_cycle", 300);
  Bench bench(e);
  bench.run(1000);
  EXPECT_TRUE(moved(bench).moves.empty());
  EXPECT_TRUE(program_of(bench).edges()[0].stopped);
  const RouterBank& bank = bank_of(bench);
  EXPECT_EQ(bank.circuit_out(bank.circuit_vc(bank.port_index(RouterId{0}, routing::kFirstGridLocalPort))), kNone)
      << "the tear-down has begun";
  EXPECT_FALSE(bench.network->fabric().transfers_under_way()) << "a flit holds the token up";
  EXPECT_TRUE(bench.network->conservation().holds());
}

TEST(ReroutingInput, IsRefusedInOneLine) {
  Experiment e = streams(3, 1, 1, {{0, 2}});
  e.set("setup.avoid_links", "0.east");
  EXPECT_EQ(refusal(e), "setup.avoid_links: unknown router \"0\" (did you mean \"0,0\"?); expected the name of one");
  e.set("setup.avoid_links", "middle");
  EXPECT_EQ(refusal(e), "setup.avoid_links: \"middle\"; expected ROUTER.PORT, with blanks between several");
  e.set("setup.avoid_links", "0,0.eats");
  EXPECT_NE(refusal(e).find("setup.avoid_links: unknown port \"eats\" (did you mean \"east\"?)"), std::string::npos)
      << refusal(e);
  e.set("setup.avoid_links", "0,0.local0");
  EXPECT_EQ(refusal(e), "setup.avoid_links = \"local0\": a node's cable; expected a link to another router");
  e.set("setup.avoid_links", "0,0.east");
  e.set("setup.reroute", "all");
  e.set("interface.receive_queue_items", 64);
  EXPECT_NE(refusal(e).find("setup.reroute = \"all\": a circuit whose receiver is full could wait for ever"),
            std::string::npos)
      << refusal(e);
  e.set("interface.receive_queue_items", 0);
  EXPECT_EQ(refusal(e), "");
  e.set("setup.retries", 32766);
  EXPECT_EQ(refusal(e), "") << "numbers of searches begin anew";
}

}  // namespace
}  // namespace braid::test::rerouting_test
