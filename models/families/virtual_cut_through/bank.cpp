#include "models/families/virtual_cut_through/bank.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/fabric/bits.h"

namespace braid::models::virtual_cut_through {

Bank::Bank(const routing::Topology& topology, std::uint32_t queue_packets, std::uint64_t seed)
    : routers(topology.router_count()),
      port_bits_(bits_for(topology.max_port_count())),
      depth_bits_(bits_for(queue_packets)),
      depth_mask_((1U << depth_bits_) - 1) {
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    for (const routing::Attachment& a : topology.nodes[n]) {
      local_ports.push_back({NodeId{n}, port_index(a.router, a.port.value)});
    }
  }
  const std::size_t router_ports = routers.size() << port_bits_;
  queues.resize(router_ports);
  ways.resize(router_ports);
  upstream.assign(router_ports, kNowhere);
  through.resize(router_ports);
  entering.resize(router_ports);
  downstream.resize(router_ports);
  next_turn.resize(router_ports);
  flits_sent.resize(router_ports);
  buffers_.resize(router_ports << depth_bits_);
  links.resize(router_ports + local_ports.size());
  credits.assign(links.size(), static_cast<std::uint8_t>(queue_packets));
  wire(topology);
  for (std::uint32_t r = 0; r < routers.size(); ++r) {
    routers[r].random = Random(seed, fmt::format("router[{}].ties", r));
    for (std::uint32_t p = 0; p < port_stride(); ++p) {
      const std::uint32_t out = port_index(RouterId{r}, p);
      if (links[out].target == kNowhere) continue;
      if (links[out].to_node) credits[out] = kNoLimit;
      routers[r].credited |= PortMask{1} << p;
      if (credits[out] > 1) routers[r].roomy |= PortMask{1} << p;
    }
  }
}

void Bank::wire(const routing::Topology& topology) {
  for (std::size_t r = 0; r < routers.size(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) continue;
      const std::uint32_t here = port_index(RouterId{r}, static_cast<std::uint32_t>(p));
      const std::uint32_t there = port_index(port.peer_router, port.peer_port.value);
      links[here] = {there, port.latency_cycles, false};
      upstream[there] = here;
      max_link_latency_cycles = std::max(max_link_latency_cycles, port.latency_cycles);
    }
  }
  for (std::size_t i = 0; i < local_ports.size(); ++i) {
    const std::uint32_t router_port = local_ports[i].router_port;
    links[router_port] = {static_cast<std::uint32_t>(i), 1, true};
    links[injection_port(i)] = {router_port, 1, false};
    upstream[router_port] = injection_port(i);
  }
}

}  // namespace braid::models::virtual_cut_through
