#include "models/stages/base/step_clock.h"

#include <algorithm>

#include "models/stages/base/process_order.h"
#include "models/stages/base/stage.h"

namespace braid::models::stages {

/// Notifies at once, for the kernel has less to do for that than for an event of the next delta: the caller is a
/// process, or stands between two deltas. To wake a process by an event of its own costs the kernel nearly twice what
/// it costs among all that wait for one. Where most of the stages had something to do they are not asked for a while.
bool StepClock::rise() {
  constexpr unsigned kAsksAgain = 16;  // edges
  if (process_order() != ProcessOrder::kKernels) return rise_in_order();
  if (busy_edges_ > 0) {
    --busy_edges_;
  } else if (listeners_ == stages_.size()) {
    awake_.clear();
    for (const auto& crew : crews_) crew->look(cycle_, awake_);
    if (2 * awake_.size() < stages_.size() || stages_.empty()) {
      for (Stage* stage : awake_) stage->wake();
      return !awake_.empty();
    }
    busy_edges_ = kAsksAgain - 1;
  }
  edge_.notify();
  return true;
}

bool StepClock::rise_in_order() {
  awake_ = stages_;
  if (process_order() == ProcessOrder::kBackward) std::reverse(awake_.begin(), awake_.end());
  for (Stage* stage : awake_) stage->wake();
  edge_.notify();  // for those who are no stages; a stage runs once
  return true;
}

StepClocks::StepClocks(std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    const std::string name = step == 0 ? "clk" : "clk_" + std::to_string(step);
    clocks_.push_back(std::make_unique<StepClock>(name.c_str(), cycle_));
  }
}

void StepClocks::finish() {
  for (const auto& clock : clocks_) {
    for (Stage* stage : clock->stages()) stage->run();
  }
}

}  // namespace braid::models::stages
