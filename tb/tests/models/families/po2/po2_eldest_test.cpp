// Who is the eldest of the packets that ask for one escape buffer of a PO2 router (docs/po2.md), told from registers
// that are written by hand: the one longest in the network, then longest here, then by router and buffer.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <tuple>

#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_eldest_test {
namespace {

using models::PacketSlot;
using models::po2::Buffer;

/// Router 1 of three in a row, whose escape buffer for packets up a packet in router 0 and one in router 2 ask for.
struct Askers {
  Bench bench{small_po2(3, 1)};
  models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);

  Askers() {
    for (const std::uint32_t r : {0U, 2U}) {
      bench.network->send_packet(NodeId{r}, NodeId{1}, 4);
      std::size_t local = 0;
      while (!slice.head(r, local)) ++local;
      ask(r, 3, slice.head(r, local)->packet);
    }
  }
  PortId to(std::uint32_t r, std::uint32_t other) const {
    std::size_t p = 0;
    const auto port = [&] { return bench.topology.port(RouterId{r}, PortId{p}); };
    while (port().kind != routing::PortKind::kNetwork || port().peer_router != RouterId{other}) ++p;
    return PortId{p};
  }
  void ask(std::uint32_t r, std::uint8_t b, PacketSlot packet) {
    Buffer& buffer = slice.router(r).buffers[b];
    buffer.state = Buffer::State::kWaiting;
    buffer.packet = packet;
    buffer.escaping = true;
    buffer.escape_class = 1;
    buffer.candidates = 1;
    buffer.since = 40;
    slice.candidates(r, b)[0].port = to(r, 1);
    slice.router(r).waiting.push_back(b);
    injected(r, b) = 20;
  }
  Buffer& buffer(std::uint32_t r, std::uint8_t b = 3) { return slice.router(r).buffers[b]; }
  std::uint64_t& injected(std::uint32_t r, std::uint8_t b = 3) {
    return slice.shared().store[buffer(r, b).packet].injected;
  }
  /// The router whose packet in buffer 3 is the eldest. Both cannot be.
  std::uint32_t eldest() const {
    const bool first = slice.is_eldest_asker(0, 3), second = slice.is_eldest_asker(2, 3);
    EXPECT_NE(first, second);
    return first ? 0 : 2;
  }
};

TEST(Po2Eldest, IsThePacketThatIsLongestInTheNetwork) {
  Askers a;
  a.buffer(2).since = 30;  // longer in its router, which counts only among equals
  for (const auto& [of_0, of_2, eldest] : {std::tuple(19, 20, 0U), std::tuple(20, 19, 2U), std::tuple(20, 20, 2U)}) {
    a.injected(0) = static_cast<std::uint64_t>(of_0);
    a.injected(2) = static_cast<std::uint64_t>(of_2);
    EXPECT_EQ(a.eldest(), eldest) << of_0 << " " << of_2;
  }
}

TEST(Po2Eldest, IsThePacketThatIsLongestInItsRouterAmongEquals) {
  Askers a;
  EXPECT_EQ(a.eldest(), 0U) << "the lower router where all is equal";
  a.buffer(0).since = 41;
  EXPECT_EQ(a.eldest(), 2U);
  a.buffer(2).since = 41;
  EXPECT_EQ(a.eldest(), 0U);
}

/// Two packets of one router that came in the same cycle.
TEST(Po2Eldest, IsInTheBufferOfLowerNumberAmongEquals) {
  for (const std::uint8_t other : {2, 4}) {
    Askers a;
    a.ask(0, other, a.buffer(0).packet);
    EXPECT_EQ(a.slice.is_eldest_asker(0, 3), other == 4);
    EXPECT_EQ(a.slice.is_eldest_asker(0, other), other == 2);
    EXPECT_FALSE(a.slice.is_eldest_asker(2, 3));
  }
}

/// An older packet keeps nobody waiting if it does not ask for the same buffer.
TEST(Po2Eldest, IsOneOfThoseThatAskForTheSameBuffer) {
  Askers a;
  a.injected(0) = 1;
  EXPECT_FALSE(a.slice.is_eldest_asker(2, 3));
  a.buffer(0).escape_class = 2;
  EXPECT_TRUE(a.slice.is_eldest_asker(2, 3)) << "it asks for the other direction's";
  EXPECT_TRUE(a.slice.is_eldest_asker(0, 3));
  a.buffer(0).escape_class = 1;
  a.buffer(0).escaping = false;
  EXPECT_TRUE(a.slice.is_eldest_asker(2, 3)) << "it does not escape";
  a.buffer(0).escaping = true;
  a.slice.router(0).waiting.clear();
  EXPECT_TRUE(a.slice.is_eldest_asker(2, 3)) << "it waits no more";
}

/// Of its ways the last one is the escape.
TEST(Po2Eldest, AsksByTheLastOfItsWays) {
  Askers a;
  a.injected(0) = 1;
  a.buffer(0).candidates = 2;
  a.slice.candidates(0, 3)[1].port = PortId{std::size_t{a.to(0, 1).value} + 1};
  EXPECT_TRUE(a.slice.is_eldest_asker(2, 3)) << "another way than to router 1";
  a.slice.candidates(0, 3)[1].port = a.to(0, 1);
  a.slice.candidates(0, 3)[0].port = PortId{std::size_t{a.to(0, 1).value} + 1};
  EXPECT_FALSE(a.slice.is_eldest_asker(2, 3));
}

}  // namespace
}  // namespace braid::test::po2_eldest_test
