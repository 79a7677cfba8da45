// Message schedulers by themselves but alpha: which packet of which message goes next (po2-message-scheduling, section
// 5).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/injection/schedulers/keyed_messages.h"
#include "routing/base/checkpoint.h"
#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/desk.h"
#include "tb/tests/support/saved.h"

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

/// ... and new ones of either priority stand before those of their own alone.
TEST(RoundRobinFrontScheduler, AnOrdinaryMessageDoesNotPreemptAPriorityMessage) {
  Desk desk("round_robin_front");
  desk.message(0, 2, true);
  desk.message(1, 2, true);
  PacketSlot handed = desk.scheduler->pop();
  EXPECT_EQ(desk.letter(handed), 'b');
  EXPECT_FALSE(desk.scheduler->preempts()) << "what came before it was taken does not count";
  desk.message(2, 1);
  EXPECT_FALSE(desk.scheduler->preempts());
  desk.message(3, 1, true);
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  desk.returned(handed);
  EXPECT_EQ(desk.order(3), "dba");
  handed = desk.scheduler->pop();
  EXPECT_FALSE(desk.scheduler->preempts());
  desk.message(4, 1, true);
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  EXPECT_EQ(desk.order(4), "ebac");
}

/// A checkpoint that says of a packet which was its message's last that it was not.
TEST(RoundRobinScheduler, APacketThatGoesBackToNoMessageIsRefused) {
  Desk desk("round_robin"), other("round_robin");
  desk.message(0, 1);
  desk.message(1, 1);
  const PacketSlot handed = desk.scheduler->pop();
  Checkpoint saved;
  desk.scheduler->checkpoint(saved);
  std::string bytes = saved.bytes();
  const std::size_t was_last = bytes.size() - 1 - sizeof(std::array<int, 2>);
  ASSERT_EQ(bytes[was_last], 1);
  bytes[was_last] = 0;
  Checkpoint damaged(bytes);
  other.scheduler->checkpoint(damaged);
  damaged.finish();
  EXPECT_EQ(complaint<CheckpointError>([&] { other.scheduler->put_back(handed); }),
            no_such_state("a packet that goes back to no message"));
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

Desk with_pool(const char* name, std::uint32_t packets) { return Desk(name, 4.0, 1 << 20, packets); }

/// Section 5: "may strain a finite buffer pool used to store message data". a and b hold 3 + 2 of 5 packets, so c waits
/// until b has gone, where round robin alone has c third. Of 6, c has its turn.
TEST(MessagePool, KeepsAMessageOfRoundRobinOutWhileThereIsNoRoom) {
  for (const auto& [packets, order] : {std::pair(5U, "ababca"), std::pair(6U, "abcaba"), std::pair(0U, "abcaba")}) {
    Desk desk = with_pool("round_robin", packets);
    desk.message(0, 3);
    desk.message(1, 2);
    desk.message(2, 1);
    EXPECT_EQ(desk.order(6), order) << packets;
  }
}

/// The scheduler orders messages that are outside of the pool, too: c fits beside a, which has begun, and b does not.
TEST(MessagePool, LetsAShortMessageInBesideALongOne) {
  for (const auto& [packets, order] :
       {std::pair(6U, "caaaabbb"), std::pair(8U, "cbbbaaaa"), std::pair(9U, "cbbbaaaa")}) {
    Desk desk = with_pool("shortest_first", packets);
    desk.message(0, 5);
    EXPECT_EQ(desk.order(1), "a");
    desk.message(1, 3);
    desk.message(2, 1);
    EXPECT_EQ(desk.order(8), order) << packets;
  }
}

TEST(MessagePool, HoldsAMessageThatIsLongerThanItAlone) {
  Desk desk = with_pool("round_robin", 2);
  desk.message(0, 3);
  desk.message(1, 1);
  EXPECT_EQ(desk.order(4), "aaab");
}

/// Packets of no message (v) are no message together: each takes room for itself, and gives it back as it leaves. In
/// two places a fills the pool, so that the second one waits for its end; in three there is room beside it.
TEST(MessagePool, HoldsPacketsOfNoMessageOneByOne) {
  for (const auto& [places, order] : {std::pair(2U, "aav"), std::pair(3U, "ava")}) {
    Desk desk = with_pool("round_robin", places), other = with_pool("round_robin", places);
    std::uint32_t packets = 0;
    const auto alone = [&] {
      const PacketSlot slot = desk.pool.take();
      Desk::store[slot] = Packet{};
      Desk::store[slot].tag_sequence = packets++;
      desk.scheduler->push(slot);
    };
    alone();
    desk.message(0, 2);
    alone();
    const PacketSlot first = desk.scheduler->pop();
    desk.scheduler->put_back(first);
    EXPECT_EQ(desk.scheduler->pop(), first);
    EXPECT_EQ(desk.letter(first), 'v');
    restore(*other.scheduler, saved(*desk.scheduler));
    EXPECT_EQ(other.scheduler->size(), 3U);
    EXPECT_EQ(desk.order(3), order) << places;
  }
}

/// a's packet is at the interface; c would go first and finds no room: a goes back and comes again, once.
TEST(MessagePool, DoesNotAskAgainForWhomThereIsNoRoom) {
  Desk desk = with_pool("shortest_first", 5);
  desk.message(0, 5);
  const PacketSlot handed = desk.scheduler->pop();
  EXPECT_FALSE(desk.scheduler->preempts());
  desk.message(1, 1);
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  EXPECT_EQ(desk.scheduler->pop(), handed);
  EXPECT_FALSE(desk.scheduler->preempts());
  desk.message(2, 1);
  EXPECT_TRUE(desk.scheduler->preempts()) << "something new has come";
}

/// b, a message of one packet beside a of four, has been handed out whole and comes back: its room is taken again, so
/// that c, which would go first, must wait for it.
TEST(MessagePool, WhoComesBackTakesItsRoomBesideTheOthers) {
  Desk desk = with_pool("shortest_first", 5);
  desk.message(0, 4);
  EXPECT_EQ(desk.order(1), "a");
  desk.message(1, 1);
  const PacketSlot handed = desk.scheduler->pop();
  EXPECT_EQ(desk.store[handed].message, 1U);
  desk.message(2, 1, true);
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  EXPECT_EQ(desk.order(5), "bcaaa");
}

/// Round robin from a pool, written down a second time: messages in a list, each with what it has and has left.
struct Turns {
  struct Message {
    std::uint32_t id, packets, left;
  };
  std::vector<Message> ring;
  std::uint32_t room;

  char next() {
    std::uint32_t held = 0;
    for (const Message& m : ring) held += m.left < m.packets ? m.packets : 0;
    const auto its = std::find_if(ring.begin(), ring.end(), [&](const Message& m) {
      return room == 0 || held == 0 || m.left < m.packets || held + m.packets <= room;
    });
    Message m = *its;
    ring.erase(its);
    if (--m.left > 0) ring.push_back(m);
    return static_cast<char>('a' + m.id % 26);
  }
};

TEST(MessagePool, TakesMessagesAsItsReferenceDoes) {
  Random random(1, "message pool");
  for (int trial = 0; trial < 300; ++trial) {
    const auto room = static_cast<std::uint32_t>(random.below(12));
    Desk desk = with_pool("round_robin", room);
    Turns reference{{}, room};
    for (std::uint32_t id = 0; id < 40; ++id) {
      const auto packets = static_cast<std::uint32_t>(1 + random.below(6));
      desk.message(id, packets);
      reference.ring.push_back({id, packets, packets});
      for (std::uint64_t n = random.below(6); n > 0 && desk.scheduler->size() > 0; --n) {
        ASSERT_EQ(desk.order(1), std::string(1, reference.next())) << "pool of " << room << ", trial " << trial;
      }
    }
  }
}

}  // namespace
}  // namespace braid::test::message_scheduler_test
