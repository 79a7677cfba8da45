// The algebra of planes by its truth tables: each router of a plane is another row of the table, and what it should
// give is worked out for that row alone, in plain numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

// Vectors are handed over among functions that are compiled into each other.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "models/families/hybrid/planes/counters.h"
#include "models/families/hybrid/planes/switch_allocation.h"

namespace braid::test::planes_algebra {
namespace {

using namespace models::hybrid::planes;

/// The first of `requests` at or after `turn`, counted round; -1: none.
int first_from(unsigned turn, unsigned requests, unsigned requesters) {
  for (unsigned i = 0; i < requesters; ++i) {
    const unsigned one = (turn + i) % requesters;
    if ((requests >> one & 1) != 0) return static_cast<int>(one);
  }
  return -1;
}

/// Rows: each turn with each set of requests.
template <class Shape>
void expect_round_robin() {
  constexpr unsigned kVcs = Shape::kVcs, kRouters = Shape::kWords * kWordBits, kSets = 1U << kVcs;
  for (unsigned from = 0; from < kVcs * kSets; from += kRouters) {
    const unsigned rows = std::min(kRouters, kVcs * kSets - from);
    typename Shape::Vcs turn{}, requests{};
    for (unsigned row = 0; row < rows; ++row) {
      put<Shape>(&turn, (from + row) / kSets, row, true);
      for (unsigned v = 0; v < kVcs; ++v) put<Shape>(&requests, v, row, ((from + row) % kSets >> v & 1) != 0);
    }
    const typename Shape::Vcs winners = Shape::round_robin(turn, requests);
    for (unsigned row = 0; row < rows; ++row) {
      const int winner = first_from((from + row) / kSets, (from + row) % kSets, kVcs);
      EXPECT_EQ(Shape::at(winners, row), winner < 0 ? 0U : 1U << winner) << "row " << from + row;
    }
  }
}

TEST(PlanesAlgebra, RoundRobinAmongVcs) {
  expect_round_robin<Lanes>();
  expect_round_robin<Blocks<4>>();
  expect_round_robin<Blocks<8>>();
  expect_round_robin<Blocks<4, 8>>();
}

/// Any one bit of a vector is some, whichever word it is in.
TEST(PlanesAlgebra, SomeIsAnyBit) {
  const auto expect_each_bit = [](auto shape) {
    using Shape = decltype(shape);
    EXPECT_FALSE(Shape::some(typename Shape::One{}));
    EXPECT_FALSE(Shape::some(typename Shape::Vcs{}));
    for (unsigned bit = 0; bit < Shape::kWords * 64; ++bit) {
      typename Shape::One one{};
      word_of<Shape>(one, bit) |= bit_of(bit);
      EXPECT_TRUE(Shape::some(one)) << bit;
      for (unsigned v = 0; v < unsigned{Shape::kVcs}; ++v) {
        typename Shape::Vcs vcs{};
        word_of<Shape>(&vcs, v, bit) |= bit_of(bit);
        EXPECT_TRUE(Shape::some(vcs)) << bit << " of VC " << v;
      }
    }
  };
  expect_each_bit(Blocks<4>());
  expect_each_bit(Blocks<4, 8>());
}

/// Five ports and the place behind them: 6 turns, 32 sets of offers.
TEST(PlanesAlgebra, RoundRobinAmongPorts) {
  constexpr unsigned kPorts = 5;
  using Shape = Blocks<4>;
  Shape::One turn[kPorts + 1] = {}, offers[kPorts] = {};
  for (unsigned row = 0; row < 6 * 32; ++row) {
    word_of<Shape>(turn[row / 32], row) |= bit_of(row);
    for (unsigned p = 0; p < kPorts; ++p) word_of<Shape>(offers[p], row) |= Word{row % 32 >> p & 1} << row % 64;
  }
  take_offer(turn, kPorts, offers);
  for (unsigned row = 0; row < 6 * 32; ++row) {
    const int winner = first_from(row / 32, row % 32, kPorts + 1);
    const int next = winner < 0 ? static_cast<int>(row / 32) : winner + 1;
    for (int p = 0; p < static_cast<int>(kPorts); ++p) EXPECT_EQ(is_set<Shape>(offers[p], row), p == winner) << row;
    for (int p = 0; p <= static_cast<int>(kPorts); ++p) EXPECT_EQ(is_set<Shape>(turn[p], row), p == next) << row;
  }
}

/// Every order of four requesters with every set of requests.
TEST(PlanesAlgebra, MatrixAmongFour) {
  using Shape = Blocks<4>;
  std::vector<std::array<int, 4>> orders;
  std::array<int, 4> order = {0, 1, 2, 3};
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  for (unsigned begin = 0; begin < orders.size(); begin += 16) {  // 16 orders a block
    const unsigned rows = 16 * std::min<unsigned>(16, static_cast<unsigned>(orders.size()) - begin);
    Shape::One before[16] = {}, requests[4] = {};
    for (unsigned row = 0; row < rows; ++row) {
      const std::array<int, 4>& of_row = orders[begin + row / 16];
      for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) word_of<Shape>(before[of_row[i] * 4 + of_row[j]], row) |= bit_of(row);
        word_of<Shape>(requests[i], row) |= Word{row % 16 >> i & 1} << row % 64;
      }
    }
    take_first<4>(before, 4, requests);
    go_behind<4>(before, 4, requests);
    for (unsigned row = 0; row < rows; ++row) {
      std::vector<int> after(orders[begin + row / 16].begin(), orders[begin + row / 16].end());
      const auto winner =
          std::find_if(after.begin(), after.end(), [row](int one) { return (row % 16 >> one & 1) != 0; });
      for (int one = 0; one < 4; ++one) {
        EXPECT_EQ(is_set<Shape>(requests[one], row), winner != after.end() && *winner == one) << begin << " " << row;
      }
      if (winner != after.end()) std::rotate(winner, winner + 1, after.end());
      for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j)
          EXPECT_TRUE(is_set<Shape>(before[after[i] * 4 + after[j]], row)) << begin << " " << row;
      }
    }
  }
}

