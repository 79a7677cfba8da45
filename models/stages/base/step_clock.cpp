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
  if (listeners_ > stages_.size()) {
    edge_.notify();
    return true;
  }
  const bool changes = registers_.any(cycle_);
  if (changes) request_update();
  const bool ran = in_place_.run(cycle_);
  return rise_for_processes() || ran || changes;
}

/// Notifies at once, for the kernel has less to do for that than for an event of the next delta: the caller is a
/// process, or stands between two deltas. To wake a process by an event of its own costs the kernel nearly twice what
/// it costs among all that wait for one. Where most of the stages had something to do they are not asked for a while;
/// not where others run without processes, which the edge would wake.
bool StepClock::rise_for_processes() {
  constexpr unsigned kAsksAgain = 4;  // edges
  if (processes_.empty()) return false;
  if (busy_edges_ > 0) {
    --busy_edges_;
  } else {
    awake_.clear();
    for (const auto& crew : crews_) crew->look(cycle_, awake_);
    if (processes_.size() < stages_.size() || 5 * awake_.size() < 3 * processes_.size()) {
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
    registers_.run(cycle_);
    return;
  }
  for (Stage* stage : in_order(registers_.stages)) stage->run();
}

/// Registers, too: their processes sleep.
bool StepClock::rise_in_order() {
  std::vector<Stage*> by_processes = processes_;
  by_processes.insert(by_processes.end(), in_place_.stages.begin(), in_place_.stages.end());
  awake_ = in_order(std::move(by_processes));
  if (!registers_.stages.empty()) request_update();
  for (Stage* stage : awake_) stage->wake();
  const bool others_listen = listeners_ > stages_.size();
  if (!awake_.empty() || others_listen) edge_.notify();  // for those who are no stages; a stage runs once
  return true;
}

void StepClock::finish() {
  in_place_.finish(cycle_);
  registers_.finish(cycle_);
  for (Stage* stage : processes_) stage->run();
}

bool StepClock::Group::any(std::uint64_t cycle) const {
  return next <= cycle && std::any_of(crews.begin(), crews.end(), [&](const auto& crew) { return crew->any(cycle); });
}

bool StepClock::Group::run(std::uint64_t cycle) {
  if (next > cycle) return false;
  next = cycle + 1;
  bool ran = false;
  for (const auto& crew : crews) ran |= crew->run(cycle);
  return ran;
}

/// By their processes' function, as some of them may have run by their processes.
void StepClock::Group::finish(std::uint64_t cycle) {
  if (next > cycle) return;
  next = cycle + 1;
  for (Stage* stage : stages) stage->run();
}

StepClocks::StepClocks(std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    const std::string name = step == 0 ? "clk" : "clk_" + std::to_string(step);
    clocks_.push_back(std::make_unique<StepClock>(name.c_str(), cycle_));
  }
}

void StepClocks::finish() {
  for (const auto& clock : clocks_) clock->finish();
}

}  // namespace braid::models::stages
