// Sources that must put out items at a rate (stream.rates): which firing is due in which cycle, what is owed where
// there is no room, and what a run says of it.
#include "models/workload/streams/source_rate.h"

#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "models/experiment/warnings.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"

namespace braid::test::source_rate_test {
namespace {

using namespace models;

/// a and c feed b; a's two edges carry copies, c's two do not.
traffic::StreamGraph graph() {
  traffic::StreamGraph g;
  g.name = "four";
  for (const char* name : {"a", "b", "c", "d"}) g.actors.push_back({name, 1, {}});
  g.edges = {{0, 1, 3, 1, 1, 7}, {0, 3, 3, 1, 1, 7}, {2, 1, 4, 1, 1}, {2, 3, 5, 1, 1}};
  return g;
}

std::string refusal(const std::string& text) {
  return complaint([&] { read_rates(text, graph()); });
}

TEST(Rates, AreReadByNameOrForAllSources) {
  const auto texts = [](const std::string& text) {
    std::string all;
    for (const RatedSource& r : read_rates(text, graph())) {
      all += std::to_string(r.actor) + ": " + std::to_string(r.items) + " at " + std::to_string(r.millirate) + "; ";
    }
    return all;
  };
  EXPECT_EQ(texts(""), "");
  EXPECT_EQ(texts("c=0.5"), "2: 9 at 500; ");
  EXPECT_EQ(texts("c=9000 a=2.25"), "2: 9 at 9000000; 0: 3 at 2250; ") << "copies count once";
  EXPECT_EQ(texts("all=100"), "0: 3 at 100000; 2: 9 at 100000; ");
}

TEST(Rates, ThatCannotBeAreRefused) {
  EXPECT_EQ(refusal("a=1 a=2"), "stream.rates = \"a=1 a=2\": actor a has two rates");
  EXPECT_EQ(refusal("b=1"),
            "stream.rates = \"b=1\": actor b has inputs, which set its rate; expected an actor without");
  EXPECT_NE(refusal("aa=1").find("unknown actor \"aa\""), std::string::npos);
  EXPECT_EQ(refusal("a=3000"), "");
  EXPECT_EQ(
      refusal("a=3000.1"),
      "stream.rates = \"a=3000.1\": \"3000.1\" is no rate of a source that puts out 3 items in a firing; expected "
      "0.001 to 3000 items a kilocycle");
  for (const char* wrong : {"a=0", "a=-1", "a=", "a=1x", "a=nan", "all=0.0009", "x", "100"})
    EXPECT_NE(refusal(wrong), "") << wrong;
}

// ---------------------------------------------------------------- the clock

/// One source of one item a firing and `work` cycles, whose queue has room for `room`.
struct Source {
  StreamProgram program;
  std::vector<std::uint64_t> fired = {};
  std::uint64_t now = 0;

