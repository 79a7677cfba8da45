// A flit's data on pins of every width that ends in, before or behind a word, bit by bit: words of the pins have 32
// bits, those of a flit 64.
#include "models/pins/flit_bits.h"

#include <gtest/gtest.h>

namespace braid::test::flit_bits_test {
namespace {

using models::hybrid::FlitData;

bool pattern(int bit) { return (bit * bit + bit / 5) % 3 == 1; }

template <int Width>
void expect_bits() {
  FlitData ones = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}}, patterned = {},
           cut = {};
  for (int bit = 0; bit < 256; ++bit) {
    const std::uint64_t here = std::uint64_t{pattern(bit)} << bit % 64;
    patterned[static_cast<std::size_t>(bit) / 64] |= here;
    if (bit < Width) cut[static_cast<std::size_t>(bit) / 64] |= here;
  }
  const sc_dt::sc_bv<Width> bits = models::pins::to_bits<Width>(patterned);
  for (int bit = 0; bit < Width; ++bit) ASSERT_EQ(bits[bit].to_bool(), pattern(bit)) << bit << " of " << Width;
  FlitData back = ones;
  models::pins::from_bits<Width>(bits, back);
  EXPECT_EQ(back, cut) << Width << ": what is past the width is 0";
  EXPECT_TRUE(models::pins::to_bits<Width>(ones).and_reduce()) << Width;
  EXPECT_FALSE(models::pins::to_bits<Width>({}).or_reduce()) << Width;
}

TEST(FlitBits, AreTheLowestOfItsData) {
  expect_bits<16>();
  expect_bits<31>();
  expect_bits<32>();
  expect_bits<33>();
  expect_bits<63>();
  expect_bits<64>();
  expect_bits<65>();
  expect_bits<96>();
  expect_bits<128>();
  expect_bits<200>();
  expect_bits<255>();
  expect_bits<256>();
}

}  // namespace
}  // namespace braid::test::flit_bits_test
