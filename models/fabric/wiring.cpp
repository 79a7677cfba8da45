#include "models/fabric/wiring.h"

#include <algorithm>

#include "models/fabric/bits.h"

namespace braid::models {

PortNumbering::PortNumbering(std::size_t routers, std::size_t most_ports)
    : routers_(routers), port_bits_(bits_for(most_ports)) {}

PortNumbering::PortNumbering(const routing::Topology& topology)
    : PortNumbering(topology.router_count(), topology.max_port_count()) {}

std::uint64_t Wiring::bytes(const routing::Topology& topology) {
  return PortNumbering(topology).router_port_count() * (sizeof(Link) + sizeof(PortIndex)) +
         topology.node_count() * (sizeof(Link) + sizeof(LocalPort));
}

Wiring::Wiring(const routing::Topology& topology)
    : PortNumbering(topology), upstream(router_port_count(), kNone), one_way(topology.one_way()) {
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const std::vector<routing::Attachment>&in = topology.nodes[n], &out = topology.exits_of(NodeId{n});
    for (std::size_t i = 0; i < in.size(); ++i) {
      local_ports.push_back({NodeId{n}, port_index(in[i].router, in[i].port), port_index(out[i].router, out[i].port)});
    }
  }
  links.resize(router_port_count() + local_ports.size());
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) continue;
      const PortIndex here = port_index(RouterId{r}, PortId{p});
      const PortIndex there = port_index(port.peer_router, port.peer_port);
      links[here] = {there, port.latency_cycles, false};
      upstream[there] = here;
      max_link_latency_cycles = std::max(max_link_latency_cycles, port.latency_cycles);
    }
  }
  for (std::size_t i = 0; i < local_ports.size(); ++i) {
    const PortIndex router_port = local_ports[i].router_port;
    links[local_ports[i].exit_port] = {static_cast<std::uint32_t>(i), 1, true};
    links[injection_port(i)] = {router_port, 1, false};
    upstream[router_port] = injection_port(i);
  }
}

std::pair<std::size_t, std::size_t> Wiring::local_ports_of(RouterRange range) const {
  std::size_t first = local_ports.size(), last = 0;
  for (std::size_t i = 0; i < local_ports.size(); ++i) {
    const std::uint32_t router = router_of(local_ports[i].router_port).value;
    if (router < range.first || router >= range.last) continue;
    first = std::min(first, i);
    last = i + 1;
  }
  return {std::min(first, last), last};
}

}  // namespace braid::models
