#include "models/families/virtual_cut_through/bank.h"

#include <fmt/format.h>

#include "models/fabric/bits.h"

namespace braid::models::virtual_cut_through {

std::uint64_t Bank::bytes(const routing::Topology& topology, std::uint32_t queue_packets) {
  const std::uint64_t speed =
      topology.has_faster_links() ? sizeof(std::uint32_t) + (sizeof(std::uint64_t) << bits_for(queue_packets)) : 0;
  const std::uint64_t port = (sizeof(QueuedPacket) << bits_for(queue_packets)) + sizeof(Queue) + sizeof(Occupancy) +
                             3 * sizeof(PortMask) + sizeof(std::uint64_t) + speed;
  return Wiring::bytes(topology) + PortNumbering(topology).router_port_count() * port +
         topology.router_count() * sizeof(Router);
}

Bank::Bank(const routing::Topology& topology, std::uint32_t queue_packets, std::uint64_t seed)
    : Wiring(topology),
      routers(topology.router_count()),
      depth_bits_(bits_for(queue_packets)),
      depth_mask_((1U << depth_bits_) - 1) {
  const std::size_t router_ports = router_port_count();
  queues.resize(router_ports);
  ways.resize(router_ports);
  through.resize(router_ports);
  entering.resize(router_ports);
  downstream.resize(router_ports);
  next_turn.resize(router_ports);
  flits_sent.resize(router_ports);
  buffers_.resize(router_ports << depth_bits_);
  if (topology.has_faster_links()) {
    speeds_.assign(router_ports, 1);
    whole_at_.resize(buffers_.size());
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
        speeds_[port_index(RouterId{r}, PortId{p})] = topology.port(RouterId{r}, PortId{p}).flits_per_cycle;
      }
    }
  }
  credits.assign(links.size(), static_cast<std::uint8_t>(queue_packets));
  for (std::uint32_t r = 0; r < routers.size(); ++r) {
    routers[r].random = Random(seed, fmt::format("router[{}].ties", r));
    for (std::uint32_t p = 0; p < port_stride(); ++p) {
      const std::uint32_t out = port_index(RouterId{r}, PortId{p});
      if (links[out].target == kNone) continue;
      if (links[out].to_node) credits[out] = kNoLimit;
      routers[r].credited |= PortMask{1} << p;
      if (credits[out] > 1) routers[r].roomy |= PortMask{1} << p;
    }
  }
}

}  // namespace braid::models::virtual_cut_through
