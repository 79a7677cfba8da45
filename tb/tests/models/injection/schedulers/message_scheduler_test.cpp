// Message schedulers by themselves but alpha: which packet of which message goes next (po2-message-scheduling, section
// 5).
#include <gtest/gtest.h>

#include <algorithm>

#include "models/injection/schedulers/keyed_messages.h"
#include "routing/base/random.h"
#include "tb/tests/support/desk.h"

namespace braid::test::message_scheduler_test {
namespace {

using namespace models;

TEST(ShortestFirstScheduler, TakesTheFewestPacketsLeft) {
  Desk desk("shortest_first");
  desk.message(0, 4);
  desk.message(1, 3);
  EXPECT_EQ(desk.order(1), "b");
  desk.message(2, 2);
  EXPECT_EQ(desk.order(8), "bbccaaaa");
}

/// Section 4: a finite alpha "will not allow any application to be delayed indefinitely", infinity does.
TEST(ShortestFirstScheduler, LetsALongMessageStarveAndAlphaDoesNot) {
  for (const char* name : {"shortest_first", "alpha"}) {
    Desk desk(name, 100.0);
    desk.message(0, 25);
    std::size_t sent_of_long = 0;
    for (std::uint32_t id = 1; id <= 5000; ++id) {
      desk.message(id, 1);
      sent_of_long += desk.store[desk.scheduler->pop()].message == 0 ? 1 : 0;
    }
    EXPECT_EQ(sent_of_long, std::string(name) == "alpha" ? 25U : 0U) << name;
  }
}

TEST(RoundRobinScheduler, TakesMessagesInTurn) {
  Desk desk("round_robin");
  desk.message(0, 3);
  desk.message(1, 2);
  EXPECT_EQ(desk.order(1), "a");
  desk.message(2, 1);
  EXPECT_EQ(desk.order(5), "bacba");
}

TEST(RoundRobinFrontScheduler, LetsAOnePacketMessageOutAtOnce) {
  Desk desk("round_robin_front");
  desk.message(0, 3);
  desk.message(1, 2);
  EXPECT_EQ(desk.order(1), "b");
  const PacketSlot handed = desk.scheduler->pop();
  EXPECT_EQ(desk.letter(handed), 'a');
  desk.message(2, 1);
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  desk.returned(handed);
  EXPECT_EQ(desk.order(5), "cabaa");
}

TEST(RoundRobinScheduler, ServesPriorityMessagesFirst) {
  Desk desk("round_robin");
  desk.message(0, 2);
  desk.message(1, 2, true);
  desk.message(2, 1);
  EXPECT_EQ(desk.order(5), "bbaca");
}

/// While a packet waits at the interface, messages come. It is put back exactly when another would now go before it,
/// and then everything leaves as if it had never been taken out.
TEST(EveryScheduler, PutsBackAsIfThePacketHadNeverBeenTakenOut) {
  Random random(1, "put back");
  for (const char* name : {"fifo", "round_robin", "round_robin_front", "shortest_first"}) {
    int preempted = 0;
    for (int trial = 0; trial < 300; ++trial) {
      Desk still(name), taken(name);
      std::uint32_t id = 0;
      const auto messages = [&](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint32_t packets = 1 + static_cast<std::uint32_t>(random.below(4));
          const bool priority = random.below(4) == 0;
          for (Desk* desk : {&still, &taken}) desk->message(id, packets, priority);
          ++id;
        }
      };
      messages(1 + random.below(4));
      const std::uint64_t before = random.below(still.scheduler->size());
      ASSERT_EQ(still.order(before), taken.order(before));
      const PacketSlot packet = taken.scheduler->pop();
      messages(random.below(4));
      if (!taken.scheduler->preempts()) {
        ASSERT_EQ(still.store[still.scheduler->pop()].message, taken.store[packet].message) << name << " " << trial;
        continue;
      }
      ++preempted;
      taken.scheduler->put_back(packet);
      ASSERT_EQ(still.scheduler->size(), taken.scheduler->size());
      const std::size_t left = still.scheduler->size();
      const std::string order = still.order(left);
      ASSERT_EQ(order, taken.order(left)) << name << ", trial " << trial;
      ASSERT_NE(order[0], static_cast<char>('a' + taken.store[packet].message)) << name << ", trial " << trial;
    }
    EXPECT_EQ(preempted > 30, std::string(name) != "fifo") << name << " " << preempted;
  }
}

/// Section 5: the variant "allows a few applications generating many short messages to indefinitely starve a long
/// message"; round robin does not.
TEST(RoundRobinFrontScheduler, LetsShortMessagesStarveALongOne) {
  for (const bool at_front : {true, false}) {
    Desk desk(at_front ? "round_robin_front" : "round_robin");
    desk.message(0, 5);
    int sent_of_long = 0;
    for (std::uint32_t id = 1; id <= 1000; ++id) {
      desk.message(id, 1);
      sent_of_long += desk.store[desk.scheduler->pop()].message == 0 ? 1 : 0;
    }
    EXPECT_EQ(sent_of_long, at_front ? 0 : 5);
  }
}

/// Section 5: interleaving a short message with a long one "delays the short message by about a factor of two without
/// changing the latency of the longer message".
TEST(RoundRobinScheduler, DelaysAShortMessageByTwoBesideALongOne) {
  for (std::uint32_t packets = 1; packets <= 5; ++packets) {
    Desk desk("round_robin");
    desk.message(0, 25);
    desk.message(1, packets);
    const std::string order = desk.order(25 + packets);
    EXPECT_EQ(order.rfind('b') + 1, 2 * packets);
    EXPECT_EQ(order.rfind('a') + 1, 25 + packets) << "as late as if it had waited for the short one";
  }
}

}  // namespace
}  // namespace braid::test::message_scheduler_test
