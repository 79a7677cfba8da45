// When a clock edge would change nothing in a router: no pin is driven, no flit is inside, and for two cycles nothing
// has come in or gone out, so no control message is inside either. Such edges need not be simulated; in lockstep, where
// they are, every one of them is checked to have changed nothing.
#pragma once

#include "models/rtl/router_pins.h"

namespace braid::models::hybrid {

class IdleWatch {
 public:
  /// Would an edge with these inputs leave every register as it is?
  bool idle(const RouterInputs& in) const { return flits_inside_ == 0 && quiet_cycles_ >= 2 && !in.any(); }

  /// After an edge with these inputs, which led to these outputs.
  void clocked(const RouterInputs& in, const RouterOutputs& out) {
    std::uint32_t driven = 0;
    for (std::size_t p = 0; p < kMaxPinPorts; ++p) {
      const int came = in.links[p].valid ? 1 : 0, went = out.links[p].valid ? 1 : 0;
      flits_inside_ += came - went;
      driven |= static_cast<std::uint32_t>(came | went) | in.credits[p] | out.credits[p];
    }
    const bool quiet = driven == 0 && !in.control.valid && !in.request.valid && !out.control.valid && !out.outcome;
    quiet_cycles_ = quiet ? quiet_cycles_ + 1 : 0;
  }

 private:
  int flits_inside_ = 0;
  std::uint64_t quiet_cycles_ = 0;
};

}  // namespace braid::models::hybrid
