// The seat of one router for its RTL: in place of the modelled stages, or beside them in lockstep. Either way the
// slice's channels and the nodes' interfaces are those of the model.
#pragma once

#include <memory>

#include "models/families/hybrid/slice.h"
#include "models/rtl/idle_watch.h"
#include "models/rtl/lockstep.h"
#include "models/rtl/pin_router.h"
#include "models/rtl/router_pins.h"

namespace braid::models::hybrid {

class PinnedRouter {
 public:
  enum class Mode { kReplace, kLockstep };
  struct Parts {
    Slice& slice;
    SetupUnits& setup;
    const RouterBank& bank;
    const PacketStore& store;
    const routing::Topology& topology;
    std::uint32_t origin = 0;                ///< see FlitCodec; the site's coordinates have it, too
    std::string wave_file = "lockstep.fst";  ///< lockstep: of a difference
  };
  PinnedRouter(Mode mode, const Parts& parts, RouterId router, const RouterSite& site, std::unique_ptr<PinRouter> rtl);

  bool replaces() const { return mode_ == Mode::kReplace; }
  /// First half of a cycle, before any stage of the slice; may be called again in the same cycle.
  void begin(std::uint64_t cycle);
  /// Second half: all of it. Throws LockstepError.
  void commit(std::uint64_t cycle);
  /// Replacing: brings the model's registers up to date for whoever looks at them.
  void show();
  /// The RTL, to be used (and reset) again once this object is gone.
  std::unique_ptr<PinRouter> release() { return std::move(rtl_); }
  const Lockstep& lockstep() const { return *lockstep_; }
  /// Cycles in which nothing could change: left out, or in lockstep checked.
  std::uint64_t idle_cycles() const { return idle_cycles_; }

 private:
  void clock();
  void drive(std::uint64_t cycle);

  Mode mode_;
  Parts parts_;
  RouterPins pins_;
  std::unique_ptr<PinRouter> rtl_;
  FlitCodec codec_;
  RouterImage image_;
  std::unique_ptr<Lockstep> lockstep_;
  RouterInputs inputs_;
  RouterOutputs outputs_;
  IdleWatch idle_;
  std::uint64_t idle_cycles_ = 0;
  std::uint64_t begun_ = ~std::uint64_t{0};
};

}  // namespace braid::models::hybrid
