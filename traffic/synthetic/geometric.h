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
/// which the distribution, having no memory, allows. Copies share the table: thousands of sources draw from one.
class GeometricGap {
 public:
  /// p in (0, 1].
  explicit GeometricGap(double p) {
    const auto tables = std::make_shared<Tables>();
    auto& [longer_than, guide] = *tables;
    const std::uint64_t miss = ~Random::probability_bits(p);  // (1 - p) in units of 2^-64
    std::uint64_t longer = miss;                              // P(gap > k), k = 1
    for (std::size_t k = 1; k <= kLength && longer != 0; ++k) {
      longer_than.push_back(longer);
      longer = static_cast<std::uint64_t>((static_cast<Uint128>(longer) * miss) >> 64);
    }
    std::size_t k = 0;
    for (std::size_t byte = guide.size(); byte-- > 0;) {
      const std::uint64_t highest = (static_cast<std::uint64_t>(byte) << 56) | 0x00ffffffffffffffULL;
      while (k < longer_than.size() && longer_than[k] > highest) ++k;
      guide[byte] = static_cast<std::uint16_t>(k);
    }
    tables_ = tables;
  }

  std::uint64_t operator()(Random& random) const {
    const auto& [longer_than, guide] = *tables_;
    std::uint64_t gap = 0;
    for (;;) {
      const std::uint64_t draw = random();
      std::size_t k = guide[draw >> 56];
      while (k < longer_than.size() && draw < longer_than[k]) ++k;
      gap += k;
      if (k < kLength) return gap + 1;
    }
  }

 private:
  static constexpr std::size_t kLength = 512;
  struct Tables {
    std::vector<std::uint64_t> longer_than;  // [k - 1] P(gap > k)
    std::array<std::uint16_t, 256> guide{};  // [top byte of a draw] the first k at which a search may begin
  };
  std::shared_ptr<const Tables> tables_;
};

}  // namespace braid::traffic
