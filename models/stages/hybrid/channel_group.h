// Channels of one router that belong together.
#pragma once

#include <utility>

#include "models/families/hybrid/slice.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"
#include "models/stages/hybrid/router_shape.h"

namespace braid::models::stages::hybrid {

/// Whose channels they are, and what they read.
struct RouterRegisters {
  Bank& bank;
  models::hybrid::Slice& slice;  ///< that router only
  RouterId router;
  RouterShape shape;
  const StepClock& clock;
};

class ChannelGroup {
 public:
  ChannelGroup(const ChannelGroup&) = delete;
  ChannelGroup& operator=(const ChannelGroup&) = delete;

 protected:
  explicit ChannelGroup(const RouterRegisters& of) : of_(of), bank_(of.slice.bank()) {}
  ~ChannelGroup() = default;

  RegisterChannel& make(const char* name, unsigned width, RegisterChannel::Gather gather,
                        RegisterChannel::Scatter scatter = nullptr) {
    return channels_.add(name, width, of_.bank, std::move(gather), std::move(scatter));
  }
  PortIndex port(unsigned p) const { return bank_.port_index(of_.router, PortId{p}); }
  models::hybrid::VcIndex vc(unsigned place) const {
    return bank_.vc_index(port(place / of_.shape.vcs), place % of_.shape.vcs);
  }
  /// Among [P x V].
  unsigned place(models::hybrid::VcIndex v) const {
    return bank_.port_of(bank_.port_of_vc(v)) * of_.shape.vcs + bank_.lane_of(v);
  }
  std::uint64_t cycle() const { return of_.clock.cycle(); }

  const RouterRegisters of_;
  const models::hybrid::RouterBank& bank_;

 private:
  ModuleList<RegisterChannel> channels_;
};

}  // namespace braid::models::stages::hybrid
