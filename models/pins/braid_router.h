// BraidRouter: a modelled hybrid router with the RTL's pins, for a testbench of the user's own. RtlRouter: the RTL
// behind the same pins, so that one may stand in the place of the other. docs/pins.md
//
//   models::Experiment e;
//   e.set("topology.width", 4).set("topology.height", 4).set("router.vcs", 2);
//   pins::BraidRouter<64> router("router", e, "1,2");
//   router.clk_i(clock); router.rst_ni(reset); router.link_valid_i[0](valid); ...
#pragma once

#include <memory>
#include <string>

#include "models/pins/modelled_router.h"
#include "models/pins/router_module.h"

namespace braid::models::pins {

template <int FlitWidth = 64>
class BraidRouter final : public RouterModule<FlitWidth> {
 public:
  /// Router `router` of the experiment's network ("1,2"). Throws InputError (RouterPlace).
  BraidRouter(const sc_core::sc_module_name& name, const Configuration& experiment, const std::string& router)
      : RouterModule<FlitWidth>(name, std::make_unique<RouterPlace>(experiment, router)) {
    this->set_router(std::make_unique<ModelledRouter>(this->place()), this->place().straps);
  }
};

/// The Verilated RTL that fits the experiment. `assertions`: its own, which take time; one that fails is reported.
template <int FlitWidth = 64>
class RtlRouter final : public RouterModule<FlitWidth> {
 public:
  /// Throws InputError, also where no router that is found fits (models/rtl/router_folders.h), it is not built, or its
  /// flits have another width than FlitWidth.
  RtlRouter(const sc_core::sc_module_name& name, const Configuration& experiment, const std::string& router,
            bool assertions = true)
      : RouterModule<FlitWidth>(name, std::make_unique<RouterPlace>(experiment, router)) {
    const RouterPlace& p = this->place();
    this->set_router(make_wired_rtl(p, FlitWidth, assertions),
                     router_site(p.shape, p.options, p.topology, *p.routing, p.router));
  }
};

}  // namespace braid::models::pins
