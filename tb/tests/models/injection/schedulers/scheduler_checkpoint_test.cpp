// Message schedulers in checkpoints: each goes on as if it had never stopped, wherever it was saved, and what no
// scheduler can be in is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/injection/injection_point.h"
#include "routing/base/checkpoint.h"
#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/desk.h"
#include "tb/tests/support/saved.h"

namespace braid::test::scheduler_checkpoint_test {
namespace {

using models::InjectionScheduler;
using models::PacketSlot;

std::string refusal(InjectionScheduler& scheduler, const std::string& bytes) {
  return complaint<CheckpointError>([&] { restore(scheduler, bytes); });
}

/// One that goes on and one that is restored from it before every step, sometimes new, are handed the same packets. In
/// each step a message comes, or a packet goes; one that has gone comes back if another would go before it.
TEST(EveryScheduler, GoesOnFromACheckpoint) {
  for (const char* name : {"fifo", "round_robin", "round_robin_front", "shortest_first", "alpha"}) {
    for (const std::uint32_t pool : {0U, 6U}) {
      Desk desk(name, 1.5, 64, pool);
      std::unique_ptr<Desk> other;
      Random random(1, std::string("checkpoint of ") + name);
      std::uint32_t message = 0;
      int preempted = 0;
      for (int step = 0; step < 1500; ++step) {
        if (!other || random.below(6) == 0) other = std::make_unique<Desk>(name, 1.5, 64, pool);
        InjectionScheduler &one = *desk.scheduler, &two = *other->scheduler;
        const std::string bytes = saved(one);
        restore(two, bytes);
        ASSERT_TRUE(saved(two) == bytes) << name << " " << step;
        if (one.size() < 3 || random.below(3) == 0) {
          for (std::uint64_t packets = 1 + random.below(4); packets > 0; --packets) {
            const PacketSlot slot = desk.pool.take();
            Desk::store[slot] = models::Packet{};
            Desk::store[slot].message = message;
            Desk::store[slot].priority = message % 7 == 0;
            one.push(slot);
            two.push(slot);
            if (random.below(5) == 0) restore(two, saved(one));  // in the middle of a message
          }
          ++message;
        } else {
          const PacketSlot slot = one.pop();
          ASSERT_EQ(two.pop(), slot) << name << " " << step;
          if (random.below(2) == 0) restore(two, saved(one));  // while the packet may come back
          const PacketSlot more = desk.pool.take();
          Desk::store[more] = models::Packet{};
          Desk::store[more].message = random.below(4) == 0 ? models::kNoMessage : message++;
          Desk::store[more].priority = random.below(3) == 0;
          one.push(more);
          two.push(more);
          ASSERT_EQ(two.preempts(), one.preempts()) << name << " " << step;
          if (one.preempts()) {
            ++preempted;
            one.put_back(slot);
            two.put_back(slot);
          }
        }
        ASSERT_EQ(two.size(), one.size());
        ASSERT_TRUE(saved(two) == saved(one)) << name << " " << step;
      }
      EXPECT_EQ(preempted > 0, std::string(name) != "fifo") << name;
    }
  }
}

/// Behind the scheduler that it takes its messages from a pool writes: of each message its number, its packets, how
/// many of them it has sent, and is it in the pool; then the room that is taken, the same of the last message, and of
/// the packet put back which, whether, and in vain.
struct SavedPool {
  enum : std::size_t { kLast = 15, kHeld = kLast + 8, kMessage = kHeld + 13 };  // so many bytes before the end
  std::string bytes;

  SavedPool() {
    Desk desk("round_robin", 4.0, 1 << 20, 5);
    desk.message(0, 3);
    (void)desk.scheduler->pop();
    bytes = saved(*desk.scheduler);
  }
  std::uint32_t number(std::size_t before_end) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + bytes.size() - before_end, sizeof value);
    return value;
  }
  std::string with(std::size_t before_end, std::uint32_t value) const {
    SavedPool other = *this;
    std::memcpy(other.bytes.data() + bytes.size() - before_end, &value, sizeof value);
    return other.refused();
  }
  std::string refused() const {
    Desk desk("round_robin", 4.0, 1 << 20, 5);
    return refusal(*desk.scheduler, bytes);
  }
};

