// Networks of BraidRouters and BraidNodes over plain signals: the packets of the engine's own run with the same cycles,
// and the latencies of docs/router.md to the cycle.
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::pin_mesh_test {
namespace {

using models::Experiment;

Experiment mesh(std::uint32_t width, std::uint32_t height) {
  Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  return e;
}

void same_hash(const Experiment& e, std::uint64_t cycles) { expect_hash_of_engine<64>(e, e, modelled(e), cycles); }

TEST(PinMesh, HasTheHashOfTheEngine) { same_hash(uniform_mesh(0.35, 4, 4), 2000); }
TEST(PinMesh, HasTheHashOfTheEngineUnderAdaptiveRouting) {
  Experiment e = uniform_mesh(0.4, 4, 3);
  e.set("routing.algorithm", "minimal_adaptive");
  same_hash(e, 2000);
}
TEST(PinMesh, HasTheHashOfTheEngineWithTwoLocalPortsAndIslip) {
  Experiment e = uniform_mesh(0.5, 3, 3);
  e.set("topology.local_ports", 2);
  e.set("router.switch_allocator", "islip");
  e.set("router.vcs", 2);
  same_hash(e, 2000);
}
TEST(PinMesh, HasTheHashOfTheEngineOnATorusWithTheWriteBypass) {
  Experiment e = uniform_mesh(0.3, 4, 4);
  e.set("topology.kind", "torus");
  e.set("routing.ties", "fixed");  // as pins have them
  e.set("router.buffer_bypass", true);
  e.set("traffic.flits", 9);
  same_hash(e, 2000);
}

/// Over R routers, L flits: 3 + 5 R + (L - 1).
TEST(PinMesh, PacketTakesTheCyclesOfTheDrawing) {
  const Experiment e = mesh(4, 1);
  PinMesh<> m("mesh", e, modelled(e));
  std::map<std::uint64_t, std::uint64_t> arrived;
  for (const auto& node : m.nodes) node->on_arrival([&](const auto& a) { arrived[a.flits[0][0] >> 16] = a.cycle; });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle % 100 != 10 || cycle > 800) return;
    const std::uint64_t i = cycle / 100;  // over 1 + i % 4 routers, 1 + i / 4 * 3 flits
    m.nodes[0]->send(NodeId{static_cast<std::size_t>(i % 4)}, flits_of(i, 1 + i / 4 * 3));
  };
  m.run(900);
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(arrived.at(i), 10 + 100 * i + 3 + 5 * (1 + i % 4) + i / 4 * 3) << i;
}

/// What is asked at the time of an edge, before the modules see it or after, counts as asked after it.
TEST(PinMesh, OrderOfProcessesDoesNotMatter) {
  const Experiment e = mesh(2, 1);
  PinMesh<> m("mesh", e, modelled(e));
  std::map<std::uint64_t, std::uint64_t> arrived;
  for (const auto& node : m.nodes) node->on_arrival([&](const auto& a) { arrived[a.flits[0][0] >> 16] = a.cycle; });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 8) m.nodes[0]->send(NodeId{1}, flits_of(1, 4));
  };
  sc_core::sc_start(20, sc_core::SC_NS);  // the edge that ends cycle 8 is next
  EXPECT_EQ(m.cycle, 7U);
  m.nodes[1]->send(NodeId{0}, flits_of(2, 4));
  m.run(50);
  EXPECT_EQ(arrived.at(1), 8U + 3 + 5 * 2 + 3);
  EXPECT_EQ(arrived.at(2), arrived.at(1));
}

/// Asked for at the edge that ends cycle s, a circuit over h links is known at the edge that ends s + 4 h + 3: the
/// search takes 4 h + 1 cycles, request and outcome each a register. Over R routers L flits then take 3 + 2 R + (L -
/// 1).
TEST(PinMesh, CircuitTakesTheCyclesOfTheDrawing) {
  const Experiment e = with_circuits(mesh(4, 1));
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<std::uint64_t> outcomes;
  std::map<std::uint64_t, std::uint64_t> arrived;
  m.nodes[0]->on_outcome([&](bool success) {
    EXPECT_TRUE(success);
    outcomes.push_back(m.nodes[0]->cycles());
  });
  std::vector<std::uint64_t> gone;
  m.nodes[3]->on_torn_down([&] { gone.push_back(m.nodes[3]->cycles() + 1); });
  for (const auto& node : m.nodes) {
    node->on_arrival([&](const auto& a) {
      EXPECT_TRUE(a.on_circuit);
      EXPECT_EQ(a.flits[0][0] & 0xffff, a.flits.size() == 1 ? 0xffff : 0);
      arrived[a.flits[0][0] >> 16] = a.cycle;
    });
  }
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 10) m.nodes[0]->request_circuit(NodeId{3}, 1);
    if (cycle == 60) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), flits_of(7, 5));
    if (cycle == 100) m.nodes[0]->tear_down(*m.nodes[0]->circuit(), 2);
    if (cycle == 200) m.nodes[0]->request_circuit(NodeId{2}, 3);
    // A circuit's flits are not routed: all their bits are the user's.
    if (cycle == 260) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), {{8U << 16 | 0xffff}});
  };
  m.run(400);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(gone, std::vector<std::uint64_t>{100U + 2 * 3 + 3});  // 2 cycles a hop, request and outcome as above
  EXPECT_EQ(outcomes[0] + 1, 10U + 4 * 3 + 3);
  EXPECT_EQ(outcomes[1] + 1, 200U + 4 * 2 + 3);
  EXPECT_EQ(arrived.at(7), 60U + 3 + 2 * 4 + 4);
  EXPECT_EQ(arrived.at(8), 260U + 3 + 2 * 3);
}

