// Which packet a scheduler chooses among those that may go, that a choice is for one packet, and what an injection
// point does with schedulers that choose: with a gate, with room behind it, over an interface that says when it is
// free.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/injection/injection_point.h"
#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/desk.h"
#include "tb/tests/support/saved.h"

namespace braid::test::selection_test {
namespace {

using models::InjectionScheduler;
using models::PacketSlot;

bool all(PacketSlot) { return true; }
bool none(PacketSlot) { return false; }

/// Packets of the messages in `letters` may go.
InjectionScheduler::MayGo only(const Desk& desk, const std::string& letters) {
  return [&desk, letters](PacketSlot slot) {
    return letters.find(static_cast<char>('a' + desk.store[slot].message)) != std::string::npos;
  };
}

/// A choice that came to nothing is no choice: what was chosen before is not taken where nobody may go, and the next
/// packet is that of the scheduler's own order.
TEST(Selection, OfNobodyForgetsTheOneBefore) {
  for (const char* name : {"shortest_first", "alpha"}) {
    Desk desk(name);
    desk.message(0, 1);
    desk.message(1, 3);
    ASSERT_TRUE(desk.scheduler->select(only(desk, "b"))) << name;
    EXPECT_FALSE(desk.scheduler->select(none)) << name;
    EXPECT_EQ(desk.order(4), "abbb") << name;
  }
}

/// It is used up by one packet: the second is again the first of all.
TEST(Selection, IsForOnePacket) {
  for (const auto& [name, next] : {std::pair("round_robin", "a"), std::pair("round_robin_front", "c"),
                                   std::pair("shortest_first", "a"), std::pair("alpha", "a")}) {
    Desk desk(name);
    desk.message(0, 1);
    desk.message(1, 2);
    desk.message(2, 2);
    ASSERT_TRUE(desk.scheduler->select(only(desk, "b"))) << name;
    EXPECT_EQ(desk.order(1), "b") << name;
    EXPECT_EQ(desk.order(1), next) << name;
    EXPECT_EQ(desk.scheduler->size(), 3U);
  }
}

/// Of the messages of priority first, of those the first in turn that may go; else of the others.
TEST(Selection, OfRoundRobinGoesByPriorityThenInTurn) {
  Desk desk("round_robin");
  for (const std::uint32_t id : {0U, 1U, 2U}) desk.message(id, 2);
  for (const std::uint32_t id : {3U, 4U}) desk.message(id, 2, true);
  const auto chosen = [&](const std::string& letters) {
    EXPECT_TRUE(desk.scheduler->select(only(desk, letters))) << letters;
    return desk.order(1);
  };
  EXPECT_EQ(chosen("bcde"), "d");
  EXPECT_EQ(chosen("bcd"), "d") << "behind e, which may not";
  EXPECT_EQ(chosen("bc"), "b");
  EXPECT_EQ(chosen("abc"), "a") << "its turn";
  EXPECT_FALSE(desk.scheduler->select(only(desk, "d"))) << "all of it has gone";
  EXPECT_EQ(desk.scheduler->size(), 6U);
  EXPECT_EQ(desk.order(6), "eecbac");
}

/// Chosen from behind others, and put back: it keeps its place behind them. Of b's two packets the first comes back
/// between a and c.
TEST(Selection, ThatIsPutBackKeepsItsPlace) {
  for (const bool last : {false, true}) {
    Desk desk("round_robin");
    desk.message(0, 2);
    desk.message(1, last ? 1 : 2);
    desk.message(2, 2);
    ASSERT_TRUE(desk.scheduler->select(only(desk, "b")));
    const PacketSlot handed = desk.scheduler->pop();
    EXPECT_EQ(desk.letter(handed), 'b');
    EXPECT_FALSE(desk.scheduler->preempts());
    desk.message(3, 1, true);
    EXPECT_TRUE(desk.scheduler->preempts());
    desk.scheduler->put_back(handed);
    desk.returned(handed);
    EXPECT_EQ(desk.scheduler->size(), last ? 6U : 7U);
    EXPECT_EQ(desk.order(last ? 6 : 7), last ? "dabcac" : "dabcabc");
  }
}

/// ... and messages that came since stand before it where new ones join at the front: e, then b between a and c.
TEST(Selection, ThatIsPutBackStandsBehindWhatHasJoinedAtTheFront) {
  Desk desk("round_robin_front");
  for (const std::uint32_t id : {2U, 1U, 0U}) desk.message(id, 2);
  ASSERT_TRUE(desk.scheduler->select(only(desk, "b")));
  const PacketSlot handed = desk.scheduler->pop();
  EXPECT_EQ(desk.letter(handed), 'b');
  desk.message(4, 1);
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  desk.returned(handed);
  EXPECT_EQ(desk.order(7), "eabcabc");
}

/// Keys of shortest first: who may not go is passed over, whatever its key; a message's packets keep their order.
TEST(Selection, OfShortestFirstIsTheShortestThatMayGo) {
  Desk desk("shortest_first");
  desk.message(0, 1);
  desk.message(1, 2);
  desk.message(2, 3);
  ASSERT_TRUE(desk.scheduler->select(only(desk, "bc")));
  EXPECT_EQ(desk.order(1), "b");
  ASSERT_TRUE(desk.scheduler->select(only(desk, "c")));
  EXPECT_EQ(desk.order(1), "c");
  EXPECT_EQ(desk.order(4), "abcc");
}

// ---------------------------------------------------------------- what a checkpoint may bring

/// The place of the message that has sent: its next packet is one that it has.
TEST(RestoredKeyedMessages, HaveAPacketLeftAndAreAsManyAsTheySay) {
  Desk desk("shortest_first"), other("shortest_first");
  desk.message(0, 3);
  (void)desk.scheduler->pop();
  const std::string bytes = saved(*desk.scheduler), no = "no network is in such a state: ";
  const auto refusal = [&](std::size_t at, char value) {
    std::string damaged = bytes;
    damaged[at] = value;
    return complaint<CheckpointError>([&] { restore(*other.scheduler, damaged); });
  };
  // How many messages, the place of 17 bytes, how many packets, three of them, the next one, then how many wait.
  constexpr std::size_t kNext = 8 + 17 + 8 + 3 * 4, kSize = kNext + 8;
  ASSERT_EQ(bytes[kNext], 1);
  ASSERT_EQ(bytes[kSize], 2);
  EXPECT_EQ(refusal(kNext, 1), "");
  EXPECT_EQ(refusal(kNext, 3), "packet of a message 3, here are 3");
  EXPECT_EQ(refusal(kNext, 2), no + "a queue of another length");
  EXPECT_EQ(refusal(kNext, 0), no + "a queue of another length");
  EXPECT_EQ(refusal(kSize, 3), no + "a queue of another length");
  EXPECT_EQ(refusal(kSize, 1), no + "a queue of another length");
}

/// Slots of packets that are not there, in a queue and in the message that has gone whole.
TEST(RestoredSchedulers, HavePacketsThatAreThere) {
  for (const char* name : {"fifo", "round_robin", "shortest_first"}) {
    for (const bool gone : {false, true}) {
      if (gone && name != std::string("shortest_first")) continue;
      Desk desk(name), other(name);
      const PacketSlot slot = desk.pool.take();
      desk.store[slot] = models::Packet{};
      desk.store[slot].message = 5;
      desk.scheduler->push(slot);
      if (gone) (void)desk.scheduler->pop();
      const std::string bytes = saved(*desk.scheduler);
      const auto refusal = [&](std::uint64_t slots) {
        return complaint<CheckpointError>([&] {
          Checkpoint c(bytes);
          c.set_packets(slots);
          other.scheduler->checkpoint(c);
          c.finish();
        });
      };
      EXPECT_EQ(refusal(std::uint64_t{slot} + 1), "") << name;
      EXPECT_EQ(refusal(slot), here("packet", slot, slot)) << name << gone;
    }
  }
}

// ---------------------------------------------------------------- classes

/// Two classes, a and b, of the same priority.
models::Experiment two_classes() {
  return models::parse_experiment(
      "[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\n[interface]\nscheduler = "
      "\"classes\"\n",
      "e.toml");
}

struct Classes {
  models::Experiment experiment = two_classes();
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  std::unique_ptr<InjectionScheduler> scheduler =
      models::InjectionSchedulerRegistry::instance().make("classes", {store, NodeId{0}, experiment});

