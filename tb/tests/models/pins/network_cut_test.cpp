// A running network cut at pins, with modelled routers bound there, has the cycles of the network that is not cut.
#include <numeric>
#include <tlm>

#include "models/engine/watchdog.h"
#include "tb/tests/support/cut_mesh.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::network_cut_test {
namespace {

using models::Experiment;

struct Named {
  std::string name;
  Experiment experiment;
  std::uint64_t cycles;
};

Experiment streams(bool packets) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.computation_scaling", 0.001);
  if (packets) add_traffic(e, 0.2);
  return e;
}

std::vector<Named> experiments() {
  std::vector<Named> all{{"packets", uniform_mesh(0.35, 4, 4), 2000}};
  all.push_back({"circuits", streams(false), 2000});
  all.push_back({"both", streams(true), 2000});
  all.push_back({"shared_local_ports_closed", streams(true), 2000});
  all.back().experiment.set("topology.local_ports", 1);
  all.back().experiment.set("router.circuit_lanes", 4);
  all.back().experiment.set("router.share_reserved_links", false);
  // Of four orders, none sets up all: searches that fail, tear-downs, packets in the end.
  all.push_back({"orders_that_fail", tile_streams(4, 4, 1, {{5, 6}, {5, 9}, {5, 10}}), 3000});
  all.back().experiment.set("setup.retries", 3);
  add_traffic(all.back().experiment, 0.2);
  // The second and the third find the links that they want taken, and backtrack.
  all.push_back({"backtracks", tile_streams(4, 4, 4, {{5, 6}, {5, 6}, {4, 6}, {5, 7}, {1, 5}}), 3000});
  add_traffic(all.back().experiment, 0.2);
  all.push_back({"long_links_slow_credits", uniform_mesh(0.3, 4, 4), 2000});
  all.back().experiment.set("topology.link_latency_cycles", 3);
  all.back().experiment.set("router.credit_delay_cycles", 4);
  all.push_back({"circuits_over_long_links", streams(true), 3000});
  all.back().experiment.set("topology.link_latency_cycles", 2);
  all.push_back({"adaptive_islip", uniform_mesh(0.4, 4, 4), 2000});
  all.back().experiment.set("routing.algorithm", "minimal_adaptive");
  all.back().experiment.set("router.switch_allocator", "islip");
  all.push_back({"torus_bypass", uniform_mesh(0.3, 4, 4), 2000});
  all.back().experiment.set("topology.kind", "torus");
  all.back().experiment.set("routing.ties", "fixed");  // as the cut network has them, whose pins tell no draws
  all.back().experiment.set("router.buffer_bypass", true);
  return all;
}

class NetworkCut : public testing::TestWithParam<Named> {
 protected:
  static void expect_same(const std::string& routers, const char* schedule = "static") {
    Bench uncut(GetParam().experiment);
    const std::uint64_t cycles = std::max(briefly(GetParam().cycles), std::uint64_t{1000});
    uncut.run(cycles);
    EXPECT_GT(uncut.delivered(), 100U);
    const models::SetupResults setup = uncut.network->setup_results();
    if (GetParam().name == "orders_that_fail") {
      EXPECT_GT(setup.orders_tried, 1U);
    }
    if (GetParam().name == "backtracks") {
      const auto backtracks = [](std::uint32_t sum, const auto& circuit) { return sum + circuit.backtracks; };
      EXPECT_GT(std::accumulate(setup.circuits.begin(), setup.circuits.end(), 0U, backtracks), 0U);
    }
    Experiment e = cut_at(GetParam().experiment, routers);
    e.set("simulation.schedule", schedule);
    CutMesh cut(e);
    cut.engine.run(cycles);
    expect_same_network(*uncut.network, cut.engine.settled());
  }
};

// Router 1,1 in the middle; four, of which two pairs are neighbours; all.
TEST_P(NetworkCut, OfOneRouter) { expect_same("1,1"); }
TEST_P(NetworkCut, OfFourRouters) { expect_same("0,0 1,1 2,1 3,3"); }
TEST_P(NetworkCut, OfAllRouters) { expect_same("all"); }
TEST_P(NetworkCut, OfOneRouterOnTheOtherSchedule) { expect_same("1,1", "process_per_stage"); }
TEST_P(NetworkCut, OfAllRoutersOnTheOtherSchedule) { expect_same("all", "process_per_stage"); }

