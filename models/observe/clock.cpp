#include "models/observe/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "routing/base/input_error.h"

namespace braid::models {

std::uint64_t picoseconds(const std::string& key, double ns) {
  const double ps = std::round(ns * 1000.0);
  if (std::fabs(ps - ns * 1000.0) > std::max(1e-6, 1e-14 * ps)) {  // a sum of such numbers may be off by its last bits
    throw InputError(fmt::format("{} = {}: expected whole picoseconds, at most three decimals", key, ns));
  }
  return static_cast<std::uint64_t>(ps);
}

std::uint64_t whole_cycles(const std::string& key, double ns, std::uint64_t period_ps, const std::string& period_key) {
  const std::uint64_t ps = picoseconds(key, ns);
  const std::uint64_t cycles = ps / period_ps;
  if (cycles > 0 && cycles * period_ps == ps) return cycles;
  const auto in_ns = [&](std::uint64_t count) { return static_cast<double>(count * period_ps) / 1000.0; };
  const std::string nearest =
      (cycles == 0 ? "" : fmt::format("{} or ", in_ns(cycles))) + fmt::format("{}", in_ns(cycles + 1));
  throw InputError(fmt::format("{} = {}: not a whole number of cycles of {} ns{}; expected {}", key, ns, in_ns(1),
                               period_key.empty() ? "" : " (" + period_key + ")", nearest));
}

}  // namespace braid::models