  PacketSlot made(std::uint8_t traffic_class) {
    const PacketSlot slot = pool.take();
    store[slot] = models::Packet{};
    store[slot].workload = store[slot].traffic_class = traffic_class;
    return slot;
  }
  void push(const std::string& letters) {
    for (const char letter : letters) scheduler->push(made(static_cast<std::uint8_t>(letter - 'a')));
  }
  char pop() { return static_cast<char>('a' + store[scheduler->pop()].traffic_class); }
  InjectionScheduler::MayGo may(char letter) const {
    return [this, letter](PacketSlot slot) { return store[slot].traffic_class == letter - 'a'; };
  }
};

/// It selects, and only for the next packet; nobody is chosen where nobody may go.
TEST(ClassSelection, IsForOnePacketAndOfNobodyNone) {
  Classes c;
  EXPECT_TRUE(c.scheduler->selects());
  EXPECT_FALSE(c.scheduler->select(all)) << "there are none";
  c.push("aab");
  ASSERT_TRUE(c.scheduler->select(c.may('a')));
  EXPECT_FALSE(c.scheduler->select(none)) << "the choice before is forgotten";
  EXPECT_EQ(c.pop(), 'b') << "a's turn was the last";
  ASSERT_TRUE(c.scheduler->select(c.may('a')));
  EXPECT_EQ(c.pop(), 'a');
  EXPECT_FALSE(c.scheduler->select(c.may('b')));
  EXPECT_EQ(c.pop(), 'a');
  EXPECT_EQ(c.scheduler->size(), 0U);
}

/// Without a packet yet there are no queues; of two the last to send is one of them.
TEST(ClassSelection, OfACheckpointIsOfQueuesThatAreThere) {
  Classes empty, again, c;
  EXPECT_EQ(complaint<CheckpointError>([&] { restore(*again.scheduler, saved(*empty.scheduler)); }), "");
  EXPECT_EQ(again.scheduler->size(), 0U);
  c.push("ab");
  const std::string bytes = saved(*c.scheduler);
  const auto refusal = [&](std::string damaged, std::uint8_t last) {
    damaged[damaged.size() - 16] = static_cast<char>(last);  // before how many there are
    Classes other;
    return complaint<CheckpointError>([&] { restore(*other.scheduler, damaged); });
  };
  EXPECT_EQ(refusal(bytes, 1), "");
  EXPECT_EQ(refusal(bytes, 2), "class of traffic 2, here are 2");
  EXPECT_EQ(refusal(saved(*empty.scheduler), 0), "");
  EXPECT_EQ(refusal(saved(*empty.scheduler), 1), "class of traffic 1, here are 1");
}

}  // namespace
}  // namespace braid::test::selection_test
