// Cables of n cycles: registers between the pins, counted to the cycle, and the engine's own cycles over them.
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::cables_test {
namespace {

using models::Experiment;

Experiment row(std::uint32_t routers, std::uint32_t link, std::uint32_t credit) {
  Experiment e;
  e.set("topology.width", routers);
  e.set("topology.height", 1);
  e.set("topology.link_latency_cycles", link);
  e.set("router.credit_delay_cycles", credit);
  return e;
}

/// In how many cycles after it has left router 0 to the east does a flit come to router 1, and its credit back?
struct Row {
  Row(const char* name, std::uint32_t link, std::uint32_t credit)
      : experiment(row(2, link, credit)), mesh(name, experiment, modelled(experiment)) {
    mesh.at_edge = [this](std::uint64_t cycle) {
      if (cycle == 10) mesh.nodes[0]->send(NodeId{1}, flits_of(1, 1));
      look(cycle, mesh.routers[0]->link_valid_o[0].read(), left);
      look(cycle, mesh.routers[1]->link_valid_i[1].read(), came);
      look(cycle, mesh.routers[1]->credit_o[1].read() != 0, credit_left);
      look(cycle, mesh.routers[0]->credit_i[0].read() != 0, credit_came);
    };
  }
  /// The pin is up in one cycle of the run, and in no other.
  static void look(std::uint64_t cycle, bool up, std::vector<std::uint64_t>& seen) {
    if (up) seen.push_back(cycle);
  }
  Experiment experiment;
  PinMesh<> mesh;
  std::vector<std::uint64_t> left, came, credit_left, credit_came;
};

TEST(Cables, BringFlitsAndCreditsAfterTheirCycles) {
  struct Length {
    std::uint32_t link, credit;
  };
  const std::vector<Length> lengths{{1, 2}, {2, 2}, {5, 2}, {1, 3}, {1, 6}, {3, 4}};
  std::vector<std::unique_ptr<Row>> rows;
  for (const Length& l : lengths) {
    rows.push_back(std::make_unique<Row>(("row_" + std::to_string(rows.size())).c_str(), l.link, l.credit));
  }
  sc_core::sc_start(200, sc_core::SC_NS);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& r = *rows[i];
    ASSERT_EQ(r.left.size(), 1U) << i;
    EXPECT_EQ(r.left[0], 10U + 2 + 5) << i;  // on the injection link in 12, on this one five later
    EXPECT_EQ(r.came, std::vector<std::uint64_t>{r.left[0] + lengths[i].link - 1}) << i;
    ASSERT_EQ(r.credit_left.size(), 1U) << i;
    EXPECT_EQ(r.credit_came, std::vector<std::uint64_t>{r.credit_left[0] + lengths[i].link + lengths[i].credit - 3})
        << i;
  }
}

/// Over R routers, L flits, links of n cycles: 3 + 5 R + (n - 1) (R - 1) + (L - 1).
TEST(Cables, AddTheirCyclesToAPacket) {
  const Experiment e = row(4, 3, 2);
  PinMesh<> m("mesh", e, modelled(e));
  std::map<std::uint64_t, std::uint64_t> arrived;
  for (const auto& node : m.nodes) node->on_arrival([&](const auto& a) { arrived[a.flits[0][0] >> 16] = a.cycle; });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle % 100 == 10 && cycle < 400) m.nodes[0]->send(NodeId{cycle / 100}, flits_of(cycle / 100, 4));
  };
  m.run(500);
  for (std::uint64_t r = 0; r < 4; ++r) EXPECT_EQ(arrived.at(r), 10 + 100 * r + 3 + 5 * (1 + r) + 2 * r + 3) << r;
}

/// Two routers and their nodes, each cable by itself: flits and credits pass both ways.
TEST(Cables, JoinRoutersOneByOne) {
  const Experiment e = row(2, 1, 2);
  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  sc_core::sc_signal<bool> reset("reset");
  models::pins::BraidRouter<64> west("west", e, "0,0"), east("east", e, "1,0");
  models::pins::BraidNode<64> first("first", e, NodeId{0}), second("second", e, NodeId{1});
  models::pins::Cables<64> cables;
  cables.join(west, 0, east, 1);
  cables.join(west, first);
  cables.join(east, second);
  for (models::pins::BraidRouter<64>* r : {&west, &east}) {
    r->clk_i(clock);
    r->rst_ni(reset);
  }
  std::vector<std::size_t> at_first, at_second;  // flits of packets
  for (models::pins::BraidNode<64>* n : {&first, &second}) {
    n->clk_i(clock);
    n->rst_ni(reset);
    n->on_arrival([&to = n == &first ? at_first : at_second](const auto& a) { to.push_back(a.flits.size()); });
  }
  sc_core::sc_start(5, sc_core::SC_NS);
  reset.write(true);
  first.send(NodeId{1}, flits_of(1, 40));  // more than the buffers at the far end take without a credit
  second.send(NodeId{0}, flits_of(2, 41));
  sc_core::sc_start(300, sc_core::SC_NS);
  EXPECT_EQ(at_first, std::vector<std::size_t>{41});
  EXPECT_EQ(at_second, std::vector<std::size_t>{40});
}

