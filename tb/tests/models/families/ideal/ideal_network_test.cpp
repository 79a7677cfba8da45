// The ideal network by itself: one cycle a link, a flit a cycle and local port each way, turns among links.
#include <gtest/gtest.h>

#include <utility>

#include "models/families/ideal/fabric.h"

namespace braid::test::ideal_network_test {
namespace {

using namespace models;

class Sink final : public PacketSink {
 public:
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t cycle, PacketSlot packet) override { delivered.emplace_back(cycle, packet); }
  void sent(std::uint64_t, PacketSlot packet) override { left.push_back(packet); }
  std::vector<std::pair<std::uint64_t, PacketSlot>> delivered;
  std::vector<PacketSlot> left;
};
using Deliveries = std::vector<std::pair<std::uint64_t, PacketSlot>>;

/// Nodes with so many local ports; packets are numbered as they are sent.
struct Ideal {
  PacketStore store;
  PacketStore::Pool pool{store};
  Sink sink;
  models::ideal::Fabric network;
  std::uint64_t cycle = 0;

  explicit Ideal(const std::vector<std::size_t>& ports, bool queue = false, const NodeBandwidth& bandwidth = {})
      : network(store, ports, {queue}, bandwidth) {
    network.set_sink(0, &sink);
  }
  PacketSlot send(std::size_t from, std::size_t to, std::uint32_t flits = 1, std::size_t port = 0) {
    const PacketSlot slot = pool.take();
    store[slot] = Packet{};
    store[slot].source = NodeId{from};
    store[slot].destination = NodeId{to};
    store[slot].length_flits = static_cast<std::uint16_t>(flits);
    network.send(port, slot);
    return slot;
  }
  void run(std::uint64_t cycles) {
    for (const std::uint64_t end = cycle + cycles; cycle < end; ++cycle) network.commit(0, cycle);
  }
};

TEST(IdealNetwork, TakesACycleForTheLinkAndOneForEachFlit) {
  Ideal ideal({1, 1});
  ideal.send(0, 1, 1);
  ideal.run(1);
  EXPECT_TRUE(ideal.sink.delivered.empty()) << "on the link";
  ideal.run(1);
  EXPECT_EQ(ideal.sink.delivered, (Deliveries{{1, 0}}));
  ideal.send(0, 1, 4);
  ideal.run(4);
  EXPECT_EQ(ideal.sink.delivered.size(), 1U) << "the tail is on the link";
  ideal.run(1);
  EXPECT_EQ(ideal.sink.delivered, (Deliveries{{1, 0}, {6, 1}}));
  EXPECT_EQ(ideal.store[0].injected, 0U);
  EXPECT_EQ(ideal.store[1].injected, 2U) << "the head's cycle, not the tail's";
}

TEST(IdealNetwork, SendsPacketsOfALinkOneAfterTheOther) {
  Ideal ideal({1, 1});
  for (const std::uint32_t flits : {3, 1, 2}) ideal.send(0, 1, flits);
  ideal.run(10);
  EXPECT_EQ(ideal.sink.delivered, (Deliveries{{3, 0}, {4, 1}, {6, 2}}));
  EXPECT_EQ(ideal.store[2].injected, 4U);
}

TEST(IdealNetwork, ANodeSendsAFlitACycleForEachOfItsPorts) {
  for (const std::size_t ports : {1, 2, 3}) {
    Ideal ideal({ports, 1, 1, 1});
    for (const std::size_t to : {1, 2, 3}) ideal.send(0, to);
    ideal.run(2);
    EXPECT_EQ(ideal.sink.delivered.size(), ports);
  }
}

TEST(IdealNetwork, ANodeTakesAFlitACycleForEachOfItsPorts) {
  for (const std::size_t ports : {1, 2, 3}) {
    Ideal ideal({1, 1, 1, ports});
    for (const std::size_t from : {0, 1, 2}) ideal.send(from, 3);
    ideal.run(2);
    EXPECT_EQ(ideal.sink.delivered.size(), ports);
  }
}

/// Four ports, of which it serves fewer each way: three wait for node 3, and three wait at node 0.
TEST(IdealNetwork, ANodeSendsAndTakesNoMoreThanItsBandwidth) {
  for (const std::uint32_t flits : {1U, 2U, 3U}) {
    NodeBandwidth sends, takes;
    sends.packet_injection = takes.packet_ejection = flits;
    for (const bool queue : {false, true}) {
      Ideal out({4, 4, 4, 4}, queue, sends), in({4, 4, 4, 4}, queue, takes);
      for (const std::size_t other : {1, 2, 3}) out.send(0, other);
      for (const std::size_t other : {0, 1, 2}) in.send(other, 3);
      for (Ideal* ideal : {&out, &in}) {
        ideal->run(2);
        EXPECT_EQ(ideal->sink.delivered.size(), flits);
        ideal->run(3);
        EXPECT_EQ(ideal->sink.delivered.size(), 3U);
        EXPECT_EQ(ideal->network.census().flits, 0U);
      }
    }
  }
}

/// With a queue at the receiver all leave at once, and the node takes one a cycle, in the order in which they came.
TEST(IdealNetwork, FlitsWaitAtTheReceiverWhereItHasAQueue) {
  for (const std::size_t ports : {1U, 2U}) {
    Ideal ideal({1, 1, 1, ports}, true);
    for (const std::size_t from : {0, 1, 2}) ideal.send(from, 3);
    ideal.run(1);
    EXPECT_EQ(ideal.sink.left.size(), 3U);
    ideal.run(1);
    EXPECT_EQ(ideal.sink.delivered.size(), ports);
    EXPECT_EQ(ideal.network.census().flits, 3 - ports);
    EXPECT_EQ(ideal.network.census().packets, 3 - ports);
    ideal.run(2);
    EXPECT_EQ(ideal.sink.delivered.size(), 3U);
    EXPECT_EQ(ideal.network.census().flits, 0U);
  }
}

/// Nodes 0 and 1 with ten flits each for 2 and 3: 20 flits leave a node in 20 cycles, whoever sends to whom when.
TEST(IdealNetwork, NoSenderLosesACycleWithAQueue) {
  Ideal ideal({1, 1, 1, 1}, true);
  for (const std::size_t from : {0, 1}) {
    for (const std::size_t to : {2, 3}) ideal.send(from, to, 10);
  }
  ideal.run(19);
  EXPECT_LT(ideal.sink.left.size(), 4U);
  ideal.run(1);
  EXPECT_EQ(ideal.sink.left.size(), 4U);
}

/// Between two nodes there is one link, and it carries one flit a cycle whatever the ports.
TEST(IdealNetwork, ALinkCarriesAFlitACycle) {
  Ideal ideal({4, 4});
  for (int i = 0; i < 4; ++i) ideal.send(0, 1, 1, static_cast<std::size_t>(i));
  ideal.run(5);
  EXPECT_EQ(ideal.sink.delivered, (Deliveries{{1, 0}, {2, 1}, {3, 2}, {4, 3}}));
}

TEST(IdealNetwork, BothDirectionsAndStrangersDoNotDisturbEachOther) {
  Ideal ideal({1, 1, 1, 1});
  ideal.send(0, 1);
  ideal.send(1, 0);
  ideal.send(2, 3);
  ideal.send(3, 3);  // node 3 takes one a cycle
  ideal.run(2);
  EXPECT_EQ(ideal.sink.delivered.size(), 3U);
  ideal.run(1);
  EXPECT_EQ(ideal.sink.delivered.size(), 4U);
}

/// Three nodes with long packets for a fourth: 30 flits in 30 cycles, each node ten, none two turns behind.
TEST(IdealNetwork, LinksTakeTurns) {
  Ideal ideal({1, 1, 1, 1});
  for (const std::size_t from : {0, 1, 2}) ideal.send(from, 3, 10);
  ideal.run(28);
  EXPECT_TRUE(ideal.sink.delivered.empty());
  ideal.run(3);
  ASSERT_EQ(ideal.sink.delivered.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(ideal.sink.delivered[i].first, 28 + i);
}

TEST(IdealNetwork, APortIsQueuedUntilItsPacketsTailHasLeft) {
  Ideal ideal({2, 1});
  ideal.send(0, 1, 2, 1);
  ideal.send(0, 1, 1, 0);
  EXPECT_EQ(ideal.network.queued(0), 1U);
  EXPECT_EQ(ideal.network.queued(1), 1U);
  EXPECT_FALSE(ideal.network.ready(1));
  ideal.run(1);
  EXPECT_EQ(ideal.network.queued(1), 1U) << "the tail is still here";
  EXPECT_TRUE(ideal.sink.left.empty());
  ideal.run(1);
  EXPECT_EQ(ideal.network.queued(1), 0U);
  EXPECT_TRUE(ideal.network.ready(1));
  EXPECT_EQ(ideal.sink.left, std::vector<PacketSlot>{0});
  EXPECT_EQ(ideal.network.queued(0), 1U);
}

TEST(IdealNetwork, CountsWhatIsWhere) {
  Ideal ideal({1, 1});
  ideal.send(0, 1, 2);
  ideal.send(0, 1, 1);
  const auto expect = [&](std::uint64_t packets, std::uint64_t flits, std::uint64_t injected, std::uint64_t delivered) {
    EXPECT_EQ(ideal.network.census().packets, packets);
    EXPECT_EQ(ideal.network.census().flits, flits);
    EXPECT_EQ(ideal.network.counters().flits_injected, injected);
    EXPECT_EQ(ideal.network.counters().flits_delivered, delivered);
    EXPECT_EQ(ideal.network.counters().flit_hops, 0U);
  };
  expect(2, 0, 0, 0);
  ideal.run(1);
  expect(2, 1, 1, 0);
  ideal.run(1);
  expect(2, 1, 2, 1);  // the first packet's tail on the link, the second queued
  ideal.run(1);
  expect(1, 1, 3, 2);
  ideal.run(1);
  expect(0, 0, 3, 3);
}

TEST(IdealNetwork, NamesLinksWithWaitingPackets) {
  Ideal ideal({1, 1, 1});
  ideal.send(0, 2, 3);
  ideal.send(0, 2);
  ideal.send(1, 2);
  EXPECT_EQ(ideal.network.describe_waiting(),
            "\n  link of node 0 to node 2: 2 packets\n  link of node 1 to node 2: 1 packets");
  std::vector<PacketSlot> fronts;
  ideal.network.for_each_front([&](PacketSlot slot) { fronts.push_back(slot); });
  EXPECT_EQ(fronts, (std::vector<PacketSlot>{0, 2}));
  ideal.run(10);
  EXPECT_EQ(ideal.network.describe_waiting(), "");
}

}  // namespace
}  // namespace braid::test::ideal_network_test
