// A PO2 network made of modules is the network of the static schedule: equal packet hash, counts and figures, whatever
// the order of the processes of a step; and its parts are found by name. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <systemc>

#include "models/engine/engine.h"
#include "models/stages/base/bits.h"
#include "models/stages/base/hardware_view.h"
#include "models/stages/base/stage.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/po2_full_load.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_view_test {
namespace {

using models::Experiment;

/// A network of modules whose stages are run by hand, those of a step in the order of their making or backwards.
class Modules final : public sc_core::sc_module {
 public:
  explicit Modules(const sc_core::sc_module_name& name, const Experiment& e, bool backwards)
      : sc_module(name),
        bench_(e, routing::make_topology(e).router_count()),
        clocks_(models::stages::steps_of("po2", bench_.network->configuration())),
        backwards_(backwards) {
    models::Network& network = *bench_.network;
    views_ = models::stages::make_views(
        "po2", {network.configuration(), network.topology(), network.fabric(), network.slice_count(), clocks_,
                [&network](std::size_t slice) { network.run_nodes(slice); }, network.gate(),
                [&network](NodeId node) { return network.waiting(node); }});
    for (const auto& view : views_) {
      if (view->runs_gate()) network.leave_gate_to_modules();
    }
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) cycle();
  }
  const Bench& bench() const { return bench_; }

 private:
  void cycle() {
    clocks_.begin(bench_.network->now());
    for (std::size_t step = 0; step < clocks_.size(); ++step) {
      std::vector<models::stages::Stage*> awake;
      for (models::stages::Stage* stage : clocks_[step].stages()) {
        if (stage->has_work(bench_.network->now())) awake.push_back(stage);
      }
      if (backwards_) std::reverse(awake.begin(), awake.end());
      for (models::stages::Stage* stage : awake) stage->run();
    }
    bench_.network->end_cycle();
  }

  Bench bench_;
  models::stages::StepClocks clocks_;
  std::vector<std::unique_ptr<models::stages::HardwareView>> views_;
  const bool backwards_;
};

/// Registers, figures and counts.
void expect_equal(const Bench& modules, const Bench& fast, const std::string& what) {
  EXPECT_EQ(modules.network->merged_statistics().packet_hash(), fast.network->merged_statistics().packet_hash())
      << what;
  EXPECT_EQ(modules.delivered(), fast.delivered()) << what;
  EXPECT_EQ(modules.network->movements(), fast.network->movements()) << what;
  EXPECT_EQ(modules.network->flits_in_network(), fast.network->flits_in_network()) << what;
  EXPECT_TRUE(modules.network->conservation().holds()) << what;
  for (const char* figure : {"pe_port_busy", "pe_port_waiting", "link_busy", "link_waiting", "deroutes", "escapes",
                             "rejections", "retransmissions", "message_misses", "crossbar_in_busy"}) {
    EXPECT_DOUBLE_EQ(po2_figure(modules, figure), po2_figure(fast, figure)) << figure << what;
  }
  for (std::size_t r = 0; r < fast.topology.router_count(); ++r) {
    const models::po2::Router &a = po2_fabric(modules).routers()[r], &b = po2_fabric(fast).routers()[r];
    EXPECT_TRUE(a.use == b.use && a.free == b.free && a.idle == b.idle && a.waiting == b.waiting) << "router " << r;
    for (std::size_t p = 0; p < a.ports.size(); ++p) EXPECT_EQ(a.ports[p].flits_sent, b.ports[p].flits_sent);
  }
}

class Po2Drawn : public testing::TestWithParam<int> {};

/// Eight a process, and five processes.
TEST_P(Po2Drawn, NetworksOfModulesAreTheFastOnesInEitherOrder) {
  std::vector<DrawnExperiment> drawn;
  std::vector<std::unique_ptr<Modules>> modules;
  for (int i = 0; i < 8; ++i) drawn.emplace_back("po2", static_cast<std::uint64_t>(8 * GetParam() + i));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (const bool backwards : {false, true}) {
      const std::string name = "network_" + std::to_string(i) + (backwards ? "_backwards" : "");
      modules.push_back(std::make_unique<Modules>(name.c_str(), drawn[i].experiment(), backwards));
    }
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    Bench fast(drawn[i / 2].experiment());
    fast.run(1500);
    modules[i]->run(1500);
    expect_equal(modules[i]->bench(), fast, drawn[i / 2].text() + (i % 2 == 0 ? "" : " backwards"));
  }
}
INSTANTIATE_TEST_SUITE_P(Numbers, Po2Drawn, testing::Range(0, 5));

struct Mechanism {
  const char* name;
  const char* routing;
  const char* scheduler;
  const char* avoidance;
  std::uint32_t buffers;
  bool section_5 = false;  // rejections, errors, crossbars, costs of messages
};

class Po2Mechanisms : public testing::TestWithParam<Mechanism> {};

