// Options of a watchdog that a test makes by itself.
#pragma once

#include <cstdint>

#include "models/engine/watchdog.h"

namespace braid::test {

inline models::WatchdogOptions limits(std::uint64_t watchdog_cycles, std::uint64_t max_packet_age_cycles = 0) {
  models::WatchdogOptions options;
  options.watchdog_cycles = watchdog_cycles;
  options.max_packet_age_cycles = max_packet_age_cycles;
  return options;
}

}  // namespace braid::test
