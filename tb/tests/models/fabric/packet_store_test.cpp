// The store of packets: which slots it hands out, that it grows without moving anything, and its checkpoints.
#include "models/fabric/packet_store.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::packet_store_test {
namespace {

using models::PacketSlot;
using Store = models::SlotStore<std::uint64_t>;

TEST(PacketStore, KeepsItemsWhereTheyAreWhileItGrows) {
  models::SlotStore<int> store;
  models::SlotStore<int>::Pool pool(store);
  const PacketSlot first = pool.take();
  store[first] = 42;
  const int* const address = &store[first];
  std::set<PacketSlot> slots{first};
  for (int i = 1; i < 10000; ++i) EXPECT_TRUE(slots.insert(pool.take()).second) << "a slot was handed out twice";
  EXPECT_EQ(&store[first], address);
  EXPECT_EQ(store[first], 42);
  EXPECT_EQ(*slots.rbegin(), 9999U) << "slots are numbered without gaps: 0 to 9999";
}

TEST(PacketStore, HandsOutWhatWasGivenBackFirst) {
  models::SlotStore<int> store;
  models::SlotStore<int>::Pool pool(store), other(store);
  const PacketSlot a = pool.take(), b = pool.take();
  pool.give_back(a);
  EXPECT_EQ(pool.take(), a);
  other.give_back(b);  // any pool may take a slot back
  EXPECT_EQ(other.take(), b);
}

TEST(PacketStore, NeverHandsOneSlotToTwoPools) {
  models::SlotStore<int> store;
  models::SlotStore<int>::Pool one(store), two(store);
  std::set<PacketSlot> slots;
  for (int i = 0; i < 6000; ++i) {
    EXPECT_TRUE(slots.insert(one.take()).second);
    EXPECT_TRUE(slots.insert(two.take()).second);
  }
}

/// What a thread is handed out does not hang on when others ask.
TEST(PacketStore, GivesNumberedPoolsBlocksOfTheirOwn) {
  models::SlotStore<int> in_turn, one_first;
  models::SlotStore<int>::Pool a(in_turn, 0, 2), b(in_turn, 1, 2), first(one_first, 1, 2), second(one_first, 0, 2);
  std::vector<PacketSlot> of_a, of_b, of_first, of_second;
  for (int i = 0; i < 5000; ++i) {
    of_a.push_back(a.take());
    of_b.push_back(b.take());
  }
  for (int i = 0; i < 5000; ++i) of_first.push_back(first.take());
  for (int i = 0; i < 5000; ++i) of_second.push_back(second.take());
  EXPECT_EQ(of_b, of_first);
  EXPECT_EQ(of_a, of_second);
  EXPECT_EQ(of_a[4095], 4095U);
  EXPECT_EQ(of_a[4096], 8192U) << "blocks of 4096 slots: 0, 2, ...";
  EXPECT_EQ(of_b[4096], 3 * 4096U) << "... and 1, 3, ...";
}

/// Three pools of which the first has come to its second block: the other two get what lies before it, to be handed out
/// when they would have been.
TEST(PacketStore, FillsTheBlocksOfOthersBeforeACheckpoint) {
  models::SlotStore<int> store;
  models::SlotStore<int>::Pool a(store, 0, 3), b(store, 1, 3), c(store, 2, 3);
  for (int i = 0; i < 4097; ++i) store[a.take()] = 7;
  for (int i = 0; i < 100; ++i) store[b.take()] = 5;
  EXPECT_EQ(store.slots(), 4 * 4096U) << "blocks 0, 1 and 3";
  const auto sum = [&] {
    int all = 0;
    store.for_each_taken({&a, &b, &c}, [&](int item) { all += item; });
    return all;
  };
  EXPECT_EQ(sum(), 4097 * 7 + 100 * 5) << "nobody's block counts for nothing";
  const std::uint64_t slots = store.slots();
  for (models::SlotStore<int>::Pool* pool : {&a, &b, &c}) pool->fill(slots);
  EXPECT_EQ(store.slots(), slots);
  EXPECT_EQ(sum(), 4097 * 7 + 100 * 5);
  EXPECT_EQ(c.take(), 2 * 4096U);
  EXPECT_EQ(b.take(), 4096U + 100U) << "of the block that it has already";
  store[2 * 4096U + 1] = 3;  // there is such an item
}

/// Blocks of 4096 slots, whose numbers have 32 bits: a file that says it has one more is damaged.
TEST(PacketStore, TakesNoMoreBlocksFromACheckpointThanSlotsHaveNumbers) {
  PacketSlot blocks = (1U << 20) + 1;
  Checkpoint damaged;
  damaged(blocks);
  models::SlotStore<int> store;
  Checkpoint restores(damaged.bytes());
  EXPECT_EQ(complaint<CheckpointError>([&] { store.checkpoint(restores, {}); }),
            "block of packets 1048577, here are 1048577");
}

constexpr PacketSlot kBlock = 4096;

/// A store with one pool, as a network has them: its pools are saved first.
struct Kept {
  Store store;
  Store::Pool pool{store};

