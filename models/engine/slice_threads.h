// Threads for the slices of a network under the static schedule: they meet at a barrier after each half of a cycle.
// Which thread runs first cannot be seen in any result.
#pragma once

#include <memory>

#include "models/engine/network.h"

namespace braid::models {

/// The slices in equal shares over the caller's thread and others; so many threads as wanted, not more than there are
/// slices and cores.
class SliceThreads {
 public:
  SliceThreads(Network& network, std::size_t threads);
  ~SliceThreads();
  SliceThreads(const SliceThreads&) = delete;
  SliceThreads& operator=(const SliceThreads&) = delete;

  /// Both halves of the present cycle for every slice; Network::begin_cycle() and end_cycle() are the caller's. Throws
  /// what a slice has thrown, of several the first, when all threads have ended the cycle.
  void cycle();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// As the network's configuration asks; null: one thread does.
std::unique_ptr<SliceThreads> threads_of(Network& network);

}  // namespace braid::models
