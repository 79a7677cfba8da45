// Messages on circuits, and messages of networks that go on from checkpoints or are cut into slices.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/message_wire.h"
#include "tb/tests/support/saved.h"

namespace braid::test::carrier_circuits_test {
namespace {

using models::Carrier;
using Handles = MessageWire::Handles;

/// 3x2 routers, node n at (n % 3, n / 3), two local ports each, so that two circuits of a node start at different ones.
models::Experiment with_three() {
  models::Experiment e = tlm_network("hybrid");
  e.set("topology.local_ports", 2);
  e.add("tlm.circuits", std::vector<std::uint32_t>{0, 5, 0, 3, 4, 5}, {});
  return e;
}
/// Flits that came to a node on circuits, on both of its ports.
std::uint64_t on_circuits_to(const MessageWire& wire, std::size_t node) {
  std::uint64_t flits = 0;
  for (const routing::Attachment& a : wire.bench.topology.nodes[node])
    flits += wire.bench.network->fabric().link_use(a.router, a.port).circuit_flits;
  return flits;
}
void set_up(MessageWire& wire) {
  while (!wire.bench.network->setup_done() && wire.bench.network->now() < 1000) wire.run(1);
  ASSERT_TRUE(wire.bench.network->setup_done());
}

/// 24 bytes are three flits and the packet's first.
TEST(MessagesOnCircuits, GoWhereOneStandsBetweenTheirNodesAndTheyAskForIt) {
  MessageWire wire(with_three());
  wire.send(0, 5, 1, 24);
  wire.run(1);
  EXPECT_FALSE(wire.bench.network->setup_done());
  set_up(wire);
  wire.run(50);
  EXPECT_EQ(wire.come, Handles{1});
  EXPECT_EQ(on_circuits_to(wire, 5), 0U) << "none stood when it was made";
  const auto send = [&](std::size_t from, std::size_t to, bool asks) {
    wire.send(from, to, static_cast<std::uint32_t>(wire.come.size() + 1), 24, Carrier::kStream, 0, asks);
    wire.run(60);
    return std::vector<std::uint64_t>{on_circuits_to(wire, 5), on_circuits_to(wire, 3)};
  };
  using Flits = std::vector<std::uint64_t>;
  EXPECT_EQ(send(0, 5, true), (Flits{4, 0}));
  EXPECT_EQ(send(0, 3, true), (Flits{4, 4}));
  EXPECT_EQ(send(4, 5, true), (Flits{8, 4}));
  EXPECT_EQ(send(4, 3, true), (Flits{8, 4})) << "from one's source to another's destination there is none";
  EXPECT_EQ(send(5, 0, true), (Flits{8, 4})) << "nor the other way";
  EXPECT_EQ(send(0, 5, false), (Flits{8, 4})) << "it does not ask";
  EXPECT_EQ(wire.come.size(), 7U);
}

/// By one port, on a lane for each.
TEST(MessagesOnCircuits, OfOnePortGoOnLanesOfTheirOwn) {
  models::Experiment e = tlm_network("hybrid");
  e.set("topology.local_ports", 1);
  e.set("router.circuit_lanes", 2);
  e.add("tlm.circuits", std::vector<std::uint32_t>{0, 5, 0, 3}, {});
  MessageWire wire(e);
  set_up(wire);
  wire.send(0, 3, 1, 24, Carrier::kStream);
  wire.run(60);
  EXPECT_EQ(on_circuits_to(wire, 3), 4U);
  EXPECT_EQ(on_circuits_to(wire, 5), 0U);
  wire.send(0, 5, 2, 24, Carrier::kStream);
  wire.run(60);
  EXPECT_EQ(on_circuits_to(wire, 3), 4U);
  EXPECT_EQ(on_circuits_to(wire, 5), 4U);
  EXPECT_EQ(wire.come, (Handles{1, 2}));
}

TEST(MessagesOnCircuits, TheirCircuitsAreNamedByTheirNodes) {
  MessageWire wire(with_three());
  set_up(wire);
  const auto circuits = wire.bench.network->setup_results().circuits;
  ASSERT_EQ(circuits.size(), 3U);
  EXPECT_EQ(circuits[0].stream, "node 0 -> node 5");
  EXPECT_EQ(circuits[1].stream, "node 0 -> node 3");
  EXPECT_EQ(circuits[2].stream, "node 4 -> node 5");
}

/// A network that goes on from a checkpoint has the circuits, ports and lanes among them: all that is sent then takes
/// the same cycles over the same links. Slots are used again in the same order.
TEST(MessagesOnCircuits, GoOnAfterACheckpoint) {
  MessageWire wire(with_three()), other(with_three());
  set_up(wire);
  for (std::uint32_t handle = 1; handle <= 3; ++handle) wire.send(0, 5, handle, 24);
  wire.run(100);
  restore(*other.bench.network, saved(*wire.bench.network));
  for (MessageWire* w : {&wire, &other}) {
    w->gone.clear();
    w->come.clear();
  }
  for (int cycle = 0; cycle < 100; ++cycle) {
    for (MessageWire* w : {&wire, &other}) {
      if (cycle == 0) {
        EXPECT_EQ(w->send(0, 3, 10, 48, Carrier::kStream), 2U);
        EXPECT_EQ(w->send(0, 5, 11, 48, Carrier::kStream), 1U);
        EXPECT_EQ(w->send(4, 5, 12, 24, Carrier::kStream), 0U);
        EXPECT_EQ(w->send(0, 1, 13, 24), 3U);
      }
      w->run(1);
    }
    ASSERT_EQ(other.gone, wire.gone) << cycle;
    ASSERT_EQ(other.come, wire.come) << cycle;
    for (const std::size_t node : {3U, 5U}) ASSERT_EQ(on_circuits_to(other, node), on_circuits_to(wire, node)) << cycle;
  }
  EXPECT_EQ(other.come.size(), 4U);
  EXPECT_EQ(on_circuits_to(other, 3), 7U) << "six flits of data, and the packet's first";
}

// ---------------------------------------------------------------- checkpoints of a carrier

/// What a carrier without circuits has saved.
struct Registers {
  std::uint64_t slots = 0;
  std::vector<std::uint32_t> circuits;  // none
  bool stand = false;
  std::vector<models::MessageSlot> free;
  void checkpoint(Checkpoint& c) {
    c(slots);
    c.each(circuits);
    c(stand, free);
  }
};
std::string said_to(Registers registers) {
  MessageWire wire;
  const std::string bytes = saved(registers);
  return complaint<CheckpointError>([&] { restore(wire.carrier, bytes); });
}

TEST(CarrierRegisters, AreOfACarrierWithoutMessages) {
  EXPECT_EQ(said_to({0, {}, false, {}}), "");
  EXPECT_EQ(said_to({3, {}, false, {2, 0, 1}}), "");
  EXPECT_EQ(said_to({3, {}, false, {2, 0}}), no_such_state("a message that is under way"));
  EXPECT_EQ(said_to({2, {}, false, {1, 0, 1}}), no_such_state("a message that is under way"));
  EXPECT_EQ(said_to({2, {}, false, {1, 2}}), here("message", 2, 2));
}

TEST(CarrierRegisters, AreNotSavedWhileMessagesAreUnderWay) {
  MessageWire wire;
  for (std::uint32_t handle = 1; handle <= 2; ++handle) wire.send(0, 5, handle, 24);
  EXPECT_EQ(complaint<CheckpointError>([&] { saved(wire.carrier); }),
            "2 messages of [tlm] are under way: expected none");
  wire.run(100);
  EXPECT_EQ(complaint<CheckpointError>([&] { saved(wire.carrier); }), "");
}

// ---------------------------------------------------------------- what the user hears, and when

/// Of what has come since the last time, node by node; of one node in the order of time. As many slices as there may
/// be.
TEST(CarrierTells, NodeByNode) {
  for (const std::size_t slices : {1U, 2U, 3U}) {
    MessageWire wire(tlm_network("hybrid"), slices);
    wire.send(3, 2, 1, 8);    // the longest way: it comes last, and to the first node
    wire.send(5, 4, 2, 8);    // the shortest
    wire.send(1, 4, 3, 100);  // later, to the same node
    wire.send(2, 5, 4, 8);
    wire.carrier.flush(wire.bench.network->now() - 1);
    wire.bench.run(100);
    wire.carrier.take(wire);
    EXPECT_EQ(wire.gone, (Handles{3, 4, 1, 2})) << "by sources";
    EXPECT_EQ(wire.come, (Handles{1, 2, 3, 4})) << "by destinations";
  }
}

/// What it is, for results, and for whoever runs the network: it makes nothing by itself.
TEST(CarrierTells, WhatItCarries) {
  const MessageWire wire;
  EXPECT_EQ(wire.carrier.classes(), (std::vector<std::string>{"requests", "responses", "writes in streams"}));
  EXPECT_EQ(wire.carrier.kinds(), (std::vector<std::string>{"request", "response", "stream"}));
  EXPECT_FALSE(wire.carrier.sends_packets());
  EXPECT_FALSE(wire.carrier.sends_by_itself());
}

}  // namespace
}  // namespace braid::test::carrier_circuits_test
