// The RTL as a stand-in for modelled routers: in their place, or in lockstep beside them.
#include "models/families/hybrid/stand_in.h"
#include "models/rtl/pinned_router.h"

namespace braid::models::hybrid {
namespace {

RouterSite site_of(const Seat& seat, const RouterShape& shape) {
  RouterSite site = router_site(shape, seat.options, seat.context.topology, seat.context.routing, seat.router);
  for (std::size_t p = 0; p < seat.context.topology.port_count(seat.router); ++p) {
    if (seat.setup.avoided(seat.bank.port_index(seat.router, PortId{p}))) site.avoid_ports |= std::uint32_t{1} << p;
  }
  return site;
}

class RtlStandIn final : public StandIn {
 public:
  RtlStandIn(PinnedRouter::Mode mode, const Seat& seat, const RouterShape& shape)
      : router_(mode, {seat.slice, seat.setup, seat.bank, seat.context.store, seat.context.topology}, seat.router,
                site_of(seat, shape), make_pin_router(shape, mode == PinnedRouter::Mode::kLockstep)) {}
  bool begin(std::uint64_t cycle) override {
    router_.begin(cycle);
    return router_.replaces();
  }
  void commit(std::uint64_t cycle) override { router_.commit(cycle); }
  void show() override { router_.show(); }

 private:
  PinnedRouter router_;
};

StandInRegistry::Factory factory(PinnedRouter::Mode mode) {
  return [mode](const Seat& seat) {
    const FabricContext& c = seat.context;
    return std::make_unique<RtlStandIn>(mode, seat, router_shape(seat.options, c.configuration, c.topology));
  };
}

const bool rtl_stand_in_registered =
    StandInRegistry::instance().add("rtl", "the Verilated hw/ in the model's place", stand_in_options(),
                                    factory(PinnedRouter::Mode::kReplace)) &&
    StandInRegistry::instance().add("lockstep", "model and RTL, all registers and pins compared in every cycle",
                                    stand_in_options(), factory(PinnedRouter::Mode::kLockstep));

}  // namespace
}  // namespace braid::models::hybrid
