// What the tail of a packet changes in an in-transit buffer that counts bytes: the packet is looked at as soon as its
// times allow, and not sooner; and what has been counted stays. The mark in cycle 10, detection 44, programming 32.
#include <gtest/gtest.h>

#include <cstdint>

#include "models/injection/transit_buffer.h"

namespace braid::test::transit_tail_test {
namespace {

using models::RestingPacket;
using models::TransitBuffer;
using models::TransitTimes;

constexpr TransitTimes kTimes{44, 32, true};
constexpr std::uint64_t kKnown = 54, kReady = 86;

class TailOfAPacket : public testing::Test {
 protected:
  TailOfAPacket() { buffer.take_in(7, 10, kTimes); }
  void look(std::uint64_t cycle, std::uint64_t missing) {
    buffer.look(
        cycle, kTimes, [&](const RestingPacket&, std::uint64_t) { return missing; }, [](const RestingPacket&) {});
  }
  const RestingPacket& packet() const { return buffer.resting.front(); }
  TransitBuffer buffer;
};

/// Known in 54, put off by 30 cycles for programming: the tail in 60 says that no more comes, so that it may leave in
/// its own time, in 86, and is looked at in the cycle before.
TEST_F(TailOfAPacket, ThatIsKnownBringsBackItsOwnTime) {
  look(kKnown - 1, 0);
  look(kReady - 1, 30);
  ASSERT_EQ(packet().look, kReady + 29);
  ASSERT_EQ(packet().ready, kReady + 30);
  EXPECT_TRUE(buffer.tail_came(60, kTimes));
  EXPECT_EQ(packet().look, kReady - 1);
  EXPECT_EQ(packet().ready, kReady);
  EXPECT_EQ(packet().known, kKnown) << "that it is known changes no more";
  EXPECT_TRUE(packet().tail_is_here);
}

/// The tail in 100, past its own time: it is looked at at once and may leave in the next cycle.
TEST_F(TailOfAPacket, ThatIsKnownAndLateIsLookedAtAtOnce) {
  look(kKnown - 1, 0);
  look(kReady - 1, 30);
  EXPECT_TRUE(buffer.tail_came(100, kTimes));
  EXPECT_EQ(packet().look, 100U);
  EXPECT_EQ(packet().ready, 101U);
  EXPECT_FALSE(buffer.can_leave(100, true)) << "it is to be looked at";
  look(100, 0);
  EXPECT_EQ(packet().look, RestingPacket::kNever);
  EXPECT_TRUE(buffer.can_leave(100, true));
}

/// In the very cycle in which it is looked at anyway, nothing is sooner.
TEST_F(TailOfAPacket, InTheCycleOfTheLookIsNoSooner) {
  look(kKnown - 1, 0);
  look(kReady - 1, 30);
  EXPECT_FALSE(buffer.tail_came(kReady + 29, kTimes));
  EXPECT_EQ(packet().look, kReady + 29);
  EXPECT_EQ(packet().ready, kReady + 30);
  EXPECT_TRUE(packet().tail_is_here);
}

/// Not known, and put off by 24: the tail in 54 makes it known in 55, and what was put off of programming is taken
/// back.
TEST_F(TailOfAPacket, ThatIsNotKnownIsKnownInTheNextCycle) {
  look(kKnown - 1, 24);
  ASSERT_EQ(packet().known, kKnown + 24);
  EXPECT_TRUE(buffer.tail_came(54, kTimes));
  EXPECT_EQ(packet().look, 54U);
  EXPECT_EQ(packet().known, 55U);
  EXPECT_EQ(packet().ready, 55U + 32);
}

/// Put off twice, it adds up; a look of a packet whose bytes are there puts off nothing.
TEST_F(TailOfAPacket, IsWaitedForAsLongAsBytesAreMissing) {
  look(kKnown - 1, 3);
  look(kKnown + 2, 4);
  EXPECT_EQ(packet().known, kKnown + 7);
  EXPECT_EQ(packet().ready, kReady + 7);
  EXPECT_EQ(packet().look, kKnown + 6);
  EXPECT_FALSE(packet().is_known);
  look(kKnown + 6, 0);
  EXPECT_TRUE(packet().is_known);
  EXPECT_EQ(packet().look, kReady + 6);
}

}  // namespace
}  // namespace braid::test::transit_tail_test
