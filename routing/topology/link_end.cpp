#include "routing/topology/link_end.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "routing/base/input_error.h"

namespace braid::routing {
namespace {

/// The names of what a link between routers may be called at one of them.
std::vector<std::string> link_names(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) {
    if (port.kind == PortKind::kNetwork) names.push_back(port.name);
  }
  return names;
}

}  // namespace

Attachment link_end(const Topology& topology, const std::string& router, const std::string& port,
                    const std::string& router_key, const std::string& port_key) {
  const auto named = std::find(topology.router_names.begin(), topology.router_names.end(), router);
  if (named == topology.router_names.end()) {
    throw InputError(router_key + ": unknown router \"" + router + "\"" + did_you_mean(router, topology.router_names) +
                     "; expected the name of one");
  }
  const RouterId r{static_cast<std::size_t>(named - topology.router_names.begin())};
  const std::vector<Port>& ports = topology.routers[r.value];
  const auto end = std::find_if(ports.begin(), ports.end(),
                                [&](const Port& p) { return p.kind != PortKind::kUnconnected && p.name == port; });
  if (end == ports.end()) throw InputError(port_key + ": " + unknown_name("port", port, link_names(ports)));
  if (end->kind == PortKind::kLocal) {
    throw InputError(port_key + " = \"" + port + "\": a node's cable; expected a link to another router");
  }
  return {r, PortId{static_cast<std::size_t>(end - ports.begin())}};
}

}  // namespace braid::routing
