// Broadcasts in hardware: cycles by hand, against the closed forms and against figures of an independent model (hop:
// the cycles of a link), on meshes whose root is the corner, node 0.
#include "models/event_lines/broadcast_line.h"

#include <gtest/gtest.h>

#include <set>

#include "models/event_lines/node_wires.h"
#include "routing/base/random.h"
#include "tb/tests/support/sanitized.h"
#include "traffic/broadcast/placed.h"

namespace braid::test::broadcast_line_test {
namespace {

using models::BroadcastLine;
using traffic::OneWave;
using traffic::PlacedBroadcast;

routing::Topology mesh(std::uint32_t edge) {
  Configuration c;
  c.set("topology.width", edge);
  c.set("topology.height", edge);
  return routing::make_topology(c);
}

/// As an experiment says it: scheme, placement, and the options of both.
struct Line {
  const char* scheme;
  const char* placement = "node_order";
  std::uint32_t arity = 0;  // 0: has none
  bool companion = false;
  std::uint32_t moves = 20000;
  std::uint64_t seed = 1;
};

PlacedBroadcast placed_on(const routing::Topology& topology, const Line& line, std::uint32_t hop) {
  Configuration c;
  c.set("experiment.seed", line.seed);
  if (line.arity > 0) c.set("broadcast.arity", line.arity);
  c.set("broadcast.companion", line.companion);
  c.set("broadcast.moves", line.moves);
  return traffic::place_broadcast(line.scheme, line.placement, topology, NodeId{0}, hop, c);
}

/// Cycles to the completion of so many broadcasts, asked for before cycle 100.
std::uint64_t cycles_of(BroadcastLine& line, std::uint64_t broadcasts, bool turn_round) {
  line.request(broadcasts);
  std::uint64_t cycle = 100;
  while (true) {
    line.step(cycle, nullptr);
    if (line.completed() == broadcasts) return cycle - 100 + (turn_round ? 1 : 0);
    if (++cycle > 1'000'000) return 0;
  }
}

std::uint64_t latency(std::uint32_t edge, const Line& line, std::uint32_t hop, bool turn_round = true) {
  const routing::Topology topology = mesh(edge);
  const PlacedBroadcast placed = placed_on(topology, line, hop);
  const auto wires = models::wires_between(topology, placed.nodes, hop);
  BroadcastLine hardware({placed.scheme->parts(), placed.nodes, wires, turn_round});
  const std::uint64_t cycles = cycles_of(hardware, 1, turn_round);
  if (turn_round) {
    EXPECT_EQ(OneWave(placed.scheme->parts()).cycles(wires), cycles) << line.scheme;
  }
  return cycles;
}

// ---------------------------------------------------------------- by hand

/// Two nodes, a wire of 5 cycles: the root drives in 0, the other receives in 6 and drives in 7, the root receives
/// in 13.
TEST(BroadcastLine, OfTwoNodesTakesTheCyclesOfFourTurnsAndTwoWires) {
  Configuration c;
  c.set("topology.width", 2);
  c.set("topology.height", 2);
  const routing::Topology topology = routing::make_topology(c);
  const std::vector<traffic::BroadcastPart> parts{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};
  BroadcastLine line({parts, {NodeId{0}, NodeId{1}}, [](std::uint32_t, std::uint32_t) { return 5U; }});
  line.request(1);
  std::uint64_t cycle = 0;
  for (; cycle < 6; ++cycle) line.step(cycle, nullptr);
  EXPECT_EQ(line.progress(1).handled, 0U) << "after cycle 5";
  line.step(cycle++, nullptr);
  EXPECT_EQ(line.progress(1).handled, 1U) << "after cycle 6";
  for (; cycle < 13; ++cycle) line.step(cycle, nullptr);
  EXPECT_EQ(line.completed(), 0U) << "after cycle 12";
  line.step(cycle, nullptr);
  EXPECT_EQ(line.completed(), 1U) << "after cycle 13";
}

/// Without turn-round two wires are all there is: the other has it in 5, the root in 10.
TEST(BroadcastLine, OfTwoNodesWithoutTurnRoundTakesTheCyclesOfTheWires) {
  const std::vector<traffic::BroadcastPart> parts{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};
  BroadcastLine line({parts, {NodeId{0}, NodeId{1}}, [](std::uint32_t, std::uint32_t) { return 5U; }, false});
  line.request(1);
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) line.step(cycle, nullptr);
  EXPECT_EQ(line.completed(), 0U) << "after cycle 9";
  line.step(10, nullptr);
  EXPECT_EQ(line.completed(), 1U) << "after cycle 10";
}

/// The node holds each event until it is let go; only then its unit passes the broadcast on.
class Holding final : public models::Stops {
 public:
  void receive(NodeId node, std::uint64_t cycle) override {
    if (node == NodeId{1}) received = cycle;
  }
  bool try_release(NodeId node, std::uint64_t cycle) override { return node == NodeId{0} || cycle >= until; }
  std::uint64_t received = 0, until = ~std::uint64_t{0};
};

TEST(BroadcastLine, WaitsForANodeThatHoldsTheEvent) {
  const std::vector<traffic::BroadcastPart> parts{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};
  BroadcastLine line({parts, {NodeId{0}, NodeId{1}}, [](std::uint32_t, std::uint32_t) { return 5U; }});
  Holding stops;
  line.request(1);
  std::uint64_t cycle = 0;
  for (; cycle < 30; ++cycle) line.step(cycle, &stops);
  EXPECT_EQ(stops.received, 6U);
  EXPECT_EQ(line.progress(1).handled, 0U);
  stops.until = 30;  // let go in 30 and driven at once, for the unit has nothing else to do: 30 + 1 + 5
  for (; cycle < 36; ++cycle) line.step(cycle, &stops);
  EXPECT_EQ(line.completed(), 0U) << "after cycle 35";
  line.step(cycle, &stops);
  EXPECT_EQ(line.completed(), 1U) << "after cycle 36";
}

TEST(BroadcastLine, BeginsNoMoreBroadcastsThanItsCountersHold) {
  const std::vector<traffic::BroadcastPart> parts{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};
  for (const std::uint32_t most : {1U, 2U, 3U}) {
    BroadcastLine line({parts, {NodeId{0}, NodeId{1}}, [](std::uint32_t, std::uint32_t) { return 50U; }, true, most});
    line.request(10);
    for (std::uint64_t cycle = 0; cycle < 60; ++cycle) line.step(cycle, nullptr);
    EXPECT_EQ(line.begun(), most);
  }
}

TEST(NodeWires, AreTheShortestWaysInCyclesOfTheLinks) {
  Configuration c;
  c.set("topology.width", 4);
  c.set("topology.height", 3);
  c.set("topology.link_latency_cycles", 2);
  const routing::Topology topology = routing::make_topology(c);
  const auto wires = models::wires_between(topology, {NodeId{11}, NodeId{0}, NodeId{1}}, 3);
  EXPECT_EQ(wires(0, 1), 5U * 2U * 3U);
  EXPECT_EQ(wires(1, 2), 1U * 2U * 3U);
  EXPECT_EQ(wires(2, 0), 4U * 2U * 3U);
}

TEST(NodeWires, CountTheLinksToTheNodesOfATree) {
  Configuration c;
  c.set("topology.kind", "k_ary_n_tree");
  c.set("topology.arity", 2);
  c.set("topology.levels", 2);
  const routing::Topology topology = routing::make_topology(c);
  const auto wires = models::wires_between(topology, {NodeId{0}, NodeId{1}, NodeId{3}}, 1);
  EXPECT_EQ(wires(0, 1), 2U) << "up to the switch and down";
  EXPECT_EQ(wires(0, 2), 4U);
}

// ---------------------------------------------------------------- one broadcast

struct Figure {
  const char* name;
  Line line;
  std::uint64_t most[3];     // cycles on 8x8 at 1, 2, 3 a hop
  std::uint64_t most_32x32;  // at 1
};

class OneBroadcast : public testing::TestWithParam<Figure> {};

TEST_P(OneBroadcast, On8x8IsAtOrBelowTheModel) {
  for (const std::uint32_t hop : {1U, 2U, 3U}) {
    const std::uint64_t cycles = latency(8, GetParam().line, hop);
    EXPECT_LE(cycles, GetParam().most[hop - 1]) << hop << " cycles a hop";
    EXPECT_GE(cycles, 28 * hop) << "twice the eccentricity bounds it";
  }
}

TEST_P(OneBroadcast, On32x32IsAtOrBelowTheModel) {
  if (kSanitized) GTEST_SKIP();
  EXPECT_LE(latency(32, GetParam().line, 1), GetParam().most_32x32);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, OneBroadcast,
    testing::Values(Figure{"spanning_tree", {"spanning_tree"}, {84, 112, 140}, 372},
                    Figure{"ring4_annealed", {"diamond_ring", "annealed", 4, false, 40000}, {48, 76, 104}, 208},
                    Figure{"ring2_by_rows", {"diamond_ring", "node_order", 2}, {73, 117, 165}, 387},
                    Figure{"unicast", {"unicast"}, {126, 126, 150}, 2046},
                    Figure{"hamiltonian", {"diamond_ring", "ring", 1}, {192, 256, 320}, 3072}),
    [](const auto& c) { return c.param.name; });

/// A cycle to receive and one to send, and a hop between, 28 times.
TEST(SpanningTreeLatency, IsExact) {
  EXPECT_EQ(latency(8, {"spanning_tree"}, 1), 84U);
  EXPECT_EQ(latency(8, {"spanning_tree"}, 2), 112U);
  EXPECT_EQ(latency(8, {"spanning_tree"}, 3), 140U);
}

TEST(SpanningTreeLatency, WithoutTurnRoundIsTwiceTheEccentricity) {
  for (const std::uint32_t hop : {1U, 2U, 3U}) EXPECT_EQ(latency(8, {"spanning_tree"}, hop, false), 28U * hop);
  EXPECT_EQ(latency(32, {"spanning_tree"}, 1, false), 124U);
}

TEST(HamiltonianRingLatency, IsThreeCyclesANode) {
  for (const std::uint32_t hop : {1U, 2U, 3U}) {
    EXPECT_EQ(latency(8, {"diamond_ring", "ring", 1}, hop), 64U * (2 + hop));
  }
}

TEST(OneWaveOfALine, IsItsLatencyForEverySchemeAndPlacement) {
  const routing::Topology topology = mesh(5);
  Random random(7, "placements");
  for (const Line& line : {Line{"diamond_ring", "node_order", 1}, Line{"diamond_ring", "node_order", 2, true},
                           Line{"diamond_ring", "node_order", 3}, Line{"balanced_tree", "node_order", 2},
                           Line{"balanced_tree", "node_order", 5}, Line{"unicast"}}) {
    PlacedBroadcast placed = placed_on(topology, line, 1);
    for (int i = 0; i < 50; ++i) {
      for (std::size_t p = placed.nodes.size(); p-- > 2;) {
        std::swap(placed.nodes[p], placed.nodes[1 + random.below(p)]);
      }
      const auto hop = static_cast<std::uint32_t>(random.below(4));  // 0: wires that take no time
      const auto wires = models::wires_between(topology, placed.nodes, hop);
      BroadcastLine hardware({placed.scheme->parts(), placed.nodes, wires});
      ASSERT_EQ(cycles_of(hardware, 1, true), OneWave(placed.scheme->parts()).cycles(wires)) << line.scheme;
    }
  }
}

// ---------------------------------------------------------------- many

/// Cycles from completion to completion once the line is full.
double cycles_a_broadcast(const Line& line) {
  const routing::Topology topology = mesh(8);
  const PlacedBroadcast placed = placed_on(topology, line, 1);
  const auto wires = models::wires_between(topology, placed.nodes, 1);
  BroadcastLine hardware({placed.scheme->parts(), placed.nodes, wires, true, 4096});
  hardware.request(3000);
  std::uint64_t cycle = 0, first = 0;
  for (; hardware.completed() < 3000 && cycle < 100'000; ++cycle) {
    hardware.step(cycle, nullptr);
    if (hardware.completed() == 1000 && first == 0) first = cycle;
  }
  return static_cast<double>(cycle - 1 - first) / 2000.0;
}

TEST(BroadcastBursts, TakeTwoTurnsAnArityOfADiamondRing) {
  for (std::uint32_t k = 1; k <= 4; ++k) {
    EXPECT_LE(cycles_a_broadcast({"diamond_ring", "node_order", k}), 2.0 * k + 0.01) << "arity " << k;
  }
}

TEST(BroadcastBursts, TakeOneMoreThanTheArityWithACompanion) {
  for (std::uint32_t k = 1; k <= 4; ++k) {
    EXPECT_LE(cycles_a_broadcast({"diamond_ring", "node_order", k, true}), k + 1.01) << "arity " << k;
  }
}

TEST(BroadcastBursts, TakeTwoTurnsMoreOnABalancedTree) {
  for (std::uint32_t k = 1; k <= 4; ++k) {
    EXPECT_LE(cycles_a_broadcast({"balanced_tree", "node_order", k}), 2.0 * k + 2.01) << "arity " << k;
  }
}

// ---------------------------------------------------------------- schemes and placements along the links

TEST(RingPlacement, BeginsAtTheRootAndGoesFromNeighbourToNeighbour) {
  const routing::Topology topology = mesh(4);
  Configuration c;
  c.set("broadcast.arity", 1);
  const PlacedBroadcast placed = traffic::place_broadcast("diamond_ring", "ring", topology, NodeId{6}, 1, c);
  const auto wires = models::wires_between(topology, placed.nodes, 1);
  EXPECT_EQ(placed.nodes[0], NodeId{6});
  for (std::uint32_t p = 0; p < 16; ++p) EXPECT_EQ(wires(p, (p + 1) % 16), 1U) << p;
}

TEST(PlacedBroadcast, HasItsRootAmongTheNodes) {
  const routing::Topology topology = mesh(4);
  EXPECT_EQ(traffic::place_broadcast("unicast", "node_order", topology, NodeId{15}, 1, {}).nodes[0], NodeId{15});
  EXPECT_THROW(traffic::place_broadcast("unicast", "node_order", topology, NodeId{16}, 1, {}), InputError);
}

TEST(SpanningTreeScheme, TellsOnlyNeighboursAndPlacesEveryNode) {
  const routing::Topology topology = mesh(8);
  const PlacedBroadcast placed = placed_on(topology, {"spanning_tree"}, 1);
  const auto wires = models::wires_between(topology, placed.nodes, 1);
  EXPECT_EQ(std::set<NodeId>(placed.nodes.begin(), placed.nodes.end()).size(), 64U);
  EXPECT_EQ(placed.nodes[0], NodeId{0});
  for (std::uint32_t p = 0; p < 64; ++p) {
    for (const std::uint32_t to : placed.scheme->parts()[p].told_at_once) EXPECT_EQ(wires(p, to), 1U);
  }
}

/// 2-ary 2-tree: nodes 2 and 3 beside each other; the root, 3, is the inner one of its switch.
TEST(SpanningTreeScheme, HasTheRootOrTheFirstNodeOfARouterAboveTheOthers) {
  Configuration c;
  c.set("topology.kind", "k_ary_n_tree");
  c.set("topology.arity", 2);
  c.set("topology.levels", 2);
  const routing::Topology topology = routing::make_topology(c);
  const auto placed = traffic::place_broadcast("spanning_tree", "", topology, NodeId{3}, 1, c);
  const auto& parts = placed.scheme->parts();
  EXPECT_EQ(placed.nodes, (std::vector<NodeId>{NodeId{3}, NodeId{2}, NodeId{0}, NodeId{1}}));
  EXPECT_EQ(parts[0].told_at_once, (std::vector<std::uint32_t>{2, 1})) << "the deeper subtree first";
  EXPECT_EQ(parts[2].told_at_once, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(parts[0].role, "root");
  EXPECT_EQ(parts[1].role, "leaf");
  EXPECT_EQ(parts[2].role, "inner");
}

}  // namespace
}  // namespace braid::test::broadcast_line_test
