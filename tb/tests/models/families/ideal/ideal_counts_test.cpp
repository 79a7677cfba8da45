// What the ideal network says of itself while flits are on its links and wait at its nodes: packets and flits that are
// in it, queues, what waits. Counted by hand, cycle by cycle; when flits come: ideal_network_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/families/ideal/fabric.h"

namespace braid::test::ideal_counts_test {
namespace {

using namespace models;

struct Counted final : PacketSink {
  PacketStore store;
  PacketStore::Pool pool{store};
  models::ideal::Fabric network;
  std::vector<PacketSlot> delivered;
  std::uint64_t cycle = 5;

  explicit Counted(const std::vector<std::size_t>& ports, bool queue = false, const NodeBandwidth& bandwidth = {})
      : network(store, ports, {queue}, bandwidth) {
    network.set_sink(0, this);
  }
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot packet) override { delivered.push_back(packet); }
  void sent(std::uint64_t, PacketSlot) override {}
  PacketSlot send(std::size_t from, std::size_t to, std::uint16_t flits, std::size_t port) {
    const PacketSlot slot = pool.take();
    store[slot] = Packet{};
    store[slot].source = NodeId{from};
    store[slot].destination = NodeId{to};
    store[slot].length_flits = flits;
    network.send(port, slot);
    return slot;
  }
  void run() { network.commit(0, cycle++); }
  /// Packets and flits in the network, flits that were sent, and that were taken.
  std::vector<std::uint64_t> counts() const {
    return {network.census().packets, network.census().flits, network.counters().flits_injected,
            network.counters().flits_delivered};
  }
};
using Counts = std::vector<std::uint64_t>;

/// Three flits, each on the link for a cycle; the packet is in the network until its tail is taken.
TEST(IdealCounts, FollowAPacketFlitByFlit) {
  Counted ideal({1, 1});
  EXPECT_EQ(ideal.counts(), (Counts{0, 0, 0, 0}));
  const PacketSlot packet = ideal.send(0, 1, 3, 0);
  EXPECT_EQ(ideal.counts(), (Counts{1, 0, 0, 0}));
  for (const Counts& counts : {Counts{1, 1, 1, 0}, Counts{1, 1, 2, 1}, Counts{1, 1, 3, 2}}) {
    ideal.run();
    EXPECT_EQ(ideal.counts(), counts);
    EXPECT_EQ(ideal.store[packet].injected, 5U) << "with its head";
  }
  ideal.run();
  EXPECT_EQ(ideal.counts(), (Counts{0, 0, 3, 3}));
  EXPECT_EQ(ideal.network.counters().flit_hops, 0U) << "there are no routers";
}

/// Two packets of two flits to node 2, which takes one a cycle: of what waits there only tails are packets' ends.
TEST(IdealCounts, HaveWhatWaitsAtANode) {
  Counted ideal({1, 1, 1}, true);
  ideal.send(0, 2, 2, 0);
  ideal.send(1, 2, 2, 1);
  const std::vector<std::pair<Counts, std::size_t>> expected = {
      {{2, 2, 2, 0}, 0}, {{2, 3, 4, 1}, 1}, {{2, 2, 4, 2}, 2}, {{1, 1, 4, 3}, 1}, {{0, 0, 4, 4}, 0}};
  for (const auto& [counts, held] : expected) {
    ideal.run();
    EXPECT_EQ(ideal.counts(), counts) << "cycle " << ideal.cycle - 1;
    EXPECT_EQ(ideal.network.held(NodeId{2}), held);
    EXPECT_EQ(ideal.network.held(NodeId{0}) + ideal.network.held(NodeId{1}), 0U);
  }
  EXPECT_EQ(ideal.delivered.size(), 2U);
}

/// Packets of one link leave in order, whatever local port of their node they came from, and from that port's queue.
TEST(IdealCounts, HaveEachPortsQueue) {
  Counted ideal({1, 2, 1});  // node 1 has local ports 1 and 2
  const PacketSlot first = ideal.send(1, 2, 1, 2), second = ideal.send(1, 2, 1, 1), third = ideal.send(1, 2, 1, 2);
  const auto queued = [&] {
    std::vector<std::size_t> all;
    for (std::size_t port = 0; port < 4; ++port) all.push_back(ideal.network.queued(port));
    return all;
  };
  using Queued = std::vector<std::size_t>;
  EXPECT_EQ(queued(), (Queued{0, 1, 2, 0}));
  for (const Queued& left : {Queued{0, 1, 1, 0}, Queued{0, 0, 1, 0}, Queued{0, 0, 0, 0}}) {
    ideal.run();
    EXPECT_EQ(queued(), left);
  }
  ideal.run();
  EXPECT_EQ(ideal.delivered, (std::vector<PacketSlot>{first, second, third}));
}

TEST(IdealCounts, NameTheLinksThatHavePacketsAndTheirFirst) {
  Counted ideal({1, 1, 1});
  EXPECT_EQ(ideal.network.describe_waiting(), "");
  const PacketSlot first = ideal.send(2, 0, 2, 2);
  ideal.send(2, 0, 1, 2);
  const PacketSlot other = ideal.send(0, 1, 2, 0);
  EXPECT_EQ(ideal.network.describe_waiting(),
            "\n  link of node 2 to node 0: 2 packets\n  link of node 0 to node 1: 1 packets");
  std::vector<PacketSlot> fronts;
  ideal.network.for_each_front([&](PacketSlot packet) { fronts.push_back(packet); });
  EXPECT_EQ(fronts, (std::vector<PacketSlot>{first, other}));
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  Pairs waiting, on_links;
  ideal.run();
  ideal.run();  // both tails leave
  ideal.network.for_each_waiting_link([&](NodeId from, NodeId to) { waiting.emplace_back(from.value, to.value); });
  ideal.network.for_each_flit_on_links([&](NodeId from, NodeId to) { on_links.emplace_back(from.value, to.value); });
  EXPECT_EQ(waiting, (Pairs{{2, 0}})) << "its second packet";
  EXPECT_EQ(on_links.size(), 2U);
  EXPECT_EQ(ideal.network.describe_waiting(), "\n  link of node 2 to node 0: 1 packets");
}

/// A bound beyond a node's ports bounds nothing; 0 is none; each way has its own.
TEST(IdealCounts, HaveABoundForEachWay) {
  using Flits = std::vector<std::size_t>;
  NodeBandwidth bandwidth;
  bandwidth.packet_injection = 2;
  bandwidth.packet_ejection = 3;
  bandwidth.circuit_injection = bandwidth.circuit_ejection = 1;
  const Counted bounded({1, 2, 3, 4}, false, bandwidth), free({1, 2, 3, 4});
  EXPECT_EQ(bounded.network.sends(), (Flits{1, 2, 2, 2}));
  EXPECT_EQ(bounded.network.receives(), (Flits{1, 2, 3, 3}));
  EXPECT_EQ(bounded.network.ports(), (Flits{1, 2, 3, 4}));
  EXPECT_EQ(free.network.sends(), (Flits{1, 2, 3, 4}));
  EXPECT_EQ(free.network.receives(), (Flits{1, 2, 3, 4}));
}

TEST(IdealCounts, TakeAllThatComesUnlessItQueues) {
  using models::ideal::Fabric;
  for (const std::size_t here : {0U, 1U, 2U, 3U, 5U}) {
    EXPECT_EQ(Fabric::taken_at_once(here, 2, false), here);
    EXPECT_EQ(Fabric::taken_at_once(here, 2, true), here < 2 ? here : 2U);
  }
}

}  // namespace
}  // namespace braid::test::ideal_counts_test