/// A search takes 1 + n cycles a link each way, an answer the same; requests and outcomes a register each, as over
/// links of one cycle: 2 (1 + n) h + 3, a tear-down (1 + n) h + 3. L flits over R routers then take 3 + 2 R + (n - 1)
/// (R - 1)
/// + (L - 1).
TEST(Cables, AddTheirCyclesToACircuit) {
  const Experiment e = with_circuits(row(4, 3, 2));
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<std::uint64_t> outcomes, gone, arrived;
  m.nodes[0]->on_outcome([&](bool success) {
    EXPECT_TRUE(success);
    outcomes.push_back(m.nodes[0]->cycles() + 1);
  });
  m.nodes[3]->on_torn_down([&] { gone.push_back(m.nodes[3]->cycles() + 1); });
  m.nodes[3]->on_arrival([&](const auto& a) { arrived.push_back(a.cycle); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 10) m.nodes[0]->request_circuit(NodeId{3}, 1);
    if (cycle == 60) m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), flits_of(7, 5));
    if (cycle == 100) m.nodes[0]->tear_down(*m.nodes[0]->circuit(), 2);
  };
  m.run(200);
  EXPECT_EQ(outcomes, std::vector<std::uint64_t>{10U + 8 * 3 + 3});
  EXPECT_EQ(arrived, std::vector<std::uint64_t>{60U + 3 + 2 * 4 + 2 * 3 + 4});
  EXPECT_EQ(gone, std::vector<std::uint64_t>{100U + 4 * 3 + 3});
}

void same_hash(std::uint32_t link, std::uint32_t credit) {
  Experiment e = uniform_mesh(0.35, 4, 4);
  e.set("topology.link_latency_cycles", link);
  e.set("router.credit_delay_cycles", credit);
  expect_hash_of_engine<64>(e, e, modelled(e), 2000);
}
TEST(Cables, OfThreeCyclesHaveTheHashOfTheEngine) { same_hash(3, 2); }
TEST(Cables, OfSlowCreditsHaveTheHashOfTheEngine) { same_hash(1, 3); }
TEST(Cables, OfBothHaveTheHashOfTheEngine) { same_hash(2, 5); }
TEST(Cables, OnATorusHaveTheHashOfTheEngine) {
  Experiment e = uniform_mesh(0.3, 4, 4);
  e.set("topology.kind", "torus");
  e.set("routing.ties", "fixed");  // as pins have them
  e.set("topology.link_latency_cycles", 2);
  e.set("router.buffer_bypass", true);
  expect_hash_of_engine<64>(e, e, modelled(e), 2000);
}

/// Nodes of one router would share its request pins.
TEST(Cables, OfANetworkWithCircuitsLeadToOneNodeARouter) {
  Experiment e;
  e.set("topology.kind", "irregular").set("topology.switches", 4).set("topology.switch_ports", 6);
  e.set("topology.hosts", 2);
  e.set("routing.algorithm", "table");
  e = with_circuits(e);
  models::pins::BraidRouter<64> router("router", e, "s0");
  const std::vector<models::pins::RouterModule<64>*> routers{&router, nullptr, nullptr, nullptr};
  models::pins::Cables<64> cables;
  EXPECT_EQ(complaint([&] { cables.join(routers, {}); }),
            "router s0 has 2 nodes, and one set of request pins; expected one node a router");
}

/// Reset empties the registers of cables, too.
TEST(Cables, AreEmptyAfterAReset) {
  const Experiment e = row(2, 5, 2);
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<std::uint64_t> arrived;
  m.nodes[1]->on_arrival([&](const auto& a) { arrived.push_back(a.flits[0][0] >> 16); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 10) m.nodes[0]->send(NodeId{1}, flits_of(1, 1));
    if (cycle == 18) m.reset.write(false);  // two registers on
  };
  m.run(18);
  sc_core::sc_start(7, sc_core::SC_NS);
  m.reset.write(true);
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 40) m.nodes[0]->send(NodeId{1}, flits_of(2, 1));
  };
  m.run(100);
  EXPECT_EQ(arrived, std::vector<std::uint64_t>{2});
}

}  // namespace
}  // namespace braid::test::cables_test
