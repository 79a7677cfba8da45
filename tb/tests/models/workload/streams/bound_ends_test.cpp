// What holds a stream program's throughput at the ends of its lists: the first node and the last, the second stream,
// and where nothing came to an end. And what a program says of its streams before a search: whose items are the same,
// and how many items a queue must hold where blocks are asked for.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/workload/streams/stream_bound.h"
#include "models/workload/streams/stream_workload.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::bound_ends_test {
namespace {

using namespace models;

/// A row of three nodes with one local port each: node n has port n. Actors a, b and c are on the nodes 0, 1 and 2, and
/// fire so fast that nothing else holds them.
struct Row {
  explicit Row(const std::vector<traffic::StreamEdge>& edges, Transfer transfer = Transfer::kPush)
      : topology(made()), ports(topology) {
    traffic::StreamGraph graph;
    graph.actors = {{"a", 1, {}}, {"b", 1, {}}, {"c", 1, {}}};
    graph.edges = edges;
    StreamOptions options;
    options.transfer = transfer;
    options.pull_block_items = options.pull_outstanding = 4;
    program.emplace(graph, std::vector<NodeId>{NodeId{0}, NodeId{1}, NodeId{2}}, options);
    for (StreamProgram::Edge& edge : program->edges()) {
      edge.source_port = edge.source.value;
      edge.destination_port = edge.destination.value;
    }
  }
  static routing::Topology made() {
    Experiment e;
    e.set("topology.width", 3).set("topology.height", 1);
    return routing::make_topology(e);
  }
  std::optional<StreamBound> bound(double iterations, const std::vector<std::uint64_t>& links = {0, 0, 0, 0}) const {
    return stream_bound(*program, {ports, {}}, topology, {iterations, 1000, links});
  }
  routing::Topology topology;
  LocalPortMap ports;
  std::optional<StreamProgram> program;
};

/// Two streams meet at a node, from a port of its own each: it takes 8 + 4 items, and is held by none of the sources.
/// By whichever end of the row it stands.
TEST(BoundEnds, AreNodesToo) {
  const Row first({{1, 0, 8, 8, 8}, {2, 0, 4, 4, 4}}), last({{0, 2, 8, 8, 8}, {1, 2, 4, 4, 4}});
  for (const auto& [row, node] : {std::pair(&first, "node 0"), std::pair(&last, "node 2")}) {
    const auto bound = row->bound(50);
    ASSERT_TRUE(bound.has_value());
    EXPECT_EQ(bound->kind, "ejection");
    EXPECT_EQ(bound->place, node);
    EXPECT_DOUBLE_EQ(bound->reached, 0.05 * 12);
    EXPECT_DOUBLE_EQ(bound->iterations_per_kilocycle, 1000.0 / 12.0);
  }
}

/// The port that sends most, on the last node.
TEST(BoundEnds, AreLocalPortsToo) {
  const auto bound = Row({{2, 0, 8, 8, 8}, {1, 0, 1, 1, 1}, {2, 1, 3, 3, 3}}).bound(50);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "injection");
  EXPECT_EQ(bound->place, "local port 0 of node 2");
  EXPECT_DOUBLE_EQ(bound->reached, 0.05 * 11) << "both of its streams, and before what node 0 takes, 9";
}

/// The actors of a list in turn: the last one computes for 20 of 25 cycles.
TEST(BoundEnds, AreActorsToo) {
  Row row({{0, 1, 1, 1, 1}, {1, 2, 1, 1, 1}});
  row.program->actors()[2].firing_cycles = 20;
  EXPECT_EQ(row.bound(40)->place, "actor c at node 2");
  EXPECT_DOUBLE_EQ(row.bound(40)->reached, 0.8);
  row.program->actors()[0].firing_cycles = 21;
  EXPECT_EQ(row.bound(40)->place, "actor a at node 0");
}

/// The links in the order of routers and ports: 0 to 1, 1 to 0 and 2 (east before west), 2 to 1.
TEST(BoundEnds, AreLinksToo) {
  const Row row({{0, 2, 1, 1, 1}});
  const auto names = [&](std::size_t link) {
    std::vector<std::uint64_t> links(4, 10);
    links[link] = 900;
    return row.bound(40, links)->place;
  };
  EXPECT_EQ(names(0), "link 0,0 east -> 1,0");
  EXPECT_EQ(names(3), "link 2,0 west -> 1,0");
  EXPECT_NE(names(1), names(2));
}

/// Where no iteration ended nothing is near to a bound, whatever went over links.
TEST(BoundEnds, AreNoneWithoutIterationsThoughLinksWereInUse) {
  EXPECT_FALSE(Row({{0, 1, 1, 1, 1}}).bound(0, {500, 500, 500, 500}).has_value());
}

/// Of two pulled streams the second takes longer there and back: 16 items in 200 cycles, for 2 an iteration.
TEST(BoundEnds, AreRoundTripsToo) {
  Row row({{0, 1, 1, 1, 1}, {2, 1, 2, 2, 2}}, Transfer::kPull);
  row.program->edges()[0].requests = {2, 40};
  row.program->edges()[0].responses = {2, 60};
  row.program->edges()[1].requests = {4, 360};
  row.program->edges()[1].responses = {4, 440};
  const auto bound = row.bound(30);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->kind, "round_trip");
  EXPECT_EQ(bound->place, "c -> b: 200 cycles there and back");
  EXPECT_DOUBLE_EQ(bound->reached, 0.03 * 2 * 200 / 16);
}