/// Four planes are added to a counter of three bits.
TEST(PlanesAlgebra, FourAtOnce) {
  for (unsigned value = 0; value < 4; ++value) {
    Word counter[3] = {value & 1 ? ~Word{0} : 0, value & 2 ? ~Word{0} : 0, 0}, four[4] = {};
    for (unsigned row = 0; row < 16; ++row) {
      for (unsigned i = 0; i < 4; ++i) four[i] |= Word{row >> i & 1} << row;
    }
    add_four(counter, 3, four);
    for (unsigned row = 0; row < 16; ++row) {
      const unsigned sum = value + static_cast<unsigned>(__builtin_popcount(row));
      for (unsigned k = 0; k < 3; ++k) EXPECT_EQ(counter[k] >> row & 1, sum >> k & 1) << value << " " << row;
    }
  }
}

/// Sixteen values, each with neither, either and both of up and down.
TEST(PlanesAlgebra, CountersUpAndDown) {
  Word counter[4] = {}, down_only[4] = {}, more = 0, less = 0;
  for (unsigned row = 0; row < 64; ++row) {
    for (unsigned k = 0; k < 4; ++k) counter[k] |= Word{row % 16 >> k & 1} << row;
    more |= Word{row / 16 & 1} << row;
    less |= Word{row / 32} << row;
  }
  std::copy(counter, counter + 4, down_only);
  const Word one_before = is_one(counter, 4);
  const Word not_zero = count(counter, 4, more, less);
  const Word one = count_down(down_only, 4, less);
  for (unsigned row = 0; row < 64; ++row) {
    const auto value = [row](const Word* planes) {
      unsigned all = 0;
      for (unsigned k = 0; k < 4; ++k) all |= static_cast<unsigned>(planes[k] >> row & 1) << k;
      return all;
    };
    const unsigned up = row / 16 & 1, down = row / 32;
    EXPECT_EQ(value(counter), (row + up - down) % 16) << row;
    EXPECT_EQ((not_zero >> row & 1) != 0, value(counter) != 0) << row;
    EXPECT_EQ(value(down_only), (row - down) % 16) << row;
    EXPECT_EQ((one >> row & 1) != 0, value(down_only) == 1) << row;
    EXPECT_EQ((one_before >> row & 1) != 0, row % 16 == 1) << row;
  }
}

/// A plane that is shifted by `shift` has at router r what it had at r - shift, if there is such a router.
TEST(PlanesAlgebra, LinksAreShifts) {
  constexpr unsigned kMargin = 8, kWords = Blocks<4>::kWords;
  Word plane[4 * (kWords + 2 * kMargin)];
  std::uint64_t pattern = 1;
  for (Word& word : plane) word = pattern = pattern * 6364136223846793005 + 1442695040888963407;
  for (const int shift : {0, 1, -1, 17, -17, 64, -64, 100, -200, 255}) {
    const Blocks<4>::Vcs moved = Blocks<4>::shifted(plane + kMargin, kWords + 2 * kMargin, shift);
    for (int r = 0; r < 256; ++r) {
      for (unsigned v = 0; v < 4; ++v) {
        const int from = r - shift + static_cast<int>(kMargin * kWordBits);
        const Word word = plane[v * (kWords + 2 * kMargin) + static_cast<unsigned>(from) / kWordBits];
        ASSERT_EQ(is_set<Blocks<4>>(&moved, v, static_cast<unsigned>(r)), (word >> from % 64 & 1) != 0)
            << shift << " " << r;
      }
    }
  }
  for (const int shift : {0, 1, -1, 8, -8, 63}) {
    const Lanes::Vcs moved = Lanes::shifted(plane, 1, shift);
    for (int r = 0; r < 64; ++r) {
      const int from = r - shift;
      const bool there = from >= 0 && from < 64 && (plane[2] >> from & 1) != 0;
      ASSERT_EQ(is_set<Lanes>(&moved, 2, static_cast<unsigned>(r)), there) << shift << " " << r;
    }
  }
}

}  // namespace
}  // namespace braid::test::planes_algebra
