// The lightest feedback arc set, by an integer program: of every cycle at least one arc goes. There are too many cycles
// to write down, so those come in that an answer so far leaves whole (cutting planes): as long as there are any, the
// answer's weight is a bound from below, and when there are none it is the least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/base/progress.h"
#include "routing/paths/feedback_arcs.h"

namespace braid::routing {

struct FewestArcs {
  bool proven = false;        ///< `removed` is a lightest set; else the time was over
  std::uint64_t bound = 0;    ///< no set weighs less
  std::vector<bool> removed;  ///< [arc] where proven
};

/// `known` is a set that leaves no cycle (feedback_arcs()): what the integer program looks for is lighter.
FewestArcs fewest_arcs(std::size_t vertices, const std::vector<Arc>& arcs, const std::vector<bool>& known,
                       double seconds, const OnProgress& progress = {});

}  // namespace braid::routing
