// A filter that is put into a stream while the program runs: before, its consumer fires as the graph says; afterwards
// it does so still, and what comes from the filter is nobody's copy.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"

namespace braid::test::added_filter_test {
namespace {

using models::Experiment;
using models::StreamProgram;

/// A graph of that text on a row of four tiles; a filter goes on the last one after cycle 300.
Experiment with_filter(const std::string& text, const std::string& stream) {
  const std::string file = temporary_file("added_filter.toml");
  std::ofstream(file) << text;
  Experiment e = stream_mesh("", 4, 1);
  e.set("stream.graph", file);
  e.open("change");
  e.set("change.add_filter", "denoise@3,0");
  e.set("change.add_between", stream);
  e.set("change.add_at_cycle", 300);
  return e;
}
std::string actor(const std::string& name, int tile, int work) {
  return "[[actor]]\nname = \"" + name + "\"\nwork = " + std::to_string(work) + "\ntile = " + std::to_string(tile) +
         "\n";
}
std::string edge(const std::string& to, const std::string& more) {
  return "[[edge]]\nfrom = \"t0\"\nto = \"" + to + "\"\n" + more;
}

/// It takes two items a firing and sees three, whoever leads to it. No item is lost on the way.
TEST(AddedFilterRates, AreTheConsumersBeforeAndAfter) {
  for (const char* switching : {"circuit", "packet"}) {
    Experiment e = with_filter(
        "name = \"rates\"\n" + actor("t0", 0, 10) + actor("t2", 2, 1) + edge("t2", "push = 1\npop = 2\npeek = 3\n"),
        "t0 -> t2");
    e.set("interface.switching", switching);
    Bench bench(e);
    const StreamProgram& program = program_of(bench);
    const StreamProgram::Edge &in = program.edges()[0], &out = program.edges()[1];
    const StreamProgram::Actor &consumer = program.actors()[1], &filter = program.actors()[2];
    EXPECT_EQ(in.rates.to, 1U) << "past the filter";
    EXPECT_EQ(in.rates.pop, 2U);
    EXPECT_EQ(in.rates.peek, 3U);
    EXPECT_EQ(in.destination, consumer.node);
    EXPECT_EQ(consumer.inputs, std::vector<std::uint32_t>{0});
    EXPECT_TRUE(out.absent && filter.held);
    EXPECT_TRUE(filter.inputs.empty());
    bench.run(290);
    EXPECT_GT(consumer.firings, 5U) << switching;
    EXPECT_LE(2 * consumer.firings, in.delivered_items) << switching;
    EXPECT_EQ(filter.firings, 0U);
    bench.run(2000);
    const auto& changes = *bench.network->workload<models::StreamWorkload>()->changes();
    ASSERT_TRUE(changes.results().front().ended()) << switching;
    EXPECT_EQ(changes.lost_items(), 0U) << switching;
    EXPECT_FALSE(out.absent || filter.held);
    EXPECT_EQ(in.rates.to, 2U);
    EXPECT_EQ(in.rates.pop, 1U);
    EXPECT_EQ(in.rates.peek, 1U);
    EXPECT_EQ(in.destination, NodeId{3});
    EXPECT_EQ(out.rates.pop, 2U);
    EXPECT_EQ(out.rates.peek, 3U);
    EXPECT_EQ(consumer.inputs, std::vector<std::uint32_t>{1});
    EXPECT_EQ(filter.inputs, std::vector<std::uint32_t>{0});
    EXPECT_GT(filter.firings, 50U);
  }
}

/// A filter in one of two streams with the same items: neither what leads to it nor what it makes is a copy any more.
TEST(AddedFilterRates, OfACopyAreNoCopy) {
  Experiment e = with_filter("name = \"copies\"\n" + actor("t0", 0, 10) + actor("t1", 1, 1) + actor("t2", 2, 1) +
                                 edge("t1", "group = 5\n") + edge("t2", "group = 5\n"),
                             "t0 -> t2");
  e.set("interface.switching", "packet");
  Bench bench(e);
  const traffic::StreamGraph& graph = program_of(bench).graph();
  ASSERT_EQ(graph.edges.size(), 3U);
  EXPECT_EQ(graph.edges[0].group, 5U);
  EXPECT_FALSE(graph.edges[1].group.has_value());
  EXPECT_FALSE(graph.edges[2].group.has_value());
  EXPECT_EQ(graph.edges[1].to, 3U);
  EXPECT_EQ(graph.edges[2].from, 3U);
  EXPECT_EQ(graph.edges[2].to, 2U);
  EXPECT_EQ(graph.actors[3].name, "denoise");
}

}  // namespace
}  // namespace braid::test::added_filter_test
