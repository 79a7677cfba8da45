// Each carrier of the SAT signal beside the rows that a waveform shows of it, cycle by cycle and by hand, on links of
// two cycles; a packet's rounds; and a broadcast's line of one unit, which has no wire at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/event_lines/broadcast_line.h"
#include "models/event_lines/event_line.h"
#include "models/event_lines/packet_line.h"
#include "models/observe/signals.h"
#include "routing/topology/topology.h"

namespace braid::test::line_rows_test {
namespace {

using models::EventLine;
using Cycles = std::vector<std::uint64_t>;

Configuration mesh(std::uint32_t width, std::uint32_t height) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  c.set("topology.link_latency_cycles", 2);
  return c;
}

/// Lets the signal go at once, but for one node, which keeps it to a cycle.
struct Stations final : models::Stops {
  std::uint32_t holder = ~0U;
  std::uint64_t until = 0;
  std::map<std::uint32_t, Cycles> received;  // by node
  void receive(NodeId node, std::uint64_t cycle) override { received[node.value].push_back(cycle); }
  bool try_release(NodeId node, std::uint64_t cycle) override { return node.value != holder || cycle >= until; }
};

/// A line and its rows: a digit for what each shows after the line's part of a cycle, which is where the signal is in
/// the next one.
struct Shown {
  std::unique_ptr<EventLine> line;
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;
  Stations stations;
  std::map<std::string, std::string> rows;

  Shown(const std::string& carrier, const Configuration& c)
      : line(models::EventLineRegistry::instance().make(carrier, routing::make_topology(c), c)),
        source(line->signals(table)) {}
  void run(std::uint64_t cycles) {
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
      line->step(cycle, stations);
      source->sample(cycle);
      for (const models::Signal& signal : table.signals()) {
        EXPECT_EQ(signal.scope, "sat.line");
        rows[signal.name] += std::to_string(signal.value);
      }
    }
  }
};

/// Around the four routers of a square: 0, 1, 3, 2. A station has the signal for a cycle, a link for two.
TEST(RingRows, ShowTheWireThatTheSignalIsOn) {
  Shown ring("ring", mesh(2, 2));
  EXPECT_EQ(ring.line->unheld_interval_cycles(), 4U * (1U + 2U));
  ring.run(15);
  EXPECT_EQ(ring.stations.received[0], (Cycles{0, 12}));
  EXPECT_EQ(ring.stations.received[1], (Cycles{3, 15}));
  EXPECT_EQ(ring.stations.received[3], Cycles{6});
  EXPECT_EQ(ring.stations.received[2], Cycles{9});
  EXPECT_EQ(ring.rows, (std::map<std::string, std::string>{{"0_0_to_1_0", "110000000000110"},
                                                           {"1_0_to_1_1", "000110000000000"},
                                                           {"1_1_to_0_1", "000000110000000"},
                                                           {"0_1_to_0_0", "000000000110000"}}));
}

/// Node 1 has it from cycle 3 on and lets it go in cycle 7: no wire has it meanwhile, and all the rest comes four
/// later.
TEST(RingRows, AreAllLowWhileAStationHoldsTheSignal) {
  Shown ring("ring", mesh(2, 2));
  ring.stations.holder = 1;
  ring.stations.until = 7;
  ring.run(15);
  EXPECT_EQ(ring.stations.received[3], Cycles{10});
  EXPECT_EQ(ring.stations.received[2], Cycles{13});
  EXPECT_EQ(ring.rows, (std::map<std::string, std::string>{{"0_0_to_1_0", "110000000000000"},
                                                           {"1_0_to_1_1", "000000011000000"},
                                                           {"1_1_to_0_1", "000000000011000"},
                                                           {"0_1_to_0_0", "000000000000011"}}));
}

