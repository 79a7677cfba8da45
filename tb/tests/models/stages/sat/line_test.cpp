// The SAT line and its stations alone on signals, without a network: the stations' clock rises before the line's in
// each cycle. The signal goes round in exactly the cycles of docs/sat-fairness.md.
#include "models/stages/sat/line.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/stages/sat/station.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/module_wires.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_line_module_test {
namespace {

using models::stages::sat::kCountBits;
using models::stages::sat::kPassedBits;
using models::stages::sat::Line;
using models::stages::sat::Station;
using Cycles = std::vector<std::uint64_t>;

struct Circle {
  Circle(const models::Experiment& e, std::uint32_t l, std::uint32_t k)
      : topology(routing::make_topology(e)), line("line", topology, e) {
    line.clk_i(line_clock);
    Wire &l_wire = wires(kCountBits, l), &k_wire = wires(kCountBits, k);
    for (std::size_t n = 0; n < topology.node_count(); ++n) {
      stations.push_back(
          std::make_unique<Station>(sc_core::sc_gen_unique_name("station"), models::SatThresholds{l, k}));
      Station& s = *stations.back();
      passed.push_back(&wires(kPassedBits));
      waiting.push_back(&wires(1));
      holds.push_back(&wires(1));
      Wire &signal = wires(1), &now = wires(1), &leaves = wires(1), &satisfied = wires(1);
      s.clk_i(station_clock);
      s.passed_i(*passed[n]);
      s.waiting_i(*waiting[n]);
      s.l_i(l_wire);
      s.k_i(k_wire);
      s.signal_i(signal);
      s.signal_now_i(now);
      s.signal_leaves_i(leaves);
      s.satisfied_o(satisfied);
      s.open_o(wires(1));
      s.starved_o(wires(1));
      s.holds_o(*holds[n]);
      s.sent_o(wires(kCountBits));
      line.satisfied_i[n](satisfied);
      line.signal_o[n](signal);
      line.signal_now_o[n](now);
      line.signal_leaves_o[n](leaves);
    }
    for (std::size_t w = 0; w < line.wire_o.size(); ++w) {
      line_wires.push_back(&wires(1));
      line.wire_o[w](*line_wires.back());
    }
  }
  void cycle() {
    edge(station_clock);
    edge(line_clock);
  }
  /// Cycles among the first so many in which a station has the signal.
  Cycles seen_at(std::size_t node, std::uint64_t cycles) {
    Cycles seen;
    for (std::uint64_t c = 0; c < cycles; ++c) {
      cycle();
      if (at(*holds[node]) == 1) seen.push_back(c);
    }
    return seen;
  }

  sc_core::sc_signal<bool> station_clock, line_clock;
  Wires wires;
  routing::Topology topology;
  Line line;
  std::vector<std::unique_ptr<Station>> stations;
  std::vector<Wire*> passed, waiting, holds, line_wires;
};

models::Experiment tree(std::uint32_t levels, const char* carrier) {
  return with_sat(vct_tree(levels, 0.0), carrier, 1, 2);
}

/// H(1) + N = 8 + 4 = 12; at node n in cycle 3 n.
TEST(SatLineModule, GoesRoundARingOfFourStationsInTwelveCycles) {
  Circle circle(tree(1, "ring"), 1, 2);
  EXPECT_EQ(circle.seen_at(2, 40), (Cycles{6, 18, 30}));
}

/// H(2) + N = 40 + 16 = 56.
TEST(SatLineModule, GoesRoundARingOfSixteenStationsInFiftySixCycles) {
  Circle circle(tree(2, "ring"), 1, 2);
  EXPECT_EQ(circle.seen_at(1, 120), (Cycles{3, 59, 115}));
}

/// On a mesh 2 N: a cycle a link and one at the station.
TEST(SatLineModule, GoesRoundAMeshInTwoCyclesANode) {
  models::Experiment e = with_sat(uniform_mesh(0.0, 4, 2), "ring", 1, 2);
  Circle circle(e, 1, 2);
  EXPECT_EQ(circle.seen_at(1, 40), (Cycles{2, 18, 34}));
}

/// 2 n + 1 on a tree of n levels; the first time it comes from the root.
TEST(SatLineModule, IsAtAllStationsOfASpanningTreeEveryThreeCycles) {
  Circle circle(tree(1, "spanning_tree"), 1, 2);
  EXPECT_EQ(circle.seen_at(3, 11), (Cycles{1, 4, 7, 10}));
}
TEST(SatLineModule, IsAtAllStationsOfATreeOfTwoLevelsEveryFiveCycles) {
  Circle circle(tree(2, "spanning_tree"), 1, 2);
  EXPECT_EQ(circle.seen_at(15, 13), (Cycles{2, 7, 12}));
}

/// Node 2 has a packet that does not go before cycle 30: the signal is there from 6 to 30 and at node 3 in 33.
TEST(SatLineModule, IsHeldByAStarvedStationUntilItsPacketGoes) {
  Circle circle(tree(1, "ring"), 1, 2);
  put(*circle.waiting[2], 1);
  for (int c = 0; c < 30; ++c) circle.cycle();
  EXPECT_EQ(at(*circle.holds[2]), 1U) << "in 29";
  put(*circle.passed[2], 1);
  circle.cycle();
  EXPECT_EQ(at(*circle.holds[2]), 1U) << "in 30";
  put(*circle.passed[2], 0);
  circle.cycle();
  EXPECT_EQ(at(*circle.holds[2]), 0U) << "in 31";
  circle.cycle();
  EXPECT_EQ(at(*circle.holds[3]), 0U) << "in 32";
  circle.cycle();
  EXPECT_EQ(at(*circle.holds[3]), 1U) << "in 33";
}

/// A wire is high when the signal is on it in the cycle to come: 1 and 2 from node 0 to the switch and to node 1.
TEST(SatLineModule, ShowsEachWire) {
  Circle circle(tree(1, "ring"), 1, 2);
  const auto up = [&](const std::string& name) {
    for (std::size_t w = 0; w < circle.line_wires.size(); ++w) {
      if (circle.line.wire_name(w) == name) return at(*circle.line_wires[w]);
    }
    return std::uint64_t{99};
  };
  const std::string to_switch = "node0_to_" + models::identifier(circle.topology.router_names[0]);
  const std::string to_node = models::identifier(circle.topology.router_names[0]) + "_to_node1";
  circle.cycle();
  EXPECT_EQ(up(to_switch), 1U);
  EXPECT_EQ(up(to_node), 0U);
  circle.cycle();
  EXPECT_EQ(up(to_switch), 0U);
  EXPECT_EQ(up(to_node), 1U);
  circle.cycle();
  EXPECT_EQ(up(to_node), 0U) << "at node 1";
}

/// A signal that is a packet of the data network has no wires to stand on.
TEST(SatLineModule, IsRefusedAloneWhereItsSignalIsAPacket) {
  const models::Experiment e = tree(1, "control_packet");
  const routing::Topology topology = routing::make_topology(e);
  const std::string said = complaint([&] { const Line line("line", topology, e); });
  EXPECT_EQ(said.rfind("sat.carrier = \"control_packet\" has no wires", 0), 0U) << said;
}

}  // namespace
}  // namespace braid::test::sat_line_module_test