  /// Slots 0 to `slots` - 1, with values of their own.
  explicit Kept(PacketSlot slots, std::uint64_t first = 1) {
    std::vector<PacketSlot> all;
    for (PacketSlot i = 0; i < slots; ++i) all.push_back(pool.take());
    for (const PacketSlot slot : all) store[slot] = first + slot;
  }
  void checkpoint(Checkpoint& c) {
    pool.checkpoint(c);
    store.checkpoint(c, {&pool});
  }
  std::string saved() {
    Checkpoint c;
    checkpoint(c);
    return c.bytes();
  }
  std::vector<std::uint64_t> taken() const {
    std::vector<std::uint64_t> values;
    store.for_each_taken({&pool}, [&](std::uint64_t value) { values.push_back(value); });
    return values;
  }
};

TEST(PacketStore, VisitsWhatIsTakenInTheOrderOfSlotsAndNothingElse) {
  Kept kept(kBlock + 3);
  for (const PacketSlot slot : {0U, kBlock - 1, kBlock + 1}) kept.pool.give_back(slot);
  std::vector<std::uint64_t> expected;
  for (PacketSlot slot = 0; slot < kBlock + 3; ++slot) {
    if (slot != 0 && slot != kBlock - 1 && slot != kBlock + 1) expected.push_back(slot + 1);
  }
  EXPECT_EQ(kept.taken(), expected);
}

/// Three blocks into a store of none, of fewer, as many and more, all of whose slots are in use: what was free holds
/// nothing, what was beyond is gone, and it goes on as the one that was saved.
TEST(PacketStore, GoesThroughACheckpointIntoAStoreOfAnySize) {
  Kept kept(2 * kBlock + 5);
  for (const PacketSlot slot : {7U, kBlock, 2 * kBlock + 4}) kept.pool.give_back(slot);
  const std::string bytes = kept.saved();
  const std::vector<std::uint64_t> values = kept.taken();
  ASSERT_EQ(values.size(), 2 * kBlock + 2);
  for (const PacketSlot blocks : {0U, 1U, 3U, 5U}) {
    SCOPED_TRACE(std::to_string(blocks) + " blocks");
    Kept other(blocks * kBlock, 1'000'000);
    Checkpoint c(bytes);
    other.checkpoint(c);
    c.finish();
    EXPECT_EQ(other.store.slots(), 3 * kBlock);
    EXPECT_TRUE(other.store.has(3 * kBlock - 1));
    EXPECT_FALSE(other.store.has(3 * kBlock));
    EXPECT_TRUE(other.taken() == values);
    for (const PacketSlot slot : {7U, kBlock, 2 * kBlock + 4, 2 * kBlock + 5, 3 * kBlock - 1}) {
      EXPECT_EQ(other.store[slot], 0U) << slot;
    }
    EXPECT_TRUE(other.saved() == bytes) << "saved again";
    for (const PacketSlot slot : {2 * kBlock + 4, kBlock, 7U, 2 * kBlock + 5}) EXPECT_EQ(other.pool.take(), slot);
    for (PacketSlot slot = 2 * kBlock + 6; slot <= 3 * kBlock; ++slot) ASSERT_EQ(other.pool.take(), slot);
    EXPECT_EQ(other.store.slots(), 4 * kBlock);
    EXPECT_EQ(other.store[3 * kBlock], 0U) << "a new block holds nothing";
  }
}

TEST(PacketStore, RefusesFreeSlotsThatCannotBe) {
  const auto refusal = [](Kept& kept) -> std::string { return complaint<CheckpointError>([&] { kept.saved(); }); };
  Kept last(kBlock), twice(kBlock), beyond(kBlock);
  last.pool.give_back(kBlock - 1);
  EXPECT_EQ(refusal(last), "");
  for (int i = 0; i < 2; ++i) twice.pool.give_back(5);
  EXPECT_EQ(refusal(twice), no_such_state("a slot that is free twice"));
  beyond.pool.give_back(kBlock);
  EXPECT_EQ(refusal(beyond), "packet 4096, here are 4096");
}

/// Of as many pools as there are blocks each has one.
TEST(PacketStore, EndsWhereSlotsHaveNoMoreNumbers) {
  Store store;
  Store::Pool pool(store, (1U << 20) - 1, 1U << 20);
  EXPECT_EQ(pool.take(), ~PacketSlot{0} - (kBlock - 1));
  for (PacketSlot i = 1; i < kBlock; ++i) pool.take();
  EXPECT_THROW(pool.take(), std::length_error);
  Store::Pool other(store, 0, 1U << 20);
  EXPECT_EQ(other.take(), 0U);
  EXPECT_EQ(store.slots(), std::uint64_t{1} << 32);
}

}  // namespace
}  // namespace braid::test::packet_store_test
