// Alpha scheduling by itself: which packet of which message goes next (po2-message-scheduling, section 4).
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/injection/schedulers/keyed_messages.h"
#include "routing/base/random.h"
#include "tb/tests/support/desk.h"

namespace braid::test::alpha_scheduler_test {
namespace {

using namespace models;

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

/// Priority messages keep a long message a (key 3) and a later short one b (key 1) waiting for more than the clock's
/// range of 4: both keys end at its lower end, where the older goes first. Within the range b goes first.
TEST(AlphaScheduler, MessagesThatWaitBeyondTheRangeGoByAge) {
  for (const auto& [waits, order] : {std::pair(2U, "baaa"), std::pair(40U, "aaab")}) {
    Desk desk("alpha", 1.0, 4);
    desk.message(0, 3);
    desk.message(1, 1);
    desk.message(2, waits, true);
    EXPECT_EQ(desk.order(waits), std::string(waits, 'c'));
    EXPECT_EQ(desk.order(4), order) << waits;
  }
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

/// Before the first packet has gone there is none to put back, whatever comes.
TEST(AlphaScheduler, PreemptsNothingBeforeAPacketHasGone) {
  for (const char* name : {"alpha", "shortest_first"}) {
    for (const bool priority : {false, true}) {
      Desk desk(name);
      EXPECT_FALSE(desk.scheduler->preempts());
      desk.message(0, 2, priority);
      EXPECT_FALSE(desk.scheduler->preempts()) << name << priority;
    }
  }
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

/// A message of 25 waits while two scalings of the clock pass, then goes: its key falls by alpha with each packet, far
/// below what the clock was scaled back to, and it keeps its turn.
TEST(AlphaScheduler, LongMessageKeepsItsTurnAcrossTheClocksLimit) {
  Desk desk("alpha", 4.0, 64);
  desk.message(0, 25);  // 0 + 100
  const auto sent = [&desk] { return desk.store[desk.scheduler->pop()].message; };
  std::uint32_t clock = 0;
  for (; clock + 4 < 100; ++clock) {
    desk.message(clock + 1, 1);
    ASSERT_EQ(sent(), clock + 1) << "clock " << clock;
  }
  for (; clock < 96 + 25; ++clock) {
    desk.message(clock + 1, 1);
    ASSERT_EQ(sent(), 0U) << "clock " << clock;
  }
}

/// c + alpha l by definition: the clock counts for ever, every message is looked at.
class UnboundedAlpha {
 public:
  explicit UnboundedAlpha(double alpha) : alpha_(alpha) {}
  void message(std::uint32_t id, std::uint32_t packets, bool priority) {
    waiting_.push_back({id, packets, priority, clock_});
  }
  std::uint32_t pop() {
    const auto key = [this](const Waiting& m) { return std::make_pair(!m.priority, m.clock + alpha_ * m.left); };
    const auto first = std::min_element(waiting_.begin(), waiting_.end(),
                                        [&](const Waiting& a, const Waiting& b) { return key(a) < key(b); });
    const std::uint32_t id = first->id;
    if (--first->left == 0) waiting_.erase(first);
    clock_ += 1.0;
    return id;
  }
  std::size_t messages() const { return waiting_.size(); }

 private:
  struct Waiting {
    std::uint32_t id, left;
    bool priority;
    double clock;
  };
  double alpha_, clock_ = 0.0;
  std::vector<Waiting> waiting_;  // oldest first
};

/// A clock that is scaled back dozens of times changes nothing, and stays below its limit.
TEST(AlphaScheduler, BoundedClockKeepsTheOrder) {
  for (const double alpha : {0.0, 0.5, 1.0, 4.0, 10.0}) {
    constexpr std::uint32_t kLimit = 256;
    Desk desk("alpha", alpha, kLimit);
    const auto& keyed = dynamic_cast<const KeyedMessages&>(*desk.scheduler);
    UnboundedAlpha expected(alpha);
    Random random(1, "bounded clock");
    std::uint32_t id = 0;
    std::int64_t clock_before = 0;
    int scaled = 0;
    for (int step = 0; step < 20000; ++step) {
      if (expected.messages() < 2 || (expected.messages() < 20 && random.below(5) == 0)) {
        const std::uint32_t packets = random.below(10) == 0 ? 25 : 1 + static_cast<std::uint32_t>(random.below(5));
        const bool priority = random.below(20) == 0;
        desk.message(id, packets, priority);
        expected.message(id++, packets, priority);
      }
      const PacketSlot slot = desk.scheduler->pop();
      ASSERT_EQ(desk.store[slot].message, expected.pop()) << "packet " << step << ", alpha " << alpha;
      ASSERT_LT(keyed.clock(), std::int64_t{kLimit} * 256);
      scaled += keyed.clock() < clock_before ? 1 : 0;
      clock_before = keyed.clock();
    }
    EXPECT_GT(scaled, 50) << "the queue never empties, so each fall of the clock is a scaling";
  }
}

/// Taking a packet back undoes what the pop did to the clock, also where the pop scaled it or emptied the queue.
TEST(AlphaScheduler, PuttingBackAcrossAScalingChangesNothing) {
  for (const double alpha : {0.0, 1.0, 4.0}) {
    Desk plain("alpha", alpha, 64), undone("alpha", alpha, 64);
    Random random(1, "undone");
    for (std::uint32_t id = 0, step = 0; step < 2000; ++step) {
      if (plain.scheduler->size() < random.below(30)) {
        const std::uint32_t packets = 1 + static_cast<std::uint32_t>(random.below(10));
        plain.message(id, packets);
        undone.message(id++, packets);
      }
      if (plain.scheduler->size() == 0) continue;
      undone.scheduler->put_back(undone.scheduler->pop());
      const PacketSlot a = plain.scheduler->pop(), b = undone.scheduler->pop();
      ASSERT_EQ(plain.store[a].message, undone.store[b].message) << "step " << step << ", alpha " << alpha;
      ASSERT_EQ(plain.letter(a), undone.letter(b));
    }
  }
}

}  // namespace
}  // namespace braid::test::alpha_scheduler_test
