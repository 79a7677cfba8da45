// The source queues of PO2 nodes by themselves: what is at their head and since when it asks, what is taken back, what
// their ports count. Pools are filled by hand, so that nothing leaves.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_queue_test {
namespace {

using models::PacketSlot;
using models::po2::Port;
using models::po2::Slice;

/// Three nodes in a row; the pool of router 1 takes nothing until it is opened.
struct Shut {
  Bench bench{small_po2(3, 1)};
  Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  std::size_t local = local_of(1);

  Shut() { slice.router(1).use = {20, 0, 0}; }
  void open() {
    slice.router(1).use = {0, 0, 0};
    slice.wake(1);
  }
  std::size_t local_of(std::size_t r) const {
    std::size_t p = 0;
    while (bench.topology.port(RouterId{r}, PortId{p}).kind != routing::PortKind::kLocal) ++p;
    return p;
  }
  void send() const { bench.network->send_packet(NodeId{1}, NodeId{2}, 4); }
  std::optional<Slice::Head> head() const { return slice.head(1, local); }
  Port port() const { return Slice::counted(slice.router(1).ports[local], bench.network->now()); }
};

TEST(Po2Queue, HasAHeadThatAsksSinceItCameToTheFront) {
  Shut s;
  EXPECT_FALSE(s.head());
  s.bench.run(6);
  s.send();
  ASSERT_TRUE(s.head());
  const PacketSlot first = s.head()->packet;
  EXPECT_EQ(s.head()->since, 6U);
  s.bench.run(4);
  s.send();
  EXPECT_EQ(s.head()->packet, first);
  EXPECT_EQ(s.head()->since, 6U) << "whatever comes behind it";
  for (std::size_t p = 0; p < s.slice.router(1).ports.size(); ++p) {
    if (p == s.local) continue;
    EXPECT_FALSE(s.slice.head(1, p)) << "of a link there is none";
  }
  EXPECT_FALSE(s.slice.head(0, s.local_of(0))) << "of another node, neither";
  s.open();
  s.bench.run(1);
  EXPECT_FALSE(s.head()) << "it is going in";
  s.bench.run(6);  // 3 + 4: from 10 to 17
  ASSERT_TRUE(s.head());
  EXPECT_NE(s.head()->packet, first);
  EXPECT_EQ(s.head()->since, 17U) << "not since it was made";
}

/// The queue counts as one that wants the port, however many wait in it.
TEST(Po2Queue, WantsItsPortWhileAnythingIsInIt) {
  Shut s;
  EXPECT_EQ(s.port().wanted, 0U);
  s.bench.run(5);
  s.send();
  s.send();
  EXPECT_EQ(s.port().wanted, 1U);
  EXPECT_EQ(s.slice.queued(1), 2U);
  EXPECT_EQ(s.slice.queued(0) + s.slice.queued(2), 0U);
  EXPECT_EQ(s.slice.packets_queued(), 2U);
  s.bench.run(10);
  EXPECT_EQ(s.port().waiting_cycles, 10U) << "from 5 to 15";
  EXPECT_EQ(s.port().busy_cycles, 0U);
  s.open();
  s.bench.run(1);
  EXPECT_EQ(s.slice.queued(1), 2U) << "the first is on its way in";
  EXPECT_EQ(s.slice.packets_queued(), 1U);
  EXPECT_EQ(s.port().busy_cycles, 1U);
  EXPECT_EQ(s.port().waiting_cycles, 10U);
}

/// The packet that takes the place of one that was taken back asks since that one did; not so one that comes behind
/// others, or after a packet has gone.
TEST(Po2Recall, LeavesItsPlaceToThePacketThatComesInstead) {
  Shut s;
  s.bench.run(6);
  s.send();
  const PacketSlot first = s.head()->packet;
  s.bench.run(4);
  EXPECT_EQ(s.slice.recall(1), first);
  EXPECT_FALSE(s.head());
  EXPECT_EQ(s.port().wanted, 0U);
  EXPECT_EQ(s.port().waiting_cycles, 4U);
  EXPECT_EQ(s.slice.packets_queued(), 0U);
  s.bench.run(3);
  EXPECT_EQ(s.port().waiting_cycles, 4U) << "nobody wants it";
  s.send();
  EXPECT_EQ(s.head()->since, 6U);
  EXPECT_EQ(s.port().wanted, 1U);
  s.send();
  const PacketSlot second = s.head()->packet;
  EXPECT_EQ(s.slice.recall(1), second) << "the first one of two";
  EXPECT_EQ(s.port().wanted, 1U) << "the other one is there";
  ASSERT_TRUE(s.head());
  EXPECT_NE(s.head()->packet, second);
  EXPECT_TRUE(s.slice.recall(1));
  EXPECT_EQ(s.port().wanted, 0U);
  EXPECT_FALSE(s.slice.recall(1)) << "nothing is left";
  EXPECT_EQ(s.port().wanted, 0U);
}

/// After one replacement the next packet of an empty queue asks since it came.
TEST(Po2Recall, IsForgottenWithThePacketThatCameInstead) {
  Shut s;
  s.send();
  EXPECT_TRUE(s.slice.recall(1));
  s.bench.run(2);
  s.send();
  EXPECT_EQ(s.head()->since, 0U);
  s.open();
  s.bench.run(50);
  EXPECT_EQ(s.bench.delivered(), 1U);
  s.send();
  EXPECT_EQ(s.head()->since, 52U);
}

TEST(Po2Queue, IsReplacedByTheHeadThatIsSet) {
  Shut s;
  s.send();
  s.send();
  const PacketSlot packet = s.head()->packet;
  s.slice.set_head(1, s.local, Slice::Head{packet, 77});
  EXPECT_EQ(s.slice.queued(1), 1U);
  EXPECT_EQ(s.head()->packet, packet);
  EXPECT_EQ(s.head()->since, 77U);
  EXPECT_EQ(s.port().wanted, 1U);
  s.slice.set_head(1, s.local, std::nullopt);
  EXPECT_EQ(s.slice.queued(1), 0U);
  EXPECT_EQ(s.port().wanted, 0U);
  s.slice.set_head(1, s.local, std::nullopt);
  EXPECT_EQ(s.port().wanted, 0U) << "as before";
  s.slice.set_head(1, s.local, Slice::Head{packet, 78});
  EXPECT_EQ(s.port().wanted, 1U);
  EXPECT_EQ(s.head()->since, 78U);
}

/// Asked in the cycle in which a packet goes in: what is free for a packet is the buffer of lowest number.
TEST(Po2Pool, GivesItsBufferOfLowestNumber) {
  Shut s;
  s.open();
  models::po2::Router& router = s.slice.router(1);
  router.free &= ~std::uint64_t{0b1011};
  s.send();
  s.bench.run(1);
  EXPECT_EQ(router.ports[s.local].buffer, 2U);
  EXPECT_EQ((router.free >> 2) & 1, 0U);
  EXPECT_EQ((router.free >> 4) & 1, 1U);
  EXPECT_EQ(router.use, (models::po2::PoolUse{1, 0, 0}));
  const models::po2::Buffer& buffer = router.buffers[2];
  EXPECT_EQ(buffer.state, models::po2::Buffer::State::kArriving);
  EXPECT_EQ(buffer.in_port, PortId{s.local});
  EXPECT_EQ(buffer.since + buffer.wants + buffer.candidates, 0U);
  s.slice.release_buffer(1, 2);
  EXPECT_EQ(router.use, (models::po2::PoolUse{0, 0, 0}));
  EXPECT_EQ((router.free >> 2) & 1, 1U);
  EXPECT_EQ(buffer.state, models::po2::Buffer::State::kFree);
}

}  // namespace
}  // namespace braid::test::po2_queue_test
