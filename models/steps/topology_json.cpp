#include "models/steps/topology_json.h"

namespace braid::models {

namespace json = boost::json;

/// Of each node its [router, port].
static json::array places_json(const std::vector<std::vector<routing::Attachment>>& nodes) {
  json::array all;
  for (const std::vector<routing::Attachment>& node : nodes) {
    json::array& ports = all.emplace_back(json::array()).as_array();
    for (const routing::Attachment& a : node) ports.push_back(json::array{a.router.value, a.port.value});
  }
  return all;
}

json::object topology_json(const routing::Topology& topology) {
  json::array routers, links;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    routers.emplace_back(topology.router_names[r]);
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) continue;
      links.push_back(json::object{{"from", r},
                                   {"port", p},
                                   {"name", port.name},
                                   {"to", port.peer_router.value},
                                   {"to_port", port.peer_port.value},
                                   {"latency_cycles", port.latency_cycles},
                                   {"flits_per_cycle", port.flits_per_cycle}});
    }
  }
  json::object all{{"name", topology.name},
                   {"routers", std::move(routers)},
                   {"nodes", places_json(topology.nodes)},
                   {"links", std::move(links)}};
  if (topology.one_way()) all["exits"] = places_json(topology.exits);
  if (topology.grid) {
    const routing::Grid& grid = *topology.grid;
    all["grid"] = json::object{{"width", grid.width}, {"height", grid.height}, {"wrap", grid.wrap}};
  }
  return all;
}

}  // namespace braid::models
