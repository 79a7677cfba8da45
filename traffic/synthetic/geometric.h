// Gaps between the successes of a Bernoulli process, drawn with integers only: the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/base/random.h"

namespace braid::traffic {

/// Geometric distribution on 1, 2, …: P(gap > k) = (1 - p)^k. A draw beyond the table adds its length and draws again,
/// which the distribution, having no memory, allows; where nearly every draw would be beyond it, the number of whole
/// tables to skip is drawn first, which is geometric, too. Copies share the table: thousands of sources draw from one.
class GeometricGap {
 public:
  /// p in (0, 1].
  explicit GeometricGap(double p) : GeometricGap(Bits{~Random::probability_bits(p)}) {}

  std::uint64_t operator()(Random& random) const {
    const Tables& tables = *tables_;
    if (__builtin_expect(tables.blocks != nullptr, 0)) return by_blocks(tables, random);
    std::uint64_t gap = 0;
    for (;;) {
      const std::uint64_t k = steps(tables, random());
      gap += k;
      if (k < kLength) return gap + 1;
    }
  }

 private:
  static constexpr std::size_t kLength = 512;
  static constexpr std::uint64_t kRare = std::uint64_t{1} << 44;  // p = 2^-20: 2,000 draws a gap without blocks
  struct Bits {
    std::uint64_t miss;  // (1 - p) in units of 2^-64
  };
  struct Tables {
    std::vector<std::uint64_t> longer_than;      // [k - 1] P(gap > k), and two that no draw is below
    std::array<std::uint16_t, 256> guide{};      // [top byte of a draw] the first k at which a search may begin
    std::uint64_t inside = 0;                    // P(gap <= kLength) in units of 2^-64, where p is small
    std::shared_ptr<const GeometricGap> blocks;  // of kLength cycles; only where p is small
  };

  explicit GeometricGap(Bits bits) {
    const auto tables = std::make_shared<Tables>();
    std::uint64_t longer = bits.miss;  // P(gap > k), k = 1
    std::uint64_t longest = 0;
    for (std::size_t k = 1; k <= kLength && longer != 0; ++k) {
      tables->longer_than.push_back(longest = longer);
      longer = static_cast<std::uint64_t>((static_cast<Uint128>(longer) * bits.miss) >> 64);
    }
    std::size_t k = 0;
    for (std::size_t byte = tables->guide.size(); byte-- > 0;) {
      const std::uint64_t highest = (static_cast<std::uint64_t>(byte) << 56) | 0x00ffffffffffffffULL;
      while (k < tables->longer_than.size() && tables->longer_than[k] > highest) ++k;
      tables->guide[byte] = static_cast<std::uint16_t>(k);
    }
    tables->longer_than.insert(tables->longer_than.end(), 2, 0);
    tables->inside = ~longest;
    if (~bits.miss < kRare) tables->blocks.reset(new GeometricGap(Bits{longest}));
    tables_ = tables;
  }

  [[gnu::noinline]] static std::uint64_t by_blocks(const Tables& tables, Random& random) {
    const std::uint64_t whole = (*tables.blocks)(random)-1;
    const auto part = static_cast<std::uint64_t>((static_cast<Uint128>(random()) * tables.inside) >> 64);
    return whole * kLength + steps(tables, ~part) + 1;
  }
  /// The least k with draw >= P(gap > k + 1), kLength if there is none. It is mostly one of the first three places, and
  /// which of them nobody could guess: so two are gone on by without a branch.
  static std::uint64_t steps(const Tables& tables, std::uint64_t draw) {
    const std::uint64_t* const longer_than = tables.longer_than.data();
    std::size_t k = tables.guide[draw >> 56];
    k += draw < longer_than[k] ? 1 : 0;
    k += draw < longer_than[k] ? 1 : 0;
    while (__builtin_expect(draw < longer_than[k], 0)) ++k;
    return k;
  }

  std::shared_ptr<const Tables> tables_;
};

}  // namespace braid::traffic
