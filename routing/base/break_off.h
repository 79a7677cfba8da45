// How a long computation ends that nobody passes an OnProgress (routing/base/progress.h) to: one that is begun on
// demand, deep in what others call.
#pragma once

#include "routing/base/progress.h"

namespace braid::routing {

class BreakOff {
 public:
  /// While it lives, and but for one inside it, computations of this thread call `asked`, which may throw.
  explicit BreakOff(OnProgress asked);
  ~BreakOff();
  BreakOff(const BreakOff&) = delete;
  BreakOff& operator=(const BreakOff&) = delete;

  /// For computations, some hundred times a second at least.
  static void look() {
    if (innermost != nullptr) tell(*innermost, "step", 0);
  }

 private:
  static thread_local const OnProgress* innermost;
  const OnProgress asked_;
  const OnProgress* const outer_;
};

}  // namespace braid::routing