/// Of three nodes in a row the first holds the link to the last: the middle one's search for it fails, the next one
/// goes.
TEST(PinMesh, FailedSearchLeavesTheLaneFree) {
  const Experiment e = with_circuits(mesh(3, 1));
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<bool> first, second;
  m.nodes[0]->on_outcome([&](bool success) { first.push_back(success); });
  m.nodes[1]->on_outcome([&](bool success) { second.push_back(success); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 10) m.nodes[0]->request_circuit(NodeId{2}, 1);
    if (cycle == 50) m.nodes[1]->request_circuit(NodeId{2}, 2);
    if (cycle == 100) m.nodes[1]->request_circuit(NodeId{0}, 3);
    if (cycle == 150) m.nodes[1]->request_circuit(NodeId{0}, 4);  // its one lane is taken
  };
  m.run(200);
  EXPECT_EQ(first, std::vector<bool>{true});
  EXPECT_EQ(second, (std::vector<bool>{false, true, false}));
}

/// A consumer without room holds its circuit back, loses nothing, and does not hold back packets.
TEST(PinMesh, SlowConsumerHoldsItsCircuitBack) {
  const Experiment e = with_circuits(mesh(2, 1));
  PinMesh<> m("mesh", e, modelled(e));
  bool room = false;
  std::vector<std::uint64_t> circuit, packets;
  m.nodes[1]->room_for([&](const auto&) { return room; });
  m.nodes[1]->on_arrival([&](const auto& a) { (a.on_circuit ? circuit : packets).push_back(a.flits[0][0] >> 16); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 5) m.nodes[0]->request_circuit(NodeId{1}, 1);
    if (cycle == 40) {
      for (std::uint64_t i = 0; i < 20; ++i) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), flits_of(i, 2));
      for (std::uint64_t i = 0; i < 20; ++i) m.nodes[0]->send(NodeId{1}, flits_of(i, 4));
    }
    if (cycle == 300) {
      EXPECT_EQ(circuit.size(), 0U);
      EXPECT_EQ(packets.size(), 20U);
      room = true;
    }
  };
  m.run(500);
  ASSERT_EQ(circuit.size(), 20U);
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(circuit[i], i);
}

/// After a reset in mid-flight the same packets take the same cycles as after the first one.
TEST(PinMesh, ResetLeavesNothingBehind) {
  const Experiment e = uniform_mesh(0.1, 3, 3);
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs[2];
  int run = 0;
  for (const auto& node : m.nodes) {
    node->on_arrival([&](const auto& a) { runs[run].emplace_back(a.flits[0][0], a.cycle); });
  }
  const auto burst = [&] {
    for (std::size_t n = 0; n < 9; ++n) {
      for (std::uint64_t i = 0; i < 12; ++i) m.nodes[n]->send(NodeId{(n + i + 1) % 9}, flits_of(16 * n + i, 4));
    }
  };
  std::uint64_t start = 0;
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 1) burst();
    if (cycle == 40) m.reset.write(false);  // in mid-flight
  };
  m.run(40);
  EXPECT_GT(runs[0].size(), 10U);
  run = 1;
  sc_core::sc_start(7, sc_core::SC_NS);
  m.reset.write(true);
  m.at_edge = [&](std::uint64_t) {
    if (start++ == 0) burst();
  };
  sc_core::sc_start(400, sc_core::SC_NS);
  EXPECT_EQ(runs[1].size(), 9U * 12);
  ASSERT_GT(runs[1].size(), runs[0].size());
  for (std::size_t i = 0; i < runs[0].size(); ++i) EXPECT_EQ(runs[0][i], runs[1][i]) << i;
}

/// RTL behind the pins (here tb/tests/plugins/wormhole.cpp, which routes by where it stands) is told where that is:
/// every packet comes to its node.
TEST(PinMesh, OfAUsersRoutersTakesEveryPacketToItsNode) {
  Experiment e = mesh(3, 2);
  e.set("router.vcs", 2).set("router.buffer_depth", 4);
  e.set("router.rtl_folder", kRouterFolder);
  PinMesh<> m("mesh", e, [&](const std::string& module, const std::string& router) {
    return std::make_unique<models::pins::RtlRouter<64>>(module.c_str(), e, router);
  });
  std::map<std::uint64_t, std::size_t> arrived;
  for (std::size_t n = 0; n < 6; ++n) {
    m.nodes[n]->on_arrival([&arrived, n](const auto& a) { arrived[a.flits[0][0] >> 16] = n; });
  }
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle != 10) return;
    for (std::uint64_t i = 0; i < 36; ++i)
      m.nodes[i / 6]->send(NodeId{static_cast<std::size_t>(i % 6)}, flits_of(i, 2));
  };
  m.run(200);
  for (std::uint64_t i = 0; i < 36; ++i) {
    ASSERT_EQ(arrived.count(i), 1U) << "from node " << i / 6 << " to node " << i % 6;
    EXPECT_EQ(arrived[i], i % 6) << "from node " << i / 6;
  }
}

}  // namespace
}  // namespace braid::test::pin_mesh_test
