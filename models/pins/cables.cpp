#include "models/pins/cables.h"

#include <fmt/format.h>

namespace braid::models::pins {

void check_plain_links(const RouterPlace& place) {
  std::size_t nodes = 0;
  for (const auto& ports : place.topology.nodes) nodes += ports.front().router == place.router ? 1 : 0;
  if (nodes > 1 && place.options.circuits) {
    throw InputError(fmt::format("router {} has {} nodes, and one set of request pins; expected one node a router",
                                 place.topology.router_names[place.router.value], nodes));
  }
  for (const routing::Port& port : place.topology.routers[place.router.value]) {
    if (port.kind != routing::PortKind::kNetwork || port.latency_cycles == 1) continue;
    throw InputError(
        fmt::format("topology.link_latency_cycles = {}: signals join pins in one cycle; put the registers "
                    "between the pins yourself",
                    port.latency_cycles));
  }
  if (place.options.credit_delay_cycles != 2) {
    throw InputError(
        fmt::format("router.credit_delay_cycles = {}: signals bring credits back in 2; put the registers "
                    "between the pins yourself",
                    place.options.credit_delay_cycles));
  }
}

}  // namespace braid::models::pins
