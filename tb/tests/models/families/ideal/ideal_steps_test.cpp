// The ideal network part by part, as modules run it (models/stages/ideal): what comes to a node, what it takes of it,
// and what is left for the next cycle. Whole cycles: ideal_counts_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "models/families/ideal/fabric.h"
#include "tb/tests/support/saved.h"

namespace braid::test::ideal_steps_test {
namespace {

using namespace models;
using Numbers = std::vector<std::size_t>;

/// Four nodes of which the last takes two flits a cycle.
struct Ideal final : PacketSink {
  PacketStore store;
  PacketStore::Pool pool{store};
  models::ideal::Fabric network;
  std::vector<PacketSlot> delivered;
  std::vector<std::uint64_t> delivered_in, sent_in;
  std::uint64_t cycle = 5;

  explicit Ideal(bool queue) : network(store, {1, 1, 1, 2}, {queue}) { network.set_sink(0, this); }
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t now, PacketSlot packet) override {
    delivered.push_back(packet);
    delivered_in.push_back(now);
  }
  void sent(std::uint64_t now, PacketSlot) override { sent_in.push_back(now); }
  PacketSlot send(std::size_t from, std::size_t to, std::uint16_t flits = 1) {
    const PacketSlot slot = pool.take();
    store[slot] = Packet{};
    store[slot].source = NodeId{from};
    store[slot].destination = NodeId{to};
    store[slot].length_flits = flits;
    network.send(from, slot);
    return slot;
  }
  void receive_all() {
    for (std::size_t n = 0; n < 4; ++n) network.receive(NodeId{n});
  }
  Numbers coming() const {
    return of_nodes([this](NodeId n) { return network.coming(n); });
  }
  Numbers taking() const {
    return of_nodes([this](NodeId n) { return network.taking(n); });
  }
  Numbers held() const {
    return of_nodes([this](NodeId n) { return network.held(n); });
  }

