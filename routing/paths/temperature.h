// The temperature of simulated annealing, in integers: every machine anneals alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "routing/base/random.h"

namespace braid::routing {

class Temperature {
 public:
  static constexpr std::size_t kSweeps = 10000;  ///< from the first temperature to the last, a fifth of it

  /// Moves of half that weight are common at first.
  explicit Temperature(std::uint64_t mean_weight) : value_(mean_weight << (kBits - 1)) {}

  /// A move that makes the order heavier is taken with a probability that halves with every `value_ ln 2` more. The
  /// drawn number has as many halves as there are zeros before its first one, and a part of one by its last bits.
  bool takes(std::int64_t change, Random& random) const {
    if (change <= 0) return true;
    const std::uint64_t drawn = random();
    const auto zeros = static_cast<std::uint64_t>(__builtin_clzll(drawn | kOne));
    const std::uint64_t halves = (zeros << kBits) + drawn % kOne;
    return static_cast<Uint128>(change) << (2 * kBits) < static_cast<Uint128>(value_) * halves * kLn2 / kOne;
  }
  void cool(std::size_t sweeps) {
    for (; sweeps > 0; --sweeps) value_ -= value_ * kCooling >> 20;
  }

 private:
  static constexpr unsigned kBits = 16;
  static constexpr std::uint64_t kOne = 1 << kBits, kLn2 = 45426;
  static constexpr std::uint64_t kCooling = 169;  // (1 - 169 / 2^20)^10000 is a fifth
  std::uint64_t value_;                           // in kOne
};

}  // namespace braid::routing
