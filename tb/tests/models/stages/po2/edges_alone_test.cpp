// Modules of PO2 routers alone at the edges of what they count: the last router of a network, the last way of a packet,
// nodes at the first ports (docs/hardware-view/po2.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include "models/stages/po2/buffer_pool.h"
#include "models/stages/po2/link_controller.h"
#include "models/stages/po2/message_scheduler.h"
#include "tb/tests/models/stages/po2/in_mesh.h"

namespace braid::test::edges_alone_test {
namespace {

using namespace po2_in_mesh;  // NOLINT(google-build-using-namespace)

/// A packet that has as many ways as there can be has those, and none of the next buffer's.
TEST(OfferUnitEntries, AreNotTheNextBuffers) {
  Offers alone(Offers::middle());
  ASSERT_EQ(ways_of(alone), 6U);
  alone.wait(5, 3, kSouth, {kNorth, kWest, kEast, kSouth, kNorth, kWest});
  alone.bench.set("ways_i", 6 * ways_of(alone), kNode + 1, kWayBits);
  alone.idle(1U << kNode);
  alone.bench.run();
  EXPECT_EQ(alone.offered(), 0U);
  alone.idle(1U << kNode | 1U << kWest);
  alone.bench.run();
  EXPECT_EQ(alone.offered(), 1U << kWest);
}

/// The last router of its network: links to the west and to the south.
constexpr std::size_t kLastRouter = 8;

TEST(LastRouterOfTheNetwork, OffersAsTheOthersDo) {
  Po2Stage<OfferUnit> alone(Offers::middle(), kLastRouter);
  StageOnSignals& b = alone.bench;
  for (const unsigned p : {kWest, kSouth, kNode}) b.set("idle_i", p);
  const unsigned ports[] = {kWest, kSouth, kNode};
  for (unsigned i = 0; i < 3; ++i) {
    b.set("waiting_i", i);
    b.set("blocking_i", i);
    b.set("since_i", i, 4 + i, kCycleBits);
    b.set("in_port_i", i, kWest + 1, kWayBits);
    b.set("message_i", i, 30 + i, kMessageBits);
    b.set("ways_i", i * ways_of(alone), ports[i] + 1, kWayBits);
  }
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, 5), 1U << kNode) << "the far pools have no room";
  b.set("far_free_i", 3 * kSouth);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, 5), 1U << kNode | 1U << kSouth);
  b.set("far_free_i", 3 * kWest);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, 5), 1U << kNode | 1U << kSouth | 1U << kWest);
  b.set("queued_i", kNode);
  b.set("head_since_i", kNode, 1, kCycleBits);
  b.set("head_message_i", kNode, 99, kMessageBits);
  b.set("free_i", 0);
  b.run();
  EXPECT_EQ(b.get("inject_o", 0, 5), 1U << kNode) << "the node's has waited longer";
}

TEST(LastRouterOfTheNetwork, HasLinksAsTheOthersHave) {
  Po2Stage<LinkController> alone(small_po2(3, 3), kLastRouter);
  StageOnSignals& b = alone.bench;
  for (const unsigned p : {kWest, kSouth, kNode}) {
    for (const char* port : {"far_grant_i", "grant_i"}) b.set(port, p);
    b.set("offer_flits_i", p, 3, kFlitsBits);
    b.set("in_flits_i", p, 3, kFlitsBits);
    b.set("offer_buffer_i", p, p, kBufferBits);
    b.set("grant_buffer_i", p, 10 + p, kBufferBits);
  }
  b.set("offer_i", kWest);
  b.set("far_offer_i", kSouth);
  b.set("inject_i", kNode);
  for (unsigned cycle = 0; cycle < 7; ++cycle) {
    b.run();
    b.set("offer_i", kWest, 0);
    b.set("far_offer_i", kSouth, 0);
    b.set("inject_i", kNode, 0);
    EXPECT_EQ(b.get("sending_o", 0, 5), cycle < 4 ? 1U << kWest : 0U) << cycle;
    EXPECT_EQ(b.get("receiving_o", 0, 5), (cycle < 4 ? 1U << kSouth : 0U) | (cycle < 5 ? 1U << kNode : 0U)) << cycle;
  }
}

TEST(LastRouterOfTheNetwork, RoutesAsTheOthersDo) {
  Routes alone(small_po2(3, 3), kLastRouter);
  alone.grant(kNode, 4, 6);
  alone.grant(kWest, 5, 8);
  alone.grant(kSouth, 6, 5);
  alone.come();
  EXPECT_EQ(alone.bench.get("waiting_o", 0, 20), 0b1110000U);
  EXPECT_EQ(alone.ports_of(4), "1") << "to the west";
  EXPECT_EQ(alone.ports_of(5), "4") << "here";
  EXPECT_EQ(alone.ports_of(6), "3") << "to the south";
}

TEST(LastRouterOfTheNetwork, HasAPoolAsTheOthersHave) {
  models::Experiment e = small_po2(3, 3);
  e.set("po2.buffers", 2);
  Po2Stage<BufferPool> alone(e, kLastRouter);
  StageOnSignals& b = alone.bench;
  for (const unsigned p : {kWest, kSouth, kNode}) {
    b.set("incoming_i", p);
    b.set("since_i", p, 9 - p, kCycleBits);
    b.set("message_i", p, 7 + p, kMessageBits);
  }
  b.run();
  EXPECT_EQ(b.get("grant_o", 0, 5), 1U << kNode | 1U << kSouth) << "the two that have waited longest";
  EXPECT_EQ(b.get("refused_o", 0, 5), 1U << kWest);
  EXPECT_EQ(b.get("held_o", 0, 2), 2U);
}

/// A switch of a tree has its nodes at its first ports.
TEST(MessageSchedulerEntries, AreThoseOfNodesAtAnyPort) {
  models::Experiment e = small_po2(3, 1);
  e.set("topology.kind", "k_ary_n_tree").set("topology.arity", 2).set("topology.levels", 2);
  Po2Stage<MessageScheduler> alone(e, 1);
  StageOnSignals& b = alone.bench;
  b.run();
  EXPECT_EQ(b.get("queued_o", 0, 4), 0U);
  for (const unsigned p : {0U, 1U}) {
    b.set("arrival_packets_i", p, 1 + p, kArrivalBits);
    b.set("arrival_message_i", p, 60 + p, kMessageBits);
  }
  b.run();
  for (const unsigned p : {0U, 1U}) b.set("arrival_packets_i", p, 0, kArrivalBits);
  EXPECT_EQ(b.get("queued_o", 0, 4), 0b11U);
  for (const unsigned p : {0U, 1U}) {
    EXPECT_EQ(b.get("head_message_o", p, kMessageBits), 60U + p);
    b.set("grant_i", p);
  }
  b.run();
  for (const unsigned p : {0U, 1U}) {
    b.set("grant_i", p, 0);
    b.set("receiving_i", p);
  }
  EXPECT_EQ(b.get("queued_o", 0, 4), 0U);
  b.run(2);
  for (const unsigned p : {0U, 1U}) b.set("receiving_i", p, 0);
  b.run();
  EXPECT_EQ(b.get("queued_o", 0, 4), 0b10U) << "the second node has another";
  EXPECT_EQ(b.get("head_message_o", 1, kMessageBits), 61U);
}

}  // namespace
}  // namespace braid::test::edges_alone_test
