// How long stream.remedies searches, what it says meanwhile, and that a program that stays on packets stays where it
// was asked to be.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/streams/stream_remedies.h"
#include "tb/tests/support/bench.h"

namespace braid::test::searched_layouts_test {
namespace {

using models::Experiment;

Experiment on_circuits(const std::string& graph, std::uint32_t width, std::uint32_t height) {
  Experiment e;
  e.set("topology.width", width).set("topology.height", height).set("topology.local_ports", 4);
  e.open("stream");
  e.set("stream.graph", graph).set("stream.remedies", true);
  e.set("interface.switching", "circuit").set("interface.stream_queue_items", 0);
  return e;
}
traffic::StreamRemedy remedy(const Experiment& e) {
  return Bench(e).network->workload<models::StreamWorkload>()->remedy().value();
}

/// On three rows of eight tiles nothing helps an FM radio whose actors stand in order, a layout for each graph. Eight
/// are tried at least, and more where that takes little: here is nothing to anneal.
TEST(SearchedLayouts, AreMoreThanEightWhereEachTakesLittle) {
  Experiment e = on_circuits(source_file("traffic/streams/programs/fm_radio.str"), 8, 3);
  e.set("stream.anneal", false);
  const traffic::StreamRemedy all = remedy(e);
  EXPECT_EQ(all.taken, "none that helps");
  EXPECT_GT(all.tried, 8U);
}

/// In a row of 14 tiles, where its actors stand in order, a radio of fewer actors stands, and that is all that is done.
TEST(SearchedLayouts, OfFewerActorsSayHowManyAndNoMore) {
  Experiment e = on_circuits(source_file("traffic/streams/programs/fm_radio.str"), 14, 1);
  e.set("stream.anneal", false);
  const traffic::StreamRemedy fewer = remedy(e);
  EXPECT_LT(fewer.tiles, 14U);
  EXPECT_EQ(fewer.taken, "at most " + std::to_string(fewer.tiles) + " actors before splitters and joiners");
  EXPECT_EQ(fewer.why, "");
  EXPECT_EQ(fewer.degree, 0U) << "any number, as was asked for";
  EXPECT_EQ(fewer.layout, 0U);
  EXPECT_GT(fewer.least_cycles, fewer.least_cycles_asked);
}

/// A crowd in a row of eight tiles, in the order of the file as long as neither distance nor paths count: x gives to
/// three, and no tile has more than two links.
std::string crowd() {
  const std::string file = temporary_file("crowd.toml");
  std::ofstream graph(file);
  graph << "name = \"crowd\"\n";
  for (const char* a : {"a0", "x", "a4", "a1", "a5", "a3", "a2", "a6"}) {
    graph << "[[actor]]\nname = \"" << a << "\"\nwork = 1\n";
  }
  for (int a = 0; a < 6; ++a) graph << "[[edge]]\nfrom = \"a" << a << "\"\nto = \"a" << a + 1 << "\"\n";
  for (const char* a : {"a0", "a3", "a5"}) graph << "[[edge]]\nfrom = \"x\"\nto = \"" << a << "\"\n";
  return file;
}
Experiment crowded(bool or_packets) {
  Experiment e = on_circuits(crowd(), 8, 1);
  e.set("stream.moves", 3000).set("stream.distance_weight", 0.0).set("stream.disjoint_weight", 0.0);
  e.set("stream.relays", false).set("stream.or_packets", or_packets);
  return e;
}

/// Nothing helps, so that packets are taken: on the layout that was asked for, with the reason.
TEST(SearchedLayouts, OfAProgramOnPacketsAreTheOneThatWasAskedFor) {
  const Bench bench(crowded(true));
  const models::StreamWorkload& stream = *bench.network->workload<models::StreamWorkload>();
  ASSERT_TRUE(stream.remedy().has_value());
  EXPECT_EQ(stream.remedy()->taken, "packets");
  EXPECT_EQ(stream.remedy()->why, "3 streams leave actor x, no tile has more than 2 links");
  EXPECT_EQ(stream.remedy()->layout, 0U);
  EXPECT_EQ(stream.remedy()->least_cycles, *stream.remedy()->packets_least_cycles);
  EXPECT_FALSE(stream.wants_circuits());
  for (std::size_t a = 0; a < 8; ++a) EXPECT_EQ(program_of(bench).actors()[a].node, NodeId{a}) << a;
  ASSERT_TRUE(stream.plan().has_value());
  EXPECT_TRUE(stream.plan()->packets);
}

/// Before a graph is tried, and while packets are predicted on the program as it is, no step has been made.
TEST(SearchedLayouts, AreToldFromTheFirstStepOn) {
  const Experiment e = crowded(true);
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  std::vector<std::size_t> steps;
  const models::Network network(e, topology, *routing, 1, [&](const char* what, std::size_t done, std::size_t) {
    if (std::string(what) == "remedy") steps.push_back(done);
  });
  ASSERT_FALSE(steps.empty());
  for (const std::size_t step : steps) EXPECT_EQ(step, 0U);
}

/// Without remedies nothing is searched and nothing told; with them the plan says what was found.
TEST(SearchedLayouts, MakeAPlanOnlyWhereTheyAreAskedFor) {
  Experiment e = on_circuits(source_file("traffic/streams/programs/bitonic_sort.str"), 14, 1);
  e.set("stream.anneal", false);
  const Bench with(e);
  const models::StreamWorkload& found = *with.network->workload<models::StreamWorkload>();
  ASSERT_TRUE(found.plan().has_value());
  EXPECT_FALSE(found.plan()->packets);
  EXPECT_EQ(found.plan()->remedy.taken, "none needed");
  EXPECT_TRUE(found.plan()->steady_states.has_value()) << "of a program";
  EXPECT_TRUE(found.wants_circuits());
  e.set("stream.remedies", false);
  const Bench without(e);
  const models::StreamWorkload& plain = *without.network->workload<models::StreamWorkload>();
  EXPECT_FALSE(plain.plan().has_value());
  EXPECT_FALSE(plain.remedy().has_value());
  EXPECT_TRUE(plain.wants_circuits());
  for (std::size_t a = 0; a < program_of(with).actors().size(); ++a) {
    EXPECT_EQ(program_of(without).actors()[a].node, program_of(with).actors()[a].node) << a;
  }
}

}  // namespace
}  // namespace braid::test::searched_layouts_test
