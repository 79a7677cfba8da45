#include "models/rtl/pinned_router.h"

namespace braid::models {

PinnedRouter::PinnedRouter(Mode mode, const Parts& parts, RouterId router, const RouterSite& site,
                           std::unique_ptr<PinRouter> rtl)
    : mode_(mode),
      parts_(parts),
      pins_(parts.slice, router),
      rtl_(std::move(rtl)),
      codec_(rtl_->shape(), parts.topology, parts.store, parts.origin),
      image_(rtl_->shape()) {
  rtl_->reset(site);
  if (mode == Mode::kLockstep) {
    lockstep_ = std::make_unique<Lockstep>(rtl_->shape(), parts.slice, parts.setup, parts.bank, codec_, pins_, router,
                                           parts.topology.router_names[router.value]);
  }
}

void PinnedRouter::begin(std::uint64_t cycle) {
  if (begun_ == cycle) return;
  begun_ = cycle;
  inputs_ = pins_.inputs(cycle, !replaces() && rtl_->waiting());
}

void PinnedRouter::commit(std::uint64_t cycle) {
  begin(cycle);
  if (!replaces()) {
    lockstep_->take_grants();
    parts_.slice.commit(cycle);
    rtl_->clock(inputs_, codec_);
    lockstep_->compare(cycle, inputs_, *rtl_);
    return;
  }
  rtl_->clock(inputs_, codec_);
  RouterOutputs out;
  rtl_->outputs(out, codec_);
  pins_.drive(cycle, out);
  if (inputs_.control.valid && inputs_.control.kind == ControlKind::kBacktrack) ++parts_.setup.outcome().backtracks;
  if (out.outcome) {
    SearchOutcome& outcome = parts_.setup.outcome();
    outcome.done = true;
    outcome.success = out.success;
    outcome.cycle = cycle;
  }
  if (out.outcome || out.control.valid) {
    rtl_->image(image_);
    pins_.show_circuits(image_);
  }
  pins_.consume(cycle);
}

void PinnedRouter::show() {
  if (!replaces()) return;
  rtl_->image(image_);
  pins_.show(image_);
}

}  // namespace braid::models
