// What a run measures, what it tells on its way, and how it is broken off.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "routing/base/options.h"

namespace braid::models {

enum class WarmUpRule : std::uint8_t { kCalm, kMser5 };

struct MeasurementOptions {
  std::uint64_t batch_cycles = 1000;  ///< for warm-up and confidence
  std::uint64_t min_warmup_cycles = 1000;
  std::uint64_t max_warmup_cycles = 50000;
  double warmup_tolerance = 0.05;  ///< two batches running: mean latency and throughput change by no more
  WarmUpRule warmup_rule = WarmUpRule::kCalm;
  std::uint64_t measure_cycles = 20000;
  std::string until;  ///< "latency 1 %": measures on until it is known so well; empty: no longer
  std::uint64_t most_measure_cycles = 1000000;  ///< ... but no longer than that
  std::uint64_t max_drain_cycles = 20000;  ///< for packets born while measuring; then the point counts as saturated
};
/// In section [simulation].
const OptionTable<MeasurementOptions>& measurement_options();

struct Progress {
  std::uint64_t cycle = 0;
  std::uint64_t expected_cycles = 0;  ///< 0: nobody knows
  const char* phase = "";        ///< "routes", "network", "deadlock check"; "set-up", "warm-up", "measure", "drain"
  const char* counts = "cycle";  ///< what `cycle` counts; before the first cycle what is under way ("destination")
};

/// Called about ten times a second; returning false stops what is under way (which then throws Interrupted).
using OnProgress = std::function<bool(const Progress&)>;

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace braid::models
