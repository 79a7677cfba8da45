#include "models/tlm/styles/packet_routes.h"

#include <fmt/format.h>

#include <algorithm>

#include "routing/base/input_error.h"
#include "routing/base/random.h"

namespace braid::models {

using routing::PortKind;

PacketRoutes::PacketRoutes(const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
                           const RouterTiming& routers)
    : topology_(topology),
      routing_(routing),
      link_latency_(routers.link_latency),
      node_link_latency_(routers.node_link_latency),
      direct_(routers.direct),
      route_in_header_(routers.route_in_header),
      injection_(topology.node_count()),
      ejection_(topology.node_count()),
      routes_(topology.node_count()) {
  std::size_t ports = 0;
  for (const auto& router : topology.routers) {
    first_port_.push_back(ports);
    ports += router.size();
  }
  output_.resize(ports);
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.routers[r].size(); ++p) {
      const routing::Port& port = topology.routers[r][p];
      const std::size_t here = first_port_[r] + p;
      if (!port.leads_out()) continue;
      const bool network = port.kind == PortKind::kNetwork;
      const std::size_t far = network ? first_port_[port.peer_router.value] + port.peer_port.value : here;
      output_[here] = routers.half_duplex && far < here ? output_[far] : static_cast<ChannelIndex>(channels_++);
    }
  }
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const routing::Attachment& at = topology.exits_of(NodeId{n}).front();
    ejection_[n] = output(at.router, at.port);
    injection_[n] = routers.half_duplex ? output(at.router, at.port) : static_cast<ChannelIndex>(channels_++);
  }
}

/// In place of what each packet draws: one draw a pair, by its numbers, so that pairs go every way.
std::uint8_t PacketRoutes::drawn(NodeId from, NodeId to) const {
  return static_cast<std::uint8_t>(mix64(std::uint64_t{from.value} * topology_.node_count() + to.value) >> 56);
}

/// What the router may choose from: of the candidates those of the highest priority, one for each port.
void PacketRoutes::offer(const routing::RouteQuery& query) {
  routing_.route(query, candidates_);
  std::uint16_t highest = 0;
  for (const routing::Candidate& c : candidates_) highest = std::max(highest, c.priority);
  best_.clear();
  ways_.clear();
  for (const routing::Candidate& c : candidates_) {
    const ChannelIndex channel = output(query.router, c.port);
    if (c.priority != highest || std::find(ways_.begin(), ways_.end(), channel) != ways_.end()) continue;
    best_.push_back(c);
    ways_.push_back(channel);
  }
}

void PacketRoutes::refuse_endless(NodeId from, NodeId to) const {
  throw InputError(
      fmt::format("routing.algorithm: no end of the way from node {} to node {} after {} routers; "
                  "expected routes that arrive",
                  from.value, to.value, 4 * topology_.router_count() + 4));
}

/// Leg after leg: into the network, over its links, out of it.
PacketRoute PacketRoutes::from_table(const routing::RouteTable& table, NodeId from, NodeId to) const {
  PacketRoute route;
  NodeId node = from;
  for (routing::RouteId leg = table.first(from, to);; leg = table.next(leg)) {
    const routing::Attachment& start = topology_.nodes[node.value].front();
    std::size_t header = route_in_header_ ? table.routers_ahead(leg) + table.in_transit_ahead(leg) : 0;
    const auto step = [&](ChannelIndex channel, ChannelKind kind) {
      route.steps.push_back(
          {channel, kind, 1, static_cast<std::uint16_t>(route.last_wire), static_cast<std::uint16_t>(header)});
      if (header > 0) --header;
    };
    step(injection(node), route.steps.empty() ? ChannelKind::kInjection : ChannelKind::kReinjection);
    const routing::Port* wire = &port(start.router, start.port);
    for (std::size_t hop = 0; hop < table.links(leg); ++hop) {
      const RouterId router = hop == 0 ? start.router : wire->peer_router;
      route.last_wire = beyond_first(*wire);
      step(output(router, table.port(leg, hop)), ChannelKind::kLink);
      wire = &port(router, table.port(leg, hop));
    }
    route.last_wire = beyond_first(*wire);
    node = table.end(leg, from, to);
    step(ejection_[node.value], ChannelKind::kEjection);
    route.last_wire = beyond_first(port(table.last_router(leg), topology_.nodes[node.value].front().port));
    if (table.is_last(leg)) break;
  }
  route.steps.shrink_to_fit();
  return route;
}

const PacketRoute& PacketRoutes::between(NodeId from, NodeId to) {
  auto& row = routes_[from.value];
  if (row.empty()) row.resize(topology_.node_count());
  auto& route = row[to.value];
  if (!route) {
    std::uint64_t turn = mix64(std::uint64_t{from.value} * topology_.node_count() + to.value);
    route = std::make_unique<PacketRoute>(follow(
        from, to, [&](const std::vector<ChannelIndex>& ways) { return (turn = mix64(turn + 1)) % ways.size(); }));
  }
  return *route;
}

}  // namespace braid::models
