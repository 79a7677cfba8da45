// What may stand in for one modelled router, in place of its stages or beside them: its RTL (models/rtl/),
// or a router behind pins (models/pins/). The fabric
// asks for one by `router.implementation` and knows only this face.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "models/fabric/fabric.h"
#include "models/families/hybrid/options.h"
#include "models/families/hybrid/slice.h"
#include "routing/base/registry.h"

namespace braid::models::hybrid {

class StandIn {
 public:
  static const char* axis() { return "router.implementation"; }
  virtual ~StandIn() = default;
  /// First half of a cycle, before any stage of the slice; may be called again in the same cycle. True: the stages are
  /// not to run.
  virtual bool begin(std::uint64_t cycle) = 0;
  /// Second half: all of it, the slice's too.
  virtual void commit(std::uint64_t cycle) = 0;
  /// Brings the model's registers up to date for whoever looks at them.
  virtual void show() = 0;
  /// Visits the flits inside that show() cannot bring there.
  virtual void for_each_held(const std::function<void(const Flit&)>& /*visit*/) const {}
  /// Visits those that have left already although they are still in the registers of the link that they came by.
  virtual void for_each_gone(const std::function<void(const Flit&)>& /*visit*/) const {}
};

/// The seat: a router that is a slice of its own.
struct Seat {
  const FabricContext& context;
  const Options& options;
  Slice& slice;
  SetupUnits& setup;
  const RouterBank& bank;
  RouterId router;
};
using StandInRegistry = Registry<StandIn, Seat>;

/// Names of those that may run on any thread, for no SystemC process is theirs. A stand-in shares nothing with others
/// within half a cycle but the channels between them, which on one thread may lie together (Mailboxes).
inline std::set<std::string>& threaded_stand_ins() {
  static std::set<std::string> names;
  return names;
}

/// Options of every stand-in: where it sits.
const OptionList& stand_in_options();
/// ... of stages of somebody else's: in which routers.
const OptionList& stage_routers_option();

/// The name under which a router has no stand-in, unless the experiment has a section [stage]: then it is made of
/// modules, some of which may be somebody else's (models/stages/hybrid/staged_router.h).
constexpr const char* kModelled = "model";
/// May what others send to a router lie in one mailbox? Lockstep and pins tell by the mailbox who has sent it.
inline bool may_share_mailboxes(const Options& options) {
  return options.implementation == kModelled || threaded_stand_ins().count(options.implementation) != 0;
}
/// Is any router of the network a stand-in?
inline bool has_stand_ins(const Configuration& configuration, const Options& options) {
  return options.implementation != kModelled || configuration.has_section("stage");
}

}  // namespace braid::models::hybrid