 private:
  template <class Count>
  static Numbers of_nodes(Count count) {
    Numbers all;
    for (std::size_t n = 0; n < 4; ++n) all.push_back(count(NodeId{n}));
    return all;
  }
};

/// With queues three flits leave for node 3, which takes two of them, and the third one in the next cycle.
TEST(IdealSteps, BringWhatComesAndTakeWhatANodeMay) {
  Ideal ideal(true);
  for (const std::size_t from : {0U, 1U, 2U}) ideal.send(from, 3);
  ideal.network.send_flits(ideal.cycle++);
  EXPECT_EQ(ideal.sent_in, (std::vector<std::uint64_t>{5, 5, 5}));
  EXPECT_EQ(ideal.coming(), (Numbers{0, 0, 0, 0})) << "on links";
  ideal.network.bring();
  EXPECT_EQ(ideal.coming(), (Numbers{0, 0, 0, 3}));
  EXPECT_EQ(ideal.held(), (Numbers{0, 0, 0, 3}));
  ideal.receive_all();
  EXPECT_EQ(ideal.coming(), (Numbers{0, 0, 0, 0})) << "and is counted anew in the next cycle";
  EXPECT_EQ(ideal.taking(), (Numbers{0, 0, 0, 2}));
  ideal.network.deliver(ideal.cycle++);
  EXPECT_EQ(ideal.taking(), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(ideal.held(), (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(ideal.delivered.size(), 2U);
  ideal.network.bring();
  EXPECT_EQ(ideal.coming(), (Numbers{0, 0, 0, 0})) << "nothing has left";
  ideal.receive_all();
  EXPECT_EQ(ideal.taking(), (Numbers{0, 0, 0, 1}));
  ideal.network.deliver(ideal.cycle++);
  EXPECT_EQ(ideal.delivered_in, (std::vector<std::uint64_t>{6, 6, 7}));
  EXPECT_EQ(ideal.network.counters().flits_delivered, 3U);
}

/// Without queues a flit leaves only if its node has room, and what comes is taken at once.
TEST(IdealSteps, TakeAllThatComesWhereNothingWaits) {
  Ideal ideal(false);
  for (const std::size_t from : {0U, 1U, 2U}) ideal.send(from, 3);
  ideal.network.send_flits(ideal.cycle++);
  EXPECT_EQ(ideal.network.census().flits, 2U);
  ideal.network.bring();
  EXPECT_EQ(ideal.coming(), (Numbers{0, 0, 0, 2}));
  EXPECT_EQ(ideal.held(), (Numbers{0, 0, 0, 0}));
  ideal.receive_all();
  EXPECT_EQ(ideal.coming(), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(ideal.taking(), (Numbers{0, 0, 0, 2}));
  ideal.network.deliver(ideal.cycle++);
  EXPECT_EQ(ideal.taking(), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(ideal.delivered.size(), 2U);
  EXPECT_EQ(ideal.network.census().flits, 0U);
}

/// A flit that its node does not take is not handed over, whoever decides that.
TEST(IdealSteps, DeliverWhatIsTakenAlone) {
  Ideal ideal(false);
  ideal.send(0, 1);
  ideal.send(2, 3);
  ideal.network.send_flits(ideal.cycle++);
  ideal.network.bring();
  ideal.network.receive(NodeId{3});
  ideal.network.deliver(ideal.cycle++);
  EXPECT_EQ(ideal.delivered, std::vector<PacketSlot>{1});
}

/// Two links of node 0 and one of node 1: each is named as long as it has packets, each flit while it is on its link.
TEST(IdealSteps, NameLinksAndFlitsOnThem) {
  Ideal ideal(true);
  ideal.send(0, 1, 2);
  ideal.send(0, 3, 1);
  ideal.send(1, 3, 1);
  const auto waiting = [&] {
    Numbers all;
    ideal.network.for_each_waiting_link([&](NodeId from, NodeId to) { all.push_back(10 * from.value + to.value); });
    return all;
  };
  const auto on_links = [&] {
    Numbers all;
    ideal.network.for_each_flit_on_links([&](NodeId from, NodeId to) { all.push_back(10 * from.value + to.value); });
    return all;
  };
  EXPECT_EQ(waiting(), (Numbers{1, 3, 13}));
  EXPECT_EQ(on_links(), Numbers{});
  ideal.network.send_flits(ideal.cycle++);  // links take turns: 0 to 3 comes first, which is all of node 0
  EXPECT_EQ(on_links(), (Numbers{3, 13}));
  EXPECT_EQ(waiting(), Numbers{1});
  ideal.network.bring();
  EXPECT_EQ(on_links(), Numbers{});
}

/// What a node may send or take is not kept from a cycle to the next one, and is in no checkpoint: the same bytes
/// whatever the bandwidth.
TEST(IdealSteps, AreSavedWithoutTheBandwidth) {
  PacketStore store;
  NodeBandwidth narrow;
  narrow.packet_injection = narrow.packet_ejection = 1;
  models::ideal::Fabric one(store, {2, 2}), other(store, {2, 2}, {}, narrow);
  EXPECT_EQ(saved(one), saved(other));
  EXPECT_NE(one.sends(), other.sends());
}

/// Packets go by the pair of their nodes: as many links as pairs that have sent, and a pair's second packet makes none.
TEST(IdealSteps, HaveALinkForEachPairThatSends) {
  Ideal ideal(true);
  const auto bytes = [&] { return saved(ideal.network).size(); };
  ideal.send(0, 1);
  const std::size_t one = bytes();
  ideal.send(1, 0);
  const std::size_t two = bytes();
  ideal.send(0, 1);
  EXPECT_EQ(bytes() - two, 4U + 8U) << "a packet and its port";
  EXPECT_GT(two - one, 4U + 8U) << "the way back is another link";
}

TEST(IdealOptions, QueueNowhereUnlessTheyAreTold) {
  EXPECT_FALSE(models::ideal::Options{}.queue_at_receiver);
  Configuration c;
  EXPECT_FALSE(models::ideal::option_table().read(c).queue_at_receiver);
  c.set("router.queue_at_receiver", true);
  EXPECT_TRUE(models::ideal::option_table().read(c).queue_at_receiver);
}

}  // namespace
}  // namespace braid::test::ideal_steps_test
