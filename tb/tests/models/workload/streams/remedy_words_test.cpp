// What stream.remedies says where nothing helps, in one line: too many streams at an actor, or paths that are not
// there; and which local port or node a stream program's throughput is held by.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/streams/stream_bound.h"
#include "models/workload/streams/stream_remedies.h"
#include "tb/tests/support/bench.h"

namespace braid::test::remedy_words_test {
namespace {

using namespace models;

struct Way {
  char from, to;
};

/// Actors of these letters, on the tiles 0, 1, 2 and so on if they are `pinned`, and an item a firing between them.
std::optional<traffic::StreamRemedy> remedy(const std::string& letters, const std::vector<Way>& ways,
                                            std::uint32_t width, std::uint32_t height, bool pinned) {
  const std::string file = temporary_file(letters + std::to_string(width) + ".toml");
  std::ofstream graph(file);
  graph << "name = \"made\"\n";
  for (std::size_t a = 0; a < letters.size(); ++a) {
    graph << "[[actor]]\nname = \"" << letters[a] << "\"\nwork = 1\n";
    if (pinned) graph << "tile = " << a << "\n";
  }
  for (const Way& way : ways) graph << "[[edge]]\nfrom = \"" << way.from << "\"\nto = \"" << way.to << "\"\n";
  graph.close();
  Experiment e;
  e.set("topology.width", width).set("topology.height", height).set("topology.local_ports", 4);
  e.open("stream");
  e.set("stream.graph", file).set("stream.moves", 1000).set("interface.switching", "circuit");
  e.set("stream.remedies", true).set("stream.relays", false);
  return Bench(e).network->workload<StreamWorkload>()->remedy();
}

/// a and b both send to c at the end of a row: the last link has a circuit for one.
TEST(RemedyWords, NameAStreamWithoutAPath) {
  const auto none = remedy("abc", {{'a', 'c'}, {'b', 'c'}}, 3, 1, true);
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->taken, "none that helps");
  EXPECT_EQ(none->why, "the set-up leaves a stream without a path on every layout tried");
  EXPECT_EQ(none->tried, 1U) << "every actor has its tile";
  EXPECT_EQ(none->layout, 0U);
}

TEST(RemedyWords, NameTheActorThatTooManyStreamsEnter) {
  const auto none = remedy("abcd", {{'a', 'd'}, {'b', 'd'}, {'c', 'd'}}, 2, 2, false);
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->taken, "none that helps");
  EXPECT_EQ(none->why, "3 streams enter actor d, no tile has more than 2 links");
  EXPECT_EQ(none->tried, 0U) << "no layout can help";
}

TEST(RemedyWords, AreNoneWhereNoneIsNeeded) {
  const auto good = remedy("abc", {{'a', 'b'}, {'b', 'c'}}, 3, 1, true);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good->taken, "none needed");
  EXPECT_EQ(good->why, "");
  EXPECT_EQ(good->tried, 1U);
  EXPECT_EQ(good->least_cycles, good->least_cycles_asked);
  EXPECT_FALSE(good->packets_least_cycles.has_value()) << "nobody asked for packets";
}

// ---------------------------------------------------------------- what holds the throughput

/// Two nodes of two local ports each; a on node 0 gives 8 items and 3 items to b on node 1, and b 2 items to a.
struct Two {
  Two() : topology(made()), ports(topology) {
    traffic::StreamGraph graph;
    graph.actors = {{"a", 1, {}}, {"b", 1, {}}};
    graph.edges = {{0, 1, 8, 8, 8}, {0, 1, 3, 3, 3}, {1, 0, 2, 2, 2}};
    graph.edges[2].initial = 2;
    program.emplace(graph, std::vector<NodeId>{NodeId{0}, NodeId{1}}, StreamOptions());
  }
  static routing::Topology made() {
    Experiment e;
    e.set("topology.width", 2).set("topology.height", 1).set("topology.local_ports", 2);
    return routing::make_topology(e);
  }
  StreamBound bound(const std::vector<std::size_t>& source_ports, const NodeBandwidth& bandwidth = {}) {
    for (std::size_t e = 0; e < 3; ++e) program->edges()[e].source_port = source_ports[e];
    return stream_bound(*program, {ports, bandwidth}, topology, {50, 1000, {0, 0}}).value();
  }
  routing::Topology topology;
  LocalPortMap ports;
  std::optional<StreamProgram> program;
};

/// By its number at the node: 8 items by one, 3 by the other.
TEST(StreamBoundPlace, IsALocalPortByItsNumberAtTheNode) {
  Two two;
  EXPECT_EQ(two.bound({0, 1, 2}).place, "local port 0 of node 0");
  const StreamBound second = two.bound({1, 0, 2});
  EXPECT_EQ(second.place, "local port 1 of node 0");
  EXPECT_EQ(second.kind, "injection");
  EXPECT_DOUBLE_EQ(second.reached, 0.05 * 8);
  EXPECT_DOUBLE_EQ(two.bound({1, 1, 2}).reached, 0.05 * 11) << "both by one port";
}

/// A node that takes an item a cycle, whichever port it came by: b takes eleven, a two.
TEST(StreamBoundPlace, IsTheNodeThatTakesMost) {
  Two two;
  NodeBandwidth one;
  one.packet_ejection = 1;
  const StreamBound ejection = two.bound({0, 1, 2}, one);
  EXPECT_EQ(ejection.kind, "ejection");
  EXPECT_EQ(ejection.place, "node 1");
  EXPECT_DOUBLE_EQ(ejection.reached, 0.05 * 11);
  NodeBandwidth sends;
  sends.packet_injection = 1;
  const StreamBound injection = two.bound({0, 1, 2}, sends);
  EXPECT_EQ(injection.kind, "injection");
  EXPECT_EQ(injection.place, "node 0");
  EXPECT_DOUBLE_EQ(injection.reached, 0.05 * 11) << "all of its ports together";
}

}  // namespace
}  // namespace braid::test::remedy_words_test
