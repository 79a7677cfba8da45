#include "models/workload/broadcast/task_processor.h"

#include <algorithm>

namespace braid::models {

TaskProcessor::Place TaskProcessor::next() const {
  const bool own_last = order_.own_tasks == OwnTasks::kAfterMessages;
  const Place first = own_last ? next_of(queue_, false) : next_of(own_, order_.last_task_first);
  if (first.queue != nullptr) return first;
  return own_last ? next_of(own_, order_.last_task_first) : next_of(queue_, false);
}

TaskProcessor::Place TaskProcessor::next_of(const std::deque<Task>& queue, bool last_task_first) const {
  std::vector<std::uint32_t> passed;  // senders whose buffers begin with what is not taken
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::size_t index = last_task_first ? queue.size() - 1 - i : i;
    const Task& task = queue[index];
    const bool is_message = task.kind == Task::Kind::kHear;
    if (begins_new_) return {&queue, index};
    if (is_message && std::find(passed.begin(), passed.end(), task.from) != passed.end()) continue;
    if (!would_begin(task)) return {&queue, index};
    if (is_message) passed.push_back(task.from);
  }
  return {nullptr, 0};
}

bool TaskProcessor::would_begin(const Task& task) const {
  if (task.kind == Task::Kind::kStart || task.kind == Task::Kind::kHandle) return task.kind == Task::Kind::kStart;
  const auto number = static_cast<std::uint32_t>(task.broadcast / stations_.size());
  return !stations_[task.broadcast % stations_.size()].has_begun(number);
}

std::uint64_t TaskProcessor::take(std::uint64_t cycle, Effects& effects) {
  const Place place = next();
  task_ = (*place.queue)[place.index];
  std::deque<Task>& queue = place.queue == &own_ ? own_ : queue_;
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place.index));
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
    case Task::Kind::kSay:
      t += costs_.send_cycles;
      effects.said(t, task);
      return t;
    case Task::Kind::kListen:
      effects.listened(t + costs_.receive_cycles, task);
      return t + costs_.receive_cycles + costs_.after_cycles;
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
      case Step::Kind::kTellAll:
        t += costs_.send_cycles;
        effects.send_to_all(t, broadcast);
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
  effects.handled(t, broadcast);
  const std::size_t s = broadcast % stations_.size();
  return follow(stations_[s].handled(static_cast<std::uint32_t>(broadcast / stations_.size())), s, t, effects);
}

}  // namespace braid::models
