#include "models/pins/cables.h"

#include <fmt/format.h>

namespace braid::models::pins {

CableLength cable_length(const RouterPlace& from, std::uint32_t port, const RouterPlace& to, std::uint32_t to_port) {
  const auto latency = [](const RouterPlace& place, std::uint32_t p) -> std::size_t {
    return place.wired(p) ? place.topology.port(place.router, PortId{std::size_t{p}}).latency_cycles : 1;
  };
  // A router's outputs are the first register of the link; of credits there is another in the router that takes them.
  return {latency(from, port) - 1, from.options.credit_delay_cycles - 2 + latency(to, to_port) - 1};
}

void check_one_node(const RouterPlace& place) {
  std::size_t nodes = 0;
  for (const auto& ports : place.topology.nodes) nodes += ports.front().router == place.router ? 1 : 0;
  if (nodes <= 1 || !place.options.circuits) return;
  throw InputError(fmt::format("router {} has {} nodes, and one set of request pins; expected one node a router",
                               place.topology.router_names[place.router.value], nodes));
}

}  // namespace braid::models::pins
