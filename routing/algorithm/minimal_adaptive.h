// The options of minimal adaptive routing, for the RTL has it, too.
#pragma once

#include "routing/algorithm/torus_ways.h"
#include "routing/base/options.h"

namespace braid::routing {

struct MinimalAdaptiveOptions : TiesOptions {
  bool sticky_escape = true;  ///< a packet that took an escape VC stays on escape VCs, as BookSim's min_adapt has it
};
const OptionTable<MinimalAdaptiveOptions>& minimal_adaptive_options();

}  // namespace braid::routing
