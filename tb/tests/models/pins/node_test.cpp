// A node over pins as its user sees it: which there are, what is numbered, what a reset forgets.
#include "tb/tests/support/pin_mesh.h"

namespace braid::test::node_test {
namespace {

using models::Experiment;
using Node = models::pins::BraidNode<64>;

Experiment three_by_three() {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 3);
  return e;
}

TEST(BraidNode, IsOneOfTheNetworks) {
  const Node last("last", three_by_three(), NodeId{8});
  EXPECT_EQ(last.node(), NodeId{8});
  EXPECT_EQ(last.place().topology.router_names[last.place().router.value], "2,2");
  for (const std::size_t none : {9U, 100U}) {
    try {
      const Node node(("none_" + std::to_string(none)).c_str(), three_by_three(), NodeId{none});
      FAIL() << none;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "node " + std::to_string(none) + ": the network has 9, from 0");
    }
  }
}

TEST(BraidNode, TakesPacketsAndSearchesUpTo65535) {
  Node node("node", with_circuits(three_by_three()), NodeId{4});
  for (const std::size_t flits : {1U, 65535U}) EXPECT_NO_THROW(node.send(NodeId{8}, flits_of(1, flits))) << flits;
  for (const std::size_t flits : {0U, 65536U}) {
    try {
      node.send(NodeId{8}, models::pins::FlitList(flits));
      FAIL() << flits;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), "a packet of " + std::to_string(flits) + " flits: expected 1 to 65535");
    }
  }
  EXPECT_THROW(node.send_on_circuit({}, models::pins::FlitList(65536)), std::invalid_argument);
  try {
    node.send(NodeId{9}, flits_of(1, 1));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "a packet to node 9: the network has 9 nodes");
  }
  for (const std::uint32_t search : {1U, 65535U}) EXPECT_NO_THROW(node.request_circuit(NodeId{8}, search)) << search;
  for (const std::uint32_t search : {0U, 65536U}) {
    try {
      node.tear_down({}, search);
      FAIL() << search;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), "search number " + std::to_string(search) + ": expected 1 to 65535");
    }
  }
}

/// Packets on circuits and others have one count, which a reset does not begin anew.
TEST(BraidNode, NumbersItsPackets) {
  const Experiment e = with_circuits(three_by_three());
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<std::uint64_t> numbers, sent;
  m.nodes[0]->on_sent([&](std::uint64_t packet, std::uint64_t) { sent.push_back(packet); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 5) m.nodes[0]->request_circuit(NodeId{8}, 1);
    if (cycle == 60) {
      numbers.push_back(m.nodes[0]->send(NodeId{1}, flits_of(1, 2)));
      numbers.push_back(m.nodes[0]->send_on_circuit(*m.nodes[0]->circuit(), flits_of(2, 2)));
      numbers.push_back(m.nodes[0]->send(NodeId{2}, flits_of(3, 2)));
      EXPECT_EQ(m.nodes[0]->queued(), 3U);
    }
    if (cycle == 100) {
      EXPECT_EQ(m.nodes[0]->queued(), 0U);
    }
  };
  m.run(110);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 1, 2}));
  std::sort(sent.begin(), sent.end());
  EXPECT_EQ(sent, numbers);
  m.at_edge = {};
  m.reset.write(false);
  sc_core::sc_start(6, sc_core::SC_NS);
  EXPECT_EQ(m.nodes[0]->send(NodeId{1}, flits_of(4, 1)), 3U);
}

/// A search for which no lane is free has failed at once, whether or not anybody listens; then the next may be asked
/// for.
TEST(BraidNode, HasNoSecondCircuitOnItsOneLane) {
  const Experiment e = with_circuits(three_by_three());
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<bool> listened;
  m.nodes[1]->on_outcome([&](bool success) { listened.push_back(success); });
  m.at_edge = [&](std::uint64_t cycle) {
    for (const std::size_t node : {0U, 1U}) {
      if (cycle == 5 + 60 * node) m.nodes[node]->request_circuit(NodeId{8}, static_cast<std::uint32_t>(1 + node));
      if (cycle == 45 + 60 * node) {
        EXPECT_TRUE(m.nodes[node]->circuit().has_value());
        m.nodes[node]->request_circuit(NodeId{7}, static_cast<std::uint32_t>(3 + node));
      }
      if (cycle == 47 + 60 * node) {
        EXPECT_FALSE(m.nodes[node]->circuit().has_value());
      }
    }
  };
  m.run(120);
  EXPECT_EQ(listened.size(), 2U);
  EXPECT_EQ(listened.back(), false);
}

/// What was asked for in the time step in which reset begins, and circuits that stood, are forgotten; so are packets
/// that waited. Asked for in a reset, a packet is sent when it has ended.
TEST(BraidNode, AResetForgetsWhatWasAskedFor) {
  const Experiment e = with_circuits(three_by_three());
  PinMesh<> m("mesh", e, modelled(e));
  std::vector<std::uint64_t> arrived;
  std::vector<bool> outcomes;
  for (const auto& node : m.nodes) node->on_arrival([&](const auto& a) { arrived.push_back(a.flits[0][0] >> 16); });
  m.nodes[0]->on_outcome([&](bool success) { outcomes.push_back(success); });
  m.at_edge = [&](std::uint64_t cycle) {
    if (cycle == 5) m.nodes[0]->request_circuit(NodeId{8}, 1);
    if (cycle == 60) {
      EXPECT_TRUE(m.nodes[0]->circuit().has_value());
      m.nodes[0]->send(NodeId{1}, flits_of(1, 3));
      m.nodes[0]->request_circuit(NodeId{2}, 2);
      EXPECT_GE(m.nodes[0]->queued(), 1U) << "it waits for the next edge";
      m.reset.write(false);
    }
  };
  m.run(60);
  sc_core::sc_start(5, sc_core::SC_NS);
  EXPECT_EQ(m.nodes[0]->queued(), 0U);
  EXPECT_FALSE(m.nodes[0]->circuit().has_value());
  EXPECT_EQ(m.nodes[0]->cycles(), 0U);
  EXPECT_EQ(outcomes, std::vector<bool>{true});
  m.nodes[0]->send(NodeId{2}, flits_of(2, 1));
  m.at_edge = {};
  m.reset.write(true);
  sc_core::sc_start(200, sc_core::SC_NS);
  EXPECT_EQ(m.nodes[0]->cycles(), 100U);
  EXPECT_EQ(arrived, std::vector<std::uint64_t>{2});
  EXPECT_EQ(outcomes, std::vector<bool>{true});
  m.nodes[0]->request_circuit(NodeId{8}, 1);  // numbers begin anew, and the lane is free
  sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_EQ(outcomes, (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace braid::test::node_test