/// A row of five, its root in the middle: down to 1 and 3 in two cycles, to 0 and 4 in four, a cycle at the nodes, and
/// up again; the root sends it anew in the cycle after the last acknowledgement. The wire of the first cycle shows
/// for one sample only, as cycle 0 comes before all of them.
TEST(TreeRows, ShowTheSignalGoingDownAndUpEachLink) {
  Shown tree("spanning_tree", mesh(5, 1));
  EXPECT_EQ(tree.line->unheld_interval_cycles(), 9U);
  tree.run(13);
  EXPECT_EQ(tree.stations.received[2], (Cycles{0, 9}));
  for (const std::uint32_t near : {1, 3}) EXPECT_EQ(tree.stations.received[near], (Cycles{2, 11})) << near;
  for (const std::uint32_t far : {0, 4}) EXPECT_EQ(tree.stations.received[far], (Cycles{4, 13})) << far;
  EXPECT_EQ(tree.rows, (std::map<std::string, std::string>{{"2_0_to_1_0", "1000000011000"},
                                                           {"1_0_to_0_0", "0110000000110"},
                                                           {"0_0_to_1_0", "0000110000000"},
                                                           {"1_0_to_2_0", "0000001100000"},
                                                           {"2_0_to_3_0", "1000000011000"},
                                                           {"3_0_to_4_0", "0110000000110"},
                                                           {"4_0_to_3_0", "0000110000000"},
                                                           {"3_0_to_2_0", "0000001100000"}}));
}

/// Node 0 keeps it three cycles longer: its own branch comes up so much later, and with it the next round of all.
TEST(TreeRows, WaitForTheBranchThatIsHeld) {
  Shown tree("spanning_tree", mesh(5, 1));
  tree.stations.holder = 0;
  tree.stations.until = 7;
  tree.run(14);
  EXPECT_EQ(tree.stations.received[2], (Cycles{0, 12}));
  EXPECT_EQ(tree.stations.received[4], Cycles{4});
  EXPECT_EQ(tree.rows["0_0_to_1_0"], "00000001100000");
  EXPECT_EQ(tree.rows["1_0_to_2_0"], "00000000011000");
  EXPECT_EQ(tree.rows["4_0_to_3_0"], "00001100000000");
  EXPECT_EQ(tree.rows["3_0_to_2_0"], "00000011000000");
  EXPECT_EQ(tree.rows["2_0_to_1_0"], "10000000000110");
}

/// The packet leaves a station in the cycle in which it is let go, is at the next one from the cycle after its arrival
/// on, and is shown under way in between. It goes by 1, 3 and 2 back to 0; of three rounds of 21, 20 and 40 cycles the
/// shortest is told.
TEST(PacketLineRows, ShowWhereThePacketIsAndTellTheShortestRound) {
  models::PacketLine line(routing::make_topology(mesh(2, 2)), 3);
  models::SignalTable table;
  const auto source = line.signals(table);
  ASSERT_EQ(table.signals().size(), 2U);
  EXPECT_EQ(table.signals()[0].name, "packet");
  EXPECT_EQ(table.signals()[1].name, "last_node");
  EXPECT_EQ(line.flits(), 3U);
  EXPECT_EQ(line.unheld_interval_cycles(), 0U) << "no round has ended";
  struct Round {
    std::uint64_t arrives[4];  // the cycles of the line's steps that learn of it
    std::uint64_t shortest;    // so far
  };
  const Round rounds[] = {{{5, 11, 17, 20}, 21}, {{23, 26, 29, 40}, 20}, {{50, 60, 70, 80}, 20}};
  const std::uint32_t order[] = {0, 1, 3, 2};
  std::vector<std::pair<std::uint64_t, std::uint32_t>> arrivals;  // cycle, stop
  for (const Round& round : rounds) {
    for (std::uint32_t i = 0; i < 4; ++i) arrivals.emplace_back(round.arrives[i], (i + 1) % 4);
  }
  Stations stations;
  std::uint64_t cycle = 0;
  std::uint32_t stop = 0;
  for (std::size_t n = 0; n < arrivals.size(); ++n) {
    const auto [arrives, next] = arrivals[n];
    line.step(cycle, stations);  // the station lets it go
    source->sample(cycle);
    EXPECT_TRUE(line.departs()) << cycle;
    EXPECT_EQ(line.from(), NodeId{order[stop]}) << cycle;
    EXPECT_EQ(line.to(), NodeId{order[next]}) << cycle;
    EXPECT_EQ(table.signals()[0].value, 1U) << cycle;
    EXPECT_EQ(table.signals()[1].value, order[stop]) << cycle;
    for (++cycle; cycle < arrives; ++cycle) {
      line.step(cycle, stations);
      source->sample(cycle);
      EXPECT_FALSE(line.departs()) << cycle;
      EXPECT_EQ(table.signals()[0].value, 1U) << cycle;
    }
    line.arrive();
    line.step(cycle, stations);
    source->sample(cycle);
    stop = next;
    EXPECT_FALSE(line.departs()) << cycle;
    EXPECT_EQ(table.signals()[0].value, 0U) << cycle;
    EXPECT_EQ(table.signals()[1].value, order[stop]) << cycle;
    EXPECT_EQ(stations.received[order[stop]].back(), ++cycle) << "from the next cycle on";
    if (stop == 0) {
      EXPECT_EQ(line.unheld_interval_cycles(), rounds[n / 4].shortest) << cycle;
    }
  }
  EXPECT_EQ(stations.received[0], (Cycles{0, 21, 41, 81}));
}

