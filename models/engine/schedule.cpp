#include "models/engine/schedule.h"

#include <sched.h>

#include <algorithm>

namespace braid::models {

const OptionTable<ScheduleOptions>& schedule_options() {
  using S = ScheduleOptions;
  static const OptionTable<S> table =
      OptionTable<S>("simulation")
          .choice<Schedule>("schedule", &S::schedule,
                            {{"static", Schedule::kStatic}, {"process_per_stage", Schedule::kProcessPerStage}},
                            "same results; static is fast, process_per_stage is SystemC modules")
          .integer(
              "threads", &S::threads, 1, 256,
              "static schedule only; at most so many, not more than there are cores, and one where more are no faster; "
              "same results");
  return table;
}

std::size_t usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

std::size_t slices_for(const ScheduleOptions& options, std::size_t routers) {
  return options.schedule == Schedule::kProcessPerStage ? routers : options.threads;
}

}  // namespace braid::models
