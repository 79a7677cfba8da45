// What a waveform shows of the actors of a stream program: names that are each other's likes, states, what is waited
// for.
#include "models/workload/streams/stream_signals.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace braid::test::stream_signals_test {
namespace {

using namespace models;

/// a feeds b by two streams: of its firing b takes 2 of 4 items of the first, one of two of the second.
struct Shown {
  Shown() : program(made()), signals(program, table) {
    for (const Signal& s : table.signals()) by_name[s.scope + "." + s.name] = &s;
  }
  static StreamProgram made() {
    traffic::StreamGraph graph;
    graph.actors = {{"a", 10, {}}, {"b", 20, {}}};
    graph.edges = {{0, 1, 4, 2, 2}, {0, 1, 2, 1, 1}};
    StreamOptions options;
    options.stream_queue_items = 4;
    return {graph, {NodeId{0}, NodeId{1}}, options};
  }
  std::uint64_t of(const std::string& name) {
    signals.sample(0);
    return by_name.at("actors." + name)->value;
  }
  StreamProgram program;
  SignalTable table;
  StreamSignals signals;
  std::map<std::string, const Signal*> by_name;
};

TEST(StreamSignals, HaveANameOfTheirOwnEach) {
  const Shown shown;
  EXPECT_EQ(shown.by_name.size(), 2U * 3 + 4);
  for (const char* name : {"a.state", "a.waits_for", "a.to_b", "a.to_b_1", "a.firings", "b.from_a", "b.from_a_1"}) {
    EXPECT_EQ(shown.by_name.count(std::string("actors.") + name), 1U) << name;
  }
  const Signal& waits = *shown.by_name.at("actors.b.waits_for");
  ASSERT_NE(waits.values, nullptr);
  EXPECT_EQ(waits.values->values, (std::vector<std::string>{"-", "a -> b", "a -> b"}));
  traffic::StreamGraph graph;
  graph.actors = {{"x.y", 1, {}}, {"x_y", 1, {}}};
  graph.edges = {{0, 1, 1, 1, 1}};
  const StreamProgram program(graph, {NodeId{0}, NodeId{1}}, {});
  SignalTable table;
  const StreamSignals signals(program, table);
  EXPECT_EQ(table.signals().front().scope, "actors.x_y");
  EXPECT_EQ(table.signals().back().scope, "actors.x_y_1") << "its number behind a name that is there";
}

/// Not begun, waits, computes, emits; the first stream that lacks items, or room, by its number from 1.
TEST(StreamSignals, SayWhatAnActorWaitsFor) {
  Shown s;
  EXPECT_EQ(s.of("b.state"), 0U);
  EXPECT_EQ(s.of("b.waits_for"), 0U) << "nothing moves before the set-up's end";
  s.program.start(Switching::kPacket);
  EXPECT_EQ(s.of("b.state"), 1U);
  EXPECT_EQ(s.of("b.waits_for"), 1U);
  EXPECT_EQ(s.of("a.waits_for"), 0U) << "it has no inputs";
  s.program.edges()[0].received.arrive(0, 3);
  EXPECT_EQ(s.of("b.waits_for"), 2U) << "the second stream";
  EXPECT_EQ(s.of("b.from_a"), 3U);
  EXPECT_EQ(s.of("b.from_a_1"), 0U);
  s.program.edges()[1].received.arrive(0, 1);
  EXPECT_EQ(s.of("b.waits_for"), 0U);
  s.program.step(s.program.actors()[1], 0);
  EXPECT_EQ(s.of("b.state"), 2U);
  EXPECT_EQ(s.of("b.from_a"), 1U);
  EXPECT_EQ(s.of("b.waits_for"), 0U) << "it computes";
  for (const std::uint64_t cycle : {0, 10}) s.program.step(s.program.actors()[0], cycle);
  EXPECT_EQ(s.of("a.to_b"), 4U);
  EXPECT_EQ(s.of("a.to_b_1"), 2U);
  EXPECT_EQ(s.of("a.firings"), 1U);
  EXPECT_EQ(s.of("a.state"), 2U) << "at its next firing";
  s.program.step(s.program.actors()[0], 20);
  EXPECT_EQ(s.of("a.state"), 3U);
  EXPECT_EQ(s.of("a.waits_for"), 1U) << "room for four more";
  s.program.edges()[0].queued_items = 0;
  s.program.edges()[1].queued_items = 3;
  EXPECT_EQ(s.of("a.waits_for"), 2U);
  s.program.actors()[0].firings = 0x1'0000'0007;
  EXPECT_EQ(s.of("a.firings"), 7U) << "of 32 bits";
}

}  // namespace
}  // namespace braid::test::stream_signals_test
