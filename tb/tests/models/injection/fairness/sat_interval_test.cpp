// The SAT signal on every line when nobody holds it: intervals to the cycle (paper: sat-fairness).
#include <gtest/gtest.h>

#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_interval_test {
namespace {

using models::Experiment;

struct Line {
  const char* name;
  Experiment experiment;
  std::uint64_t interval;
};

std::vector<Line> lines() {
  std::vector<Line> all;
  const auto tree = [&](const char* name, std::uint32_t levels, const char* carrier, std::uint64_t interval) {
    all.push_back({name, with_sat(vct_tree(levels, 0.0), carrier, 16, 16), interval});
  };
  tree("ring64", 3, "ring", 168 + 64);
  tree("ring256", 4, "ring", 936);
  tree("ring1024", 5, "ring", 3752);
  tree("tree4", 1, "spanning_tree", 3);
  tree("tree64", 3, "spanning_tree", 7);
  tree("tree256", 4, "spanning_tree", 9);
  tree("tree1024", 5, "spanning_tree", 11);
  const auto grid = [&](const char* name, const char* kind, const char* carrier, std::uint64_t interval) {
    Experiment e = uniform_mesh(0.0);
    e.set("topology.kind", kind);
    all.push_back({name, with_sat(e, carrier, 16, 16), interval});
  };
  const auto other = [&](const char* name, models::Experiment e, const char* carrier, std::uint64_t interval) {
    e.set("routing.algorithm", "table");
    all.push_back({name, with_sat(e, carrier, 16, 16), interval});
  };
  Experiment odd = uniform_mesh(0.0, 5, 3), hexagonal = odd, graph = odd;
  hexagonal.set("topology.kind", "hexagonal");
  hexagonal.set("topology.edge", 3);
  graph.set("topology.kind", "graph");
  graph.set("topology.file", source_file("tb/experiments/ring.graphml"));
  other("ring_on_odd_mesh", odd, "ring", 2 * 14 + 15);  // no Hamiltonian circuit: a tour of 14 links, both ways
  other("ring_on_hexagonal", hexagonal, "ring", 2 * 19);
  other("tree_on_hexagonal", hexagonal, "spanning_tree", 2 * 2 + 1);
  other("ring_on_graph", graph, "ring", 2 * 3 + 4);  // a tour of three links
  other("tree_on_graph", graph, "spanning_tree", 2 * 2 + 1);
  grid("ring_on_mesh", "mesh", "ring", 2 * 64);
  grid("ring_on_torus", "torus", "ring", 2 * 64);
  grid("tree_on_mesh", "mesh", "spanning_tree", 2 * 8 + 1);  // the far corner is 8 links from (4, 4)
  grid("tree_on_torus", "torus", "spanning_tree", 2 * 8 + 1);
  return all;
}

class UnheldLine : public testing::TestWithParam<Line> {};

/// The signal is back at the first station at cycle N, not at N - 1, and so at every other.
TEST_P(UnheldLine, TakesTheClosedForm) {
  Bench bench(GetParam().experiment);
  const std::uint64_t interval = GetParam().interval;
  EXPECT_EQ(gate_of(bench).carrier().unheld_interval_cycles(), interval);
  const auto& stations = gate_of(bench).stations();
  bench.run(1);
  std::uint64_t first = 0;  // cycle in which node 0 has the signal for the first time
  while (!stations.station(NodeId{0}).received_before) bench.run(1);
  first = stations.station(NodeId{0}).received;
  while (bench.network->now() < first + interval - 1) bench.run(1);
  EXPECT_EQ(stations.station(NodeId{0}).received, first) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(stations.station(NodeId{0}).received, first + interval) << "at cycle N";
  bench.run(3 * interval);
  for (std::size_t n = 0; n < stations.size(); ++n) {
    ASSERT_EQ(stations.station(NodeId{n}).interval, interval) << "node " << n;
  }
}
INSTANTIATE_TEST_SUITE_P(Lines, UnheldLine, testing::ValuesIn(lines()), [](const auto& c) { return c.param.name; });

TEST(SatRing, VisitsNodesInOrderThreeCyclesApart) {
  Bench bench(with_sat(vct_tree(2, 0.0), "ring", 1, 1));
  bench.run(100);
  const auto& stations = gate_of(bench).stations();
  const auto at = [&](std::size_t n) { return stations.station(NodeId{n}).received; };
  EXPECT_EQ(at(1), at(0) + 3);  // a cycle at node 0, two links
  EXPECT_EQ(at(4), at(3) + 5);  // across the root: four links
}

}  // namespace
}  // namespace braid::test::sat_interval_test
