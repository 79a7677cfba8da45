// When a run has measured enough: simulation.until = "latency 1 %", "iterations 8".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/experiment/results.h"

namespace braid::models {

struct StoppingRule {
  enum class Figure : std::uint8_t { kLatency, kAccepted, kIterations };
  Figure figure = Figure::kLatency;
  double share = 0.01;           ///< half-width of the 95 % interval over the mean
  std::uint64_t iterations = 0;  ///< kIterations: of the stream program, at least so many

  /// Of "latency 1 %", "accepted 0.5 %", "iterations 8"; none of "". Throws InputError.
  static std::optional<StoppingRule> of(const std::string& text);
  /// Is the figure known so well of every class that has a packet? Not while an interval is not reliable.
  bool holds(const std::vector<TrafficClassResults>& classes) const;
  /// kIterations: does the window hold so many?
  bool holds(const Report& workloads, std::uint64_t cycles) const;
  /// Iterations of the stream program that the window holds, by what workloads report of so many cycles; none of
  /// others.
  static double iterations_in(const Report& workloads, std::uint64_t cycles);
  /// The widest interval of any class, over its mean; infinite where one is not reliable.
  double widest(const std::vector<TrafficClassResults>& classes) const;
};

}  // namespace braid::models
