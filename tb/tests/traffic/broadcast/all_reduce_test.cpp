// The two trees of an all-reduce over every scheme: everybody is in both once, by a shortest way.
#include "traffic/broadcast/all_reduce.h"

#include <gtest/gtest.h>

#include <vector>

namespace braid::test::all_reduce_test {
namespace {

using namespace traffic;
using Ints = std::vector<std::uint32_t>;

std::unique_ptr<BroadcastScheme> scheme(const char* name, std::uint32_t positions, std::uint32_t arity) {
  Configuration c;
  c.set("broadcast.arity", arity);
  return BroadcastSchemeRegistry::instance().make(name, {positions, routing::Topology{}, NodeId{0}, c});
}

TEST(AllReduceParts, OfATreeAreTheTree) {
  const AllReduceParts parts = all_reduce_parts(scheme("balanced_tree", 7, 2)->parts());
  EXPECT_EQ(parts.up[1].heard, (Ints{3, 4}));
  EXPECT_EQ(parts.up[1].told_when_done, (Ints{0}));
  EXPECT_EQ(parts.down[0].told_at_once, (Ints{1, 2}));
  EXPECT_EQ(parts.down[5].heard, (Ints{2}));
  EXPECT_EQ(all_reduce_path(parts), 4U);
}

/// Nine positions: those that scatter reach the root through the centre, it reaches those that gather so.
TEST(AllReduceParts, OfADiamondRingGoOnRoundIt) {
  const AllReduceParts parts = all_reduce_parts(scheme("diamond_ring", 9, 2)->parts());
  EXPECT_EQ(parts.up[0].heard, (Ints{1, 2}));
  EXPECT_EQ(parts.up[2].heard, (Ints{5, 6}));
  EXPECT_EQ(parts.up[5].heard, (Ints{8})) << "5 and 6 are as near";
  EXPECT_EQ(parts.up[6].heard, (Ints{}));
  EXPECT_EQ(parts.up[8].told_when_done, (Ints{5}));
  EXPECT_EQ(parts.down[0].told_at_once, (Ints{7, 8}));
  EXPECT_EQ(parts.down[6].told_at_once, (Ints{2}));
  EXPECT_EQ(parts.down[5].told_at_once, (Ints{}));
  EXPECT_EQ(all_reduce_path(parts), 3U + 3U);
}

TEST(AllReduceParts, HaveEverybodyOnceEachWay) {
  for (const char* name : {"diamond_ring", "balanced_tree", "unicast"}) {
    for (std::uint32_t n = 1; n <= 90; ++n) {
      for (std::uint32_t k = 1; k <= 5; ++k) {
        const AllReduceParts parts = all_reduce_parts(scheme(name, n, k)->parts());
        EXPECT_EQ(message_count(parts.up), n - 1) << name << n << " " << k;
        EXPECT_EQ(message_count(parts.down), n - 1) << name << n << " " << k;
        for (std::uint32_t p = 1; p < n; ++p) {
          EXPECT_EQ(parts.up[p].told_when_done.size(), 1U);
          EXPECT_EQ(parts.down[p].heard.size(), 1U);
        }
        EXPECT_LE(all_reduce_path(parts), 2 * n);  // ends: no circle
      }
    }
  }
}

}  // namespace
}  // namespace braid::test::all_reduce_test
