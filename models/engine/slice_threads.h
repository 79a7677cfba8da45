// Threads for the slices of a network under the static schedule: they meet at a barrier after each half of a cycle.
// Which thread runs first cannot be seen in any result.
#pragma once

#include <memory>

#include "models/engine/network.h"

namespace braid::models {

/// The slices in equal shares over the caller's thread and others; not more of them than there are cores.
class SliceThreads {
 public:
  explicit SliceThreads(Network& network);
  ~SliceThreads();
  SliceThreads(const SliceThreads&) = delete;
  SliceThreads& operator=(const SliceThreads&) = delete;

  /// Both halves of the present cycle for every slice; Network::end_cycle() is the caller's.
  void cycle();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// As the network's configuration asks; null: one thread does.
std::unique_ptr<SliceThreads> threads_of(Network& network);

}  // namespace braid::models
