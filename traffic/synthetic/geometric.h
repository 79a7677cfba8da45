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
    if (tables_->blocks) {
      const std::uint64_t whole = (*tables_->blocks)(random)-1;
      const std::uint64_t inside = ~tables_->longer_than.back();  // P(gap <= kLength) in units of 2^-64
      const auto part = static_cast<std::uint64_t>((static_cast<Uint128>(random()) * inside) >> 64);
      return whole * kLength + steps(~part) + 1;
    }
    std::uint64_t gap = 0;
    for (;;) {
      const std::uint64_t k = steps(random());
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
    std::vector<std::uint64_t> longer_than;      // [k - 1] P(gap > k)
    std::array<std::uint16_t, 256> guide{};      // [top byte of a draw] the first k at which a search may begin
    std::shared_ptr<const GeometricGap> blocks;  // of kLength cycles; only where p is small
  };

  explicit GeometricGap(Bits bits) {
    const auto tables = std::make_shared<Tables>();
    std::uint64_t longer = bits.miss;  // P(gap > k), k = 1
    for (std::size_t k = 1; k <= kLength && longer != 0; ++k) {
      tables->longer_than.push_back(longer);
      longer = static_cast<std::uint64_t>((static_cast<Uint128>(longer) * bits.miss) >> 64);
    }
    std::size_t k = 0;
    for (std::size_t byte = tables->guide.size(); byte-- > 0;) {
      const std::uint64_t highest = (static_cast<std::uint64_t>(byte) << 56) | 0x00ffffffffffffffULL;
      while (k < tables->longer_than.size() && tables->longer_than[k] > highest) ++k;
      tables->guide[byte] = static_cast<std::uint16_t>(k);
    }
    if (~bits.miss < kRare) tables->blocks.reset(new GeometricGap(Bits{tables->longer_than.back()}));
    tables_ = tables;
  }

  /// The least k with draw >= P(gap > k + 1), kLength if there is none.
  std::uint64_t steps(std::uint64_t draw) const {
    const std::vector<std::uint64_t>& longer_than = tables_->longer_than;
    std::size_t k = tables_->guide[draw >> 56];
    while (k < longer_than.size() && draw < longer_than[k]) ++k;
    return k;
  }

  std::shared_ptr<const Tables> tables_;
};

}  // namespace braid::traffic
