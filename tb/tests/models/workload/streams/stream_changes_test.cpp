// Programs that change while they run (a section [change]), to the cycle: docs/stream-changes.md draws them. A circuit
// over h links that is torn down from the end of cycle c on has ended in c + 2 h + 4, one that is searched stands in
// c + 4 h + 1; a packet of L flits over R routers is there 3 + 5 R + L - 1 cycles after the one in which it is made.
#include "models/workload/streams/stream_changes.h"

#include <gtest/gtest.h>

#include <map>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::stream_changes_test {
namespace {

using models::Experiment;
using models::StreamChangeResult;

/// Actors tN of a row of tiles, streams between them.
Experiment row(std::uint32_t width, const std::vector<Way>& ways, std::uint32_t work = 1000) {
  Experiment e = tile_streams(width, 1, 1, ways, work);
  e.open("change");
  return e;
}

/// Three actors in a row of four tiles; the middle one goes to the free tile at the end.
Experiment middle_moves(std::uint32_t work = 1000) {
  Experiment e = row(4, {{0, 1}, {1, 2}}, work);
  e.set("change.migrate", "t1@3,0");
  e.set("change.migrate_at_cycle", 30);
  e.set("change.state_words", 8);
  return e;
}

const models::StreamChanges& changes_of(const Bench& bench) {
  return *bench.network->workload<models::StreamWorkload>()->changes();
}
const StreamChangeResult& change_of(const Bench& bench) { return changes_of(bench).results().front(); }

/// Packets of each stream that have come: positions 0, 1, 2, ..., each once; on circuits in that order. On packets they
/// may overtake, and the last may be missing.
void expect_order(const Bench& bench, bool on_circuits = true) {
  std::map<std::uint32_t, std::map<std::uint64_t, std::uint64_t>> positions;  // stream; cycle: position, or the reverse
  for (const models::PacketLog::Page& page : bench.network->packet_log()->pages()) {
    for (const models::PacketRecord& r : page.records()) {
      if (r.packet.tag == models::kNoTag || !r.delivered) continue;
      const std::uint64_t position = r.packet.tag_sequence;
      auto& mine = positions[r.packet.tag];
      const bool once =
          on_circuits ? mine.emplace(*r.delivered, position).second : mine.emplace(position, position).second;
      EXPECT_TRUE(once) << "twice, or two at once";
    }
  }
  EXPECT_FALSE(positions.empty());
  constexpr std::uint64_t kUnderWay = 64;
  for (const auto& [stream, packets] : positions) {
    std::uint64_t expected = 0;
    for (const auto& [key, position] : packets) {
      if (!on_circuits && position + kUnderWay > packets.size()) break;
      EXPECT_EQ(position, expected++) << stream << " at " << key;
    }
  }
}

// -------------------------------------------------------------------------------------------------------- rate watch

/// An item a cycle, none in 41 .. 45, then one a cycle: windows of ten cycles have one too few up to that behind 44.
TEST(RateWatch, HoldsFromTheFirstWindowOnThatIsFull) {
  models::RateWatch watch(10);
  std::uint64_t items = 0;
  for (std::uint64_t cycle = 0; cycle <= 80; ++cycle) {
    if (cycle < 41 || cycle > 45) ++items;
    watch.look(cycle, items);
    if (cycle == 40) watch.begin(cycle);
    if (cycle == 54) {
      EXPECT_FALSE(watch.rate().holds()) << "its last window has too few";
    }
    if (cycle == 55) {
      EXPECT_EQ(watch.rate().holds(), std::optional<std::uint64_t>(45));
    }
  }
  EXPECT_EQ(watch.rate().before, std::optional<std::uint64_t>(10));
  EXPECT_EQ(watch.rate().least, std::optional<std::uint64_t>(5));
  EXPECT_EQ(watch.rate().holds(), std::optional<std::uint64_t>(45));
}

/// Of 40 items before, 38 are enough (95 %) and 37 are not.
TEST(RateWatch, AllowsForFivePercent) {
  for (const std::uint64_t gone : {2U, 3U}) {
    models::RateWatch watch(40);
    std::uint64_t items = 0;
    for (std::uint64_t cycle = 0; cycle <= 400; ++cycle) {
      if (cycle < 161 || cycle >= 161 + gone) ++items;
      watch.look(cycle, items);
      if (cycle == 160) watch.begin(cycle);
    }
    EXPECT_EQ(watch.rate().holds(), std::optional<std::uint64_t>(gone == 2 ? 160 : 161)) << gone;
  }
}

/// Four items come together every seven cycles: ten cycles have eight, or four. Four are as good as before.
TEST(RateWatch, GoesByTheFewestBefore) {
  models::RateWatch watch(10);
  for (std::uint64_t cycle = 0; cycle <= 100; ++cycle) {
    watch.look(cycle, cycle / 7 * 4);
    if (cycle == 50) watch.begin(cycle);
  }
  EXPECT_EQ(watch.rate().before, std::optional<std::uint64_t>(8));  // 42 and 49
  EXPECT_EQ(watch.rate().least_before, std::optional<std::uint64_t>(4));
  EXPECT_EQ(watch.rate().holds(), std::optional<std::uint64_t>(50));
}

TEST(RateWatch, SaysNothingWhereNothingIsKnown) {
  models::RateWatch early(10);
  for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
    early.look(cycle, cycle);
    if (cycle == 39) early.begin(cycle);
  }
  EXPECT_FALSE(early.rate().before) << "not four windows before";
  EXPECT_FALSE(early.rate().holds());
  models::RateWatch silent(10);
  for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
    silent.look(cycle, 0);
    if (cycle == 40) silent.begin(cycle);
  }
  EXPECT_FALSE(silent.rate().holds()) << "nothing came before";
}

