// What begins and ends in a PO2 slice's second half, done by hand: what is left in registers, what is counted, and whom
// it tells that a node's queue is empty.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tb/tests/support/po2_middle.h"

namespace braid::test::po2_transfers_test {
namespace {

using models::Experiment;
using models::po2::Buffer;
using models::po2::Port;

constexpr std::size_t kEast = Po2Middle::kEast, kLocal = Po2Middle::kLocal;

/// Router 4 with a packet of 4 flits that node 8 has made, in its buffer 5.
struct Receiving : Po2Middle {
  Buffer& buffer = router.buffers[5];
  models::Packet& packet;

  Receiving() : packet(made()) { buffer.state = Buffer::State::kArriving; }
  models::Packet& made() {
    bench.run(3);
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{8}, NodeId{0}, 4);
    buffer.packet = slice.head(8, kLocal)->packet + 1;
    return slice.shared().store[buffer.packet];
  }
};

TEST(Po2Receiving, TakesThePortAndCountsNothingOverALink) {
  Receiving r;
  r.router.ports[kEast].sent_last = true;
  r.router.ports[kEast].wanted = 1;
  r.slice.begin_receiving(4, kEast, 5, 40);
  const Port& port = r.router.ports[kEast];
  EXPECT_EQ(port.use, Port::Use::kReceiving);
  EXPECT_EQ(port.buffer, 5U);
  EXPECT_FALSE(port.sent_last) << "the far end did";
  EXPECT_EQ(port.waiting_cycles, 40U) << "counted before it is taken";
  EXPECT_EQ((r.router.idle >> kEast) & 1, 0U);
  EXPECT_EQ((r.router.idle >> kLocal) & 1, 1U);
  EXPECT_EQ(r.slice.counters().flits_injected, 0U);
  EXPECT_EQ(r.packet.injected, 0U);
}

/// What goes in from a node is injected then; one that was taken back and goes in again was injected before.
TEST(Po2Receiving, FromANodeIsAnInjection) {
  for (const std::uint64_t before : {0U, 33U}) {
    Receiving r;
    r.packet.injected = before;
    r.bench.network->send_packet(NodeId{4}, NodeId{0}, 4);
    ASSERT_TRUE(r.slice.head(4, kLocal));
    r.slice.begin_receiving(4, kLocal, 5, 40);
    EXPECT_EQ(r.router.ports[kLocal].use, Port::Use::kReceiving);
    EXPECT_EQ(r.slice.counters().flits_injected, 4U);
    EXPECT_EQ(r.packet.injected, before == 0 ? 40U : 33U);
    EXPECT_FALSE(r.slice.head(4, kLocal)) << "it is on its way in";
    EXPECT_EQ(r.slice.queued(4), 1U);
    EXPECT_EQ(r.slice.packets_queued(), 2U) << "node 8's";
    EXPECT_EQ(r.slice.counters().switches + r.slice.counters().misses, 0U) << "of no message";
  }
}

/// The queue's next packet asks from the end of the one before on; a queue that is empty wants its port no more.
TEST(Po2Injection, EndsWithTheNextPacketAtTheFront) {
  Po2Middle m;
  m.bench.run(3);
  for (int i = 0; i < 2; ++i) m.bench.network->send_packet(NodeId{4}, NodeId{0}, 4);
  const models::PacketSlot first = m.slice.head(4, kLocal)->packet;
  for (const std::uint64_t due : {50U, 70U}) {
    m.slice.begin_injection(4, kLocal);
    m.use(kLocal, Port::Use::kReceiving);
    EXPECT_FALSE(m.slice.head(4, kLocal));
    m.slice.end_injection(4, kLocal, due);
    EXPECT_EQ(m.router.ports[kLocal].use, Port::Use::kIdle);
    EXPECT_EQ((m.router.idle >> kLocal) & 1, 1U);
    EXPECT_EQ(m.router.ports[kLocal].wanted, due == 50 ? 1U : 0U);
    if (due == 50) {
      ASSERT_TRUE(m.slice.head(4, kLocal));
      EXPECT_EQ(m.slice.head(4, kLocal)->since, 50U);
      EXPECT_NE(m.slice.head(4, kLocal)->packet, first);
    }
  }
  EXPECT_FALSE(m.slice.head(4, kLocal));
  EXPECT_EQ(m.slice.queued(4), 0U);
}

/// Each class has its own count; a buffer that comes back is free for any.
TEST(Po2Buffers, AreTakenAndGivenBackByClass) {
  Po2Middle m;
  for (const models::po2::PoolClass c : {0, 1, 2}) {
    models::po2::Offer offer;
    offer.packet = 9;
    offer.message = 33;
    offer.vc = 3;
    offer.pool_class = c;
    m.router.buffers[c].since = 99;  // of who was there before
    m.router.buffers[c].candidates = 2;
    EXPECT_EQ(m.slice.take_buffer(4, kEast, offer), c) << "the lowest that is free";
    const Buffer& b = m.router.buffers[c];
    EXPECT_EQ(b.state, Buffer::State::kArriving);
    EXPECT_EQ(b.pool_class, c);
    EXPECT_EQ(b.vc, 3U);
    EXPECT_EQ(b.in_port, PortId{kEast});
    EXPECT_EQ(b.packet, 9U);
    EXPECT_EQ(b.message, 33U);
    EXPECT_EQ(b.since + b.candidates + b.wants, 0U);
    EXPECT_EQ(m.router.use[c], 1U);
    EXPECT_EQ((m.router.free >> c) & 1, 0U);
  }
  EXPECT_EQ(m.router.held(), 3U);
  m.slice.release_buffer(4, 1);
  EXPECT_EQ(m.router.use, (models::po2::PoolUse{1, 0, 1}));
  EXPECT_EQ(m.router.held(), 2U);
  EXPECT_EQ(m.slice.take_buffer(4, kEast, {}), 1U);
  EXPECT_EQ(m.router.use, (models::po2::PoolUse{2, 0, 1}));
}

/// Nodes of the second slice by their numbers in the whole network: when their only packet has left its queue, and
/// where nodes try in vain when a trial is over, for the packet at the front may be another one now.
TEST(Po2Queues, AreToldToBeEmptyByTheirNumber) {
  for (const std::size_t slices : {1U, 2U, 4U}) {
    Bench bench(small_po2(4, 1), slices);
    std::vector<std::size_t> told;
    for (std::size_t s = 0; s < slices; ++s) {
      models::PacketTransport& transport = bench.network->fabric().transport(s);
      EXPECT_TRUE(transport.notify_when_empty([&](std::size_t port) { told.push_back(port); }));
    }
    for (std::size_t n = 0; n < 4; ++n) bench.network->send_packet(NodeId{n}, NodeId{3 - n}, 4);
    bench.network->send_packet(NodeId{2}, NodeId{0}, 4);
    bench.run(7);
    std::sort(told.begin(), told.end());
    EXPECT_EQ(told, (std::vector<std::size_t>{0, 1, 3})) << "in until 7; node 2 has another one";
    bench.run(60);
    std::sort(told.begin(), told.end());
    EXPECT_EQ(told, (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(bench.delivered(), 5U);
  }
}

TEST(Po2Queues, AreLookedAtAgainWhenATrialIsOver) {
  for (const std::size_t slices : {1U, 2U}) {
    Experiment e = small_po2(4, 1);
    e.set("po2.buffers", 1).set("po2.rejection", "tried");
    Bench bench(e, slices);
    std::vector<std::size_t> told;
    for (std::size_t s = 0; s < slices; ++s) {
      bench.network->fabric().transport(s).notify_when_empty([&](std::size_t port) { told.push_back(port); });
    }
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{3}, NodeId{2}, 4);
    bench.run(11);
    EXPECT_TRUE(told.empty()) << "its second packet tries in 7 to 12";
    bench.run(1);
    EXPECT_EQ(told, std::vector<std::size_t>{3});
  }
}

}  // namespace
}  // namespace braid::test::po2_transfers_test
