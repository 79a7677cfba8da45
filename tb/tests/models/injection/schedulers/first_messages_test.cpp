// Message schedulers before their first packet has gone and after their last: nothing preempts what has not gone,
// clocks begin at nothing, and a pool holds nobody's data.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/injection/schedulers/keyed_messages.h"
#include "models/injection/schedulers/message_pool.h"
#include "tb/tests/support/desk.h"

namespace braid::test::first_messages_test {
namespace {

using models::KeyedMessages;
using models::MessagePool;
using models::PacketSlot;

/// With alpha 0 the keys of all messages are the clock's: neither the first nor a second one would go before a packet
/// that has not gone.
TEST(FirstMessages, PreemptNothing) {
  for (const double alpha : {0.0, 4.0}) {
    Desk desk("alpha", alpha);
    desk.message(0, 1);
    EXPECT_FALSE(desk.scheduler->preempts()) << alpha;
    desk.message(1, 1);
    EXPECT_FALSE(desk.scheduler->preempts()) << alpha;
  }
  for (const char* name : {"shortest_first", "round_robin", "fifo"}) {
    Desk desk(name);
    desk.message(0, 2);
    desk.message(1, 1);
    EXPECT_FALSE(desk.scheduler->preempts()) << name;
  }
}

/// A priority message would go before whatever stands on the way out, and nothing of priority does.
TEST(FirstMessages, OfPriorityWouldPreemptOthers) {
  Desk desk("round_robin");
  desk.message(0, 2);
  desk.message(1, 2, true);
  EXPECT_TRUE(desk.scheduler->preempts());
  EXPECT_EQ(desk.order(1), "b");
  EXPECT_FALSE(desk.scheduler->preempts()) << "b itself stands there";
  EXPECT_EQ(desk.order(3), "baa");
  for (const char* name : {"shortest_first", "alpha"}) {
    Desk keyed(name);
    keyed.message(0, 2);
    keyed.message(1, 2, true);
    EXPECT_TRUE(keyed.scheduler->preempts()) << name;
    Desk alone(name);
    alone.message(0, 2, true);
    EXPECT_FALSE(alone.scheduler->preempts()) << name << ": the first of all";
  }
}

/// The clock counts packets that have gone, in 1/256, from nothing on, and is nothing again when all have gone; one
/// that is put back has not gone.
TEST(FirstMessages, SetTheClockGoing) {
  Desk desk("alpha", 1.0);
  const auto& keyed = dynamic_cast<const KeyedMessages&>(*desk.scheduler);
  EXPECT_EQ(keyed.clock(), 0);
  desk.message(0, 4);
  EXPECT_EQ(keyed.clock(), 0);
  EXPECT_EQ(desk.order(2), "aa");
  EXPECT_EQ(keyed.clock(), 2 * 256);
  const PacketSlot handed = desk.scheduler->pop();
  EXPECT_EQ(keyed.clock(), 3 * 256);
  desk.scheduler->put_back(handed);
  EXPECT_EQ(keyed.clock(), 2 * 256);
  EXPECT_EQ(desk.order(2), "aa");
  EXPECT_EQ(keyed.clock(), 0) << "the queue is empty";
}

/// Of a limit of four packets the fourth brings the clock back by two.
TEST(FirstMessages, ReachTheClocksLimit) {
  Desk desk("alpha", 1.0, 4);
  const auto& keyed = dynamic_cast<const KeyedMessages&>(*desk.scheduler);
  desk.message(0, 20);
  EXPECT_EQ(desk.order(3), "aaa");
  EXPECT_EQ(keyed.clock(), 3 * 256);
  EXPECT_EQ(desk.order(1), "a");
  EXPECT_EQ(keyed.clock(), 2 * 256);
  EXPECT_EQ(desk.order(1), "a");
  EXPECT_EQ(keyed.clock(), 3 * 256);
}

/// Shortest first has no clock.
TEST(FirstMessages, OfShortestFirstHaveNoClock) {
  Desk desk("shortest_first");
  const auto& keyed = dynamic_cast<const KeyedMessages&>(*desk.scheduler);
  desk.message(0, 5);
  EXPECT_EQ(desk.order(3), "aaa");
  EXPECT_EQ(keyed.clock(), 0);
}

/// Alpha is kept in 1/256 of a packet, rounded: 0.5 and 0.5019 are 128 of them, 0.503 is 129. a came a packet's time
/// before b and has two packets more: it goes first where these count no more than a packet.
TEST(FirstMessages, AreWeighedIn256ths) {
  for (const auto& [alpha, order] : {std::pair(0.5, "aaab"), std::pair(0.5019, "aaab"), std::pair(0.503, "baaa")}) {
    Desk desk("alpha", alpha);
    desk.message(9, 1);
    desk.message(0, 3);
    EXPECT_EQ(desk.scheduler->size(), 4U);
    const PacketSlot first = desk.scheduler->pop();
    EXPECT_EQ(desk.letter(first), 'j') << "the shortest of one time";
    desk.message(1, 1);
    std::string text;
    for (int i = 0; i < 4; ++i) text += desk.letter(desk.scheduler->pop());
    EXPECT_EQ(text, order) << alpha;
  }
}

/// Room for all of a message from its first packet to its last; a message that has not begun takes none.
TEST(FirstMessages, TakeRoomInThePoolWhenTheyBegin) {
  Desk desk("round_robin", 4.0, 1 << 20, 5);
  const auto& pool = dynamic_cast<const MessagePool&>(*desk.scheduler);
  EXPECT_EQ(pool.held(), 0U);
  desk.message(0, 3);
  desk.message(1, 2);
  EXPECT_EQ(pool.held(), 0U);
  EXPECT_EQ(desk.order(1), "a");
  EXPECT_EQ(pool.held(), 3U);
  EXPECT_EQ(desk.order(1), "b");
  EXPECT_EQ(pool.held(), 5U);
  EXPECT_EQ(desk.order(2), "ab");
  EXPECT_EQ(pool.held(), 3U) << "b has gone";
  const PacketSlot last = desk.scheduler->pop();
  EXPECT_EQ(pool.held(), 0U);
  desk.scheduler->put_back(last);
  EXPECT_EQ(pool.held(), 3U) << "its last packet is back";
  EXPECT_EQ(desk.scheduler->size(), 1U);
}

/// Without a bound there is no pool.
TEST(FirstMessages, NeedNoPoolWithoutABound) {
  EXPECT_EQ(dynamic_cast<MessagePool*>(Desk("round_robin", 4.0, 1 << 20, 0).scheduler.get()), nullptr);
  EXPECT_NE(dynamic_cast<MessagePool*>(Desk("round_robin", 4.0, 1 << 20, 1).scheduler.get()), nullptr);
}

/// A packet was put back once, came again in vain, and has gone. Its slot is taken by the second packet of d, which
/// goes while e, of one packet, finds no room: whether e would go before it has not been asked yet.
TEST(FirstMessages, InASlotThatWasPutBackAreOthers) {
  Desk desk("shortest_first", 4.0, 1 << 20, 5);
  desk.message(0, 5);
  const PacketSlot slot = desk.scheduler->pop();
  desk.message(1, 1);
  desk.scheduler->put_back(slot);
  ASSERT_EQ(desk.scheduler->pop(), slot);
  EXPECT_FALSE(desk.scheduler->preempts()) << "in vain";
  for (int i = 0; i < 5; ++i) (void)desk.scheduler->pop();
  ASSERT_EQ(desk.scheduler->size(), 0U);
  desk.message(3, 1);
  desk.store[slot].message = 3;
  desk.scheduler->push(slot);
  for (int i = 0; i < 3; ++i) {
    const PacketSlot more = desk.pool.take();
    desk.store[more] = models::Packet{};
    desk.store[more].message = 3;
    desk.scheduler->push(more);
  }
  (void)desk.scheduler->pop();
  desk.message(4, 1);
  ASSERT_EQ(desk.scheduler->pop(), slot);
  EXPECT_TRUE(desk.scheduler->preempts());
}

}  // namespace
}  // namespace braid::test::first_messages_test