// --------------------------------------------------------------------------------------------------------- migration

/// t0 -> t1 over one link is down in 30 + 6; t1 waits, and the token is at it in 37: t1 -> t2 is down in 43. One packet
/// of 8 flits is made in 44 and passes three routers: 44 + 3 + 15 + 7 = 69. t0 -> t1 over three links stands in 69 +
/// 13, t1 -> t2 over one in 83 + 5.
TEST(Migration, IsDrawnInTheDocumentation) {
  Bench bench(middle_moves());
  bench.run(88);
  EXPECT_EQ(change_of(bench).resumed_cycle, 0U) << "cycle N - 1";
  EXPECT_TRUE(program_of(bench).edges()[1].stopped);
  EXPECT_FALSE(program_of(bench).edges()[0].stopped);
  bench.run(1);
  const StreamChangeResult& change = change_of(bench);
  EXPECT_EQ(change.stopped_cycle, 30U);
  EXPECT_EQ(change.idle_cycle, 36U);
  EXPECT_EQ(change.empty_cycle, 43U);
  EXPECT_EQ(change.moved_cycle, 69U);
  ASSERT_EQ(change.streams.size(), 2U);
  EXPECT_EQ(change.streams[0].resumed_cycle, 82U);
  EXPECT_EQ(change.streams[1].resumed_cycle, 88U);
  EXPECT_EQ(change.resumed_cycle, 88U) << "cycle N";
  EXPECT_EQ(change.state_flits, 8U);
  EXPECT_EQ(program_of(bench).actors()[1].node, NodeId{3});
  EXPECT_FALSE(program_of(bench).edges()[1].stopped);
  const models::SetupResults setup = bench.network->setup_results();
  ASSERT_EQ(setup.circuits.size(), 2U);
  EXPECT_EQ(setup.circuits[0].destination, NodeId{3});
  EXPECT_EQ(setup.circuits[0].path.size(), 4U);
  EXPECT_EQ(setup.circuits[1].source, NodeId{3});
  bench.run(10000);
  EXPECT_GT(program_of(bench).edges()[1].delivered_items, 5U) << "the program goes on";
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
}

