// Message schedulers by themselves: which packet of which message goes next (po2-message-scheduling, sections 4 and 5).
#include <gtest/gtest.h>

#include <map>

#include "models/injection_point.h"

namespace braid::test {
namespace {

using namespace models;

struct Desk {
  Experiment experiment;
  PacketStore store;
  PacketStore::Pool pool{store};
  std::unique_ptr<InjectionScheduler> scheduler;

  explicit Desk(const std::string& name, double alpha = 4.0, std::uint32_t clock_limit = 1 << 20) {
    experiment.message.alpha = alpha;
    experiment.message.clock_limit = clock_limit;
    scheduler = InjectionSchedulerRegistry::instance().make(name, {experiment, store, NodeId{0}});
  }
  void message(std::uint32_t id, std::uint32_t packets, bool priority = false) {
    for (std::uint32_t p = 0; p < packets; ++p) {
      const PacketSlot slot = pool.take();
      store[slot] = Packet{};
      store[slot].message = id;
      store[slot].edge_sequence = p;
      store[slot].priority = priority;
      scheduler->push(slot);
    }
  }
  /// Pops `packets` packets: the letters of their messages (message 0 is a), checking the order within each.
  std::string order(std::size_t packets) {
    std::string text;
    for (std::size_t i = 0; i < packets; ++i) text += letter(scheduler->pop());
    return text;
  }
  char letter(PacketSlot slot) {
    const std::uint32_t id = store[slot].message;
    EXPECT_EQ(store[slot].edge_sequence, next_[id]++) << "packets of a message keep their order";
    return static_cast<char>('a' + id % 26);
  }
  void returned(PacketSlot slot) { --next_[store[slot].message]; }

 private:
  std::map<std::uint32_t, std::uint32_t> next_;
};

TEST(AlphaScheduler, WithAlphaZeroIsFifo) {
  Desk desk("alpha", 0.0);
  desk.message(0, 3);
  desk.message(1, 1);
  EXPECT_EQ(desk.order(2), "aa");
  desk.message(2, 1);
  EXPECT_EQ(desk.order(3), "abc");
  EXPECT_EQ(desk.scheduler->size(), 0U);
}

TEST(AlphaScheduler, WeighsAgeAgainstLength) {
  Desk desk("alpha", 1.0);
  desk.message(0, 5);  // 0 + 5
  EXPECT_EQ(desk.order(1), "a");
  desk.message(1, 3);                // 1 + 3 against 0 + 4: equal, the older goes first
  EXPECT_EQ(desk.order(2), "aa");    // a: 0 + 2
  desk.message(2, 1);                // 3 + 1 against 0 + 2
  EXPECT_EQ(desk.order(2), "aa");    // then b: 1 + 3 and c: 3 + 1, b the older
  EXPECT_EQ(desk.order(4), "bbbc");  // b: 1 + 2, ...
}

TEST(AlphaScheduler, LargeAlphaPutsShortMessagesFirst) {
  Desk desk("alpha", 100.0);
  desk.message(0, 25);
  EXPECT_EQ(desk.order(1), "a");
  desk.message(1, 2);
  EXPECT_EQ(desk.order(3), "bba");
}

/// The packet handed down last is a's and has not left; b has the lower priority value, so it preempts.
TEST(AlphaScheduler, PreemptsAndPutsBack) {
  Desk desk("alpha", 4.0);
  desk.message(0, 25);
  const PacketSlot handed = desk.scheduler->pop();
  desk.letter(handed);
  EXPECT_FALSE(desk.scheduler->preempts());
  desk.message(1, 1);  // 1 + 4 against 0 + 100
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  desk.returned(handed);
  EXPECT_EQ(desk.scheduler->size(), 26U);
  EXPECT_EQ(desk.order(3), "baa");
}

TEST(AlphaScheduler, PutsBackAMessagesLastPacket) {
  Desk desk("alpha", 0.5);
  desk.message(0, 4);
  EXPECT_EQ(desk.order(3), "aaa");
  const PacketSlot handed = desk.scheduler->pop();
  desk.message(1, 1, true);  // priority goes before all others
  EXPECT_TRUE(desk.scheduler->preempts());
  desk.scheduler->put_back(handed);
  EXPECT_EQ(desk.order(2), "ba");
}

/// A clock that is scaled back all the time changes nothing as long as no message waits through half its range.
TEST(AlphaScheduler, BoundedClockKeepsTheOrder) {
  Desk bounded("alpha", 2.0, 64), free("alpha", 2.0);
  const auto drive = [](Desk& desk) {
    std::string text;
    std::uint32_t id = 0;
    for (int round = 0; round < 200; ++round) {
      desk.message(id, 1 + (id * 7) % 5);
      ++id;
      text += desk.order(std::min<std::size_t>(desk.scheduler->size() - 1, 3));
    }
    return text;
  };
  EXPECT_EQ(drive(bounded), drive(free));
}

TEST(ShortestFirstScheduler, TakesTheFewestPacketsLeft) {
  Desk desk("shortest_first");
  desk.message(0, 4);
  desk.message(1, 3);
  EXPECT_EQ(desk.order(1), "b");
  desk.message(2, 2);
  EXPECT_EQ(desk.order(8), "bbccaaaa");
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

}  // namespace
}  // namespace braid::test
