// Flits that wait until their node takes them, where network interfaces are modules that sleep.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "models/engine/engine.h"
#include "tb/tests/support/bench.h"

namespace braid::test::waiting_for_nodes_test {
namespace {

/// A row of three routers; each node has four ports, and takes a flit of packets a cycle.
models::Experiment row() {
  models::Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("topology.local_ports", 4);
  e.set("interface.packet_ejection_flits", 1);
  return e;
}

/// Cycles in which one of six packets has come to node 1, each by another port than the one before.
std::vector<std::uint64_t> deliveries(const Bench& bench, const std::function<void()>& run_one) {
  for (int i = 0; i < 3; ++i) {
    for (const std::uint32_t from : {0U, 2U}) bench.network->send_packet(NodeId{from}, NodeId{1}, 8);
  }
  std::vector<std::uint64_t> cycles;
  for (std::uint64_t cycle = 1, before = 0; cycle <= 120; ++cycle) {
    run_one();
    const std::uint64_t now = bench.delivered();
    cycles.insert(cycles.end(), now - before, cycle);
    before = now;
  }
  return cycles;
}

/// Long after the last flit has come over a link, when nothing else happens at its router, some wait for their turn.
TEST(WaitingForNodes, FlitsAreTakenWhereNothingElseHappens) {
  Bench alone(row());
  const std::vector<std::uint64_t> wanted = deliveries(alone, [&] { alone.run(1); });
  ASSERT_EQ(wanted.size(), 6U);
  models::Experiment e = row();
  e.set("simulation.schedule", "process_per_stage");
  Bench modules(e, 3);
  const auto engine = models::make_engine(*modules.network);
  EXPECT_EQ(deliveries(modules, [&] { engine->run(1); }), wanted);
}

}  // namespace
}  // namespace braid::test::waiting_for_nodes_test
