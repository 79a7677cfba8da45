#include "models/workload/source_queues.h"

#include <algorithm>

namespace braid::models {

void SourceQueues::leaves(std::size_t node, std::size_t nodes, std::uint64_t cycle, std::uint64_t created,
                          std::uint64_t first_cycle) {
  SourceQueue& queue = of(node, nodes);
  const std::uint64_t from = std::max({created, queue.left, first_cycle});
  if (cycle <= from) return;  // beside others that leave, by another port
  queue.busy_cycles += cycle - from;
  queue.left = cycle;
}

void SourceQueues::waited(std::size_t node, std::size_t nodes, std::uint64_t cycles) {
  SourceQueue& queue = of(node, nodes);
  ++queue.packets;
  queue.waited_cycles += cycles;
}

/// What leaves a node leaves it in one slice; packets from it arrive in all.
void SourceQueues::merge(const SourceQueues& other) {
  if (of_.size() < other.of_.size()) of_.resize(other.of_.size());
  for (std::size_t n = 0; n < other.of_.size(); ++n) {
    of_[n].packets += other.of_[n].packets;
    of_[n].waited_cycles += other.of_[n].waited_cycles;
    of_[n].busy_cycles += other.of_[n].busy_cycles;
    of_[n].left = std::max(of_[n].left, other.of_[n].left);
  }
}

std::vector<QueueLoad> SourceQueues::loads(std::uint64_t cycles) const {
  double all = 0.0;
  for (const SourceQueue& queue : of_) all += static_cast<double>(queue.packets);
  std::vector<QueueLoad> loads(of_.size());
  for (std::size_t n = 0; n < of_.size(); ++n) {
    if (of_[n].packets == 0) continue;
    const auto packets = static_cast<double>(of_[n].packets);
    loads[n].share = packets / all;
    loads[n].wait_cycles = static_cast<double>(of_[n].waited_cycles) / packets;
    loads[n].idle = std::max(0.0, 1.0 - static_cast<double>(of_[n].busy_cycles) / static_cast<double>(cycles));
  }
  return loads;
}

}  // namespace braid::models
