// Which schedule runs a network's cycles, and how the network is cut for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "routing/base/options.h"

namespace braid::models {

enum class Schedule { kStatic, kProcessPerStage };

struct ScheduleOptions {
  Schedule schedule = Schedule::kStatic;
  std::uint32_t threads = 1;  ///< at most; > 1 only with the static schedule
};
/// In section [simulation].
const OptionTable<ScheduleOptions>& schedule_options();

/// Cores that this process may run on; at least 1.
std::size_t usable_cores();

/// How a network is cut for a schedule.
std::size_t slices_for(const ScheduleOptions& options, std::size_t routers);

}  // namespace braid::models
