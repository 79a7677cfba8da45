#include "models/workload/broadcast/processor_slice.h"

#include <algorithm>
#include <tuple>

namespace braid::models {

/// Queues fill first, then processors take tasks.
void ProcessorSlice::step(std::uint64_t cycle) {
  now_ = cycle;
  wheel_.take(cycle, [this](const Event& event) { apply(event); });
  take_arrivals();
  for (std::size_t i = 0; i < to_do_.size(); ++i) work(to_do_[i]);
  to_do_.clear();
}

void ProcessorSlice::take_arrivals() {
  if (arrived_.empty()) return;
  const auto now =
      std::partition(arrived_.begin(), arrived_.end(), [this](const Arrival& arrival) { return arrival.cycle < now_; });
  std::sort(arrived_.begin(), now, [](const Arrival& a, const Arrival& b) {
    return std::tie(a.position, a.from, a.broadcast, a.word) < std::tie(b.position, b.from, b.broadcast, b.word);
  });
  for (auto a = arrived_.begin(); a != now; ++a) {
    const Task::Kind kind = a->word == 0 ? Task::Kind::kHear : Task::Kind::kListen;
    apply({now_, Event::Kind::kEnqueue, a->position, {kind, a->broadcast, a->from, a->word}});
  }
  arrived_.erase(arrived_.begin(), now);
}

void ProcessorSlice::apply(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kSend:
      return host_.send(event.due, event.task.broadcast, event.position, event.task.from);
    case Event::Kind::kSendToAll:
      return host_.send_to_all(event.due, event.task.broadcast, event.position);
    case Event::Kind::kEnqueue:
      processors_[event.position].enqueue(event.task);
      return to_do_.push_back(event.position);
    case Event::Kind::kFree:
      return to_do_.push_back(event.position);
    case Event::Kind::kIssued:
      return host_.issued(event.due, event.task.broadcast);
    case Event::Kind::kComplete:
      return host_.completed(event.due, event.task.broadcast);
    case Event::Kind::kDone:
      return host_.done(event.due, event.position, event.task.broadcast);
    case Event::Kind::kCall:
      return host_.called(event.due, event.position);
    case Event::Kind::kHandled:
      return host_.handled(event.due, event.position, event.task.broadcast);
    case Event::Kind::kSaid:
      return host_.said(event.due, event.position, event.task);
    case Event::Kind::kListened:
      return host_.listened(event.due, event.position, event.task);
  }
}

void ProcessorSlice::work(std::uint32_t position) {
  TaskProcessor& processor = processors_[position];
  while (processor.idle(now_) && processor.front() != nullptr) {
    const Task& task = *processor.front();
    if (task.kind == Task::Kind::kStart) host_.begins(now_, position, task.broadcast);
    if (task.kind == Task::Kind::kHear) host_.taken(now_, task.broadcast, task.from, position);
    position_ = position;
    const std::uint64_t free = processor.take(now_, *this);
    if (free > now_) wheel_.add({free, Event::Kind::kFree, position, {}});
  }
}

}  // namespace braid::models
