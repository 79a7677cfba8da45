// A second window of the user's own: "figures are of packets created and delivered in it, and not of an earlier
// window's" (models/experiment/simulation.h). Of a load without chance both windows tell the same.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/loads.h"

namespace braid::test::second_window_test {
namespace {

void go_on(int cycles) { sc_core::sc_start(cycles * sc_core::sc_time(1, sc_core::SC_NS)); }

/// Of 500 cycles, without what is counted over the whole run.
boost::json::object window(models::Simulation& simulation) {
  simulation.begin_measurement();
  go_on(500);
  const models::Results r = simulation.end_measurement();
  boost::json::object all = models::results_json(simulation.experiment(), r, simulation.topology());
  for (const char* whole : {"cycles", "packet_hash", "flit_hops", "wall_seconds", "conservation", "engines"})
    all.erase(whole);
  return all;
}

void expect_windows_alike(const models::Experiment& e) {
  models::Simulation simulation(e);
  (void)simulation.engine(sc_core::sc_time(1, sc_core::SC_NS));
  go_on(1000);
  const boost::json::object first = window(simulation);
  go_on(200);
  const boost::json::object second = window(simulation);
  EXPECT_EQ(first.at("measured_cycles"), 500);
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [figure, value] : first) {
    EXPECT_EQ(models::pretty(second.at(figure)), models::pretty(value)) << std::string(figure);
  }
}

/// Every node sends a packet of a flit in every fourth cycle.
models::Experiment steady_mesh() {
  models::Experiment e = short_run(uniform_mesh(0.25, 4, 4));
  e.set("traffic.pattern", "neighbour").set("traffic.process", "constant").set("traffic.flits", 1);
  return e;
}

TEST(SecondWindow, TellsOfItselfOnIdealWires) { expect_windows_alike(even_load()); }

TEST(SecondWindow, TellsOfItselfOnRouters) { expect_windows_alike(steady_mesh()); }

/// A class to each.
TEST(SecondWindow, TellsOfItselfOfSubnets) {
  const std::string like = "process = \"constant\"\nflits = 1\nrate_flits_per_node_cycle = ";
  expect_windows_alike(short_run(models::parse_experiment(
      "[topology]\nwidth = 4\nheight = 4\n[network]\nsubnets = 2\n"
      "[[traffic]]\nname = \"even\"\npattern = \"neighbour\"\nsubnets = [0]\n" +
          like + "0.25\n" + "[[traffic]]\nname = \"odd\"\npattern = \"transpose\"\nsubnets = [1]\n" + like + "0.05\n",
      "e.toml")));
}

/// A firing of either actor takes ten cycles.
TEST(SecondWindow, TellsOfItselfOfStreams) { expect_windows_alike(short_run(streaming(stream_pair(10, 10, 1, 1)))); }

models::Results flow_window(models::Simulation& simulation) {
  simulation.begin_measurement();
  go_on(20000);
  return simulation.end_measurement();
}

/// Of a link: flits whose heads come over it, and flits that go over it, differ by packets at both ends of the window.
void expect_flows_that_fill_links(const models::Results& r) {
  for (const models::LinkResult& link : r.links) {
    double flits = 0;
    for (const models::LinkFlow& flow : link.flows.value()) flits += flow.flits_per_cycle;
    EXPECT_NEAR(flits, link.packet_flits_per_cycle, 0.01);
  }
}

TEST(SecondWindow, HasItsOwnFlows) {
  models::Experiment e = uniform_mesh(0.3, 3, 3);
  e.set("results.link_flows", true).set("simulation.batch_cycles", 100);
  models::Simulation simulation(e);
  (void)simulation.engine(sc_core::sc_time(1, sc_core::SC_NS));
  expect_flows_that_fill_links(flow_window(simulation));
  expect_flows_that_fill_links(flow_window(simulation));
}

}  // namespace
}  // namespace braid::test::second_window_test
