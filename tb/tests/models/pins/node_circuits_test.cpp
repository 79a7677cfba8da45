// Circuits of a node over wires by itself: which start, what is sent and taken on them, and what their user must not
// ask for.
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/lone_node.h"

namespace braid::test::node_circuits_test {
namespace {

using models::hybrid::ControlKind;
using models::hybrid::FlitData;
using models::hybrid::WireOutputs;
using models::pins::CircuitStart;
using models::pins::NetworkNode;

constexpr std::uint32_t kFirst = LoneNode::kFirst, kSecond = LoneNode::kSecond, kVcs = 2;
using Data = std::vector<std::uint64_t>;

/// The first circuits of all ports come before the second ones; there is one search at a time, and one that fails
/// leaves its lane free.
TEST(NodeCircuits, StartsCircuitsOnTheFirstLaneThatIsFree) {
  LoneNode lone(true);
  NetworkNode& node = lone.node;
  const auto asks = [&](std::uint32_t search) -> std::string {
    const std::optional<CircuitStart> start = node.request_circuit(NodeId{8}, search);
    return start ? std::to_string(start->port) + "/" + std::to_string(start->circuit) : "none";
  };
  EXPECT_EQ(asks(7), "4/0");
  EXPECT_EQ(asks(8), "none") << "one is under way";
  lone.clocks(6);
  ASSERT_EQ(lone.requests.size(), 1U);
  EXPECT_EQ(lone.requests[0].kind, ControlKind::kProbe);
  EXPECT_EQ(lone.requests[0].search, 7U);
  EXPECT_EQ(lone.requests[0].destination, 0x0202U);
  EXPECT_EQ(lone.requests[0].port, kFirst);
  EXPECT_EQ(lone.requests[0].circuit, 0U);
  lone.ends(true);
  EXPECT_EQ(asks(9), "5/0");
  lone.clocks(6);
  lone.ends(false);
  for (const auto& [search, start] : {std::pair(10U, "5/0"), std::pair(11U, "4/1"), std::pair(12U, "5/1")}) {
    EXPECT_EQ(asks(search), start);
    lone.clocks(6);
    lone.ends(true);
  }
  EXPECT_EQ(asks(13), "none") << "all are taken";
  EXPECT_EQ(lone.outcomes, (std::vector<bool>{true, false, true, true, true}));
  EXPECT_EQ(lone.torn_down, 0);
  node.tear_down({kFirst, 1}, 14);
  lone.clocks(6);
  ASSERT_EQ(lone.requests.size(), 6U);
  EXPECT_EQ(lone.requests[5].kind, ControlKind::kTearDown);
  EXPECT_EQ(lone.requests[5].search, 14U);
  EXPECT_EQ(lone.requests[5].port, kFirst);
  EXPECT_EQ(lone.requests[5].circuit, 1U);
  EXPECT_EQ(lone.requests[5].destination, 0U) << "a tear-down is for nobody: the pins are 0";
  EXPECT_EQ(asks(15), "4/1");
  lone.clocks(6);
  lone.ends(true);
  lone.ends(true);  // of a circuit that ended here
  EXPECT_EQ(lone.torn_down, 1);
  EXPECT_EQ(lone.outcomes.size(), 6U);
}

/// Its flits are not routed: all of their bits are the user's. What comes on a circuit says so.
TEST(NodeCircuits, SendsAndTakesFlitsOfCircuitsAsTheyAre) {
  LoneNode lone(true);
  for (const std::uint32_t search : {1U, 2U, 3U}) {
    lone.node.request_circuit(NodeId{8}, search);
    lone.clocks(6);
    lone.ends(true);
  }
  lone.node.send_on_circuit(20, {kSecond, 0}, {{0xffff, 4}, {9}});
  lone.node.send_on_circuit(21, {kFirst, 1}, {{0xabcd}});
  EXPECT_EQ(lone.node.queued(), 2U);
  lone.clocks(10);
  EXPECT_EQ(lone.data_left(kSecond), (Data{0xffff, 9}));
  EXPECT_EQ(lone.data_left(kFirst), (Data{0xabcd}));
  EXPECT_EQ(lone.left[kSecond][0].lane, kVcs);
  EXPECT_EQ(lone.left[kSecond][0].data[1], 4U);
  EXPECT_EQ(lone.left[kFirst][0].lane, kVcs + 1);
  EXPECT_EQ(lone.node.queued(), 0U);
  for (const std::uint32_t lane : {kVcs - 1, kVcs, kVcs + 1}) {
    WireOutputs router;
    put_flit(router, kSecond, true, true, lane, 0xf000 + lane);
    lone.clock(router);
  }
  lone.clocks(10);
  ASSERT_EQ(lone.arrived.size(), 3U);
  for (const NetworkNode::Arrival& a : lone.arrived) {
    ASSERT_EQ(a.flits.size(), 1U);
    EXPECT_EQ(a.on_circuit, a.flits[0][0] >= 0xf000 + kVcs) << a.flits[0][0];
  }
}

/// Whoever is told of nothing has all done all the same.
TEST(NodeCircuits, NeedNobodyWhoListens) {
  LoneNode lone(true);
  lone.node.callbacks = {};
  const auto start = lone.node.request_circuit(NodeId{8}, 1);
  ASSERT_TRUE(start.has_value());
  lone.clocks(6);
  lone.ends(true);
  lone.node.send_on_circuit(1, *start, flits_of(1, 2));
  lone.node.send(2, NodeId{0}, flits_of(2, 1));
  WireOutputs router;
  put_flit(router, kFirst, true, true, kVcs, 5);
  put_flit(router, kSecond, true, true, 0, 6);
  lone.clock(router);
  lone.clocks(20);
  EXPECT_EQ(lone.node.queued(), 0U);
  EXPECT_EQ((lone.credits[{kFirst, kVcs}]), 1U) << "its room is free again";
  EXPECT_EQ((lone.credits[{kSecond, 0}]), 1U);
  lone.ends(true);  // of a circuit that ended here
  EXPECT_TRUE(lone.node.request_circuit(NodeId{8}, 2).has_value());
  lone.clocks(6);
  lone.ends(false);
  EXPECT_EQ(lone.requests.size(), 2U);
}

TEST(NodeCircuits, HasNoCircuitThatItHasNotAskedFor) {
  LoneNode lone(true);
  const auto wrong = [&](CircuitStart circuit) {
    const std::string torn = complaint<std::invalid_argument>([&] { lone.node.tear_down(circuit, 3); });
    EXPECT_EQ(complaint<std::invalid_argument>([&] { lone.node.send_on_circuit(1, circuit, flits_of(1, 1)); }), torn);
    return torn;
  };
  EXPECT_EQ(wrong({kFirst, 0}), "no circuit 0 starts at port 4");
  lone.node.request_circuit(NodeId{8}, 2);
  EXPECT_EQ(complaint<std::invalid_argument>([&] { lone.node.tear_down({kFirst, 0}, 3); }),
            "no circuit 0 starts at port 4")
      << "it is searched for";
  lone.clocks(6);
  lone.ends(true);
  EXPECT_EQ(wrong({kFirst, 1}), "no circuit 1 starts at port 4");
  EXPECT_EQ(wrong({kSecond, 0}), "no circuit 0 starts at port 5");
  lone.node.tear_down({kFirst, 0}, 3);
  EXPECT_EQ(wrong({kFirst, 0}), "no circuit 0 starts at port 4") << "once";
}

/// A packet on a circuit waits until there is room for all of it; then its room in the buffer is given back.
TEST(NodeCircuits, AsksWhetherThereIsRoomForAPacketOnACircuit) {
  LoneNode lone(true);
  bool room = false;
  std::vector<std::uint64_t> asked;
  lone.node.callbacks.room = [&](const FlitData& head) {
    asked.push_back(head[0]);
    return room;
  };
  WireOutputs head, tail;
  put_flit(head, kFirst, true, false, kVcs, 40);
  put_flit(tail, kFirst, false, true, kVcs, 41);
  lone.clock(head);
  lone.clock(tail);
  lone.clocks(10);
  EXPECT_TRUE(lone.arrived.empty());
  EXPECT_GT(asked.size(), 5U) << "each cycle";
  EXPECT_EQ((lone.credits[{kFirst, kVcs}]), 0U);
  room = true;
  lone.clocks(10);
  ASSERT_EQ(lone.arrived.size(), 1U);
  EXPECT_EQ(lone.arrived[0].flits.size(), 2U);
  EXPECT_EQ((lone.credits[{kFirst, kVcs}]), 2U);
  for (const std::uint64_t data : asked) EXPECT_EQ(data, 40U) << "by its head";
}

}  // namespace
}  // namespace braid::test::node_circuits_test
