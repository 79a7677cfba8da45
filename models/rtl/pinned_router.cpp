#include "models/rtl/pinned_router.h"

namespace braid::models::hybrid {

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
                                           parts.topology.router_names[router.value], parts.wave_file);
    lockstep_->compare_reset(*rtl_);
  }
  rtl_->load(site);
}

void PinnedRouter::begin(std::uint64_t cycle) {
  if (begun_ == cycle) return;
  begun_ = cycle;
  pins_.inputs(cycle, !replaces() && lockstep_->tear_down_waits(), inputs_);
}

void PinnedRouter::commit(std::uint64_t cycle) {
  begin(cycle);
  const bool idle = idle_.idle(inputs_);
  if (idle) ++idle_cycles_;
  if (!replaces()) {
    lockstep_->take_grants();
    parts_.slice.commit(cycle);
    clock();
    lockstep_->compare(cycle, inputs_, *rtl_);
    if (idle) lockstep_->expect_no_change(cycle);
    return;
  }
  if (!idle) {
    clock();
    drive(cycle);
  }
  pins_.consume(cycle);
}

void PinnedRouter::clock() {
  rtl_->clock(inputs_, codec_);
  rtl_->outputs(outputs_, codec_);
  idle_.clocked(inputs_, outputs_);
}

/// The RTL's outputs take effect in the model.
void PinnedRouter::drive(std::uint64_t cycle) {
  pins_.drive(cycle, outputs_);
  if (inputs_.control.valid && inputs_.control.kind == ControlKind::kBacktrack) ++parts_.setup.outcome().backtracks;
  if (outputs_.outcome) {
    SearchOutcome& outcome = parts_.setup.outcome();
    outcome.done = true;
    outcome.success = outputs_.success;
    outcome.cycle = cycle;
  }
  if (outputs_.outcome || outputs_.control.valid) {
    rtl_->image(image_);
    pins_.show_circuits(image_);
  }
}

void PinnedRouter::show() {
  if (!replaces()) return;
  rtl_->image(image_);
  pins_.show(image_);
}

}  // namespace braid::models::hybrid
