// What lines are made of: how wide their rows are, how long their checkpoints, where a diamond ring's nodes are placed;
// and units without turn-round whose nodes hold the event.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/event_lines/broadcast_line.h"
#include "models/event_lines/event_line.h"
#include "models/event_lines/node_wires.h"
#include "models/event_lines/packet_line.h"
#include "routing/base/checkpoint.h"
#include "tb/tests/support/saved.h"
#include "traffic/broadcast/placed.h"

namespace braid::test::line_details_test {
namespace {

using models::BroadcastLine;
using models::EventLine;
using models::Signal;

Configuration mesh(std::uint32_t width, std::uint32_t height) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  return c;
}
std::unique_ptr<EventLine> line_of(const std::string& carrier, const Configuration& c) {
  return models::EventLineRegistry::instance().make(carrier, routing::make_topology(c), c);
}

/// Lets the signal go at once.
struct Stations final : models::Stops {
  std::map<std::uint32_t, std::vector<std::uint64_t>> received;  // by node
  void receive(NodeId node, std::uint64_t cycle) override { received[node.value].push_back(cycle); }
  bool try_release(NodeId, std::uint64_t) override { return true; }
};

// ---------------------------------------------------------------- rows

/// A wire is a bit, the node that a packet comes from 32; all are worth a first look.
TEST(LineRows, AreAsWideAsWhatTheyShow) {
  for (const std::string carrier : {"ring", "spanning_tree", "control_packet"}) {
    models::SignalTable table;
    const auto source = line_of(carrier, mesh(2, 2))->signals(table);
    for (const Signal& signal : table.signals()) {
      EXPECT_EQ(signal.bits, signal.name == "last_node" ? 32U : 1U) << carrier << " " << signal.name;
      EXPECT_TRUE(signal.shown) << carrier << " " << signal.name;
      EXPECT_EQ(signal.scope, "sat.line");
    }
    EXPECT_GE(table.signals().size(), carrier == "control_packet" ? 2U : 4U) << carrier;
  }
}

const std::vector<traffic::BroadcastPart> kTwo{{"root", {1}, {1}, {}}, {"leaf", {0}, {}, {0}}};
BroadcastLine two(std::uint32_t wire_cycles, bool turn_round) {
  return BroadcastLine(
      {kTwo, {NodeId{3}, NodeId{8}}, [wire_cycles](std::uint32_t, std::uint32_t) { return wire_cycles; }, turn_round});
}

/// Four states, and the low eight bits of two counters, of which the second is not worth a first look.
TEST(LineRows, OfABroadcastAreAStateAndTwoCounters) {
  BroadcastLine line = two(1, true);
  models::SignalTable table;
  const auto source = line.signals(table, "lines.here");
  std::vector<std::string> told;
  for (const Signal& s : table.signals()) {
    told.push_back(s.scope + "." + s.name + " " + std::to_string(s.bits) + (s.shown ? " shown" : ""));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"lines.here.node_3.state 2 shown", "lines.here.node_3.begun 8 shown",
                                            "lines.here.node_3.finished 8", "lines.here.node_8.state 2 shown",
                                            "lines.here.node_8.begun 8 shown", "lines.here.node_8.finished 8"}));
  ASSERT_NE(table.signals()[0].values, nullptr);
  EXPECT_EQ(table.signals()[0].values->values, (std::vector<std::string>{"idle", "holds", "receives", "drives"}));
}

// ---------------------------------------------------------------- checkpoints

/// What is on wires: a list for each cycle that a pulse may be under way, and one more where units take turns or not,
/// for the cycle in which it comes.
TEST(LineCheckpoints, HaveACycleForEachOfTheLongestWire) {
  const auto lists = [](BroadcastLine line, std::size_t wires, std::size_t units) {
    const std::size_t fixed = 8 + 8 + wires * 16 + 8 + units * 42 + 8;
    return (saved(line).size() - fixed - 8) / 8;
  };
  EXPECT_EQ(lists(two(0, true), 2, 2), 2U);
  EXPECT_EQ(lists(two(1, true), 2, 2), 3U);
  EXPECT_EQ(lists(two(0, false), 2, 2), 3U) << "which is a cycle";
  EXPECT_EQ(lists(two(7, true), 2, 2), 9U);
  const std::vector<traffic::BroadcastPart> one{{"root", {}, {}, {}}};
  EXPECT_EQ(lists(BroadcastLine({one, {NodeId{0}}, [](std::uint32_t, std::uint32_t) { return 0U; }}), 0, 1), 2U);
}

