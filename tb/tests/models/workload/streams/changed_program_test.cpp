// What is known of a change while it is under way, in which order changes come, how their input may be written, and
// that a filter leaves initial items where they are. (The changes to the cycle: stream_changes_test.cpp.)
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/workload/streams/stream_changes.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::changed_program_test {
namespace {

using models::Experiment;
using models::RateWatch;
using models::StreamChangeResult;

const models::StreamChanges& changes_of(const Bench& bench) {
  return *bench.network->workload<models::StreamWorkload>()->changes();
}

/// Actors on a row of four tiles; an actor goes where the text says after cycle 30.
Experiment moves(const std::string& migrate, const std::vector<Way>& ways = {{0, 1}, {1, 2}}) {
  Experiment e = tile_streams(4, 1, 1, ways, 1000);
  e.open("change");
  e.set("change.migrate", migrate);
  e.set("change.migrate_at_cycle", 30);
  e.set("change.state_words", 8);
  return e;
}

/// A graph of that text on the row.
Experiment of_graph(const std::string& text) {
  const std::string file = temporary_file("changed_program.toml");
  std::ofstream(file) << text;
  Experiment e = stream_mesh("", 4, 1);
  e.set("topology.local_ports", 1);
  e.set("stream.graph", file);
  e.open("change");
  return e;
}
std::string actor(const std::string& name, int tile, int work = 1000) {
  return "[[actor]]\nname = \"" + name + "\"\nwork = " + std::to_string(work) + "\ntile = " + std::to_string(tile) +
         "\n";
}
std::string edge(const std::string& from, const std::string& to, const std::string& more = "") {
  return "[[edge]]\nfrom = \"" + from + "\"\nto = \"" + to + "\"\n" + more;
}

/// Cycles of what is still to come are 0, and figures that need them are not there. As drawn in the documentation:
/// idle in 36, empty in 43, moved in 69, its streams on again in 82 and 88.
TEST(ChangeUnderWay, HasTheCyclesThatHaveBeen) {
  Bench bench(moves("t1@3,0"));
  bench.run(30);
  EXPECT_TRUE(changes_of(bench).results().empty()) << "before cycle 30 has ended";
  EXPECT_FALSE(changes_of(bench).under_way());
  bench.run(1);
  ASSERT_EQ(changes_of(bench).results().size(), 1U);
  EXPECT_TRUE(changes_of(bench).under_way());
  const auto seen = [&] {
    const StreamChangeResult& c = changes_of(bench).results().front();
    return std::vector<std::uint64_t>{c.stopped_cycle, c.idle_cycle,    c.empty_cycle,
                                      c.moved_cycle,   c.resumed_cycle, c.streams.size()};
  };
  using Cycles = std::vector<std::uint64_t>;
  const auto until = [&](std::uint64_t cycle) { bench.run(cycle + 1 - bench.network->now()); };
  EXPECT_EQ(seen(), (Cycles{30, 0, 0, 0, 0, 0}));
  until(36);
  EXPECT_EQ(seen(), (Cycles{30, 36, 0, 0, 0, 0}));
  EXPECT_EQ(changes_of(bench).results().front().state_flits, 0U);
  until(43);
  EXPECT_EQ(seen(), (Cycles{30, 36, 43, 0, 0, 0}));
  EXPECT_EQ(changes_of(bench).results().front().state_flits, 8U);
  until(69);
  EXPECT_EQ(seen(), (Cycles{30, 36, 43, 69, 0, 0}));
  until(82);
  EXPECT_EQ(seen(), (Cycles{30, 36, 43, 69, 0, 1}));
  EXPECT_TRUE(changes_of(bench).under_way());
  until(88);
  EXPECT_EQ(seen(), (Cycles{30, 36, 43, 69, 88, 2}));
  EXPECT_FALSE(changes_of(bench).under_way());
}

/// Of a change that ends and one that does not, in a report as results have it.
TEST(ChangeFigures, SayWhatHasEnded) {
  models::StreamChangeResults all;
  all.planned = 3;
  all.lost_items = 5;
  StreamChangeResult ended;
  ended.kind = "migration";
  ended.actor = "t1";
  ended.from = NodeId{1};
  ended.to = NodeId{3};
  ended.stopped_cycle = 30;
  ended.idle_cycle = 36;
  ended.empty_cycle = 43;
  ended.moved_cycle = 69;
  ended.resumed_cycle = 88;
  ended.state_flits = 8;
  ended.streams = {
      {"t0 -> t1", 4, true, 3, 13, 82, 2}, {"t1 -> t2", 5, false, 0, 0, 83, 1}, {"t1 -> t3", 6, true, 1, 5, 88, 0}};
  ended.rate.begin = 30;
  ended.rate.before = 10;
  ended.rate.least_before = 9;
  ended.rate.least = 7;
  ended.rate.last_low = 100;
  ended.rate.last = 200;
  StreamChangeResult begun = ended;
  begun.resumed_cycle = 0;
  all.list = {ended, begun};
  const Report report = models::stream_change_figures().of(all);
  EXPECT_EQ(report.get<std::uint64_t>("planned"), 3U);
  EXPECT_EQ(report.get<std::uint64_t>("ended"), 1U);
  EXPECT_EQ(report.get<std::uint64_t>("lost_items"), 5U);
  const auto& list = report.get<std::vector<Report>>("list");
  ASSERT_EQ(list.size(), 2U);
  const Report& one = list[0];
  EXPECT_EQ(one.get<std::string>("kind"), "migration");
  EXPECT_EQ(one.get<std::string>("actor"), "t1");
  const std::vector<std::pair<const char*, std::uint64_t>> numbers{{"from_node", 1},
                                                                   {"to_node", 3},
                                                                   {"stopped_cycle", 30},
                                                                   {"idle_cycle", 36},
                                                                   {"empty_cycle", 43},
                                                                   {"moved_cycle", 69},
                                                                   {"resumed_cycle", 88},
                                                                   {"standstill_cycles", 58},
                                                                   {"state_flits", 8},
                                                                   {"circuits", 2},
                                                                   {"on_packets", 1},
                                                                   {"items_before", 10},
                                                                   {"least_items_before", 9},
                                                                   {"least_items", 7},
                                                                   {"cycles_until_rate_holds", 71}};
  for (const auto& [name, number] : numbers) EXPECT_EQ(one.get<std::uint64_t>(name), number) << name;
  const Report& stream = one.get<std::vector<Report>>("streams").at(0);
  EXPECT_EQ(stream.get<std::string>("name"), "t0 -> t1");
  EXPECT_TRUE(stream.get<bool>("on_circuit"));
  const std::vector<std::pair<const char*, std::uint64_t>> of_stream{
      {"number", 4}, {"links", 3}, {"search_cycles", 13}, {"resumed_cycle", 82}, {"waiting_items", 2}};
  for (const auto& [name, number] : of_stream) EXPECT_EQ(stream.get<std::uint64_t>(name), number) << name;
  for (const char* none : {"standstill_cycles", "cycles_until_rate_holds"}) {
    EXPECT_THROW((void)list[1].get<std::uint64_t>(none), std::out_of_range) << none;
  }
}

// ---------------------------------------------------------------- the rate

/// A second change is measured against what came right before it, and knows nothing of the first.
TEST(RateWatch, BeginsAnewWithASecondChange) {
  RateWatch watch(10);
  std::uint64_t items = 0;
  for (std::uint64_t cycle = 0; cycle <= 200; ++cycle) {
    items += cycle <= 40 ? 2 : 1;  // half as fast after the first change
    watch.look(cycle, items);
    if (cycle == 40 || cycle == 120) watch.begin(cycle);
    if (cycle == 120) {
      EXPECT_EQ(watch.rate().begin, 120U);
      EXPECT_FALSE(watch.rate().least);
      EXPECT_FALSE(watch.rate().last);
      EXPECT_FALSE(watch.rate().last_low);
      EXPECT_FALSE(watch.rate().holds()) << "no window has ended since";
    }
    if (cycle == 119) {
      EXPECT_EQ(watch.rate().before, std::optional<std::uint64_t>(20));
      EXPECT_FALSE(watch.rate().holds());
    }
  }
  EXPECT_EQ(watch.rate().before, std::optional<std::uint64_t>(10));
  EXPECT_EQ(watch.rate().least_before, std::optional<std::uint64_t>(10));
  EXPECT_EQ(watch.rate().least, std::optional<std::uint64_t>(10));
  EXPECT_EQ(watch.rate().holds(), std::optional<std::uint64_t>(120));
}

/// The first window is that of the ten cycles behind the change: known at the end of the tenth.
TEST(RateWatch, KnowsTheFirstWindowWhenItHasEnded) {
  RateWatch watch(10);
  for (std::uint64_t cycle = 0; cycle <= 50; ++cycle) {
    EXPECT_FALSE(watch.rate().last) << cycle;
    watch.look(cycle, cycle);
    if (cycle == 40) watch.begin(cycle);
  }
  EXPECT_EQ(watch.rate().last, std::optional<std::uint64_t>(40));
  EXPECT_EQ(watch.rate().least, std::optional<std::uint64_t>(10));
}

// ---------------------------------------------------------------- a filter more

/// Three items lie at the consumer from the start: there they stay, whoever is put into the stream.
TEST(AddedFilter, LeavesInitialItemsAtTheConsumer) {
  for (const char* switching : {"circuit", "packet"}) {
    Experiment e =
        of_graph("name = \"initial\"\n" + actor("t0", 0, 10) + actor("t2", 2, 40) + edge("t0", "t2", "initial = 3\n"));
    e.set("interface.switching", switching);
    e.set("change.add_filter", "denoise@3,0");
    e.set("change.add_between", "t0 -> t2");
    e.set("change.add_at_cycle", 300);
    Bench bench(e);
    const models::StreamProgram& program = program_of(bench);
    EXPECT_EQ(program.edges()[0].received.items(), 3U) << switching;
    EXPECT_EQ(program.edges()[1].received.items(), 0U);
    EXPECT_EQ(changes_of(bench).lost_items(), 0U);
    bench.run(250);
    EXPECT_GT(program.edges()[0].received.items(), 3U);
    EXPECT_EQ(changes_of(bench).lost_items(), 0U);
    bench.run(1500);
    ASSERT_TRUE(changes_of(bench).results().front().ended()) << switching;
    EXPECT_EQ(changes_of(bench).lost_items(), 0U) << switching;
    EXPECT_GT(program.actors()[2].firings, 100U);
  }
}

/// Of two that are due at once the filter is first, whose stream the other may need; else the earlier.
TEST(Changes, ComeInTheOrderInWhichTheyAreDue) {
  for (const auto& [filter_at, first] :
       std::vector<std::pair<int, std::string>>{{30, "filter added"}, {29, "filter added"}, {31, "migration"}}) {
    Experiment e = moves("t2@1", {{0, 2}});
    e.set("change.add_filter", "denoise@3,0");
    e.set("change.add_between", "t0 -> t2");
    e.set("change.add_at_cycle", filter_at);
    Bench bench(e);
    EXPECT_EQ(changes_of(bench).planned(), 2U);
    bench.run(400);
    ASSERT_EQ(changes_of(bench).results().size(), 2U) << filter_at;
    EXPECT_EQ(changes_of(bench).results()[0].kind, first) << filter_at;
    EXPECT_EQ(changes_of(bench).results()[0].stopped_cycle, first == "migration" ? 30U : std::uint64_t(filter_at));
    EXPECT_TRUE(changes_of(bench).results()[1].ended());
    EXPECT_EQ(changes_of(bench).lost_items(), 0U);
  }
}

// ---------------------------------------------------------------- input

/// A tile's number has no more digits than numbers of nodes have; a name may have an @ of its own, and the last one
/// leads to the tile.
TEST(ChangeInput, ReadsTilesByNumberAndNamesToTheLastSign) {
  EXPECT_EQ(refusal(moves("t1@3")), "");
  EXPECT_EQ(refusal(moves("t1@000000003")), "") << "nine digits";
  EXPECT_NE(refusal(moves("t1@0000000003")).find("change.migrate: unknown tile \"0000000003\""), std::string::npos);
  EXPECT_NE(refusal(moves("t1@-1")).find("unknown tile \"-1\""), std::string::npos);
  EXPECT_NE(refusal(moves("@3")).find("change.migrate: \"@3\"; expected ACTOR@TILE"), std::string::npos);
  Experiment e = of_graph("name = \"signs\"\n" + actor("a@0", 0) + actor("b@1", 1) + edge("a@0", "b@1"));
  e.set("change.migrate", "b@1@3");
  EXPECT_EQ(refusal(e), "");
  e.set("change.migrate", "b@3");
  EXPECT_NE(refusal(e).find("unknown actor \"b\""), std::string::npos);
}

TEST(ChangeInput, RefusesStreamsThatAreNotOnesOwn) {
  Experiment twice = of_graph("name = \"twice\"\n" + actor("a", 0) + actor("b", 1) + edge("a", "b") + edge("a", "b"));
  twice.set("topology.local_ports", 2);
  twice.set("change.add_filter", "f@3");
  twice.set("change.add_between", "a -> b");
  EXPECT_EQ(refusal(twice), "change.add_between: there are several streams \"a -> b\"; expected one of its own name");
}

/// Two nodes on each router: the router's name does not say which.
TEST(ChangeInput, NamesTheNodeWhereARouterHasSeveral) {
  const auto said = [](const std::string& tile) {
    Experiment e = of_graph("name = \"pair\"\n" + actor("a", 0) + actor("b", 1) + edge("a", "b"));
    e.set("topology.kind", "cube");
    e.set("topology.sizes", std::vector<std::uint32_t>{2, 2});
    e.set("topology.concentration", 2).set("routing.algorithm", "dimension_order");
    e.set("interface.switching", "packet");
    e.set("change.migrate", "b@" + tile);
    return refusal(e);
  };
  EXPECT_EQ(said("7"), "");
  EXPECT_EQ(said("1,1"), "change.migrate = \"1,1\": that router has several nodes; expected the number of one");
}

TEST(ChangeInput, NamesTheQueueThatIsBounded) {
  Experiment e = moves("t1@3");
  e.set("interface.switching", "packet");
  e.set("interface.ejection_queue_items", 64);
  EXPECT_NE(refusal(e).find("expected interface.ejection_queue_items = 0 (unbounded)"), std::string::npos)
      << refusal(e);
}

}  // namespace
}  // namespace braid::test::changed_program_test
