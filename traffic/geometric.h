// Gaps between the successes of a Bernoulli process, drawn with integers only: the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "traffic/random.h"

namespace braid::traffic {

/// Geometric distribution on 1, 2, …: P(gap > k) = (1 - p)^k. A draw beyond the table adds its length and draws again,
/// which the distribution, having no memory, allows.
class GeometricGap {
 public:
  /// p in (0, 1].
  explicit GeometricGap(double p) {
    const std::uint64_t miss = ~Random::probability_bits(p);  // (1 - p) in units of 2^-64
    std::uint64_t longer = miss;                              // P(gap > k), k = 1
    for (std::size_t k = 1; k <= kLength && longer != 0; ++k) {
      longer_.push_back(longer);
      longer = static_cast<std::uint64_t>((static_cast<Uint128>(longer) * miss) >> 64);
    }
    // guide_[top byte of a draw] = the first k at which a search may begin.
    std::size_t k = 0;
    for (std::size_t byte = guide_.size(); byte-- > 0;) {
      const std::uint64_t highest = (static_cast<std::uint64_t>(byte) << 56) | 0x00ffffffffffffffULL;
      while (k < longer_.size() && longer_[k] > highest) ++k;
      guide_[byte] = static_cast<std::uint16_t>(k);
    }
  }

  std::uint64_t operator()(Random& random) const {
    std::uint64_t gap = 0;
    for (;;) {
      const std::uint64_t draw = random();
      std::size_t k = guide_[draw >> 56];
      while (k < longer_.size() && draw < longer_[k]) ++k;
      gap += k;
      if (k < kLength) return gap + 1;
    }
  }

 private:
  static constexpr std::size_t kLength = 512;
  std::vector<std::uint64_t> longer_;  // [k - 1] P(gap > k)
  std::array<std::uint16_t, 256> guide_{};
};

}  // namespace braid::traffic
