// Set-up by backtracking: the scenario that docs/setup.md draws, failure, retry, fall-back and tear-down.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"

namespace braid::test::setup_test {
namespace {

using models::Experiment;

/// Routers a, b, c each lie between s and d. Streams a -> d and b -> d are set up first and take the links into d, so
/// the probe of s -> d meets a dead end at a and at b before it finds the way over c.
Experiment two_dead_ends() {
  const std::string graphml = temporary_file("dead_ends.graphml");
  std::ofstream out(graphml);
  out << "<graphml><key id=\"n\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/><graph "
         "edgedefault=\"undirected\">";
  for (const char* name : {"a", "b", "c", "s", "d"}) {
    out << "<node id=\"" << name << "\"><data key=\"n\">" << name << "</data></node>";
  }
  for (const char* end : {"s", "d"}) {
    for (const char* middle : {"a", "b", "c"}) out << "<edge source=\"" << middle << "\" target=\"" << end << "\"/>";
  }
  out << "</graph></graphml>";
  const std::string graph = temporary_file("dead_ends.toml");
  std::ofstream toml(graph);
  toml << "name = \"dead_ends\"\n";
  const std::vector<std::pair<const char*, int>> actors{{"a", 0}, {"b", 1}, {"s", 3}, {"d", 4}};
  for (const auto& [name, tile] : actors) {
    toml << "[[actor]]\nname = \"" << name << "\"\nwork = 100\ntile = " << tile << "\n";
  }
  for (const char* from : {"a", "b", "s"}) toml << "[[edge]]\nfrom = \"" << from << "\"\nto = \"d\"\n";
  Experiment e;
  e.set("topology.kind", "graph");
  e.set("topology.file", graphml);
  e.set("topology.local_ports", 3);
  e.set("routing.algorithm", "table");
  e.open("stream");
  e.set("stream.graph", graph);
  e.set("interface.switching", "circuit");
  return e;
}

TEST(Setup, TwoBacktracksTakeSeventeenCycles) {
  Bench bench(two_dead_ends());
  // a -> d: request in cycle 0, ready in 5; token; b -> d: 6 to 11; token; s -> d: request in 12, ready in 29.
  bench.run(29);
  EXPECT_EQ(bench.network->setup_results().circuits.size(), 2U) << "at cycle N - 1";
  bench.run(1);
  const models::SetupResults setup = bench.network->setup_results();
  ASSERT_EQ(setup.circuits.size(), 3U);
  EXPECT_EQ(setup.circuits[0].setup_cycles, 5U);
  EXPECT_EQ(setup.circuits[1].setup_cycles, 5U);
  EXPECT_EQ(setup.circuits[2].setup_cycles, 17U);  // 4 x 2 links + 1, and 4 for each backtrack
  EXPECT_EQ(setup.circuits[2].backtracks, 2U);
  std::vector<RouterId> routers;
  for (const auto& step : setup.circuits[2].path) routers.push_back(step.router);
  EXPECT_EQ(routers, (std::vector<RouterId>{RouterId{3}, RouterId{2}, RouterId{4}}));
}

/// Saved in each cycle of the three searches, and gone on with by a network that had its circuits already.
TEST(Setup, TakesAsManyCyclesWhereverACheckpointHasCutIt) {
  const Experiment e = two_dead_ends();
  for (std::uint64_t cut = 0; cut < 30; ++cut) {
    Bench before(e), after(e);
    before.run(cut);
    after.run(60);
    restore(*after.network, saved(*before.network));
    after.run(29 - cut);
    EXPECT_EQ(after.network->setup_results().circuits.size(), 2U) << "at cycle N - 1, cut at " << cut;
    EXPECT_FALSE(after.network->setup_done());
    after.run(1);
    const models::SetupResults setup = after.network->setup_results();
    ASSERT_EQ(setup.circuits.size(), 3U) << "cut at " << cut;
    EXPECT_EQ(setup.circuits[2].setup_cycles, 17U);
    EXPECT_EQ(setup.circuits[2].backtracks, 2U);
  }
}

/// Figure 2 of tentacle-routing, mirrored so that the token comes in its order. S1 -> D1 and S1 -> D2 take both links
/// that lead on from S1. S2 -> D3 reserves the link to S1 first, finds none free there, goes back and takes its other
/// minimal link: 3 links, so 4 x 3 + 1 cycles, and 4 for the way to S1 and back.
TEST(Setup, IsThatOfFigure2) {
  const std::string graph = temporary_file("figure_2.toml");
  std::ofstream toml(graph);
  toml << "name = \"figure_2\"\n";
  const std::vector<std::pair<const char*, int>> actors{{"D3", 0}, {"D2", 1}, {"D1", 3}, {"S1", 4}, {"S2", 5}};
  for (const auto& [name, tile] : actors) {
    toml << "[[actor]]\nname = \"" << name << "\"\nwork = 100\ntile = " << tile << "\n";
  }
  for (const auto& [from, to] : {std::pair("S1", "D1"), std::pair("S1", "D2"), std::pair("S2", "D3")}) {
    toml << "[[edge]]\nfrom = \"" << from << "\"\nto = \"" << to << "\"\n";
  }
  toml.close();
  Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 2);
  e.set("topology.local_ports", 2);
  e.open("stream");
  e.set("stream.graph", graph);
  e.set("interface.switching", "circuit");
  e.set("setup.retries", 0);
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  const models::SetupResults setup = bench.network->setup_results();
  ASSERT_EQ(setup.circuits.size(), 3U) << setup.failed_stream;
  EXPECT_EQ(setup.circuits[0].setup_cycles, 5U);
  EXPECT_EQ(setup.circuits[1].setup_cycles, 5U);
  EXPECT_EQ(setup.circuits[2].stream, "S2 -> D3");
  EXPECT_EQ(setup.circuits[2].setup_cycles, 17U);
  EXPECT_EQ(setup.circuits[2].backtracks, 1U);
  std::vector<RouterId> routers;
  for (const auto& step : setup.circuits[2].path) routers.push_back(step.router);
  EXPECT_EQ(routers, (std::vector<RouterId>{RouterId{5}, RouterId{2}, RouterId{1}, RouterId{0}}));
}

TEST(Setup, WithoutAnyPathEveryOrderFailsThenPackets) {
  Experiment e = two_dead_ends();
  e.set("topology.local_ports", 2);  // only two circuits can end at d
  e.set("setup.retries", 3);
  Bench bench(e);
  bench.run(2000);
  const models::SetupResults setup = bench.network->setup_results();
  EXPECT_TRUE(setup.fell_back_to_packets);
  EXPECT_EQ(setup.orders_tried, 4U);
  EXPECT_TRUE(setup.circuits.empty());
  EXPECT_FALSE(setup.failed_stream.empty());
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  for (models::hybrid::PortIndex p = 0; p < bank.input_port_count(); ++p) {
    EXPECT_EQ(bank.circuit_out(bank.circuit_vc(p)), models::hybrid::kNone) << "a link is still reserved";
  }
  bench.run(2000);
  EXPECT_GT(bench.delivered(), 10U) << "the streams go on as packets";
}

TEST(Setup, FmRadiosCircuitsShareNoLink) {
  Bench bench(stream_mesh("fm_radio_4x4.toml", 4, 4));
  while (!bench.network->setup_done()) bench.run(1);
  const models::SetupResults setup = bench.network->setup_results();
  ASSERT_FALSE(setup.fell_back_to_packets) << setup.failed_stream;
  EXPECT_EQ(setup.circuits.size(), 18U);
  std::set<std::pair<std::uint32_t, std::uint16_t>> taken;
  for (const models::CircuitResult& c : setup.circuits) {
    EXPECT_EQ((c.setup_cycles - 1) % 4, 0U);
    for (const auto& step : c.path) {
      EXPECT_TRUE(taken.insert({step.router.value, step.port.value}).second) << c.stream;
    }
  }
}

}  // namespace
}  // namespace braid::test::setup_test
