// The small parts that every family stands on: lists, wake sets, numbering, cuts, flits.
#include "models/fabric/work_list.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/bits.h"
#include "models/fabric/fabric.h"
#include "models/fabric/flit.h"
#include "models/fabric/zeroed.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/sanitized.h"

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

/// What is stored ahead may be asked for: six items more than the list holds, and all are zero at first. A restored
/// list has room for what it has and for as much again as hardware's bound.
TEST(WorkList, HasRoomForItsBoundAndForWhatIsAskedForAhead) {
  using Wide = std::array<std::uint64_t, 8>;
  const auto room = [](WorkList<Wide>& list) { return malloc_usable_size(list.begin()) / sizeof(Wide); };
  WorkList<Wide> list, other;
  list.reserve(10);
  other.reserve(10);
  EXPECT_GE(room(list), 10U + 6U);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(list[i], Wide{}) << i;
  for (std::uint64_t i = 0; i < 10; ++i) list.push(Wide{i, 1, 2, 3, 4, 5, 6, 7 * i});
  Checkpoint saves;
  list.checkpoint(saves);
  Checkpoint restores(saves.bytes());
  other.push(Wide{99});
  other.checkpoint(restores);
  restores.finish();
  EXPECT_GE(room(other), 10U + 10U + 6U);
  EXPECT_EQ(other.size(), 10U);
  EXPECT_TRUE(std::equal(list.begin(), list.end(), other.begin()));
  for (std::size_t i = 10; i < 26; ++i) EXPECT_EQ(other[i], Wide{}) << i;
  for (std::uint64_t i = 0; i < 10; ++i) other.push(Wide{i});
  EXPECT_EQ(other.size(), 20U);
}

/// It was never longer than its bound.
TEST(WorkList, IsRefusedWhereItIsLongerThanHardwareAllows) {
  for (const auto& [capacity, expected] : {std::pair(3U, ""), std::pair(2U, "length of a list 3, here are 3"),
                                           std::pair(0U, "length of a list 3, here are 1")}) {
    WorkList<int> saved, restored;
    saved.reserve(3);
    for (const int i : {5, 3, 8}) saved.push(i);
    Checkpoint saves;
    saved.checkpoint(saves);
    restored.reserve(capacity);
    Checkpoint restores(saves.bytes());
    const std::string refused = complaint<CheckpointError>([&] { restored.checkpoint(restores); });
    EXPECT_EQ(refused, expected) << capacity;
  }
}

/// Of one member less than a word, a word, and one more: each is one bit, and a set that is made anew has none.
TEST(WakeSet, OfAnySizeHoldsEachOfItsMembersAlone) {
  for (const std::size_t size : {1, 2, 63, 64, 65, 127, 128, 129}) {
    WakeSet set;
    set.resize(size);
    EXPECT_TRUE(set.empty());
    for (std::size_t i = 0; i < size; ++i) {
      set.insert(i);
      EXPECT_FALSE(set.empty());
      std::vector<std::size_t> members;
      set.for_each([&](std::size_t member) { members.push_back(member); });
      ASSERT_EQ(members, std::vector<std::size_t>{i}) << "of " << size;
      EXPECT_EQ(set.words()[i / 64], std::uint64_t{1} << i % 64);
      set.erase(i);
      ASSERT_TRUE(set.empty()) << i << " of " << size;
    }
    for (std::size_t i = 0; i < size; ++i) set.insert(i);
    set.erase(size - 1);
    EXPECT_FALSE(set.contains(size - 1));
    EXPECT_EQ(set.empty(), size == 1);
    set.insert(size - 1);
    set.resize(size);
    EXPECT_TRUE(set.empty()) << size;
  }
  EXPECT_TRUE(WakeSet().empty());
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
    return complaint<CheckpointError>([&] {
      Checkpoint saves;
      saved.checkpoint(saves);
      Checkpoint restores(saves.bytes());
      restored.checkpoint(restores);
      restores.finish();
      restored.for_each([&](std::size_t i) { EXPECT_TRUE(saved.contains(i)) << i; });
      EXPECT_EQ(restored.empty(), saved.empty());
    });
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

/// Registers are zeros whatever a new one is; and there are none where memory has no room for them.
TEST(Zeroed, IsZerosOrRefused) {
  struct One {
    std::uint32_t value = 1;
  };
  const Zeroed<One> ones = zeroed<One>(3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(ones[i].value, 0U);
  if (kSanitized) return;  // there the program ends at once
  const volatile std::size_t most = SIZE_MAX;
  EXPECT_THROW((void)zeroed<std::uint64_t>(most), std::bad_alloc);
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

/// Of four routers together, counted from the first, none are parted: three such parts of ten routers over
/// two slices and three.
TEST(Slicing, PartsNoRoutersThatAreTogether) {
  const auto lasts = [](const Slicing& slicing) {
    std::vector<std::uint32_t> all;
    for (const RouterRange& range : slicing.ranges) all.push_back(range.last);
    return all;
  };
  EXPECT_EQ(lasts(Slicing(10, 2, 4)), (std::vector<std::uint32_t>{4, 10}));
  EXPECT_EQ(lasts(Slicing(10, 3, 4)), (std::vector<std::uint32_t>{4, 8, 10}));
  EXPECT_EQ(lasts(Slicing(12, 3, 4)), (std::vector<std::uint32_t>{4, 8, 12}));
  EXPECT_EQ(lasts(Slicing(13, 4, 4)), (std::vector<std::uint32_t>{4, 8, 12, 13}));
  EXPECT_EQ(lasts(Slicing(7, 1, 4)), std::vector<std::uint32_t>{7});
  EXPECT_EQ(Slicing(10, 2, 4).slice_of_router, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  EXPECT_FALSE(Slicing(10, 2, 4).one_thread);
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
  const Flit renamed = Flit(7, 0, 3, 200).of(0x12345678U);
  EXPECT_EQ(renamed.packet(), 0x12345678U);
  EXPECT_EQ(renamed.sequence(), 0U);
  EXPECT_EQ(renamed.vc(), 200U);
  EXPECT_TRUE(renamed.head() && !renamed.tail());
}

}  // namespace
}  // namespace braid::test::work_list_test