/// Four switches and four nodes of six bytes each, and a list for each cycle of a link and one more.
TEST(LineCheckpoints, OfASpanningTreeHaveACycleForEachOfTheLongestLink) {
  for (const std::uint32_t cycles : {1U, 2U, 5U}) {
    Configuration c = mesh(2, 2);
    c.set("topology.link_latency_cycles", cycles);
    EXPECT_EQ(saved(*line_of("spanning_tree", c)).size(), 8U + 8U * 6U + 8U + (cycles + 1U) * 8U + 8U + 8U + 1U);
  }
}

// ---------------------------------------------------------------- rounds

/// Down and up again over the farthest link, and a cycle there: a row whose root is an end of it, too.
TEST(LineRounds, OfASpanningTreeAreTwiceItsDepthAndACycle) {
  const auto cycles = [](std::uint32_t width, std::uint32_t height, std::uint32_t latency) {
    Configuration c = mesh(width, height);
    c.set("topology.link_latency_cycles", latency);
    return line_of("spanning_tree", c)->unheld_interval_cycles();
  };
  EXPECT_EQ(cycles(2, 1, 1), 3U);
  EXPECT_EQ(cycles(2, 1, 4), 9U);
  EXPECT_EQ(cycles(3, 1, 1), 3U);
  EXPECT_EQ(cycles(4, 1, 1), 5U);
  EXPECT_EQ(cycles(5, 5, 2), 17U) << "four links from the middle";
}

/// Rounds are counted from the cycle in which the line begins, whichever that is.
TEST(LineRounds, OfAPacketBeginWithTheLine) {
  for (const std::uint64_t begin : {0U, 100U}) {
    models::PacketLine line(routing::make_topology(mesh(2, 1)), 1);
    Stations stations;
    const std::uint32_t first = line.from().value;
    line.step(begin, stations);
    EXPECT_EQ(stations.received[first], std::vector<std::uint64_t>{begin});
    for (std::uint64_t cycle = begin + 1; cycle < begin + 5; ++cycle) line.step(cycle, stations);
    line.arrive();
    line.step(begin + 5, stations);
    line.step(begin + 6, stations);  // the other node lets it go at once
    line.arrive();
    line.step(begin + 9, stations);
    EXPECT_EQ(line.unheld_interval_cycles(), 10U) << begin;
  }
}

/// Node 8 holds the event from cycle 5, in which it comes, to cycle 30, in which its unit has it drive at once: back
/// in 35.
TEST(BroadcastLine, WithoutTurnRoundWaitsForANodeThatHoldsTheEvent) {
  struct Holding final : models::Stops {
    std::uint64_t received = 0;
    void receive(NodeId node, std::uint64_t cycle) override {
      if (node == NodeId{8}) received = cycle;
    }
    bool try_release(NodeId node, std::uint64_t cycle) override { return node == NodeId{3} || cycle >= 30; }
  };
  BroadcastLine line = two(5, false);
  Holding stops;
  line.request(1);
  std::uint64_t cycle = 0;
  for (; cycle < 30; ++cycle) line.step(cycle, &stops);
  EXPECT_EQ(stops.received, 5U);
  EXPECT_EQ(line.progress(1).handled, 0U);
  EXPECT_EQ(line.unit(1).state(), models::BroadcastUnit::State::kHolds);
  line.step(cycle++, &stops);
  EXPECT_EQ(line.progress(1).handled, 1U);
  EXPECT_EQ(line.progress(1).finished, 1U);
  EXPECT_EQ(line.unit(1).state(), models::BroadcastUnit::State::kDrives);
  for (; cycle < 35; ++cycle) line.step(cycle, &stops);
  EXPECT_EQ(line.completed(), 0U);
  line.step(cycle, &stops);
  EXPECT_EQ(line.completed(), 1U);
}

