// When synthetic packets are made, and how long they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "routing/base/random.h"
#include "routing/base/registry.h"

namespace braid::traffic {

/// What a process is made from.
struct InjectionContext {
  double rate_packets_per_node_cycle = 0.0;  ///< in [0, 1]: mean over a long time
  Configuration configuration;               ///< for its own options
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
  /// What one packet's gap leaves behind for the next.
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this injection process has no checkpoint()"); }
};
using InjectionRegistry = Registry<InjectionProcess, InjectionContext>;

constexpr std::uint32_t kLongestPacketFlits = 65535;

class LengthDistribution {
 public:
  static const char* axis() { return "length distribution"; }
  virtual ~LengthDistribution() = default;
  virtual std::uint32_t sample_flits(Random& random) const = 0;
  virtual double mean_flits() const = 0;
};
using LengthRegistry = Registry<LengthDistribution, Configuration>;

}  // namespace braid::traffic
