#include "models/workload/broadcast_processor.h"

namespace braid::models {

std::uint64_t BroadcastProcessor::take(std::uint64_t cycle, Effects& effects) {
  const Task task = queue_.front();
  queue_.pop_front();
  free_at_ = carry_out(task, cycle, effects);
  return free_at_;
}

std::uint64_t BroadcastProcessor::carry_out(const Task& task, std::uint64_t t, Effects& effects) {
  switch (task.kind) {
    case Task::Kind::kStart:
      return follow(station_.begin(task.broadcast), t, effects);
    case Task::Kind::kHandle:
      return handle(task.broadcast, t, effects);
    case Task::Kind::kAgain:
      return follow(station_.hear_again(task.broadcast, task.from), t, effects);
    case Task::Kind::kHear:
      break;
  }
  t += costs_.receive_cycles + (sequenced_ ? costs_.order_cycles : 0);
  try {
    t = follow(station_.hear(task.broadcast, task.from), t, effects);
  } catch (const traffic::BroadcastError& error) {
    effects.refused(error.what());
  }
  return t + costs_.after_cycles;
}

std::uint64_t BroadcastProcessor::follow(const traffic::BroadcastStation::Steps& steps, std::uint64_t t,
                                         Effects& effects) {
  bool passed_on = false;
  for (const Step& step : steps) {
    switch (step.kind) {
      case Step::Kind::kTell:
        t += costs_.send_cycles;
        effects.send(t, step.broadcast, step.other);
        break;
      case Step::Kind::kAgain:
        effects.enqueue(t, {Task::Kind::kAgain, step.broadcast, step.other});
        break;
      case Step::Kind::kComplete:
        effects.completed(t, step.broadcast);
        break;
      case Step::Kind::kDone:
        passed_on = true;
        break;
      case Step::Kind::kHandle:
        if (queued_events_) effects.enqueue(t, {Task::Kind::kHandle, step.broadcast});
        if (station_.position() == 0) {
          effects.issued(t, step.broadcast);
          t += costs_.issue_cycles;
        }
        if (!queued_events_) t = handle(step.broadcast, t, effects);
        break;
    }
  }
  return passed_on ? t + costs_.settle_cycles : t;
}

std::uint64_t BroadcastProcessor::handle(std::uint32_t broadcast, std::uint64_t t, Effects& effects) {
  t += costs_.event_cycles;
  return follow(station_.handled(broadcast), t, effects);
}

}  // namespace braid::models
