// Which engine runs the next cycles where an experiment leaves it open. Lists cost what moves, planes what there is, so
// the flits that cross switches decide: by how much the other engine would have been cheaper, added up, until that pays
// for the change.
#pragma once

#include <cstdint>

#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

class EngineChooser {
 public:
  bool due(std::uint64_t cycle) const { return cycle >= last_look_ + kLook; }
  /// Planes from now on? `flit_hops`: packets' flits that have crossed switches so far. `break_even`:
  /// CycleEngine::break_even().
  bool planes(std::uint64_t cycle, std::uint64_t flit_hops, double break_even);
  void checkpoint(Checkpoint& c) { c(planes_, last_look_, flit_hops_, lost_, patience_); }

 private:
  static constexpr std::uint64_t kLook = 32;  // cycles between two looks

  bool planes_ = false;
  std::uint64_t last_look_ = 0, flit_hops_ = 0;
  std::uint64_t lost_ =
      0;  // since this engine was a good choice, in flits of which lists would have had too many or few
  std::uint64_t patience_ = 64;  // cycles of planes that may be lost before a change, which costs about a hundred
};

}  // namespace braid::models::hybrid
