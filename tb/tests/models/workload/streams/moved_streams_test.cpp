// Streams of a changed program whose rates are not one and whose nodes have several local ports: which ports they take
// at the new tile, what a filter takes and puts out, and how an actor's state leaves in packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "models/workload/streams/stream_changes.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::moved_streams_test {
namespace {

using models::Experiment;
using models::StreamChanges;
using models::StreamProgram;

const StreamChanges& changes_of(const Bench& bench) {
  return *bench.network->workload<models::StreamWorkload>()->changes();
}

/// Three streams lead to t1, two from it; it goes to tile 6 of seven in a row, two local ports each.
Experiment crossing(const std::string& switching) {
  Experiment e = tile_streams(7, 1, 2, {{0, 1}, {2, 1}, {3, 1}, {1, 4}, {1, 5}}, 20);
  e.open("change");
  e.set("interface.switching", switching);
  e.set("change.migrate", "t1@6").set("change.migrate_at_cycle", 200).set("change.state_words", 43);
  return e;
}

/// As at the start, the streams of a node take its local ports in turn: those that come apart from those that leave.
TEST(MovedStreams, TakeTheLocalPortsOfTheNewTileInTurn) {
  Bench bench(crossing("packet"));
  const models::LocalPortMap ports(bench.topology);
  const auto in_turn = [&](std::size_t node) {
    const auto& edges = program_of(bench).edges();
    ASSERT_EQ(ports.count[node], 2U);
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_EQ(edges[e].destination, NodeId{node}) << e;
      EXPECT_EQ(edges[e].destination_port, ports.first[node] + e % 2) << e;
    }
    for (std::size_t e = 3; e < 5; ++e) {
      EXPECT_EQ(edges[e].source, NodeId{node}) << e;
      EXPECT_EQ(edges[e].source_port, ports.first[node] + (e - 3) % 2) << e;
    }
  };
  in_turn(1);
  EXPECT_EQ(program_of(bench).edges()[1].source_port, ports.first[2]) << "the others stay";
  bench.run(1500);
  ASSERT_TRUE(changes_of(bench).results().front().ended());
  in_turn(6);
  EXPECT_EQ(program_of(bench).edges()[1].source_port, ports.first[2]);
  EXPECT_EQ(program_of(bench).edges()[4].destination_port, ports.first[5]);
  EXPECT_EQ(changes_of(bench).lost_items(), 0U);
  EXPECT_GT(program_of(bench).actors()[4].firings, 50U) << "the program goes on";
}

/// Its words and items leave in packets of eight flits, the rest in the last one, two at most ahead of the link.
TEST(MovedState, LeavesInPacketsTwoAhead) {
  Experiment e = crossing("packet");
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.run(1500);
  const std::uint64_t flits = changes_of(bench).results().front().state_flits;
  ASSERT_GE(flits, 43U);
  constexpr std::uint8_t kState = 4;
  std::vector<std::uint64_t> lengths;
  std::map<std::uint64_t, int> waiting;  // [cycle] what comes and goes
  bench.network->packet_log()->each(bench.network->store(),
                                    [&](const models::PacketRecord& record, const models::Packet& packet) {
                                      if (packet.kind != kState) return;
                                      EXPECT_EQ(packet.source, NodeId{1});
                                      EXPECT_EQ(packet.destination, NodeId{6});
                                      lengths.push_back(packet.length_flits);
                                      ++waiting[packet.created];
                                      ASSERT_TRUE(record.left_queue.has_value());
                                      --waiting[*record.left_queue];
                                    });
  ASSERT_EQ(lengths.size(), (flits + 7) / 8);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (i + 1 < lengths.size()) {
      EXPECT_EQ(lengths[i], 8U) << i;
    }
    all += lengths[i];
  }
  EXPECT_EQ(all, flits);
  int now = 0, most = 0;
  for (const auto& [cycle, change] : waiting) most = std::max(most, now += change);
  EXPECT_EQ(most, 2);
}

// ---------------------------------------------------------------- a filter in a stream of other rates

/// a puts out four items, b sees three and takes two; a filter between takes one and puts one out.
Experiment filtered(const std::string& switching) {
  const std::string file = temporary_file("rates.toml");
  std::ofstream(file) << "name = \"rates\"\n[[actor]]\nname = \"a\"\nwork = 10\ntile = 0\n[[actor]]\nname = \"b\"\n"
                         "work = 5\ntile = 2\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 4\npop = 2\npeek = 3\n"
                         "initial = 5\n";
  Experiment e = stream_mesh("", 4, 1);
  e.set("stream.graph", file).set("topology.local_ports", 1).set("interface.switching", switching);
  e.open("change");
  e.set("change.add_filter", "f@3").set("change.add_between", "a -> b").set("change.add_at_cycle", 400);
  e.set("change.add_work", 1);
  return e;
}

TEST(FilteredStream, HasTheRatesOfItsEnds) {
  for (const char* switching : {"packet", "circuit"}) {
    Bench bench(filtered(switching));
    const StreamProgram& program = program_of(bench);
    const traffic::StreamEdge& in = program.edges()[0].rates;
    const traffic::StreamEdge& out = program.edges()[1].rates;
    ASSERT_EQ(program.actors().size(), 3U);
    EXPECT_EQ(program.edge_name(0), "a -> b") << "past the filter";
    EXPECT_EQ(std::vector({in.push, in.pop, in.peek, in.initial}), (std::vector<std::uint32_t>{4, 2, 3, 5}));
    EXPECT_TRUE(program.edges()[1].absent);
    EXPECT_TRUE(program.actors()[2].held);
    EXPECT_EQ(program.actors()[2].repetitions, 2 * program.actors()[1].repetitions) << "an item each, b takes two";
    EXPECT_EQ(changes_of(bench).lost_items(), 0U);
    bench.run(390);
    EXPECT_EQ(program.actors()[2].firings, 0U);
    EXPECT_EQ(changes_of(bench).lost_items(), 0U) << switching;
    bench.run(1600);
    ASSERT_TRUE(changes_of(bench).results().front().ended()) << switching;
    EXPECT_EQ(program.edge_name(0), "a -> f");
    EXPECT_EQ(program.edge_name(1), "f -> b");
    EXPECT_EQ(std::vector({in.push, in.pop, in.peek, in.initial}), (std::vector<std::uint32_t>{4, 1, 1, 0}));
    EXPECT_EQ(std::vector({out.push, out.pop, out.peek}), (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_FALSE(program.edges()[1].absent);
    EXPECT_FALSE(program.actors()[2].held);
    EXPECT_EQ(program.edges()[0].destination, NodeId{3});
    EXPECT_EQ(program.edges()[1].source, NodeId{3});
    EXPECT_GT(program.actors()[2].firings, 200U);
    EXPECT_EQ(changes_of(bench).lost_items(), 0U) << switching;
  }
}

}  // namespace
}  // namespace braid::test::moved_streams_test
