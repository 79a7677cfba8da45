// When synthetic packets are made, and how long they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "routing/base/random.h"
#include "routing/base/registry.h"

namespace braid::traffic {

struct InjectionOptions {
  std::string process = "bernoulli";
  double rate_packets_per_node_cycle = 0.0;  ///< in [0, 1]: mean over a long time
  double on_cycles = 100.0;                  ///< "on_off": mean length of a burst
  double off_cycles = 100.0;                 ///< "on_off": mean pause; the rate while on is scaled to keep the mean
};

/// One source's arrivals. Has state of its own (on or off), so each source owns one.
class InjectionProcess {
 public:
  static const char* axis() { return "injection process"; }
  virtual ~InjectionProcess() = default;
  /// Cycles from one packet to the next, at least 1; kNever if there is none.
  /// From cycle 0 on, the first packet is made at cycle next_gap() - 1.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  virtual std::uint64_t next_gap(Random& random) = 0;
  /// A copy for another source. Copies share what does not change.
  virtual std::unique_ptr<InjectionProcess> clone() const = 0;
};
using InjectionRegistry = Registry<InjectionProcess, InjectionOptions>;

struct LengthOptions {
  std::string distribution = "fixed";
  std::uint32_t flits = 4;        ///< "fixed"
  std::uint32_t short_flits = 1;  ///< "bimodal"
  std::uint32_t long_flits = 5;   ///< "bimodal", "bursty"
  double long_fraction = 0.5;     ///< "bimodal", "bursty"
  std::uint32_t min_flits = 1;    ///< "uniform", "bursty"
  std::uint32_t max_flits = 8;    ///< "uniform", "bursty"
};

class LengthDistribution {
 public:
  static const char* axis() { return "length distribution"; }
  virtual ~LengthDistribution() = default;
  virtual std::uint32_t sample_flits(Random& random) const = 0;
  virtual double mean_flits() const = 0;
};
using LengthRegistry = Registry<LengthDistribution, LengthOptions>;

}  // namespace braid::traffic
