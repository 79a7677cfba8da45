// Figure 1 of sat-fairness: nodes 0 to 6 always have packets for node 7. Shares to the packet, with and without SAT.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_parking_lot_test {
namespace {

using models::Experiment;

Experiment all_to_node_7(const char* kind) {
  const bool mesh = std::string(kind) == "mesh";
  Experiment e = mesh ? vct_grid("mesh", 1.0) : vct_tree(3, 1.0);
  if (mesh) {
    e.set("topology.width", 8);
    e.set("topology.height", 1);
  } else {
    e.set("topology.arity", 2);
    e.set("routing.algorithm", "tree_by_source");
  }
  e.set("traffic.name", "to_7").set("traffic.process", "saturated");
  e.set("traffic.pattern", "hot_spot").set("traffic.hot_nodes", std::vector<std::uint32_t>{7});
  e.set("traffic.hot_fraction", 1.0);
  e.set("traffic.senders", std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6});
  return e;
}

/// Packets injected by each node in the cycles after a warm-up.
std::vector<std::uint64_t> sent_by_node(const Experiment& e, std::uint64_t cycles) {
  Bench bench(e);
  bench.run(20000);
  bench.network->window() = {true, bench.network->now(), 1000};
  bench.run(cycles);
  bench.network->window().open = false;
  EXPECT_TRUE(bench.network->conservation().holds());
  return bench.network->merged_statistics().results(cycles).at(0).injected_packets_by_node;
}

/// An arbiter of two inputs a router: half to the node beside the last, half of the rest to the next, and so on. The
/// pattern repeats after 64 packets of 16 flits, and the last link never rests.
TEST(SatFigure1, OnARowEachNodeGetsHalfOfWhatTheOneBehindItLeaves) {
  const auto sent = sent_by_node(all_to_node_7("mesh"), 64 * 16 * 10);
  EXPECT_EQ(sent, (std::vector<std::uint64_t>{10, 10, 20, 40, 80, 160, 320, 0}));
}

/// Three inputs at the last switch: a third to node 6, a third to each of two switches above, which have three inputs
/// in their turn: a ninth to every other node.
TEST(SatFigure1, OnATreeAThirdToTheNeighbourAndANinthToEachOther) {
  const auto sent = sent_by_node(all_to_node_7("tree"), 9 * 16 * 40);
  EXPECT_EQ(sent, (std::vector<std::uint64_t>{40, 40, 40, 40, 40, 40, 120, 0}));
}

/// With k = l a seventh to each, over every carrier, and nothing of the last link is lost. Nodes are somewhere in their
/// k packets when the window begins and ends.
TEST(SatFigure1, WithSatASeventhToEach) {
  for (const char* kind : {"mesh", "tree"}) {
    for (const char* carrier : {"ring", "spanning_tree", "diamond_ring", "control_packet"}) {
      constexpr std::uint32_t kPackets = 8;
      const auto sent = sent_by_node(with_sat(all_to_node_7(kind), carrier, kPackets, kPackets), 7 * 16 * 200);
      const std::string where = std::string(kind) + " " + carrier;
      EXPECT_EQ(sent[7], 0U);
      for (std::size_t n = 0; n < 7; ++n)
        EXPECT_NEAR(static_cast<double>(sent[n]), 200.0, 2.0 * kPackets) << where << n;
      const auto total = std::accumulate(sent.begin(), sent.end(), std::uint64_t{0});
      EXPECT_NEAR(static_cast<double>(total), 1400.0, 2.0 * kPackets) << where;
    }
  }
}

/// k over l bounds the shares: 2 : 1 here, and node 6 takes all of it.
TEST(SatFigure1, WithKOverLTheNeighbourGetsKOverL) {
  for (const char* kind : {"mesh", "tree"}) {
    const auto sent = sent_by_node(with_sat(all_to_node_7(kind), "spanning_tree", 4, 8), 7 * 16 * 400);
    const auto least = *std::min_element(sent.begin(), sent.end() - 1);
    EXPECT_NEAR(static_cast<double>(sent[6]) / static_cast<double>(least), 2.0, 0.05) << kind;
  }
}

}  // namespace
}  // namespace braid::test::sat_parking_lot_test
