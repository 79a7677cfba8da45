// Which engine runs the next cycles where an experiment leaves it open. Lists cost what moves, planes what there is, so
// the flits that cross switches decide.
#pragma once

#include <cstdint>

#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

class EngineChooser {
 public:
  bool due(std::uint64_t cycle) const { return cycle >= next_look_; }
  /// Planes from now on? `flit_hops`: flits that have crossed switches so far. `size`: CycleEngine::size().
  bool planes(std::uint64_t cycle, std::uint64_t flit_hops, double size);
  void checkpoint(Checkpoint& c) { c(planes_, last_look_, next_look_, patience_, flit_hops_); }

 private:
  bool planes_ = false;
  std::uint64_t last_look_ = 0, next_look_ = 0, patience_ = 256, flit_hops_ = 0;
};

}  // namespace braid::models::hybrid
