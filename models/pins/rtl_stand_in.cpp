// Routers in RTL as stand-ins for modelled ones: in their place, or in lockstep beside them. Which router it is, the
// search says (models/rtl/router_folders.h).
#include "models/families/hybrid/stand_in.h"
#include "models/pins/cut_router.h"
#include "models/rtl/pinned_router.h"
#include "models/rtl/router_folders.h"
#include "models/rtl/router_library.h"

namespace braid::models::pins {
namespace {

using hybrid::PinnedRouter;
using hybrid::PinRouter;
using hybrid::RouterManifest;
using hybrid::RouterSite;
using hybrid::Seat;
using hybrid::StandIn;
using hybrid::WiredRouter;

RouterSite site_of(const Seat& seat, const hybrid::RouterShape& shape) {
  RouterSite site = router_site(shape, seat.options, seat.context.topology, seat.context.routing, seat.router);
  for (std::size_t p = 0; p < seat.context.topology.port_count(seat.router); ++p) {
    if (seat.setup.avoided(seat.bank.port_index(seat.router, PortId{p}))) site.avoid_ports |= std::uint32_t{1} << p;
  }
  return site;
}

/// The RTL of hw/, whose registers can be seen.
class RtlStandIn final : public StandIn {
 public:
  RtlStandIn(PinnedRouter::Mode mode, const Seat& seat, const RouterSite& site, std::unique_ptr<PinRouter> rtl)
      : router_(mode, {seat.slice, seat.setup, seat.bank, seat.context.store, seat.context.topology}, seat.router, site,
                std::move(rtl)) {}
  bool begin(std::uint64_t cycle) override {
    router_.begin(cycle);
    return router_.replaces();
  }
  void commit(std::uint64_t cycle) override { router_.commit(cycle); }
  void show() override { router_.show(); }

 private:
  PinnedRouter router_;
};

/// A user's router, known by its pins alone: what is inside is what came in and has not left.
class WiredStandIn final : public StandIn {
 public:
  WiredStandIn(const Seat& seat, std::uint32_t flit_width, std::unique_ptr<WiredRouter> router)
      : pins_(seat), router_(std::move(router)) {
    pins_.bind(flit_width);
    router_->reset_wires(pins_.place().straps);
  }
  bool begin(std::uint64_t cycle) override {
    if (given_ != cycle) pins_.give(cycle, inputs_);
    given_ = cycle;
    return true;
  }
  /// Every cycle, also where no pin is driven: what its registers do then, nobody here knows.
  void commit(std::uint64_t cycle) override {
    begin(cycle);
    router_->clock_wires(inputs_, outputs_);
    pins_.take(cycle, outputs_);
    pins_.commit(cycle);
  }
  void show() override {}
  void for_each_held(const std::function<void(const Flit&)>& visit) const override { pins_.for_each_held(visit); }
  void for_each_gone(const std::function<void(const Flit&)>& visit) const override { pins_.for_each_gone(visit); }

 private:
  CutRouter pins_;
  std::unique_ptr<WiredRouter> router_;
  hybrid::WireInputs inputs_;
  hybrid::WireOutputs outputs_;
  std::uint64_t given_ = ~std::uint64_t{0};
};

std::unique_ptr<StandIn> make_rtl_stand_in(PinnedRouter::Mode mode, const Seat& seat) {
  const bool lockstep = mode == PinnedRouter::Mode::kLockstep;
  const RouterManifest manifest = fitting_router(seat.options, seat.context.configuration, seat.context.topology);
  std::unique_ptr<WiredRouter> router = make_router(manifest, lockstep);
  if (auto* with_registers = dynamic_cast<PinRouter*>(router.get())) {
    router.release();  // NOLINT(bugprone-unused-return-value): the stand-in has it
    const RouterSite site = site_of(seat, with_registers->shape());
    return std::make_unique<RtlStandIn>(mode, seat, site, std::unique_ptr<PinRouter>(with_registers));
  }
  if (lockstep) {
    throw InputError("router.implementation = \"lockstep\": the registers of " + manifest.name +
                     " cannot be seen; expected \"rtl\", or a router of hw/points.json");
  }
  return std::make_unique<WiredStandIn>(seat, manifest.shape.flit_width, std::move(router));
}

hybrid::StandInRegistry::Factory rtl_factory(PinnedRouter::Mode mode) {
  return [mode](const Seat& seat) { return make_rtl_stand_in(mode, seat); };
}

/// Where it sits, and which it is.
OptionList rtl_stand_in_options() {
  OptionList all = hybrid::stand_in_options();
  const OptionList& folder = hybrid::rtl_options().list();
  all.insert(all.end(), folder.begin(), folder.end());
  return all;
}

const bool rtl_stand_ins_registered =
    hybrid::StandInRegistry::instance().add("rtl", "the Verilated hw/, or a router of yours, in the model's place",
                                            rtl_stand_in_options(), rtl_factory(PinnedRouter::Mode::kReplace)) &&
    hybrid::StandInRegistry::instance().add("lockstep", "model and RTL, all registers and pins compared in every cycle",
                                            rtl_stand_in_options(), rtl_factory(PinnedRouter::Mode::kLockstep)) &&
    hybrid::threaded_stand_ins().insert("rtl").second;

}  // namespace
}  // namespace braid::models::pins
