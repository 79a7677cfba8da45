// The scheduler of classes by itself: a queue for each, the highest priority first, equals in turn.
#include <gtest/gtest.h>

#include <string>

#include "models/experiment/experiment_reader.h"
#include "models/injection/injection_point.h"
#include "routing/base/checkpoint.h"
#include "tb/tests/support/bench.h"

namespace braid::test::class_scheduler_test {
namespace {

using models::PacketSlot;

/// Three classes: a of no priority, b and c of those given.
struct Classes {
  models::Experiment experiment;
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  std::unique_ptr<models::InjectionScheduler> scheduler;

  Classes(int b, int c)
      : experiment(models::parse_experiment("[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\npriority = " +
                                                std::to_string(b) + "\n[[traffic]]\nname = \"c\"\npriority = " +
                                                std::to_string(c) + "\n[interface]\nscheduler = \"classes\"\n",
                                            "e.toml")),
        scheduler(made()) {}
  std::unique_ptr<models::InjectionScheduler> made() {
    return models::InjectionSchedulerRegistry::instance().make("classes", {store, NodeId{0}, experiment});
  }
  /// Packets of the classes in `letters`; of another workload than synthetic traffic: a capital letter.
  void push(const std::string& letters) {
    for (const char letter : letters) {
      const PacketSlot slot = pool.take();
      store[slot] = models::Packet{};
      const bool other = letter < 'a';
      store[slot].workload = static_cast<std::uint8_t>(other ? 3 : letter - 'a');
      store[slot].traffic_class = static_cast<std::uint8_t>(other ? letter - 'A' : letter - 'a');
      scheduler->push(slot);
    }
  }
  char letter(PacketSlot slot) const {
    return static_cast<char>((store[slot].workload == 3 ? 'A' : 'a') + store[slot].traffic_class);
  }
  std::string all() {
    std::string text;
    while (scheduler->size() > 0) text += letter(scheduler->pop());
    return text;
  }
};

TEST(ClassScheduler, EqualsTakeTurns) {
  Classes c(0, 0);
  c.push("aaabbc");
  EXPECT_EQ(c.scheduler->size(), 6U);
  EXPECT_EQ(c.all(), "bcabaa") << "after the class that has gone last, which is the first";
}

TEST(ClassScheduler, ThePriorityOfAClassGoesFirst) {
  Classes c(1, 2);
  c.push("aabbcc");
  EXPECT_EQ(c.all(), "ccbbaa");
}

/// What is no synthetic traffic has priority 0: beside a of 0 it takes turns, b of 1 goes first.
TEST(ClassScheduler, OthersHaveNoPriority) {
  Classes c(1, 0);
  c.push("aabDD");
  EXPECT_EQ(c.all(), "bDaDa");
}

/// A class whose first packet may not go holds up no other.
TEST(ClassScheduler, WhatMayNotGoIsPassedOver) {
  Classes c(5, 0);
  c.push("abc");
  const auto all_but = [&c](char letter) { return [&c, letter](PacketSlot slot) { return c.letter(slot) != letter; }; };
  ASSERT_TRUE(c.scheduler->select(all_but('b')));
  EXPECT_EQ(c.letter(c.scheduler->pop()), 'c');
  ASSERT_TRUE(c.scheduler->select(all_but('a')));
  EXPECT_EQ(c.letter(c.scheduler->pop()), 'b');
  EXPECT_FALSE(c.scheduler->select(all_but('a')));
  EXPECT_EQ(c.all(), "a");
}

/// Restored as it was; and a number of packets that is not that of its queues is refused.
TEST(ClassScheduler, IsInCheckpoints) {
  Classes c(0, 0);
  c.push("aabbbc");
  (void)c.scheduler->pop();
  Checkpoint saved;
  c.scheduler->checkpoint(saved);
  const auto restored = c.made();
  Checkpoint from(saved.bytes());
  restored->checkpoint(from);
  from.finish();
  EXPECT_EQ(restored->size(), 5U);
  EXPECT_EQ(c.letter(restored->pop()), 'c');
  std::string damaged = saved.bytes();
  --damaged[damaged.size() - 8];  // the last word: how many packets there are
  Checkpoint wrong(damaged);
  EXPECT_THROW(c.made()->checkpoint(wrong), CheckpointError);
}

}  // namespace
}  // namespace braid::test::class_scheduler_test
