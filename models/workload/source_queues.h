// What a class of traffic finds at its sources: how long its packets wait there, and how much of the window a source
// has none of them. Sums of integers only, as in Statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workload/heavy_traffic.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

/// Packets of a class at one node. They leave one after the other, in the order in which they were made.
struct SourceQueue {
  std::uint64_t packets = 0, waited_cycles = 0;  ///< measured and delivered, and how long these waited
  std::uint64_t busy_cycles = 0;                 ///< of the window, in which there was one that has left since
  std::uint64_t left = 0;                        ///< cycle in which the last one left in the window
};

class SourceQueues {
 public:
  /// The tail of a packet made in cycle `created` leaves; the window began in `first_cycle`.
  void leaves(std::size_t node, std::size_t nodes, std::uint64_t cycle, std::uint64_t created,
              std::uint64_t first_cycle);
  /// A measured packet has arrived.
  void waited(std::size_t node, std::size_t nodes, std::uint64_t cycles);
  void merge(const SourceQueues& other);
  /// [node], over a window of so many cycles; nothing of nodes without a packet.
  std::vector<QueueLoad> loads(std::uint64_t cycles) const;
  std::size_t size() const { return of_.size(); }
  void checkpoint(Checkpoint& c) { c(of_); }

 private:
  SourceQueue& of(std::size_t node, std::size_t nodes) {
    if (__builtin_expect(of_.empty(), 0)) begin(nodes);
    return of_[node];
  }
  [[gnu::noinline, gnu::cold]] void begin(std::size_t nodes) { of_.resize(nodes); }
  std::vector<SourceQueue> of_;  // [node], or none before the first packet
};

}  // namespace braid::models
