#include "models/experiment/stopping_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "routing/base/input_error.h"

namespace braid::models {

namespace {

std::optional<StoppingRule> of_iterations(const std::string& text) {
  constexpr std::uint64_t kMost = 1'000'000;
  std::istringstream words(text);
  std::string figure, rest;
  std::int64_t count = 0;
  if (!(words >> figure >> count) || words >> rest || figure != "iterations" || count < 1) return std::nullopt;
  if (static_cast<std::uint64_t>(count) > kMost) return std::nullopt;
  StoppingRule rule;
  rule.figure = StoppingRule::Figure::kIterations;
  rule.iterations = static_cast<std::uint64_t>(count);
  return rule;
}

}  // namespace

std::optional<StoppingRule> StoppingRule::of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto rule = of_iterations(text)) return rule;
  std::istringstream words(text);
  std::string figure, rest, unit;
  double percent = 0.0;
  const bool read = static_cast<bool>(words >> figure >> percent >> unit) && unit == "%" && !(words >> rest);
  const bool known = figure == "latency" || figure == "accepted";
  if (!read || !known || !(percent > 0.0 && percent < 100.0)) {
    throw InputError("simulation.until = \"" + one_line(text) +
                     "\": expected \"latency P %\" or \"accepted P %\", P above 0 and below 100, or \"iterations N\", "
                     "N from 1 to 1000000");
  }
  return StoppingRule{figure == "latency" ? Figure::kLatency : Figure::kAccepted, percent / 100.0};
}

double StoppingRule::widest(const std::vector<TrafficClassResults>& classes) const {
  double most = classes.empty() ? std::numeric_limits<double>::infinity() : 0.0;
  for (const TrafficClassResults& c : classes) {
    const Estimate& e = figure == Figure::kLatency ? c.packet_latency_cycles : c.accepted_flits_per_node_cycle;
    const double wide = e.half_width_95 / e.mean;
    most = std::isnan(wide) ? std::numeric_limits<double>::infinity() : std::max(most, wide);
  }
  return most;
}

double StoppingRule::iterations_in(const Report& workloads, std::uint64_t cycles) {
  for (const Reported& workload : workloads.figures) {
    if (workload.declared->name != "stream") continue;
    const auto& rate = std::get<Report>(workload.value).get<Estimate>("iterations_per_kilocycle");
    return rate.mean * static_cast<double>(cycles) / 1000.0;
  }
  return 0.0;
}

bool StoppingRule::holds(const std::vector<TrafficClassResults>& classes) const { return widest(classes) <= share; }

bool StoppingRule::holds(const Report& workloads, std::uint64_t cycles) const {
  constexpr double kRounded = 1e-6;  // a mean of whole thousandths
  return iterations_in(workloads, cycles) + kRounded >= static_cast<double>(iterations);
}

}  // namespace braid::models
