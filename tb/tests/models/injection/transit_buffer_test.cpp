// The in-transit buffer of a host by itself where bytes are counted: the mark in cycle 10, detection 44,
// programming 32.
#include "models/injection/transit_buffer.h"

#include <gtest/gtest.h>

#include <vector>

namespace braid::test::transit_buffer_test {
namespace {

using models::RestingPacket;
using models::TransitBuffer;
using models::TransitState;
using models::TransitTimes;

constexpr TransitTimes kTimes{44, 32, true};
constexpr std::uint64_t kMark = 10, kKnown = kMark + 44, kReady = kMark + 76;

class CountingBuffer : public testing::Test {
 protected:
  CountingBuffer() { buffer.take_in(7, kMark, kTimes); }
  /// As if so many cycles were missing; of how many bytes it was asked.
  std::uint64_t look(std::uint64_t cycle, std::uint64_t missing) {
    std::uint64_t asked = 0;
    buffer.look(
        cycle, kTimes,
        [&](const RestingPacket&, std::uint64_t bytes) {
          asked = bytes;
          return missing;
        },
        [](const RestingPacket&) {});
    return asked;
  }
  const RestingPacket& packet() const { return buffer.resting.front(); }
  TransitBuffer buffer;
};

TEST_F(CountingBuffer, AsksInTheCycleBeforeEachStep) {
  EXPECT_EQ(look(kKnown - 2, 0), 0U) << "nothing is asked at N - 1";
  EXPECT_EQ(look(kKnown - 1, 0), 44U) << "at N";
  EXPECT_FALSE(buffer.can_leave(kReady - 1, true)) << "the bytes of programming are not counted yet";
  EXPECT_EQ(look(kReady - 2, 0), 0U);
  EXPECT_EQ(look(kReady - 1, 0), 76U);
  EXPECT_FALSE(buffer.can_leave(kReady - 2, true));
  EXPECT_TRUE(buffer.can_leave(kReady - 1, true));
}

TEST_F(CountingBuffer, PutsOffByWhatIsMissing) {
  look(kKnown - 1, 24);
  EXPECT_EQ(packet().known, kKnown + 24);
  EXPECT_EQ(packet().ready, kReady + 24);
  EXPECT_EQ(buffer.state(kKnown), TransitState::kDetecting);
  EXPECT_EQ(look(kKnown - 1 + 24, 0), 44U);
  EXPECT_EQ(buffer.state(kKnown + 24), TransitState::kProgramming);
  look(kReady - 1 + 24, 5);
  EXPECT_EQ(packet().known, kKnown + 24) << "is known, whatever programming waits for";
  EXPECT_EQ(packet().ready, kReady + 29);
}

/// A link that went down cut it short: its end comes in 60, 17 cycles before its bytes could be there.
TEST_F(CountingBuffer, LooksSoonerWhenTheTailIsHere) {
  look(kKnown - 1, 24);
  EXPECT_TRUE(buffer.tail_came(60, kTimes));
  EXPECT_EQ(packet().look, 60U);
  EXPECT_EQ(packet().known, 61U);
  EXPECT_EQ(packet().ready, 61U + 32);
  look(60, 0);
  EXPECT_EQ(packet().look, 61U + 31);
}

TEST_F(CountingBuffer, IsNotKnownBeforeItsTimeThoughTheTailIsHere) {
  EXPECT_FALSE(buffer.tail_came(kKnown - 2, kTimes));
  EXPECT_EQ(packet().known, kKnown);
  EXPECT_EQ(packet().look, kKnown - 1);
}

TEST(BufferOfTimes, CountsNothing) {
  TransitBuffer buffer;
  buffer.take_in(7, kMark, {44, 32});
  EXPECT_EQ(buffer.resting.front().look, RestingPacket::kNever);
  EXPECT_FALSE(buffer.tail_came(500, {44, 32}));
  EXPECT_TRUE(buffer.can_leave(kReady - 1, true));
}

/// At N - 1 and at N: detection ends in 54, programming in 86. A packet that may leave in 86 begins then, so that it is
/// asked for in 85; whole, or where it need not be.
TEST(BufferOfTimes, GoesFromStateToState) {
  TransitBuffer buffer;
  EXPECT_EQ(buffer.state(kMark), TransitState::kIdle);
  EXPECT_FALSE(buffer.can_leave(1000, true)) << "nothing is there";
  const RestingPacket& packet = buffer.take_in(7, kMark, {44, 32});
  EXPECT_EQ(packet.slot, 7U);
  EXPECT_EQ(packet.here, kMark);
  EXPECT_EQ(packet.known, kKnown);
  EXPECT_EQ(packet.ready, kReady);
  EXPECT_FALSE(packet.is_known || packet.tail_is_here);
  EXPECT_EQ(buffer.state(kMark), TransitState::kDetecting);
  EXPECT_EQ(buffer.state(kKnown - 1), TransitState::kDetecting);
  EXPECT_EQ(buffer.state(kKnown), TransitState::kProgramming);
  EXPECT_EQ(buffer.state(kReady - 1), TransitState::kProgramming);
  EXPECT_EQ(buffer.state(kReady), TransitState::kReady);
  EXPECT_FALSE(buffer.can_leave(kReady - 2, true));
  EXPECT_TRUE(buffer.can_leave(kReady - 1, true));
  EXPECT_FALSE(buffer.can_leave(kReady - 1, false)) << "its tail is not here";
  buffer.tail_came(kReady, {44, 32});
  EXPECT_TRUE(buffer.can_leave(kReady - 1, false));
  buffer.leaving = true;
  EXPECT_FALSE(buffer.can_leave(kReady, true)) << "it leaves already";
  EXPECT_EQ(buffer.state(kReady), TransitState::kSending);
  buffer.left();
  EXPECT_EQ(buffer.state(kReady), TransitState::kIdle);
}

/// Two packets, a cycle apart: each is asked about in its own cycle, the tail is that of the one that came last, and
/// the first one leaves.
TEST(CountingBuffers, TellTheirPacketsApart) {
  TransitBuffer buffer;
  buffer.take_in(7, kMark, kTimes);
  buffer.take_in(8, kMark + 1, kTimes);
  for (const std::uint64_t cycle : {kKnown - 2, kKnown - 1, kKnown, kKnown + 1}) {
    std::vector<models::PacketSlot> asked, moved;
    buffer.look(
        cycle, kTimes,
        [&](const RestingPacket& packet, std::uint64_t) {
          asked.push_back(packet.slot);
          return std::uint64_t{0};
        },
        [&](const RestingPacket& packet) { moved.push_back(packet.slot); });
    std::vector<models::PacketSlot> expected;
    if (cycle == kKnown - 1) expected = {7};
    if (cycle == kKnown) expected = {8};
    EXPECT_EQ(asked, expected) << cycle;
    EXPECT_EQ(moved, expected) << cycle;
  }
  EXPECT_FALSE(buffer.tail_came(kReady, kTimes)) << "no sooner than it would be asked anyway";
  EXPECT_FALSE(buffer.resting[0].tail_is_here);
  EXPECT_TRUE(buffer.resting[1].tail_is_here);
  buffer.leaving = true;
  buffer.left();
  ASSERT_EQ(buffer.resting.size(), 1U);
  EXPECT_EQ(buffer.resting.front().slot, 8U);
  EXPECT_FALSE(buffer.leaving);
}

}  // namespace
}  // namespace braid::test::transit_buffer_test