/// The token takes longer: once between the tear-downs, once between the searches.
TEST(Migration, WaitsForTheToken) {
  Experiment e = middle_moves();
  e.set("setup.token_cycles", 4);
  Bench bench(e);
  bench.run(200);
  EXPECT_EQ(change_of(bench).empty_cycle, 46U);
  EXPECT_EQ(change_of(bench).moved_cycle, 72U);
  EXPECT_EQ(change_of(bench).resumed_cycle, 72U + 13 + 4 + 5);
}

/// Nothing is under way and no circuit is searched: the state alone takes time, a packet of 8 flits over three routers.
TEST(Migration, OnPacketsTakesAsLongAsTheStateOnItsWay) {
  Experiment e = middle_moves();
  e.set("interface.switching", "packet");
  Bench bench(e);
  bench.run(100);
  const StreamChangeResult& change = change_of(bench);
  EXPECT_EQ(change.empty_cycle, 30U);
  EXPECT_EQ(change.moved_cycle, 31U + 25);
  EXPECT_EQ(change.resumed_cycle, 56U);
  EXPECT_FALSE(change.streams[0].on_circuit);
}

/// A firing that has begun ends at the old tile, and its item leaves from there: t1 takes its first item soon after
/// cycle 1000 and works for 1000 cycles.
TEST(Migration, LetsAFiringEnd) {
  Experiment e = middle_moves();
  e.set("change.migrate_at_cycle", 1500);
  Bench bench(e);
  bench.run(1700);
  EXPECT_EQ(program_of(bench).actors()[1].state, models::StreamProgram::Actor::State::kComputing);
  bench.run(2500);
  const std::uint64_t begun = program_of(bench).actors()[1].ready_cycle;
  EXPECT_GT(begun, 0U);
  const StreamChangeResult& change = change_of(bench);
  EXPECT_GT(change.idle_cycle, 2000U) << "until it has put its item out";
  EXPECT_LT(change.idle_cycle, 2100U);
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
}

/// Queues that are full, and packets under way: items in the actor's queues go with it, a flit each, and nothing is
/// lost.
TEST(Migration, OfBusyStreamsLosesNothing) {
  for (const char* switching : {"circuit", "packet"}) {
    for (const std::size_t slices : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
      Experiment e = middle_moves(1);
      e.set("interface.switching", switching);
      e.set("change.migrate_at_cycle", 2000);
      e.set("change.rate_window_cycles", 400);
      e.set("log.file", "unwritten.csv");
      e.set("simulation.threads", static_cast<std::uint32_t>(slices));
      Bench bench(e, slices);
      bench.run(6000);
      const StreamChangeResult& change = change_of(bench);
      ASSERT_TRUE(change.ended()) << switching;
      EXPECT_GT(change.idle_cycle, change.stopped_cycle + 6) << "what was under way has come";
      EXPECT_GE(change.state_flits, 8U);
      EXPECT_EQ(changes_of(bench).lost_items(), 0U);
      EXPECT_TRUE(bench.network->conservation().holds());
      expect_order(bench, switching == std::string("circuit"));
      ASSERT_TRUE(change.rate.before);
      EXPECT_EQ(*change.rate.before, 400U) << "an item a cycle";
      ASSERT_TRUE(change.rate.holds()) << "it is as fast from its new tile";
      EXPECT_GT(*change.rate.holds(), change.stopped_cycle);
      static std::map<std::string, std::uint64_t> hashes;
      const std::uint64_t hash = bench.network->merged_statistics().packet_hash();
      EXPECT_EQ(hashes.emplace(switching, hash).first->second, hash) << slices << " slices, " << switching;
    }
  }
}