TEST(MessagePool, IsRestoredOnlyAsItCanBe) {
  const SavedPool pool;
  ASSERT_EQ(pool.number(SavedPool::kMessage + 0), 0U) << "the message's number";
  ASSERT_EQ(pool.number(SavedPool::kMessage - 4), 3U) << "its packets";
  ASSERT_EQ(pool.number(SavedPool::kMessage - 8), 1U) << "sent";
  ASSERT_EQ(pool.number(SavedPool::kHeld), 3U);
  ASSERT_EQ(pool.number(SavedPool::kLast), 3U);
  ASSERT_EQ(pool.number(SavedPool::kLast - 4), 1U);
  const std::string no = "no network is in such a state: ", sent = no + "a message that has sent what it has not",
                    sum = no + "a pool of messages that does not add up",
                    last = no + "a last message that has sent more than it has";
  EXPECT_EQ(pool.refused(), "");
  EXPECT_EQ(pool.with(SavedPool::kMessage - 8, 3), sent) << "it would be gone";
  EXPECT_EQ(pool.with(SavedPool::kMessage - 8, 2), sum) << "two packets wait";
  EXPECT_EQ(pool.with(SavedPool::kMessage - 4, 4), sum);
  EXPECT_EQ(pool.with(SavedPool::kHeld, 4), sum);
  EXPECT_EQ(pool.with(SavedPool::kLast - 4, 3), "");
  EXPECT_EQ(pool.with(SavedPool::kLast - 4, 4), last);
  SavedPool outside = pool;
  outside.bytes[outside.bytes.size() - SavedPool::kMessage + 12] = 0;
  EXPECT_EQ(outside.refused(), sent) << "it is not in the pool and has sent one";
}

/// The number of packets is the last but four of what round robin writes: 8 bytes of a size, one of the last message's
/// priority, ...
TEST(RoundRobinScheduler, OfAnotherLengthIsRefused) {
  Desk desk("round_robin"), other("round_robin");
  desk.message(0, 3);
  desk.message(1, 2, true);
  std::string bytes = saved(*desk.scheduler);
  constexpr std::size_t kBehind =
      2 * sizeof(int) + 1 + 8 + 8;  // came since the last pop, was it the last, place, priority
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + bytes.size() - kBehind - 8, sizeof size);
  ASSERT_EQ(size, 5U);
  const auto with = [&](std::size_t before_end, std::uint64_t value) {
    std::string damaged = bytes;
    std::memcpy(damaged.data() + damaged.size() - before_end, &value, sizeof value);
    return refusal(*other.scheduler, damaged);
  };
  const std::string no = "no network is in such a state: ";
  EXPECT_EQ(with(kBehind + 8, 5), "");
  EXPECT_EQ(with(kBehind + 8, 6), no + "a queue of another length");
  EXPECT_EQ(with(kBehind, 1), "");
  EXPECT_EQ(with(kBehind, 2), "priority 2, here are 2");
  EXPECT_EQ(with(kBehind - 8, 1), "");
  EXPECT_EQ(with(kBehind - 8, 2), "place in a queue 2, here are 2") << "behind the one message of its priority";
  // Of both priorities one message has come since the last pop, which there was none of.
  EXPECT_EQ(with(8, (std::uint64_t{1} << 32) | 1), "");
  EXPECT_EQ(with(8, (std::uint64_t{1} << 32) | 2), "number of messages 2, here are 2");
  EXPECT_EQ(with(8, (std::uint64_t{2} << 32) | 1), "number of messages 2, here are 2");
  EXPECT_EQ(with(8, (std::uint64_t{1} << 32) | 0xffffffff), no + "fewer than no messages");
}

/// Of the ordinary messages their number, then of each its packets, and is it the newest: 8, 8, 4 each and 1 bytes.
TEST(RoundRobinScheduler, OfMessagesWithoutPacketsOrOfNoNewestOneIsRefused) {
  Desk desk("round_robin"), other("round_robin");
  desk.message(0, 1);
  const std::string bytes = saved(*desk.scheduler), no = "no network is in such a state: ";
  ASSERT_EQ(bytes[0], 1);
  ASSERT_EQ(bytes[8], 1);
  ASSERT_EQ(bytes[20], 1);
  EXPECT_EQ(refusal(*other.scheduler, bytes), "");
  std::string empty = bytes, none = bytes;
  empty[8] = 0;
  empty.erase(16, 4);
  EXPECT_EQ(refusal(*other.scheduler, empty), no + "a message without packets");
  none[20] = 0;
  EXPECT_EQ(refusal(*other.scheduler, none), no + "a newest message that is not there");
}

/// At the end stands the message whose last packet has been taken, as a map of one: its place of 17 bytes, a packet of
/// 12 and how many of them have gone.
TEST(ShortestFirstScheduler, OfALastMessageThatIsNotWholeOrOfTwoIsRefused) {
  Desk desk("shortest_first"), other("shortest_first");
  desk.message(0, 1);
  (void)desk.scheduler->pop();
  const std::string bytes = saved(*desk.scheduler), no = "no network is in such a state: ";
  constexpr std::size_t kOne = 17 + 12 + 8;
  const std::size_t last = bytes.size() - kOne - 8;
  ASSERT_EQ(bytes[last], 1);
  ASSERT_EQ(bytes[bytes.size() - 8], 1) << "it has gone";
  EXPECT_EQ(refusal(*other.scheduler, bytes), "");
  std::string not_whole = bytes, two = bytes;
  not_whole[bytes.size() - 8] = 0;
  EXPECT_EQ(refusal(*other.scheduler, not_whole), no + "a message that is not whole");
  two[last] = 2;
  two += bytes.substr(last + 8);
  ++two[bytes.size() + 9];  // of another arrival
  EXPECT_EQ(refusal(*other.scheduler, two), no + "two last messages");
}

}  // namespace
}  // namespace braid::test::scheduler_checkpoint_test
