#include "models/pins/network_cut.h"

#include <algorithm>
#include <cctype>

#include "models/families/hybrid/fabric.h"

namespace braid::models::pins {

NetworkCutBase::NetworkCutBase(const sc_core::sc_module_name& name, Engine& engine)
    : sc_module(name),
      clk("clk", engine.period(), 0.5, sc_core::SC_ZERO_TIME, true),
      engine_(engine),
      fall_("fall", engine.period(), 0.5, engine.period() / 2, true) {
  SC_METHOD(fell);
  sensitive << fall_.posedge_event();
  dont_initialize();
  SC_METHOD(give);
  sensitive << taken_;
  dont_initialize();
}

std::vector<CutRouter*> NetworkCutBase::routers() const {
  Network& network = engine_.settled();
  std::vector<CutRouter*> found;
  if (const auto* fabric = dynamic_cast<hybrid::Fabric*>(&network.fabric())) {
    for (std::size_t r = 0; r < network.topology().router_count(); ++r) {
      if (auto* router = dynamic_cast<CutRouter*>(fabric->stand_in(RouterId{r}))) found.push_back(router);
    }
  }
  if (found.empty()) {
    throw InputError(
        "router.implementation: nothing is cut out of this network; expected \"pins\", and the routers' names in "
        "router.rtl_routers");
  }
  return found;
}

std::string NetworkCutBase::seat_name(const CutRouter& router) {
  std::string name = "seat_" + router.place().topology.router_names[router.place().router.value];
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

void NetworkCutBase::add(RouterSeatBase& seat) {
  seat.clk_i(fall_);
  seat.rst_ni(on_);
  seats_.push_back(&seat);
}

/// A search's end is known in the cycle in which it comes, as it is where the network has the router.
void NetworkCutBase::give() {
  Network& network = engine_.settled();
  const bool ended = std::any_of(seats_.begin(), seats_.end(), [](const auto* seat) { return seat->ended(); });
  if (ended) network.fabric().end_cycle(network.now() - 1);
  for (RouterSeatBase* seat : seats_) seat->give();
  rst_n.write(true);
}

}  // namespace braid::models::pins
