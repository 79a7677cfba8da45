// When a run has measured enough: simulation.until = "latency 1 %".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/experiment/results.h"

namespace braid::models {

struct StoppingRule {
  enum class Figure : std::uint8_t { kLatency, kAccepted };
  Figure figure = Figure::kLatency;
  double share = 0.01;  ///< half-width of the 95 % interval over the mean

  /// Of "latency 1 %", "accepted 0.5 %"; none of "". Throws InputError.
  static std::optional<StoppingRule> of(const std::string& text);
  /// Is the figure known so well of every class that has a packet? Not while an interval is not reliable.
  bool holds(const std::vector<TrafficClassResults>& classes) const;
  /// The widest interval of any class, over its mean; infinite where one is not reliable.
  double widest(const std::vector<TrafficClassResults>& classes) const;
};

}  // namespace braid::models
