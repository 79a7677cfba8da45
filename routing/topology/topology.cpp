#include "routing/topology/topology.h"

#include <algorithm>
#include <deque>

#include "routing/base/break_off.h"
#include "routing/base/memory.h"

namespace braid::routing {

Topology::Topology() = default;
Topology::Topology(const Topology& other) = default;
Topology::Topology(Topology&& other) noexcept = default;
Topology& Topology::operator=(const Topology& other) = default;
Topology& Topology::operator=(Topology&& other) noexcept = default;
Topology::~Topology() = default;

std::size_t Topology::max_port_count() const {
  std::size_t most = 0;
  for (const auto& ports : routers) most = std::max(most, ports.size());
  return most;
}

std::size_t Topology::link_count() const {
  std::size_t links = 0;
  for (const auto& ports : routers) {
    links += static_cast<std::size_t>(
        std::count_if(ports.begin(), ports.end(), [](const Port& p) { return p.kind == PortKind::kNetwork; }));
  }
  return links;
}

bool Topology::has_faster_links() const {
  const auto is_faster = [](const Port& p) { return p.flits_per_cycle > 1; };
  return std::any_of(routers.begin(), routers.end(),
                     [&](const auto& ports) { return std::any_of(ports.begin(), ports.end(), is_faster); });
}

std::vector<std::uint32_t> Topology::distances_to(RouterId to) const {
  BreakOff::look();  // a look at the whole network, and whoever asks for a centre takes one from every router
  std::vector<std::uint32_t> distance(router_count(), UINT32_MAX);
  std::deque<RouterId> frontier{to};
  distance[to.value] = 0;
  while (!frontier.empty()) {
    const RouterId here = frontier.front();
    frontier.pop_front();
    for (const Port& p : routers[here.value]) {
      if (!is_reached_from(p) || distance[p.peer_router.value] != UINT32_MAX) continue;
      distance[p.peer_router.value] = distance[here.value] + 1;
      frontier.push_back(p.peer_router);
    }
  }
  return distance;
}

void Topology::refuse_one_way(const std::string& who) const {
  if (one_way()) throw InputError(who + " needs links that go both ways; topology is " + name);
}

void Topology::check_link(const std::string& where, RouterId r, PortId p) const {
  const Port& port = this->port(r, p);
  if (printable(port.name) != port.name) {
    throw InputError(where + ": link " + port.name + ": expected a name without control characters");
  }
  const Port& back = routers.at(port.peer_router.value).at(port.peer_port.value);
  const bool begins = port.kind == PortKind::kNetwork;
  const PortKind single = begins ? PortKind::kIncoming : PortKind::kNetwork;  // at the far end of a link of one way
  const bool agree = back.kind == single ? one_way() : begins && back.kind == PortKind::kNetwork;
  if (!agree || back.peer_router != r || back.peer_port != p || back.latency_cycles != port.latency_cycles) {
    throw InputError(where + " port " + port.name + ": the far end of the link does not lead back");
  }
  if (back.flits_per_cycle != port.flits_per_cycle) {
    throw InputError(where + " port " + port.name + ": " + std::to_string(port.flits_per_cycle) + " flits/cycle, " +
                     std::to_string(back.flits_per_cycle) + " at the far end of the link");
  }
}

void Topology::check_port(const std::string& where, RouterId r, PortId p) const {
  const Port& port = this->port(r, p);
  if (port.came_from_router()) return check_link(where, r, p);
  if (port.flits_per_cycle == 1) return;
  throw InputError(where + " port " + port.name + ": " + std::to_string(port.flits_per_cycle) +
                   " flits/cycle; expected 1 but between routers");
}

/// Where links go both ways one look is enough; else one from each router where packets leave, of many from the first:
/// all of a large network would be a look at the square of it.
void Topology::check_reached() const {
  std::vector<bool> looked(router_count());
  constexpr std::size_t kMostLooks = 64;
  for (std::size_t to = 0; to < (one_way() ? std::min(node_count(), kMostLooks) : 1); ++to) {
    const RouterId end = exit_router(NodeId{to});
    if (looked[end.value]) continue;
    looked[end.value] = true;
    const std::vector<std::uint32_t> distance = distances_to(end);
    for (std::size_t n = 0; n < node_count(); ++n) {
      const RouterId router = entry_router(NodeId{n});
      if (distance[router.value] != UINT32_MAX) continue;
      const std::string far = "router " + router_names[router.value], near = "router " + router_names[end.value];
      throw InputError("topology " + name + ": " + (one_way() ? near : far) + " cannot be reached from " +
                       (one_way() ? far : near));
    }
  }
}

void Topology::check() const {
  if (router_count() == 0 || node_count() == 0) throw InputError("topology " + name + " has no router or no node");
  for (std::size_t r = 0; r < router_count(); ++r) {
    const std::string where = "router " + router_names[r];
    if (printable(router_names[r]) != router_names[r]) {
      throw InputError("topology " + name + ": " + where + ": expected a name without control characters");
    }
    if (routers[r].size() > kMaxPorts) {
      throw InputError(where + " has " + std::to_string(routers[r].size()) + " ports; at most " +
                       std::to_string(kMaxPorts));
    }
    for (std::size_t p = 0; p < routers[r].size(); ++p) check_port(where, RouterId{r}, PortId{p});
  }
  check_reached();
}

std::uint64_t topology_bytes(std::uint64_t routers, std::uint64_t ports, std::uint64_t nodes) {
  return routers * (sizeof(std::vector<Port>) + sizeof(std::string)) + ports * sizeof(Port) +
         nodes * (sizeof(std::vector<Attachment>) + sizeof(Attachment));
}

void check_topology_room(const std::string& name, std::uint64_t routers, std::uint64_t ports, std::uint64_t nodes) {
  check_room(name + ": the ports of its " + std::to_string(routers) + " routers",
             static_cast<double>(topology_bytes(routers, ports, nodes)),
             "fewer routers or ports in section [topology]");
}

const OptionTable<TopologyOptions>& topology_options() {
  static const OptionTable<TopologyOptions> table =
      OptionTable<TopologyOptions>("topology")
          .policy<TopologyRegistry>("kind", &TopologyOptions::kind, "what is wired to what");
  return table;
}

Topology make_topology(const Configuration& configuration) {
  const std::string kind = topology_options().read(configuration).kind;
  Topology topology = TopologyRegistry::instance().make(kind)->build(configuration);
  topology.check();
  return topology;
}

}  // namespace braid::routing