/// t1 has items of t0, and waits for one of t3 that comes late: they go with it, a flit each.
TEST(Migration, TakesWaitingItemsAlong) {
  Experiment e = row(5, {{0, 1}, {3, 1}, {1, 2}});
  const std::string file = temporary_file("unequal.toml");
  std::ofstream out(file);
  out << "name = \"unequal\"\n";
  const std::uint32_t work[] = {10, 1, 1, 900};
  for (std::size_t t = 0; t < 4; ++t) {
    out << "[[actor]]\nname = \"t" << t << "\"\nwork = " << work[t] << "\ntile = " << t << "\n";
  }
  for (const char* way : {"from = \"t0\"\nto = \"t1\"", "from = \"t3\"\nto = \"t1\"", "from = \"t1\"\nto = \"t2\""}) {
    out << "[[edge]]\n" << way << "\n";
  }
  out.close();
  e.set("stream.graph", file);
  e.set("topology.local_ports", 2);
  e.set("change.migrate", "t1@4");
  e.set("change.migrate_at_cycle", 600);
  e.set("change.state_words", 3);
  Bench bench(e);
  while (changes_of(bench).results().empty() || change_of(bench).moved_cycle == 0) {
    ASSERT_LT(bench.network->now(), 2000U);
    bench.run(1);
  }
  const std::uint64_t waiting = program_of(bench).edges()[0].received.items();
  EXPECT_GE(waiting, 55U) << "one in ten cycles";
  EXPECT_EQ(change_of(bench).state_flits, 3 + waiting);
  bench.run(3000);
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
  EXPECT_GE(program_of(bench).actors()[2].firings, 3U);
}

/// Link 2-3 is held by t2 -> t3: no circuit leads from tile 0 to tile 4, and the stream goes on in packets.
TEST(Migration, LeavesAStreamWithoutAPathOnPackets) {
  Experiment e = row(5, {{0, 1}, {2, 3}}, 10);
  e.set("change.migrate", "t1@4");
  e.set("change.migrate_at_cycle", 100);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.run(3000);
  const StreamChangeResult& change = change_of(bench);
  ASSERT_TRUE(change.ended());
  ASSERT_EQ(change.streams.size(), 1U);
  EXPECT_FALSE(change.streams[0].on_circuit);
  EXPECT_TRUE(program_of(bench).edges()[0].on_packets);
  EXPECT_EQ(bench.network->setup_results().circuits.size(), 1U) << "the other stream's stands";
  EXPECT_GT(program_of(bench).edges()[0].delivered_items, 200U);
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
  expect_order(bench, false);
}

/// An actor's name may have blanks.
TEST(Migration, OfAnActorWhoseNameHasBlanks) {
  const std::string file = temporary_file("blanks.toml");
  std::ofstream(file) << "name = \"blanks\"\n[[actor]]\nname = \"the first\"\nwork = 10\ntile = 0\n[[actor]]\nname = "
                         "\"b c d\"\nwork = 10\ntile = 1\n[[edge]]\nfrom = \"the first\"\nto = \"b c d\"\n";
  Experiment e = row(4, {{0, 1}});
  e.set("stream.graph", file);
  e.set("change.migrate", "b c d@3,0 the first@2");
  Bench bench(e);
  EXPECT_EQ(changes_of(bench).planned(), 2U);
}

/// One after the other: t1 goes to tile 3, and t2 to the tile that t1 has left. Then back to circuits or packets of
/// both.
TEST(Migration, OfSeveralIsOneAfterTheOther) {
  Experiment e = middle_moves(4);
  e.set("change.migrate", "t1@3,0 t2@1,0");
  e.set("change.migrate_at_cycle", 500);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.run(4000);
  ASSERT_EQ(changes_of(bench).results().size(), 2U);
  EXPECT_EQ(changes_of(bench).results()[1].stopped_cycle, changes_of(bench).results()[0].resumed_cycle + 1);
  EXPECT_EQ(program_of(bench).actors()[2].node, NodeId{1});
  EXPECT_TRUE(changes_of(bench).results()[1].ended());
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
  expect_order(bench);
}

// ------------------------------------------------------------------------------------------------------ a filter more

Experiment filter_comes(std::uint32_t work = 1000) {
  Experiment e = row(4, {{0, 2}}, work);
  e.set("change.add_filter", "denoise@3,0");
  e.set("change.add_between", "t0 -> t2");
  e.set("change.add_at_cycle", 30);
  return e;
}