  Source(const std::string& rate, std::uint64_t work, std::uint32_t room) : program(made(rate, work, room)) {}
  static StreamProgram made(const std::string& rate, std::uint64_t work, std::uint32_t room) {
    traffic::StreamGraph g;
    g.actors = {{"a", work, {}}, {"b", 1, {}}};
    g.edges = {{0, 1, 1, 1, 1}};
    StreamOptions o;
    o.rates = rate;
    o.stream_queue_items = room;
    return {g, {NodeId{0}, NodeId{1}}, o};
  }
  StreamProgram::Edge& edge() { return program.edges()[0]; }
  /// The network takes an item a cycle, if it takes any.
  void run(std::uint64_t cycles, bool taken = true) {
    for (std::uint64_t end = now + cycles; now < end; ++now) {
      const std::uint64_t before = program.actors()[0].firings;
      program.step(program.actors()[0], now);
      if (program.actors()[0].firings > before) fired.push_back(now);
      if (taken && edge().queued_items > 0) --edge().queued_items;
    }
  }
  void begin() { program.rates()[0].begin_window(); }
  StreamRateResult end(std::uint64_t cycles) {
    program.rates()[0].end_batch();
    return program.rates()[0].result(program.graph(), cycles);
  }
};

/// 300 items a kilocycle are one in 3 1/3 cycles: the k-th is put out ceil(10 k / 3) cycles after the first, which is
/// ready after its work.
TEST(RateClock, PutsOutTheKthFiringInItsCycle) {
  Source s("all=300", 2, 64);
  s.run(26);
  EXPECT_EQ(s.fired, (std::vector<std::uint64_t>{2, 6, 9, 12, 16, 19, 22}));
  Source fast("all=1000", 1, 64);
  fast.run(5);
  EXPECT_EQ(fast.fired, (std::vector<std::uint64_t>{1, 2, 3, 4})) << "a firing a cycle";
}

TEST(RateClock, IsHeldByASourceOfThatMuchWorkAndNotOfMore) {
  for (const std::uint64_t work : {10, 11}) {
    Source s("all=100", work, 64);
    s.run(100);
    s.begin();
    s.run(1000);
    const StreamRateResult r = s.end(1000);
    EXPECT_EQ(r.held, work == 10) << work;
    EXPECT_EQ(r.worst_gap_cycles, work);
    EXPECT_EQ(r.asked_gap_cycles, 10U);
    EXPECT_DOUBLE_EQ(r.put_out, work == 10 ? 100.0 : 90.0);
    EXPECT_EQ(r.late_firings > 0, work == 11);
  }
}

/// Room for 4 items, one due in 10 cycles, none taken from cycle 105 on: firings of 111, 121, 131 and 141 fill the
/// queue, that of 151 is owed. With room from cycle 160 on it is put out before that of 161 is due; a cycle later it is
/// not.
TEST(RateClock, IsHeldUntilTheNextFiringIsDue) {
  for (const std::uint64_t later : {0, 1}) {
    Source s("all=100", 1, 4);
    s.run(105);
    s.begin();
    s.run(159 + later - s.now, false);
    s.run(200 - s.now);
    const StreamRateResult r = s.end(95);
    EXPECT_EQ(s.fired[14], 141U);
    EXPECT_EQ(s.fired[15], 160 + later);
    EXPECT_EQ(r.held, later == 0);
    EXPECT_EQ(r.late_firings, later);
    EXPECT_EQ(r.worst_gap_cycles, 19 + later);
    EXPECT_EQ(r.deepest_queue_items, 5U) << "four, and one that is owed";
  }
}

/// What was put out before the window opened is not counted in it; a gap that ends in it is, from where it began.
TEST(RateClock, CountsTheWindow) {
  Source s("all=100", 1, 1);
  s.run(30, false);
  s.begin();
  s.run(50);
  const StreamRateResult r = s.end(50);
  EXPECT_EQ(s.fired.front(), 1U);
  EXPECT_FALSE(r.held) << "two firings were owed when it opened, and a third came";
  EXPECT_EQ(r.worst_gap_cycles, 30U);
}

TEST(RateClock, CountsTheGapThatTheWindowEndsIn) {
  Source s("all=100", 1, 1);
  s.run(30, false);
  s.begin();
  s.run(50, false);
  EXPECT_EQ(s.end(50).worst_gap_cycles, 78U) << "from cycle 1 to cycle 79";
  EXPECT_EQ(s.end(50).deepest_queue_items, 1U + 7U) << "put out in cycle 1; of 11, 21 and so on to 71";
}

/// A source that never came to its first firing holds no rate. 300 a kilocycle are one in 3 1/3 cycles: 4 at most.
TEST(RateClock, IsNotHeldByASourceThatHasNotBegun) {
  Source s("all=300", 1000, 64);
  s.begin();
  s.run(500);
  const StreamRateResult r = s.end(500);
  EXPECT_FALSE(r.held);
  EXPECT_EQ(r.late_firings, 0U);
  EXPECT_EQ(r.put_out, 0.0);
  EXPECT_EQ(r.worst_gap_cycles, 0U) << "from nothing to nothing";
  EXPECT_EQ(r.asked_gap_cycles, 4U);
  EXPECT_DOUBLE_EQ(r.asked, 300.0);
  EXPECT_EQ(r.actor, "a");
}

/// What stands in the results is that of the last batch's end, whatever comes behind it.
TEST(RateClock, SaysWhatWasKnownAtTheEndOfTheBatch) {
  Source s("all=100", 1, 1);
  s.run(30);
  s.begin();
  s.run(20);
  EXPECT_TRUE(s.end(20).held);
  s.run(98, false);
  const StreamRateResult r = s.program.rates()[0].result(s.program.graph(), 20);
  EXPECT_TRUE(r.held);
  EXPECT_DOUBLE_EQ(r.put_out, 100.0);
  EXPECT_FALSE(s.end(118).held);
  s.begin();
  s.run(2);  // the next is due in cycle 151
  EXPECT_EQ(s.end(2).late_firings, 0U) << "of this window alone";
}

TEST(RateClock, IsWaitedForByTheWatchdog) {
  Source s("a=1", 1, 64);
  s.run(10);
  EXPECT_TRUE(s.program.computing()) << "990 cycles to the next firing";
  Source none("", 1, 1);
  none.run(10, false);
  EXPECT_FALSE(none.program.computing());
}

// ---------------------------------------------------------------- a run

Results run(const std::string& rates, std::uint32_t consumer_work, bool circuits) {
  Experiment e = streaming(stream_pair(2, consumer_work, 1, 1));
  e.set("stream.rates", rates);
  if (circuits) {
    e.set("interface.switching", "circuit");
    e.set("interface.receive_queue_items", 16);
  }
  e.set("simulation.measure_cycles", 2000);
  return Simulation(e).run();
}

std::string codes(const Results& r) {
  std::string all;
  for (const Warning& w : r.warnings) {
    if (w.code == "rate_not_held") all += w.code + " of " + w.place + (is_grave(w) ? "!" : "");
  }
  return all;
}

const Report& rate_of(const Results& r) { return r.workloads.get<std::vector<Report>>("stream.rates").front(); }

/// The consumer takes an item in 4 cycles: 250 a kilocycle. One simulation a process, so one a case.
TEST(RateOfARun, IsHeldWhereTheConsumerTakesAsMuch) {
  const Results r = run("a=250", 4, true);
  EXPECT_EQ(codes(r), "");
  EXPECT_TRUE(rate_of(r).get<bool>("held"));
  EXPECT_DOUBLE_EQ(rate_of(r).get<double>("put_out_items_per_kilocycle"), 250.0);
  EXPECT_EQ(rate_of(r).get<std::uint64_t>("worst_gap_cycles"), 4U);
  EXPECT_EQ(rate_of(r).get<std::uint64_t>("late_firings"), 0U);
}

TEST(RateOfARun, IsNotHeldWhereTheConsumerTakesLess) {
  const Results r = run("a=400", 4, true);
  EXPECT_EQ(codes(r), "rate_not_held of a!");
  EXPECT_FALSE(rate_of(r).get<bool>("held"));
  EXPECT_NEAR(rate_of(r).get<double>("put_out_items_per_kilocycle"), 250.0, 1.0);
  EXPECT_GT(rate_of(r).get<std::uint64_t>("deepest_queue_items"), 64U);
}

TEST(RateOfARun, IsInTheResultsOnlyWhereItIsAskedFor) {
  const Results none = run("", 4, true);
  EXPECT_EQ(codes(none), "");
  EXPECT_THROW((void)rate_of(none), std::out_of_range);
}

}  // namespace
}  // namespace braid::test::source_rate_test
