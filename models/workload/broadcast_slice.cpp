#include "models/workload/broadcast_slice.h"

#include <algorithm>
#include <tuple>

namespace braid::models {

/// Queues fill first, then processors take tasks.
void BroadcastWorkload::Slice::step(std::uint64_t cycle) {
  now_ = cycle;
  wheel_.take(cycle, [this](const Event& event) { apply(event); });
  take_arrivals();
  for (std::size_t i = 0; i < to_do_.size(); ++i) work(to_do_[i]);
  to_do_.clear();
}

void BroadcastWorkload::Slice::take_arrivals() {
  if (arrived_.empty()) return;
  const auto now = std::stable_partition(arrived_.begin(), arrived_.end(),
                                         [this](const Arrival& arrival) { return arrival.cycle < now_; });
  std::stable_sort(arrived_.begin(), now, [](const Arrival& a, const Arrival& b) {
    return std::tie(a.position, a.from) < std::tie(b.position, b.from);
  });
  for (auto a = arrived_.begin(); a != now; ++a) {
    apply({now_, Event::Kind::kEnqueue, a->position, {Task::Kind::kHear, a->broadcast, a->from}});
  }
  arrived_.erase(arrived_.begin(), now);
}

void BroadcastWorkload::Slice::apply(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kSend:
      return send_message(event.position, event.task.from, event.task.broadcast);
    case Event::Kind::kEnqueue:
      parent_.processors_[event.position]->enqueue(event.task);
      return to_do_.push_back(event.position);
    case Event::Kind::kFree:
      return to_do_.push_back(event.position);
    case Event::Kind::kIssued:
      return parent_.start_next(event.due);
    case Event::Kind::kComplete:
      return parent_.end_broadcast(event.due, event.task.broadcast, true);
    case Event::Kind::kBurst:
      return parent_.begin_burst(event.due);
  }
}

void BroadcastWorkload::Slice::work(std::uint32_t position) {
  BroadcastProcessor& processor = *parent_.processors_[position];
  while (processor.idle(now_) && processor.front() != nullptr) {
    const Task& task = *processor.front();
    if (task.kind == Task::Kind::kStart) parent_.root_.begun[task.broadcast] = now_;
    position_ = position;
    const std::uint64_t free = processor.take(now_, *this);
    if (free > now_) wheel_.add({free, Event::Kind::kFree, position, {}});
  }
}

void BroadcastWorkload::Slice::send_message(std::uint32_t from, std::uint32_t to, std::uint32_t broadcast) {
  const BroadcastOptions& options = parent_.options_;
  const NodeId node = parent_.nodes_[from];
  if (options.silent_broadcast == broadcast && options.silent_node == node.value) return;
  const std::size_t port = outlet_.next_port(node);
  const PacketSlot slot = outlet_.make(now_, 0, 0, node, parent_.nodes_[to], options.flits);
  outlet_[slot].tag = broadcast;
  outlet_.transport().send(port, slot);
}

}  // namespace braid::models