/// Flits of packets and of circuits are flits: here three packets of seven go the way of a circuit.
TEST(BoundEnds, CountLinksByPacketsAndCircuits) {
  Bench bench(tile_streams(2, 1, 1, {{0, 1}}, 4));
  while (!bench.network->setup_done()) bench.run(1);
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 7);
  bench.run(400);
  const auto links = link_flits(bench.topology, bench.network->fabric());
  ASSERT_EQ(links.size(), 2U);
  const std::uint64_t items = program_of(bench).edges()[0].delivered_items;
  EXPECT_GT(items, 50U);
  EXPECT_GE(links[0], 21 + items);
  EXPECT_LE(links[0], 21 + items + 8) << "and what is under way";
  EXPECT_EQ(links[1], 0U) << "nothing goes back";
}

// ---------------------------------------------------------------- streams that want circuits

/// a gives the same items to b and c, and others to c; b's have a circuit of their own where nobody copies.
traffic::StreamGraph with_copies() {
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}, {"b", 1, {}}, {"c", 1, {}}};
  graph.edges = {{0, 2, 1, 1, 1}, {0, 1, 1, 1, 1}, {0, 2, 1, 1, 1}};
  graph.edges[1].group = graph.edges[2].group = 4;
  return graph;
}
StreamProgram program_of_copies(Multicast multicast) {
  StreamOptions options;
  options.multicast = multicast;
  return {with_copies(), {NodeId{0}, NodeId{1}, NodeId{2}}, options};
}

/// By the place of the first of them; a stream whose items nobody else has carries no copies.
TEST(StreamRequests, SayWhoseItemsAreTheSameWhereRoutersCopy) {
  const auto requests = program_of_copies(Multicast::kInRouters).circuits();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].copies, std::nullopt);
  EXPECT_EQ(requests[1].copies, std::optional<std::uint32_t>(1));
  EXPECT_EQ(requests[2].copies, std::optional<std::uint32_t>(1));
  for (const CircuitRequest& request : program_of_copies(Multicast::kAtSource).circuits()) {
    EXPECT_EQ(request.copies, std::nullopt) << request.name;
  }
}

/// Packets of the second copy leave with those of the first, which knows them; the others leave alone.
TEST(StreamPackets, AreJoinedWhereTheirItemsAreTheSame) {
  StreamProgram program = program_of_copies(Multicast::kInRouters);
  EXPECT_TRUE(program.join_packets());
  EXPECT_EQ(program.edges()[0].tree, std::nullopt);
  EXPECT_EQ(program.edges()[1].tree, std::nullopt);
  EXPECT_EQ(program.edges()[2].tree, std::optional<std::uint32_t>(1));
  EXPECT_TRUE(program.edges()[0].branches.empty());
  EXPECT_EQ(program.edges()[1].branches, std::vector<std::uint32_t>{2});
  traffic::StreamGraph apart = with_copies();
  for (traffic::StreamEdge& edge : apart.edges) edge.group.reset();
  StreamProgram alone(apart, {NodeId{0}, NodeId{1}, NodeId{2}}, {});
  EXPECT_FALSE(alone.join_packets()) << "nothing is joined";
  for (const StreamProgram::Edge& edge : alone.edges()) EXPECT_TRUE(!edge.tree && edge.branches.empty());
}

/// A filter that is not there yet wants no circuit.
TEST(StreamRequests, AreOfStreamsThatAreThere) {
  StreamProgram program = program_of_copies(Multicast::kAtSource);
  program.edges()[2].absent = true;
  const auto requests = program.circuits();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[1].name, "a -> b");
}

// ---------------------------------------------------------------- rooms of what is pulled

/// a gives `push` items a firing to b, which asks for blocks of 4.
StreamProgram pulled(std::uint32_t push, std::uint32_t queue) {
  traffic::StreamGraph graph;
  graph.actors = {{"a", 1, {}}, {"b", 1, {}}};
  graph.edges = {{0, 1, push, push, push}};
  StreamOptions options;
  options.transfer = Transfer::kPull;
  options.pull_block_items = 4;
  options.stream_queue_items = queue;
  return {graph, {NodeId{0}, NodeId{1}}, options};
}

/// A firing beside what is left over of a block: 99 + 4 - 1, of even numbers 98 + 4 - 2; 64 at least. Packets of any
/// length would need a firing alone.
TEST(PulledRooms, AreWhatABlockNeedsWhereNobodySaysSo) {
  EXPECT_EQ(pulled(99, 0).options().stream_queue_items, 102U);
  EXPECT_EQ(pulled(98, 0).options().stream_queue_items, 100U);
  EXPECT_EQ(pulled(100, 0).options().stream_queue_items, 100U);
  EXPECT_EQ(pulled(61, 0).options().stream_queue_items, 64U);
  EXPECT_EQ(pulled(62, 0).options().stream_queue_items, 64U);
  EXPECT_EQ(pulled(63, 0).options().stream_queue_items, 66U);
  EXPECT_EQ(complaint([] { pulled(63, 66); }), "");
  EXPECT_NE(complaint([] { pulled(63, 65); }), "");
}

/// A queue that has room for a firing or for a block, and not for both, is refused by itself, and not only by the
/// program that would stall.
TEST(PulledRooms, HaveAFiringBesideABlock) {
  EXPECT_EQ(complaint([] { pulled(7, 9); }),
            "interface.stream_queue_items = 9 is too small for edge a -> b: at least 10 (one firing beside a block of "
            "interface.pull_block_items = 4 that is not full)");
  EXPECT_EQ(complaint([] { pulled(3, 5); }).substr(0, 74),
            "interface.stream_queue_items = 5 is too small for edge a -> b: at least 6 ");
  EXPECT_EQ(complaint([] { pulled(7, 10); }), "");
}

}  // namespace
}  // namespace braid::test::bound_ends_test
