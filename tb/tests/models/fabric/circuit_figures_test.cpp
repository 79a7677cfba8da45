// What is reported of circuits and of those that have moved, of results made by hand; and the keys of what a node moves
// in a cycle.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/fabric/node_bandwidth.h"
#include "routing/base/input_error.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::circuit_figures_test {
namespace {

using namespace models;

routing::Topology row_of_three() {
  Configuration c;
  c.set("topology.width", 3);
  c.set("topology.height", 1);
  return routing::make_topology(c);
}
PortId port(const routing::Topology& topology, std::uint32_t router, const std::string& name) {
  std::size_t p = 0;
  while (topology.port(RouterId{router}, PortId{p}).name != name) ++p;
  return PortId{p};
}
std::uint64_t number(const Report& report, const std::string& name) { return report.get<std::uint64_t>(name); }

TEST(SetupFigures, AreThoseOfItsResults) {
  routing::Topology topology = row_of_three();
  topology.routers[1][port(topology, 1, "east").value].name = "to 2";  // no other router has such a port
  SetupResults r;
  r.fell_back_to_packets = true;
  r.orders_tried = 3;
  r.failed_stream = "a -> b";
  r.total_cycles = 44;
  r.at_once = SearchesAtOnce{5, 6, 7, 8};
  CircuitResult circuit{"x -> y", NodeId{1}, NodeId{2}, {}, 9, 2, 1};
  circuit.path = {{RouterId{1}, port(topology, 1, "to 2")}, {RouterId{2}, port(topology, 2, "local0")}};
  r.circuits = {circuit};
  const Report report = setup_figures().of({&r, &topology});
  EXPECT_TRUE(report.get<bool>("fell_back_to_packets"));
  EXPECT_EQ(number(report, "orders_tried"), 3U);
  EXPECT_EQ(report.get<std::string>("failed_stream"), "a -> b");
  EXPECT_EQ(number(report, "total_cycles"), 44U);
  EXPECT_EQ(number(report, "at_once.searches"), 5U);
  EXPECT_EQ(number(report, "at_once.backtracks"), 6U);
  EXPECT_EQ(number(report, "at_once.rip_ups"), 7U);
  EXPECT_EQ(number(report, "at_once.waits"), 8U);
  const auto& circuits = report.get<std::vector<Report>>("circuits");
  ASSERT_EQ(circuits.size(), 1U);
  EXPECT_EQ(circuits[0].get<std::string>("stream"), "x -> y");
  EXPECT_EQ(number(circuits[0], "source_node"), 1U);
  EXPECT_EQ(number(circuits[0], "destination_node"), 2U);
  EXPECT_EQ(number(circuits[0], "setup_cycles"), 9U);
  EXPECT_EQ(number(circuits[0], "backtracks"), 2U);
  EXPECT_EQ(number(circuits[0], "shared_links"), 1U);
  const auto& path = circuits[0].get<std::vector<Report>>("path");
  ASSERT_EQ(path.size(), 2U);
  EXPECT_EQ(path[0].get<std::string>("router"), "1,0");
  EXPECT_EQ(path[0].get<std::string>("port"), "to 2");
  EXPECT_EQ(path[1].get<std::string>("router"), "2,0");
  EXPECT_EQ(path[1].get<std::string>("port"), "local0");
}

/// Standstills of 18 and 7 cycles, from the cycle in which all was sent to that in which the next circuit stands.
TEST(RerouteFigures, AreThoseOfItsMoves) {
  RerouteResults r;
  r.rounds = 2;
  r.moves = {Move{4, "s -> t", 10, 12, 20, 30, 5, 3, 8, true, true},
             Move{6, "u -> v", 40, 45, 50, 52, 1, 2, 9, false, false}};
  const Report report = reroute_figures().of(r);
  EXPECT_EQ(number(report, "rounds"), 2U);
  EXPECT_EQ(number(report, "moves"), 2U);
  EXPECT_EQ(number(report, "other_paths"), 1U);
  EXPECT_EQ(number(report, "on_avoided_links"), 1U);
  EXPECT_EQ(number(report, "min_standstill_cycles"), 7U);
  EXPECT_EQ(report.get<double>("mean_standstill_cycles"), 12.5);
  EXPECT_EQ(number(report, "max_standstill_cycles"), 18U);
  const auto& moves = report.get<std::vector<Report>>("list");
  ASSERT_EQ(moves.size(), 2U);
  const std::vector<std::pair<std::string, std::uint64_t>> first{
      {"number", 4},         {"stopped_cycle", 10}, {"empty_cycle", 12}, {"torn_cycle", 20},
      {"resumed_cycle", 30}, {"waiting_items", 5},  {"links", 3},        {"search_cycles", 8}};
  for (const auto& [name, value] : first) EXPECT_EQ(number(moves[0], name), value) << name;
  EXPECT_EQ(moves[0].get<std::string>("stream"), "s -> t");
  EXPECT_TRUE(moves[0].get<bool>("other_path"));
  EXPECT_FALSE(moves[0].get<bool>("on_avoided_link"));
  EXPECT_FALSE(moves[1].get<bool>("other_path"));
  EXPECT_TRUE(moves[1].get<bool>("on_avoided_link"));
}

TEST(RerouteFigures, OfNoMoveAreNone) {
  const Report report = reroute_figures().of(RerouteResults{});
  for (const char* name :
       {"rounds", "moves", "other_paths", "on_avoided_links", "min_standstill_cycles", "max_standstill_cycles"}) {
    EXPECT_EQ(number(report, name), 0U) << name;
  }
  EXPECT_TRUE(std::isnan(report.get<double>("mean_standstill_cycles")));
}

/// A bound of 0 is one flit for each local port; more than there are ports bounds nothing.
TEST(NodeBandwidth, ServesAsManyPortsAsItsBoundAllows) {
  EXPECT_EQ(served(0, 4), 4U);
  EXPECT_EQ(served(1, 4), 1U);
  EXPECT_EQ(served(4, 4), 4U);
  EXPECT_EQ(served(9, 4), 4U);
}

TEST(NodeBandwidth, IsReadFromItsKeysAndKnowsWhatItBounds) {
  const char* const keys[] = {"packet_injection_flits", "packet_ejection_flits", "circuit_injection_flits",
                              "circuit_ejection_flits"};
  EXPECT_FALSE(read_node_bandwidth({}).bounded());
  for (std::size_t i = 0; i < 4; ++i) {
    Configuration c;
    c.set(std::string("interface.") + keys[i], 3);
    const NodeBandwidth b = read_node_bandwidth(c);
    const std::uint32_t read[] = {b.packet_injection, b.packet_ejection, b.circuit_injection, b.circuit_ejection};
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(read[j], i == j ? 3U : 0U) << keys[i];
    EXPECT_EQ(b.ejection_queue_items, 0U);
    EXPECT_EQ(b.bounds_packets(), i < 2) << keys[i];
    EXPECT_EQ(b.bounds_circuits(), i >= 2) << keys[i];
    EXPECT_TRUE(b.bounded()) << keys[i];
    const std::string refused = complaint([&] { b.refuse_estimates(); });
    const std::string expected = std::string("interface.") + keys[i] +
                                 ": only tlm.style = \"cycle_accurate\" keeps to it; the others take a node's local "
                                 "ports, so expected 0";
    EXPECT_EQ(refused, i < 2 ? expected : "");
  }
  Configuration queue;
  queue.set("interface.ejection_queue_items", 7);
  EXPECT_EQ(read_node_bandwidth(queue).ejection_queue_items, 7U);
  EXPECT_FALSE(read_node_bandwidth(queue).bounded());
}

TEST(PushedStreams, AreThoseOfAProgramUnlessTheyArePulled) {
  Configuration none, pushed, by_default, pulled;
  none.set("interface.transfer", "push");
  for (Configuration* c : {&pushed, &by_default, &pulled}) c->open("stream");
  pushed.set("interface.transfer", "push");
  pulled.set("interface.transfer", "pull");
  EXPECT_FALSE(has_pushed_streams(none));
  EXPECT_TRUE(has_pushed_streams(pushed));
  EXPECT_TRUE(has_pushed_streams(by_default));
  EXPECT_FALSE(has_pushed_streams(pulled));
}

}  // namespace
}  // namespace braid::test::circuit_figures_test