// ---------------------------------------------------------------- diamond rings

Configuration diamond(std::uint32_t arity, std::uint32_t moves, std::uint64_t seed) {
  Configuration c = mesh(4, 4);
  c.set("sat.arity", arity);
  c.set("sat.moves", moves);
  c.set("experiment.seed", seed);
  return c;
}

/// In which cycle each node has it first.
std::vector<std::uint64_t> first_cycles(const Configuration& c) {
  const auto line = line_of("diamond_ring", c);
  Stations stations;
  for (std::uint64_t cycle = 0; cycle < 200; ++cycle) line->step(cycle, stations);
  std::vector<std::uint64_t> first;
  for (std::uint32_t n = 0; n < 16; ++n) first.push_back(stations.received[n].at(0));
  return first;
}

/// As a broadcast's of the same arity, annealed in as many steps by the experiment's own seed, whose root is node 0 and
/// whose wires take a cycle a link.
TEST(DiamondRing, IsPlacedAsABroadcastOfTheExperiment) {
  const routing::Topology topology = routing::make_topology(mesh(4, 4));
  std::set<std::vector<std::uint64_t>> different;
  for (const std::uint32_t arity : {2U, 3U}) {
    for (const std::uint32_t moves : {0U, 1U, 50U, 400U}) {
      for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        Configuration b;
        b.set("experiment.seed", seed);
        b.set("broadcast.arity", arity);
        b.set("broadcast.merge_parallel", true);
        b.set("broadcast.moves", moves);
        const auto placed =
            traffic::place_broadcast("diamond_ring", moves == 0 ? "node_order" : "annealed", topology, NodeId{0}, 1, b);
        const auto wires = models::wires_between(topology, placed.nodes, 1);
        const Configuration c = diamond(arity, moves, seed);
        EXPECT_EQ(line_of("diamond_ring", c)->unheld_interval_cycles(),
                  traffic::OneWave(placed.scheme->parts()).cycles(wires));
        const std::vector<std::uint64_t> first = first_cycles(c);
        BroadcastLine line({placed.scheme->parts(), placed.nodes, wires});
        line.request(1);
        Stations stations;
        for (std::uint64_t cycle = 0; line.completed() == 0 && cycle < 200; ++cycle) line.step(cycle, &stations);
        for (std::uint32_t n = 0; n < 16; ++n) ASSERT_EQ(first[n], stations.received[n].at(0)) << n;
        different.insert(first);
      }
    }
  }
  EXPECT_GT(different.size(), 10U) << "seeds, steps and arities make a difference";
}

/// One step, if it is a good one, is taken.
TEST(DiamondRing, IsAnnealedFromTheFirstStepOn) {
  const auto by_rows = first_cycles(diamond(2, 0, 1));
  std::size_t moved = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    EXPECT_EQ(first_cycles(diamond(2, 0, seed)), by_rows) << "as nodes are numbered";
    moved += first_cycles(diamond(2, 1, seed)) != by_rows ? 1 : 0;
  }
  EXPECT_GT(moved, 0U);
}

/// Four positions and 20,000 steps are usual.
TEST(DiamondRing, HasAnArityOfFour) {
  Configuration usual = mesh(4, 4), said = diamond(4, 20000, 1);
  EXPECT_EQ(first_cycles(usual), first_cycles(said));
}

/// A node alone has it in every cycle.
TEST(DiamondRing, OfOneNodeIsARoundACycle) {
  const auto line = line_of("diamond_ring", mesh(1, 1));
  EXPECT_EQ(line->unheld_interval_cycles(), 1U);
  Stations stations;
  for (std::uint64_t cycle = 0; cycle < 4; ++cycle) line->step(cycle, stations);
  EXPECT_EQ(stations.received[0], (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace braid::test::line_details_test
