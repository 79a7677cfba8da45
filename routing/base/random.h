// Random streams: one for each component, from the experiment's seed and the component's hierarchical name, so that
// no schedule, thread count or process order can change what any component draws.
#pragma once

#include <cstdint>
#include <string_view>

#include "routing/base/options.h"

namespace braid {

__extension__ using Uint128 = unsigned __int128;

/// splitmix64's finaliser: a bijection that scatters its input over 64 bits.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// splitmix64: 64 bits of state, integer arithmetic only, so the same on every machine.
/// Satisfies UniformRandomBitGenerator. Use below() rather than std::uniform_int_distribution, whose results
/// differ between standard libraries.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed = 0) : state_(mix64(seed + kGamma)) {}
  /// The stream of the component called `name` (for example "node[12].injection").
  Random(std::uint64_t seed, std::string_view name) : Random(seed ^ fnv1a(name)) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() { return mix64(state_ += kGamma); }

  /// The number that `n` further draws would be followed by, without drawing: of who draws once for each of its things,
  /// by the thing's number, in whatever order.
  result_type nth(std::uint64_t n) const { return mix64(state_ + (n + 1) * kGamma); }

  /// Uniform in [0, bound), bound > 0 (multiply-shift; bias below bound / 2^64).
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Uint128>((*this)()) * bound) >> 64);
  }

  /// True with the probability that probability_bits() made.
  bool chance(std::uint64_t bits) { return (*this)() < bits; }

  /// p in [0, 1] as a threshold for chance(); 1 becomes 2^64 - 1.
  static std::uint64_t probability_bits(double p) {
    if (p >= 1.0) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(p * 18446744073709551616.0);
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
  }
  std::uint64_t state_;
};

struct SeedOptions {
  std::uint64_t seed = 1;
};
/// experiment.seed.
const OptionTable<SeedOptions>& seed_options();
inline std::uint64_t read_seed(const Configuration& configuration) { return seed_options().read(configuration).seed; }

}  // namespace braid
