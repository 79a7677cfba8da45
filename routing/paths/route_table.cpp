#include "routing/paths/route_table.h"

#include <utility>

#include "routing/base/checkpoint.h"

namespace braid::routing {

RouteTable::RouteTable(const Topology& topology, PathSet paths) : topology_(topology), nodes_(topology.router_count()) {
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    nodes_[topology.router_of(NodeId{n}).value].push_back(NodeId{n});
  }
  add_epoch(std::move(paths));
}

void RouteTable::add_epoch(PathSet paths) {
  const std::size_t routers = topology_.router_count();
  epochs_.push_back({std::move(paths), std::vector<RouteId>(routers * routers, kNoRoute)});
  const std::vector<RouterId> ends = routers_with_nodes(topology_);
  for (const RouterId from : ends) {
    for (const RouterId to : ends) add_legs(from, to);
  }
}

void RouteTable::add_legs(RouterId from, RouterId to) {
  Epoch& epoch = epochs_.back();
  const Path& path = epoch.paths.at(from, to);
  const auto pair = static_cast<std::uint32_t>(from.value * topology_.router_count() + to.value);
  epoch.first[pair] = static_cast<RouteId>(legs_.size());
  const std::vector<RouterId> routers = routers_on(topology_, from, path);
  const std::size_t legs = path.in_transit.size() + 1;
  for (std::size_t i = 0; i < legs; ++i) {
    Leg leg;
    leg.pair = pair;
    leg.begin = i == 0 ? std::uint16_t{0} : path.in_transit[i - 1];
    leg.end = i + 1 == legs ? static_cast<std::uint16_t>(path.ports.size()) : path.in_transit[i];
    leg.from = routers[leg.begin];
    leg.to = routers[leg.end];
    leg.number = static_cast<std::uint16_t>(i);
    leg.epoch = static_cast<std::uint8_t>(epochs_.size() - 1);
    leg.last = i + 1 == legs;
    leg.in_transit_ahead = static_cast<std::uint16_t>(legs - 1 - i);
    // The router where a leg ends is where the next one begins: it routes the packet twice.
    leg.routers_ahead = static_cast<std::uint16_t>(path.ports.size() - leg.begin + 1 + leg.in_transit_ahead);
    legs_.push_back(leg);
  }
}

const Path& RouteTable::path(const Leg& leg) const {
  const std::size_t routers = topology_.router_count();
  return paths(leg.epoch).at(RouterId{leg.pair / routers}, RouterId{leg.pair % routers});
}

RouteId RouteTable::first(NodeId source, NodeId destination, std::size_t epoch) const {
  const std::size_t from = topology_.router_of(source).value, to = topology_.router_of(destination).value;
  return epochs_[epoch].first[from * topology_.router_count() + to];
}

NodeId RouteTable::end(RouteId route, NodeId source, NodeId destination) const {
  const Leg& leg = legs_[route];
  if (leg.last) return destination;
  const std::vector<NodeId>& nodes = nodes_[leg.to.value];
  return nodes[(source.value + destination.value) % nodes.size()];
}

PortId RouteTable::port(RouteId route, std::size_t hop) const {
  const Leg& leg = legs_[route];
  return path(leg).ports[leg.begin + hop];
}

PortId RouteTable::port_at(RouteId route, RouterId router) const {
  const Leg& leg = legs_[route];
  RouterId here = leg.from;
  std::size_t hop = 0;
  while (here != router && hop < links(route)) here = topology_.port(here, port(route, hop++)).peer_router;
  Checkpoint::expect(hop < links(route), "a packet off its route");
  return port(route, hop);
}

bool RouteTable::leads(RouteId route, NodeId source, NodeId destination) const {
  if (route >= legs_.size()) return false;
  const std::size_t from = topology_.router_of(source).value, to = topology_.router_of(destination).value;
  return legs_[route].pair == from * topology_.router_count() + to;
}

}  // namespace braid::routing
