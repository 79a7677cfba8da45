// The small parts that every family stands on: lists, wake sets, numbering, cuts, packet slots, flits.
#include "models/fabric/work_list.h"

#include <gtest/gtest.h>

#include <set>

#include "models/fabric/bits.h"
#include "models/fabric/fabric.h"
#include "models/fabric/packet_store.h"

namespace braid::test::work_list_test {
namespace {

using namespace models;

TEST(WorkList, HoldsWhatWasPushedInOrder) {
  WorkList<int> list;
  list.reserve(3);
  EXPECT_TRUE(list.empty());
  for (const int i : {5, 3, 8}) list.push(i);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{5, 3, 8}));
  list.resize(2);  // the first two are kept
  EXPECT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1], 3);
  list.clear();
  EXPECT_TRUE(list.empty());
}

TEST(WorkList, EndsWhereItemsWereStoredTo) {
  WorkList<int> list;
  list.reserve(4);
  list.push(1);
  int* end = list.end();
  *end++ = 2;
  *end++ = 3;
  list.resize_to(end);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{1, 2, 3}));
}

TEST(WakeSet, VisitsItsMembersInAscendingOrderAcrossWords) {
  WakeSet set;
  set.resize(200);
  for (const std::size_t i : {199, 64, 0, 128, 63, 127, 64}) set.insert(i);
  std::vector<std::size_t> seen;
  set.for_each([&](std::size_t i) { seen.push_back(i); });
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 63, 64, 127, 128, 199}));
  EXPECT_TRUE(set.contains(63));
  EXPECT_FALSE(set.contains(62));
  EXPECT_FALSE(set.contains(65));
}

TEST(WakeSet, LetsAVisitEraseItsMember) {
  WakeSet set;
  set.resize(70);
  for (std::size_t i = 60; i < 70; ++i) set.insert(i);
  std::size_t visits = 0;
  set.for_each([&](std::size_t i) {
    ++visits;
    if (i % 2 == 0) set.erase(i);
  });
  EXPECT_EQ(visits, 10U);
  for (std::size_t i = 60; i < 70; ++i) EXPECT_EQ(set.contains(i), i % 2 == 1) << i;
}

/// There are as many members as it was made for: none where nobody has said, 70 in two words.
TEST(WakeSet, GoesThroughACheckpointWithMembersThatThereAre) {
  const auto refusal = [](WakeSet saved, WakeSet restored) -> std::string {
    try {
      Checkpoint saves;
      saved.checkpoint(saves);
      Checkpoint restores(saves.bytes());
      restored.checkpoint(restores);
      restores.finish();
      restored.for_each([&](std::size_t i) { EXPECT_TRUE(saved.contains(i)) << i; });
      EXPECT_EQ(restored.empty(), saved.empty());
    } catch (const CheckpointError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}, {}), "");
  WakeSet of_seventy, wider;
  of_seventy.resize(70);
  wider.resize(71);
  EXPECT_EQ(refusal(of_seventy, of_seventy), "");
  for (const std::size_t i : {0, 64, 69}) {
    of_seventy.insert(i);
    wider.insert(i);
  }
  EXPECT_EQ(refusal(of_seventy, of_seventy), "");
  EXPECT_EQ(refusal(wider, of_seventy), "") << "no member beyond";
  wider.insert(70);
  EXPECT_EQ(refusal(wider, wider), "");
  EXPECT_EQ(refusal(wider, of_seventy), "member of a set 1, here are 1");
}

TEST(Bits, AreTheLeastThatNumberSoMany) {
  const std::pair<std::size_t, unsigned> cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {64, 6}, {65, 7}};
  for (const auto& [count, bits] : cases) EXPECT_EQ(bits_for(count), bits) << count;
}

/// Boundaries at 10 s / 3: 0, 3, 6, 10.
TEST(Slicing, CutsRoutersIntoRunsThatCoverAllOfThemOnce) {
  const Slicing three(10, 3);
  ASSERT_EQ(three.ranges.size(), 3U);
  const std::uint32_t bounds[] = {0, 3, 6, 10};
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(three.ranges[s].first, bounds[s]);
    EXPECT_EQ(three.ranges[s].last, bounds[s + 1]);
    EXPECT_EQ(three.ranges[s].size(), bounds[s + 1] - bounds[s]);
  }
  EXPECT_EQ(three.slice_of_router, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2, 2}));
  const Slicing each(5, 5);
  EXPECT_EQ(each.slice_of_router, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(PacketStore, KeepsItemsWhereTheyAreWhileItGrows) {
  SlotStore<int> store;
  SlotStore<int>::Pool pool(store);
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
  SlotStore<int> store;
  SlotStore<int>::Pool pool(store), other(store);
  const PacketSlot a = pool.take(), b = pool.take();
  pool.give_back(a);
  EXPECT_EQ(pool.take(), a);
  other.give_back(b);  // any pool may take a slot back
  EXPECT_EQ(other.take(), b);
}

TEST(PacketStore, NeverHandsOneSlotToTwoPools) {
  SlotStore<int> store;
  SlotStore<int>::Pool one(store), two(store);
  std::set<PacketSlot> slots;
  for (int i = 0; i < 6000; ++i) {
    EXPECT_TRUE(slots.insert(one.take()).second);
    EXPECT_TRUE(slots.insert(two.take()).second);
  }
}

/// What a thread is handed out does not hang on when others ask.
TEST(PacketStore, GivesNumberedPoolsBlocksOfTheirOwn) {
  SlotStore<int> in_turn, one_first;
  SlotStore<int>::Pool a(in_turn, 0, 2), b(in_turn, 1, 2), first(one_first, 1, 2), second(one_first, 0, 2);
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
  SlotStore<int> store;
  SlotStore<int>::Pool a(store, 0, 3), b(store, 1, 3), c(store, 2, 3);
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
  for (SlotStore<int>::Pool* pool : {&a, &b, &c}) pool->fill(slots);
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
  SlotStore<int> store;
  Checkpoint restores(damaged.bytes());
  try {
    store.checkpoint(restores, {});
    FAIL() << "was taken";
  } catch (const CheckpointError& e) {
    EXPECT_STREQ(e.what(), "block of packets 1048577, here are 1048577");
  }
}

TEST(Flit, CarriesItsFieldsAtTheirWidestValues) {
  const Flit head(0xfffffffeU, 0, 3, 200), body(7, 1, 3, 1), tail(7, 2, 3, 1), both(7, 0, 1, 0),
      last(7, 65534, 65535, 0);
  EXPECT_EQ(head.packet(), 0xfffffffeU);
  EXPECT_EQ(head.vc(), 200U);
  EXPECT_TRUE(head.head() && !head.tail());
  EXPECT_TRUE(!body.head() && !body.tail());
  EXPECT_TRUE(!tail.head() && tail.tail());
  EXPECT_TRUE(both.head() && both.tail());
  EXPECT_EQ(last.sequence(), 65534U);
  EXPECT_TRUE(last.tail());
  const Flit moved = last.on(13);
  EXPECT_EQ(moved.vc(), 13U);
  EXPECT_EQ(moved.packet(), 7U);
  EXPECT_EQ(moved.sequence(), 65534U);
  EXPECT_TRUE(moved.tail() && !moved.head());
}

}  // namespace
}  // namespace braid::test::work_list_test
