// What generators of the standard library's kind say of themselves, and the seed of who gives none.
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "routing/base/random.h"

namespace braid::test::random_bounds_test {
namespace {

/// mix64() is a bijection, so that every number of 64 bits comes: 0 and 2^64 - 1, too.
TEST(RandomBounds, AreThoseOfAll64Bits) {
  static_assert(std::is_same_v<Random::result_type, std::uint64_t>);
  EXPECT_EQ(Random::min(), 0U);
  EXPECT_EQ(Random::max(), UINT64_MAX);
}

TEST(RandomBounds, WithoutASeedItIsZero) {
  Random none, zero(0), one(1);
  EXPECT_EQ(none(), zero());
  EXPECT_NE(none(), one());
}

/// docs/configuration.md: experiment.seed is 1 where nothing is said.
TEST(RandomBounds, ExperimentsHaveSeedOne) {
  Configuration c;
  EXPECT_EQ(read_seed(c), 1U);
  c.set("experiment.seed", 0);
  EXPECT_EQ(read_seed(c), 0U);
}

}  // namespace
}  // namespace braid::test::random_bounds_test
