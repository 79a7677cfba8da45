// Sets of registers and lists in checkpoints: a set is as many words as its members need, and a member that is not
// there is refused whatever the size.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/fabric/work_list.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::wake_set_checkpoint_test {
namespace {

using models::WakeSet;
using models::WorkList;

WakeSet set_of(std::size_t size) {
  WakeSet set;
  set.resize(size);
  return set;
}

/// A word for each 64 members and one for what is left, behind the number of words.
TEST(WakeSetCheckpoint, HasAsManyWordsAsMembersNeed) {
  for (const auto& [size, words] : {std::pair(0U, 0U), std::pair(1U, 1U), std::pair(63U, 1U), std::pair(64U, 1U),
                                    std::pair(65U, 2U), std::pair(128U, 2U), std::pair(129U, 3U)}) {
    WakeSet set = set_of(size);
    EXPECT_EQ(saved(set).size(), 8U + 8U * words) << size;
  }
}

/// All that there may be are taken, and one more is refused; where the last word is full nothing can be too many.
TEST(WakeSetCheckpoint, TakesTheLastMemberAndNoneBeyond) {
  for (const std::size_t size : {1U, 2U, 20U, 63U, 64U, 65U, 127U, 128U, 200U}) {
    WakeSet all = set_of(size), restored = set_of(size);
    for (std::size_t i = 0; i < size; ++i) all.insert(i);
    const std::string bytes = saved(all);
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(restored, bytes); }), "") << size;
    for (std::size_t i = 0; i < size; ++i) EXPECT_TRUE(restored.contains(i)) << i << " of " << size;
    if (size % 64 == 0) continue;
    WakeSet beyond = set_of((size / 64 + 1) * 64);
    beyond.insert(size);
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(restored, saved(beyond)); }), "member of a set 1, here are 1")
        << size;
  }
}

/// What was in it is forgotten.
TEST(WakeSetCheckpoint, ReplacesWhatWasThere) {
  WakeSet one = set_of(70), other = set_of(70);
  one.insert(3);
  other.insert(69);
  restore(other, saved(one));
  EXPECT_TRUE(other.contains(3));
  EXPECT_FALSE(other.contains(69));
}

/// The number of its items and the items: room is not saved.
TEST(WorkListCheckpoint, HasItsItemsAlone) {
  WorkList<std::uint32_t> list;
  list.reserve(5);
  for (std::uint32_t items = 0; items <= 5; ++items) {
    EXPECT_EQ(saved(list).size(), 8U + 4U * items);
    if (items < 5) list.push(items);
  }
  WorkList<std::uint32_t> as_long;
  as_long.reserve(5);
  restore(as_long, saved(list));
  EXPECT_EQ(as_long.size(), 5U) << "as many as hardware's bound allows";
}

}  // namespace
}  // namespace braid::test::wake_set_checkpoint_test
