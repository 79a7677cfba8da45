// The SAT signal over a diamond ring: every station has it once a round, and rounds follow one another without a pause.
#include <gtest/gtest.h>

#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::diamond_ring_line_test {
namespace {

using models::Experiment;

Experiment over_diamond_ring(Experiment e, std::uint32_t arity, std::uint32_t moves = 0) {
  e = with_sat(std::move(e), "diamond_ring", 16, 16);
  e.set("sat.arity", arity);
  e.set("sat.moves", moves);
  return e;
}

struct Network {
  const char* name;
  Experiment experiment;
};

std::vector<Network> networks() {
  Experiment torus = uniform_mesh(0.0, 5, 5);
  torus.set("topology.kind", "torus");
  return {{"mesh_arity1", over_diamond_ring(uniform_mesh(0.0), 1)},
          {"mesh_arity2", over_diamond_ring(uniform_mesh(0.0), 2)},
          {"mesh_arity4_annealed", over_diamond_ring(uniform_mesh(0.0), 4, 2000)},
          {"torus_arity3", over_diamond_ring(torus, 3)},
          {"switch_of_four", over_diamond_ring(vct_tree(1, 0.0), 2)},
          {"tree64_arity4", over_diamond_ring(vct_tree(3, 0.0), 4)}};
}

class UnheldDiamondRing : public testing::TestWithParam<Network> {};

/// What the line says of itself is what a run shows, at N and not at N - 1, at every station.
TEST_P(UnheldDiamondRing, ComesAfterTheCyclesThatItSays) {
  Bench bench(GetParam().experiment);
  const std::uint64_t interval = gate_of(bench).carrier().unheld_interval_cycles();
  const auto& stations = gate_of(bench).stations();
  bench.run(1);
  const std::uint64_t first = stations.station(NodeId{0}).received;
  while (bench.network->now() < first + interval) bench.run(1);
  EXPECT_EQ(stations.station(NodeId{0}).received, first) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(stations.station(NodeId{0}).received, first + interval) << "at cycle N";
  bench.run(3 * interval);
  for (std::size_t n = 0; n < stations.size(); ++n) ASSERT_EQ(stations.station(NodeId{n}).interval, interval) << n;
}
INSTANTIATE_TEST_SUITE_P(Networks, UnheldDiamondRing, testing::ValuesIn(networks()),
                         [](const auto& c) { return c.param.name; });

/// Arity 1 by rows on 8x8: 64 turns to receive and 64 to drive, 56 hops within rows, 7 steps back by 7 + 1 links, and
/// from node 63 home 14.
TEST(DiamondRingLine, OfArityOneByRowsIsARingOfThreeCyclesANodeAndItsLongWires) {
  Bench bench(over_diamond_ring(uniform_mesh(0.0), 1));
  EXPECT_EQ(gate_of(bench).carrier().unheld_interval_cycles(), 128U + 56U + 7U * 8U + 14U);
}

TEST(DiamondRingLine, IsShorterAnnealed) {
  Bench by_rows(over_diamond_ring(uniform_mesh(0.0), 4)), annealed(over_diamond_ring(uniform_mesh(0.0), 4, 20000));
  EXPECT_LT(gate_of(annealed).carrier().unheld_interval_cycles(), gate_of(by_rows).carrier().unheld_interval_cycles());
  EXPECT_LE(gate_of(annealed).carrier().unheld_interval_cycles(), 48U);
}

/// Node 2 never lets it go: nobody has it a second time, and node 2 is named.
TEST(DiamondRingLine, StandsStillWhereAStationHoldsIt) {
  Experiment e = over_diamond_ring(uniform_mesh(0.0, 4, 4), 2);
  e.set("sat.dead_nodes", std::vector<std::uint32_t>{2});
  Bench bench(e);
  bench.run(1000);
  const auto& stations = gate_of(bench).stations();
  for (std::size_t n = 0; n < 16; ++n) {
    EXPECT_EQ(stations.station(NodeId{n}).interval, 0U) << n;
    EXPECT_EQ(stations.station(NodeId{n}).holds, n == 2) << n;
  }
  EXPECT_NE(bench.network->complaint().find("dead SAT station: node 2"), std::string::npos);
}

TEST(DiamondRingLine, ShowsItsUnits) {
  Bench bench(over_diamond_ring(uniform_mesh(0.0, 4, 4), 2));
  models::SignalTable table;
  const auto sources = bench.network->signals(table, {});
  bench.run(1);
  for (const auto& source : sources) source->sample(1);
  std::size_t begun = 0;
  for (const models::Signal& signal : table.signals()) begun += signal.name == "begun" ? signal.value : 0;
  EXPECT_EQ(begun, 1U) << "the root's";
}

}  // namespace
}  // namespace braid::test::diamond_ring_line_test