/// The clock is the user's, of a period that has no half; somebody waits for deliveries, under TLM-2.0's global
/// quantum.
TEST(NetworkCutInASimulation, KeepsItsCyclesUnderAnyClockAndQuantum) {
  const Experiment e = uniform_mesh(0.35, 4, 4);
  Bench uncut(e);
  uncut.run(1000);
  CutMesh cut(cut_at(e, "0,0 1,1 2,1 3,3"), CutMesh::modelled, sc_core::sc_time(3, sc_core::SC_PS));
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(300, sc_core::SC_PS));
  std::uint64_t delivered = 0;
  cut.engine.on_delivery(NodeId{5}, [&](std::uint64_t, const models::Packet&) { ++delivered; });
  cut.engine.run(300);
  sc_core::sc_start(700.0 * 3, sc_core::SC_PS);
  expect_same_network(*uncut.network, cut.engine.settled());
  EXPECT_GT(delivered, 30U);
}

/// Flits in registers of links, in routers that are cut out and in those that are not are counted once in every cycle.
TEST(NetworkCutInEveryCycle, CountsFlitsOfCircuitsAndPacketsOnce) {
  Experiment e = tile_streams(4, 4, 4, {{5, 6}, {5, 6}, {4, 6}, {5, 7}, {1, 5}}, 10);
  add_traffic(e, 0.2);
  Bench uncut(e);
  CutMesh cut(cut_at(e, "0,0 1,1 2,1 3,3"));
  std::uint64_t most = 0;
  for (int cycle = 0; cycle < 400; ++cycle) {
    uncut.run(1);
    cut.engine.run(1);
    const models::Conservation a = uncut.network->conservation(), b = cut.engine.settled().conservation();
    ASSERT_TRUE(b.holds()) << cycle;
    ASSERT_EQ(b.flits_in_flight, a.flits_in_flight) << cycle;
    ASSERT_EQ(b.packets_in_flight, a.packets_in_flight) << cycle;
    most = std::max(most, b.flits_in_flight);
  }
  std::uint64_t on_circuits = 0;
  for (std::size_t p = 0; p < 4; ++p) {
    on_circuits += uncut.network->fabric().link_use(RouterId{5}, PortId{p}).circuit_flits;
  }
  EXPECT_GT(most, 50U);
  EXPECT_GT(on_circuits, 50U) << "of router 1,1";
}

/// Four packets around a ring, each with its head in the next one's way. What is inside the router that is cut out the
/// report cannot see, but it says how much that is.
TEST(NetworkCutInADeadlock, IsNamedWithWhatItHolds) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.kind", "graph").set("topology.file", source_file("tb/experiments/ring.graphml"));
  e.set("router.vcs", 1).set("router.buffer_depth", 2);
  e.set("routing.algorithm", "table").set("routing.table_file", source_file("tb/experiments/ring_clockwise.txt"));
  e.set("routing.allow_deadlock", true);
  const std::string router = Bench(e).topology.router_names[1];
  CutMesh cut(cut_at(e, router));
  cut.engine.run(10);
  for (std::size_t n = 0; n < 4; ++n) cut.engine.send_packet(NodeId{n}, NodeId{(n + 2) % 4}, 8);
  cut.engine.run(200);
  models::WatchdogOptions limit;
  limit.watchdog_cycles = 50;
  models::Watchdog watchdog(cut.engine.settled(), limit);
  watchdog.check();
  cut.engine.run(100);
  try {
    watchdog.check();
    FAIL() << "no deadlock";
  } catch (const models::DeadlockError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("router " + router + ", which is not the network's, holds "), std::string::npos) << said;
    EXPECT_NE(said.find("the oldest packet is 0 of node "), std::string::npos) << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, NetworkCut, testing::ValuesIn(experiments()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::network_cut_test
