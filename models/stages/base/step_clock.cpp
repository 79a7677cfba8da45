#include "models/stages/base/step_clock.h"

#include <algorithm>

#include "models/stages/base/process_order.h"
#include "models/stages/base/stage.h"

namespace braid::models::stages {
namespace {

/// As a test wants them.
std::vector<Stage*> in_order(std::vector<Stage*> stages) {
  if (process_order() == ProcessOrder::kBackward) std::reverse(stages.begin(), stages.end());
  return stages;
}

}  // namespace

bool StepClock::rise() {
  if (process_order() != ProcessOrder::kKernels) return rise_in_order();
  const bool changes = std::any_of(register_crews_.begin(), register_crews_.end(),
                                   [this](const auto& crew) { return crew->any(cycle_); });
  if (changes) request_update();
  return rise_for_processes() || changes;
}

/// Notifies at once, for the kernel has less to do for that than for an event of the next delta: the caller is a
/// process, or stands between two deltas. To wake a process by an event of its own costs the kernel nearly twice what
/// it costs among all that wait for one. Where most of the stages had something to do they are not asked for a while.
bool StepClock::rise_for_processes() {
  constexpr unsigned kAsksAgain = 4;  // edges
  if (processes_.empty() && listeners_ == stages_.size()) return false;
  if (busy_edges_ > 0) {
    --busy_edges_;
  } else if (listeners_ == stages_.size()) {
    awake_.clear();
    for (const auto& crew : crews_) crew->look(cycle_, awake_);
    if (5 * awake_.size() < 3 * processes_.size()) {
      for (Stage* stage : awake_) stage->wake();
      return !awake_.empty();
    }
    busy_edges_ = kAsksAgain - 1;
  }
  edge_.notify();
  return true;
}

void StepClock::update() {
  if (process_order() == ProcessOrder::kKernels) {
    for (const auto& crew : register_crews_) crew->run(cycle_);
    return;
  }
  for (Stage* stage : in_order(registers_)) stage->run();
}

/// Registers, too: their processes sleep.
bool StepClock::rise_in_order() {
  awake_ = in_order(processes_);
  if (!registers_.empty()) request_update();
  for (Stage* stage : awake_) stage->wake();
  const bool others_listen = listeners_ > stages_.size();
  if (!awake_.empty() || others_listen) edge_.notify();  // for those who are no stages; a stage runs once
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