/// The paper's traffic near saturation, every scheduler and policy: in either order, and by SystemC's own.
TEST_P(Po2Mechanisms, AreTheSameAsModules) {
  const Mechanism& m = GetParam();
  Experiment e = po2(0.9, m.routing, 3);
  e.set("interface.scheduler", m.scheduler);
  e.set("po2.avoidance", m.avoidance);
  e.set("po2.buffers", m.buffers);
  if (std::string(m.avoidance) != "none") e.set("po2.escape_patience_cycles", 200);
  if (m.section_5) {
    e.set("po2.rejection", "tried");
    e.set("po2.error_rate", 0.05);
    e.set("po2.crossbar_in_ports", 3);
    e.set("po2.crossbar_out_ports", 2);
    e.set("po2.switch_cycles", 10);
    e.set("po2.miss_cycles", 30);
    e.set("interface.message_pool_packets", 30);
  }
  Modules forwards("forwards", e, false), backwards("backwards", e, true);
  Bench by_kernel(e, routing::make_topology(e).router_count());
  const auto engine = models::make_process_per_stage_engine(*by_kernel.network);
  Bench fast(e);
  engine->run(12000);
  fast.run(12000);
  forwards.run(12000);
  backwards.run(12000);
  EXPECT_GT(fast.delivered(), 150U);
  EXPECT_EQ(po2_figure(fast, "escapes") > 0.0, std::string(m.avoidance) != "none");
  expect_equal(forwards.bench(), fast, " forwards");
  expect_equal(backwards.bench(), fast, " backwards");
  expect_equal(by_kernel, fast, " by the kernel");
}
INSTANTIATE_TEST_SUITE_P(All, Po2Mechanisms,
                         testing::Values(Mechanism{"fifo", "derouting", "fifo", "none", 20},
                                         Mechanism{"round_robin", "best_paths", "round_robin", "none", 20},
                                         Mechanism{"alpha", "deterministic", "alpha", "none", 20},
                                         Mechanism{"escape", "derouting", "alpha", "up_down_escape", 4},
                                         Mechanism{"section_5", "best_paths", "round_robin", "none", 8, true}),
                         [](const auto& c) { return c.param.name; });

/// 10^6 cycles by night: BRAID_LOCKSTEP_CYCLES. Looked at every 500 cycles.
TEST(Po2Lockstep, ModulesFollowTheFastNetwork) {
  Experiment e = po2(0.8, "derouting", 3);
  e.set("interface.scheduler", "alpha");
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.buffers", 6);
  e.set("po2.escape_patience_cycles", 500);
  const char* const asked = std::getenv("BRAID_LOCKSTEP_CYCLES");
  const std::uint64_t cycles = asked == nullptr ? 10000 : std::stoull(asked);
  Bench fast(e), modules(e, routing::make_topology(e).router_count());
  const auto engine = models::make_process_per_stage_engine(*modules.network);
  for (std::uint64_t cycle = 0; cycle < cycles && !testing::Test::HasFailure(); cycle += 500) {
    engine->run(500);
    fast.run(500);
    expect_equal(modules, fast, " in cycle " + std::to_string(cycle + 500));
  }
  EXPECT_GT(fast.delivered(), cycles / 100);
  EXPECT_GT(po2_figure(fast, "escapes"), 0.0);
}

/// Names of a router's parts, and what ports show. A packet of 4 flits from node 0 to node 2 of a row, granted in cycle
/// 1, is let into router 1's pool in 6; it waits in 8 and has the link on from 8 until 14. Seen after each cycle's
/// edge.
TEST(Po2View, ShowsAPacketOnPortsByName) {
  Experiment e = small_po2(3, 1);
  Bench bench(e, 3);
  const auto engine = models::make_process_per_stage_engine(*bench.network);
  const auto port = [](const std::string& name) {
    auto* found = dynamic_cast<sc_core::sc_port_b<sc_core::sc_signal_inout_if<models::stages::Bits>>*>(
        sc_core::sc_find_object(("network.router_1_0." + name).c_str()));
    if (found == nullptr) throw std::runtime_error(name);
    return (*found)->read();
  };
  engine->run(1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 4);  // made in cycle 0, granted in 1
  std::vector<std::uint64_t> held, waiting, sending;
  for (std::uint64_t cycle = 1; cycle < 20; ++cycle) {
    engine->run(1);
    if (port("buffer_pool.held_o").any()) held.push_back(cycle);
    if (port("route_unit.waiting_o").any()) waiting.push_back(cycle);
    if (port("link_controller.sending_o")[0]) sending.push_back(cycle);
  }
  EXPECT_EQ(held, (std::vector<std::uint64_t>{6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(waiting, (std::vector<std::uint64_t>{7}));
  EXPECT_EQ(sending, (std::vector<std::uint64_t>{8, 9, 10, 11, 12}));
  for (const char* module : {"offer_unit", "buffer_pool", "link_controller", "route_unit", "message_scheduler"}) {
    EXPECT_NE(sc_core::sc_find_object(("network.router_2_0." + std::string(module)).c_str()), nullptr) << module;
  }
}

}  // namespace
}  // namespace braid::test::po2_view_test
