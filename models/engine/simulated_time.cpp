#include "models/engine/simulated_time.h"

#include <fmt/format.h>

#include <cmath>

#include "routing/base/input_error.h"

namespace braid::models {

/// A simulator that cannot tell picoseconds apart would round the period.
sc_core::sc_time::value_type whole_period(std::uint64_t period_ps) {
  const sc_core::sc_time period = clock_cycles(1, period_ps);
  const double ps = period.to_seconds() * 1e12;
  if (period.value() > 0 && std::abs(ps - static_cast<double>(period_ps)) < 0.001) return period.value();
  throw InputError(
      fmt::format("the clock's period of {} ps is no multiple of SystemC's time resolution of {}: expected "
                  "a finer one (sc_set_time_resolution)",
                  period_ps, sc_core::sc_get_time_resolution().to_string()));
}

std::uint64_t period_in_ps(const sc_core::sc_time& period) {
  const double ps = period.to_seconds() * 1e12, whole = std::round(ps);
  if (whole >= 1.0 && std::abs(ps - whole) < 0.0001) return static_cast<std::uint64_t>(whole);
  throw InputError(
      fmt::format("a clock period of {}: expected a whole number of picoseconds, at least 2", period.to_string()));
}

}  // namespace braid::models
