// Reservations of packets that hold several channels at once, against the drawing in the class's comment and what
// follows from it by hand.
#include "models/tlm/styles/wormhole_channels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>
#include <utility>

namespace braid::test::wormhole_channels_test {
namespace {

using models::ChannelKind;
using models::ChannelTiming;
using models::Passage;
using models::RouterTiming;
using models::RouteStep;
using models::WormholeChannels;

/// Channel 1 leads to channel 2, and that to channel 3; slack buffers stop at 56 flits and go on at 40.
struct Row {
  explicit Row(std::uint32_t wire = 8, std::uint32_t go_flits = 40)
      : wire_cycles(wire), channels(4, [=] {
          RouterTiming routers;
          routers.slack = models::SlackBuffers{56, go_flits};
          return routers;
        }()) {}
  static RouteStep step(models::ChannelIndex channel, ChannelKind kind, std::uint32_t wire = 1,
                        std::uint16_t header = 0) {
    return {channel, kind, 1, static_cast<std::uint16_t>(wire - 1), header};
  }
  /// One that holds a channel from cycle 5 until `free`, and nothing else.
  void block(models::ChannelIndex channel, std::uint64_t free) {
    Passage p = channels.inject(step(channel, ChannelKind::kInjection), 5, {}, static_cast<std::uint32_t>(free - 5));
    channels.arrived(p);
    EXPECT_EQ(p.tail + 1, free);
    EXPECT_EQ(p.moved, 0U);
  }
  /// The packet of the drawing, from cycle 0 on: its first flit is its route's, which the router takes off.
  Passage take(std::uint32_t flits, ChannelKind second = ChannelKind::kLink) {
    Passage p = channels.inject(step(1, ChannelKind::kInjection, 1, 1), 0, {}, flits - 1);
    EXPECT_EQ(p.head, 0U);
    channels.go_on(p, step(2, second, wire_cycles), {1, 24, 0}, flits - 1, 0);
    EXPECT_EQ(p.channel, 2U);
    channels.arrived(p);
    return p;
  }
  /// The first cycle from `from` on in which a channel is free.
  std::uint64_t free(models::ChannelIndex channel, std::uint64_t from) {
    return channels.start({0, from, from, 0}, step(channel, ChannelKind::kLink), {});
  }
  std::uint32_t wire_cycles;
  WormholeChannels channels;
};

TEST(WormholeChannels, HoldChannelsAsDrawn) {
  Row row;
  row.block(2, 110);
  const Passage p = row.take(100);
  EXPECT_EQ(p.head, 134U);
  EXPECT_EQ(p.tail, 232U);
  EXPECT_EQ(p.moved, 0U);
  EXPECT_EQ(row.free(1, 150), 201U) << "its tail leaves in 200";
  EXPECT_EQ(row.free(2, 150), 233U);
  EXPECT_EQ(row.free(3, 150), 150U);
  // The buffer behind channel 1 is its own until its tail has left it: one that comes in 20 asks for channel 3 then.
  Passage other{1, 20, 20, 0};
  row.channels.go_on(other, Row::step(3, ChannelKind::kLink), {}, 10, 0);
  EXPECT_EQ(other.head, 233U);
}

/// Nothing in the way: a flit a cycle on each, a link's latency and the router's cycles apart.
TEST(WormholeChannels, HoldAChannelForItsFlitsWhereNobodyWaits) {
  Row row;
  const Passage p = row.take(100);
  EXPECT_EQ(p.head, 8U + 24);
  EXPECT_EQ(p.tail, 8U + 24 + 98);
  EXPECT_EQ(row.free(1, 50), 100U);
  EXPECT_EQ(row.free(2, 50), 131U);
}

/// 56 flits, and what is on its way when the stop is: 16 of a link of 8 cycles.
TEST(WormholeChannels, APacketThatFitsTheBufferStopsNobody) {
  for (const auto& [flits, free] : {std::pair{72U, 72U}, {73U, 134U + 72 - 32}}) {
    Row row;
    row.block(2, 110);
    const Passage p = row.take(flits);
    EXPECT_EQ(p.tail, 134U + flits - 2) << flits;
    EXPECT_EQ(row.free(1, 60), free) << flits;
  }
}

/// It waits 55 cycles in the buffer's front, or 56, with which the buffer stops its sender.
TEST(WormholeChannels, AWaitFillsTheBufferInAsManyCycles) {
  for (const auto& [begin, free] : {std::pair{39U, 100U}, {40U, 40U + 24 + 98 - 32 + 1}}) {
    Row row;
    row.block(2, begin);
    const Passage p = row.take(100);
    EXPECT_EQ(p.head, begin + 24U);
    EXPECT_EQ(row.free(1, 60), free) << begin;
  }
}

/// Between the two tails are the flits in the buffer and the link; a link's latency at least.
TEST(WormholeChannels, ATailLeavesALinksLatencyBeforeTheNextAtLeast) {
  for (const auto& [wire, go, behind] :
       {std::tuple{8U, 40U, 32U}, {8U, 17U, 9U}, {8U, 16U, 8U}, {8U, 12U, 8U}, {8U, 8U, 8U}, {30U, 40U, 30U}}) {
    Row row(wire, go);
    row.block(2, 200);
    const Passage p = row.take(300);
    EXPECT_EQ(p.tail, 200U + 24 + 298);
    EXPECT_EQ(row.free(1, 10), p.tail - behind + 1) << wire << " " << go;
  }
}

/// Out of an in-transit buffer it stops nobody: the host takes all that comes.
TEST(WormholeChannels, AnInTransitBufferStopsNobody) {
  Row row;
  row.block(2, 110);
  const Passage p = row.take(100, ChannelKind::kReinjection);
  EXPECT_EQ(p.head, 134U);
  EXPECT_EQ(p.tail, 232U);
  EXPECT_EQ(row.free(1, 50), 100U);
}

/// Where a header is taken off and a router takes no time, a tail comes a link's latency behind the one before, not a
/// header earlier: 11 flits in 0 .. 10, ten in 8 .. 18, and none more behind the next link.
TEST(WormholeChannels, ATailDoesNotOvertakeTheOneBefore) {
  Row row;
  Passage p = row.channels.inject(Row::step(1, ChannelKind::kInjection, 1, 2), 0, {}, 9);
  row.channels.go_on(p, Row::step(2, ChannelKind::kLink, 8, 1), {1, 0, 0}, 9, 0);
  row.channels.go_on(p, Row::step(3, ChannelKind::kLink, 8), {1, 0, 0}, 9, 0);
  EXPECT_EQ(p.head, 16U);
  row.channels.arrived(p);
  EXPECT_EQ(p.tail, 10U + 8 + 8);
  EXPECT_EQ(row.free(1, 5), 11U);
  EXPECT_EQ(row.free(2, 10), 19U);
  EXPECT_EQ(row.free(3, 20), 27U);
}

/// A stop goes back from buffer to buffer: 300 flits wait for the third channel until 500, their tail leaves it in 799,
/// the second 32 cycles before and the first 32 cycles before that.
TEST(WormholeChannels, AStopGoesBackOverSeveralChannels) {
  Row row;
  row.block(3, 500);
  Passage p = row.channels.inject(Row::step(1, ChannelKind::kInjection), 0, {}, 300);
  row.channels.go_on(p, Row::step(2, ChannelKind::kLink, 8), {1, 0, 0}, 300, 0);
  row.channels.go_on(p, Row::step(3, ChannelKind::kLink, 8), {1, 0, 0}, 300, 0);
  row.channels.arrived(p);
  EXPECT_EQ(p.head, 500U);
  EXPECT_EQ(p.tail, 799U);
  EXPECT_EQ(row.free(2, 10), 799U - 32 + 1);
  EXPECT_EQ(row.free(1, 10), 799U - 32 - 32 + 1);
}

/// A way's start counts what the head takes to come there: its router's cycles and the wire's beyond the first.
TEST(WormholeChannels, StartWhenTheHeadIsThere) {
  Row row;
  row.block(3, 60);
  const Passage p{2, 20, 40, 0};
  EXPECT_EQ(row.channels.start(p, Row::step(1, ChannelKind::kLink, 5), {3, 7, 9}), 20U + 3 + 4);
  EXPECT_EQ(row.channels.start(p, Row::step(3, ChannelKind::kLink, 5), {3, 7, 9}), 60U);
  const Passage q = row.channels.inject(Row::step(1, ChannelKind::kInjection), 100, {6, 7, 9}, 5);
  EXPECT_EQ(q.channel, 1U);
  EXPECT_EQ(q.head, 100U + 6 + 7);
}

/// What a host sends stands in no router's buffer, of whatever number: a packet out of channel 0 goes on at once.
TEST(WormholeChannels, AHostsPacketStandsInNoBufferBehindIt) {
  Row row;
  row.take(100);
  Passage other{0, 20, 20, 0};
  row.channels.go_on(other, Row::step(3, ChannelKind::kLink), {}, 10, 0);
  EXPECT_EQ(other.head, 20U);
}

/// It comes before a known one on the first channel, by 5 cycles, and before another one on the second, by 3.
TEST(WormholeChannels, AllThatAreMovedBackAreAddedUp) {
  Row row(1);
  for (const auto& [channel, at] : {std::pair{1U, 50U}, {2U, 53U}}) {
    Passage known = row.channels.inject(Row::step(channel, ChannelKind::kInjection), at, {}, 20);
    row.channels.arrived(known);
  }
  Passage p = row.channels.inject(Row::step(1, ChannelKind::kInjection), 40, {}, 15);
  row.channels.go_on(p, Row::step(2, ChannelKind::kLink, 1), {1, 0, 0}, 15, 0);
  EXPECT_EQ(p.head, 41U);
  row.channels.arrived(p);
  EXPECT_EQ(p.moved, 5U + 3) << "50 becomes 55, 53 becomes 56";
  EXPECT_EQ(row.free(1, 50), 75U);
  EXPECT_EQ(row.free(2, 53), 76U);
}

/// Made later, it comes earlier: the one that is known is moved back, and by how much is said.
TEST(WormholeChannels, OneThatComesBeforeAKnownOneMovesItBack) {
  Row row;
  Passage known = row.channels.inject(Row::step(2, ChannelKind::kInjection), 50, {}, 20);
  row.channels.arrived(known);
  Passage p = row.channels.inject(Row::step(2, ChannelKind::kInjection), 40, {}, 15);
  row.channels.arrived(p);
  EXPECT_EQ(p.head, 40U);
  EXPECT_EQ(p.moved, 5U) << "50 becomes 55";
  EXPECT_EQ(row.free(2, 45), 55U) << "behind it, before the known one";
  EXPECT_EQ(row.free(2, 50), 75U);
}

}  // namespace
}  // namespace braid::test::wormhole_channels_test
