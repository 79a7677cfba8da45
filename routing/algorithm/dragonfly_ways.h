// Shortest ways in a dragonfly, link by link.
#pragma once

#include <string>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::routing {

inline const Dragonfly& require_dragonfly(const Topology& topology, const char* algorithm) {
  if (topology.dragonfly) return *topology.dragonfly;
  throw InputError("routing algorithm \"" + std::string(algorithm) +
                   "\" needs topology.kind = \"dragonfly\"; topology is " + topology.name);
}

class DragonflyWays {
 public:
  explicit DragonflyWays(const Dragonfly& dragonfly) : dragonfly_(dragonfly) {}

  std::uint32_t groups() const { return dragonfly_.groups(); }
  std::uint32_t group(RouterId r) const { return dragonfly_.group(r); }
  /// To another router of the same group.
  PortId within(RouterId here, RouterId there) const { return within(here, dragonfly_.place(there)); }
  /// To another group: over the link there, or to the router that has it.
  PortId out(RouterId here, std::uint32_t to) const {
    const std::uint32_t link = dragonfly_.link_to(group(here), to), place = link / dragonfly_.global_ports;
    if (place != dragonfly_.place(here)) return within(here, place);
    return PortId{std::size_t{dragonfly_.routers_per_group} - 1 + link % dragonfly_.global_ports};
  }
  /// Is it a link between groups, or behind those?
  bool leaves_group(PortId port) const { return port.value + 1U >= dragonfly_.routers_per_group; }
  bool leads_to_node(PortId port) const {
    return port.value + 1U >= dragonfly_.routers_per_group + dragonfly_.global_ports;
  }
  /// The router of a group at which packets from another group come in.
  RouterId entry(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t place = dragonfly_.link_to(to, from) / dragonfly_.global_ports;
    return RouterId{std::size_t{to} * dragonfly_.routers_per_group + place};
  }
  /// Links on the shortest way to the entry of another group, and to a router.
  std::uint32_t links_out(RouterId from, std::uint32_t to) const { return leaves_group(out(from, to)) ? 1 : 2; }
  std::uint32_t links(RouterId from, RouterId to) const {
    if (from == to) return 0;
    if (group(from) == group(to)) return 1;
    return links_out(from, group(to)) + (entry(group(from), group(to)) == to ? 0 : 1);
  }

 private:
  PortId within(RouterId here, std::uint32_t place) const {
    return PortId{std::size_t{place} - (place > dragonfly_.place(here) ? 1 : 0)};
  }

  const Dragonfly& dragonfly_;
};

}  // namespace braid::routing
