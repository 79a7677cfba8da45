#include "routing/paths/channels.h"

namespace braid::routing {

Channels::Channels(const Topology& topology) {
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    first_.push_back(number_.size());
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const Port& port = topology.port(RouterId{r}, PortId{p});
      number_.push_back(static_cast<std::uint32_t>(channels_.size()));
      if (port.kind == PortKind::kNetwork) channels_.push_back({RouterId{r}, port.peer_router, PortId{p}});
    }
  }
}

std::vector<std::uint32_t> Channels::on(RouterId from, const Path& path) const {
  std::vector<std::uint32_t> taken;
  RouterId here = from;
  for (const PortId port : path.ports) {
    taken.push_back(at(here, port));
    here = channels_[taken.back()].to;
  }
  return taken;
}

}  // namespace braid::routing
