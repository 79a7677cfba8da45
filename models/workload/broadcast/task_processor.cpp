#include "models/workload/broadcast/task_processor.h"

namespace braid::models {

std::uint64_t TaskProcessor::take(std::uint64_t cycle, Effects& effects) {
  task_ = queue_.front();
  queue_.pop_front();
  const Task task = task_;
  free_at_ = carry_out(task, cycle, effects);
  return free_at_;
}

std::uint64_t TaskProcessor::carry_out(const Task& task, std::uint64_t t, Effects& effects) {
  const std::size_t s = task.broadcast % stations_.size();
  const auto number = static_cast<std::uint32_t>(task.broadcast / stations_.size());
  switch (task.kind) {
    case Task::Kind::kStart:
      return follow(stations_[s].begin(number), s, t, effects);
    case Task::Kind::kHandle:
      return handle(task.broadcast, t, effects);
    case Task::Kind::kAgain:
      return follow(stations_[s].hear_again(number, task.from), s, t, effects);
    case Task::Kind::kHear:
      break;
  }
  t += costs_.receive_cycles + (sequenced_ ? costs_.order_cycles : 0);
  try {
    t = follow(stations_[s].hear(number, task.from), s, t, effects);
  } catch (const traffic::BroadcastError& error) {
    effects.refused(error.what());
  }
  return t + costs_.after_cycles;
}

std::uint64_t TaskProcessor::follow(const traffic::BroadcastStation::Steps& steps, std::size_t station, std::uint64_t t,
                                    Effects& effects) {
  bool done = false;
  for (const Step& step : steps) {
    const auto broadcast = static_cast<std::uint32_t>(step.broadcast * stations_.size() + station);
    switch (step.kind) {
      case Step::Kind::kTell:
        t += costs_.send_cycles;
        effects.send(t, broadcast, step.other);
        break;
      case Step::Kind::kAgain:
        effects.enqueue(t, {Task::Kind::kAgain, broadcast, step.other});
        break;
      case Step::Kind::kComplete:
        effects.completed(t, broadcast);
        break;
      case Step::Kind::kDone:
        effects.done(t, broadcast);
        done = true;
        break;
      case Step::Kind::kHandle:
        if (queued_events_) effects.enqueue(t, {Task::Kind::kHandle, broadcast});
        if (stations_[station].position() == 0) {
          effects.issued(t, broadcast);
          t += costs_.issue_cycles;
        }
        if (!queued_events_) t = handle(broadcast, t, effects);
        break;
    }
  }
  return done ? t + costs_.settle_cycles : t;
}

std::uint64_t TaskProcessor::handle(std::uint32_t broadcast, std::uint64_t t, Effects& effects) {
  t += costs_.event_cycles;
  const std::size_t s = broadcast % stations_.size();
  return follow(stations_[s].handled(static_cast<std::uint32_t>(broadcast / stations_.size())), s, t, effects);
}

}  // namespace braid::models