/// t0 -> t2 over two links is down in 30 + 8; t0 -> denoise over three stands in 39 + 13, denoise -> t2 over one in
/// 53 + 5.
TEST(AddedFilter, IsDrawnInTheDocumentation) {
  Bench bench(filter_comes());
  EXPECT_EQ(program_of(bench).edge_name(0), "t0 -> t2");
  bench.run(58);
  EXPECT_FALSE(change_of(bench).ended()) << "cycle N - 1";
  bench.run(1);
  const StreamChangeResult& change = change_of(bench);
  EXPECT_EQ(change.kind, "filter added");
  EXPECT_EQ(change.empty_cycle, 38U);
  EXPECT_EQ(change.moved_cycle, 38U) << "it has no state";
  EXPECT_EQ(change.streams[0].resumed_cycle, 52U);
  EXPECT_EQ(change.resumed_cycle, 58U) << "cycle N";
  EXPECT_EQ(program_of(bench).edge_name(0), "t0 -> denoise");
  EXPECT_EQ(program_of(bench).edge_name(1), "denoise -> t2");
  bench.run(10000);
  EXPECT_GT(program_of(bench).edges()[1].delivered_items, 5U);
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
}

/// What the consumer has in its queue stays there; then each item comes by way of the filter, once.
TEST(AddedFilter, OfABusyStreamLosesNothing) {
  for (const char* switching : {"circuit", "packet"}) {
    const std::string file = temporary_file("slower.toml");  // the consumer has more and more items
    std::ofstream(file) << "name = \"slower\"\n[[actor]]\nname = \"t0\"\nwork = 2\ntile = 0\n[[actor]]\nname = "
                           "\"t2\"\nwork = 3\ntile = 2\n[[edge]]\nfrom = \"t0\"\nto = \"t2\"\n";
    Experiment e = filter_comes();
    e.set("stream.graph", file);
    e.set("interface.switching", switching);
    e.set("change.add_at_cycle", 2000);
    e.set("log.file", "unwritten.csv");
    e.set("stream.latency", true);
    Bench bench(e);
    bench.run(1999);
    EXPECT_EQ(program_of(bench).actors()[2].firings, 0U) << "it is not there yet";
    EXPECT_GT(program_of(bench).edges()[0].received.items(), 200U) << "the consumer has a queue";
    bench.run(4001);
    ASSERT_TRUE(change_of(bench).ended()) << switching;
    const models::StreamProgram& program = program_of(bench);
    EXPECT_EQ(changes_of(bench).lost_items(), 0U) << switching;
    EXPECT_GT(program.actors()[2].firings, 1000U);
    const std::uint64_t past = program.actors()[1].firings + program.edges()[1].received.items();
    EXPECT_GT(past, program.actors()[2].firings + 900) << "some came before it did";
    expect_order(bench, switching == std::string("circuit"));
  }
}

/// The filter has items and fires before the token comes to the stream that leads away from it: what it puts out waits.
TEST(AddedFilter, SendsNothingBeforeItsCircuitStands) {
  Experiment e = filter_comes(1);
  e.set("setup.token_cycles", 40);
  e.set("change.add_work", 1);
  e.set("change.add_at_cycle", 300);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  while (bench.network->now() < 1000 && !(bench.network->now() > 300 && change_of(bench).ended())) {
    EXPECT_EQ(program_of(bench).edges()[1].packed_items, 0U) << "cycle " << bench.network->now();
    bench.run(1);
  }
  const StreamChangeResult& change = change_of(bench);
  ASSERT_TRUE(change.ended());
  EXPECT_GE(change.resumed_cycle, change.streams[0].resumed_cycle + 40);
  EXPECT_GT(change.streams[1].waiting_items, 5U) << "of the filter's firings in the meantime";
  bench.run(2000);
  EXPECT_GT(program_of(bench).edges()[1].delivered_items, 1000U);
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
  expect_order(bench);
}

/// A filter of 8 cycles an item in a stream of one in two: the rate does not hold again, and that is said.
TEST(AddedFilter, ThatIsTooSlowIsSeen) {
  Experiment e = filter_comes(2);
  e.set("change.add_at_cycle", 2000);
  e.set("change.add_work", 8);
  e.set("change.rate_window_cycles", 500);
  Bench bench(e);
  bench.run(8000);
  ASSERT_TRUE(change_of(bench).rate.before);
  EXPECT_EQ(*change_of(bench).rate.before, 250U);
  EXPECT_FALSE(change_of(bench).rate.holds());
  EXPECT_LT(*change_of(bench).rate.least, 65U);
}