/// Nobody is to be told: a broadcast is complete in the cycle in which it begins, and the next one begins in the next.
TEST(LoneUnit, CompletesABroadcastACycle) {
  const std::vector<traffic::BroadcastPart> one{{"root", {}, {}, {}}};
  for (const bool turn_round : {true, false}) {
    for (const std::uint32_t most : {1U, 3U}) {
      models::BroadcastLine line({one, {NodeId{3}}, [](std::uint32_t, std::uint32_t) { return 1U; }, turn_round, most});
      EXPECT_TRUE(line.wires().empty());
      line.request(3);
      for (std::uint64_t cycle = 0; cycle < 6; ++cycle) {
        line.step(cycle, nullptr);
        EXPECT_EQ(line.completed(), std::min<std::uint64_t>(cycle + 1, 3)) << cycle;
        EXPECT_EQ(line.begun(), line.completed()) << cycle;
        EXPECT_EQ(line.unit(0).state(), models::BroadcastUnit::State::kIdle) << cycle;
      }
    }
  }
}

/// A unit hears its wires in turn, from the one behind the last that it heard: of two that have brought a pulse each it
/// receives one a cycle, and after both it begins with the first again.
TEST(Unit, HearsItsWiresInTurn) {
  using models::BroadcastUnit;
  std::vector<models::BroadcastWire> wires(3);
  BroadcastUnit unit(false, true, 9);
  for (const std::uint32_t wire : {0U, 1U, 2U}) unit.add_in(wire);
  std::vector<std::uint32_t> driven;
  const auto heard = [&](const std::vector<std::uint32_t>& arrive) {
    for (const std::uint32_t wire : arrive) ++wires[wire].arrived;
    const std::vector<models::BroadcastWire> before = wires;
    unit.step({0, wires, 0, nullptr, NodeId{0}}, driven);
    std::string all;
    for (std::size_t wire = 0; wire < 3; ++wire) {
      if (wires[wire].received != before[wire].received) all += std::to_string(wire);
    }
    return all;
  };
  EXPECT_EQ(heard({}), "");
  EXPECT_EQ(heard({0, 2}), "0");
  EXPECT_EQ(heard({1, 0}), "1");
  EXPECT_EQ(heard({}), "2");
  EXPECT_EQ(heard({2}), "0");
  EXPECT_EQ(heard({}), "2");
  EXPECT_EQ(heard({}), "");
  EXPECT_EQ(unit.begun(), 2U) << "the second pulse of any wire begins the second broadcast";
  EXPECT_EQ(unit.finished(), 1U) << "wire 1 has brought one";
  EXPECT_TRUE(driven.empty());
}

}  // namespace
}  // namespace braid::test::line_rows_test