// ------------------------------------------------------------------------------------------------------------- input

TEST(ChangeInput, IsRefusedInOneLine) {
  const auto migrate = [](const char* what) {
    Experiment e = middle_moves();
    e.set("change.migrate", what);
    return refusal(e);
  };
  EXPECT_EQ(migrate("t1"), "change.migrate: \"t1\"; expected ACTOR@TILE, with blanks between several");
  EXPECT_EQ(migrate("t1@"), "change.migrate: \"t1@\"; expected ACTOR@TILE, with blanks between several");
  EXPECT_EQ(migrate("t11@3,0"),
            "change.migrate: unknown actor \"t11\" (did you mean \"t1\"?); expected the name of one");
  EXPECT_EQ(
      migrate("t1@3,1"),
      "change.migrate: unknown tile \"3,1\" (did you mean \"3,0\"?); expected the name of a router with a node, or "
      "0 to 3");
  EXPECT_NE(migrate("t1@4").find("change.migrate: unknown tile \"4\""), std::string::npos);
  EXPECT_EQ(migrate("t1@2,0"), "change.migrate: tile 2,0 of t1 is that of t2; expected a free one");
  EXPECT_EQ(migrate("t1@1,0"), "change.migrate: tile 1,0 of t1 is that of t1; expected a free one");
  EXPECT_EQ(migrate("t1@3,0 t2@1"), "") << "the first has left it";
  EXPECT_NE(migrate("t2@1 t1@3,0"), "") << "... or not yet";
  EXPECT_EQ(migrate(""), "change.migrate is missing: expected ACTOR@TILE, or change.add_filter");
}

TEST(ChangeInput, OfAFilterIsRefusedInOneLine) {
  const auto add = [](const char* filter, const char* between) {
    Experiment e = filter_comes();
    e.set("change.add_filter", filter);
    e.set("change.add_between", between);
    return refusal(e);
  };
  EXPECT_EQ(add("denoise@3,0", ""), "change.add_between is missing: expected PRODUCER -> CONSUMER");
  EXPECT_EQ(add("", "t0 -> t2"), "change.add_filter is missing: expected NAME@TILE");
  EXPECT_EQ(add("t0@3,0", "t0 -> t2"), "change.add_filter: there is an actor \"t0\"; expected another name");
  EXPECT_EQ(add("denoise@2,0", "t0 -> t2"),
            "change.add_filter: tile 2,0 of denoise is that of t2; expected a free one");
  EXPECT_EQ(add("denoise@3,0", "t0 -> t3"),
            "change.add_between: unknown stream \"t0 -> t3\" (did you mean \"t0 -> t2\"?); expected the name of one");
}

TEST(ChangeInput, RefusesWhatCannotStandStill) {
  const auto with = [](const char* key, auto value) {
    Experiment e = middle_moves();
    e.set(key, value);
    return refusal(e);
  };
  EXPECT_NE(with("interface.receive_queue_items", 64).find("expected interface.receive_queue_items = 0 (unbounded)"),
            std::string::npos);
  EXPECT_NE(with("setup.reroute", "each").find("setup.reroute: the set-up token has one holder"), std::string::npos);
  EXPECT_NE(with("setup.searches", "parallel").find("setup.searches = \"parallel\": a section [change]"),
            std::string::npos);
  EXPECT_NE(with("stream.multicast", "routers").find("stream.multicast = \"routers\": the branches of a tree do not"),
            std::string::npos);
  EXPECT_NE(with("setup.paths", "exact").find("setup.paths = \"exact\" installs circuits once"), std::string::npos);
  Experiment pull = middle_moves();
  pull.set("interface.switching", "packet");
  pull.set("interface.transfer", "pull");
  EXPECT_EQ(refusal(pull), "change: a pulled stream has requests under way; expected interface.transfer = \"push\"");
}

}  // namespace
}  // namespace braid::test::stream_changes_test
