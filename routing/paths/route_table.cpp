#include "routing/paths/route_table.h"

#include <utility>

#include "routing/base/checkpoint.h"

namespace braid::routing {

RouteTable::RouteTable(const Topology& topology, PathSet paths)
    : topology_(topology), nodes_(nodes_by_router(topology)), number_(topology.node_count()) {
  for (const std::vector<NodeId>& here : nodes_) {
    for (std::size_t i = 0; i < here.size(); ++i) number_[here[i].value] = static_cast<std::uint32_t>(i);
  }
  add_epoch(std::move(paths));
}

void RouteTable::add_epoch(PathSet paths) {
  std::vector<RouteId> first(paths.size(), kNoRoute);
  epochs_.push_back({std::move(paths), std::move(first)});
  const std::vector<RouterId> ends = routers_with_nodes(topology_);
  for (const RouterId from : ends) {
    for (const RouterId to : ends) {
      for (std::size_t i = 0; i < epochs_.back().paths.count(from, to); ++i) add_legs(from, to, i);
    }
  }
}

void RouteTable::add_legs(RouterId from, RouterId to, std::size_t number) {
  Epoch& epoch = epochs_.back();
  const auto place = static_cast<std::uint32_t>(epoch.paths.place(from, to, number));
  const Path& path = epoch.paths.at_place(place);
  epoch.first[place] = static_cast<RouteId>(legs_.size());
  const std::vector<RouterId> routers = routers_on(topology_, from, path);
  const std::size_t legs = path.in_transit.size() + 1;
  for (std::size_t i = 0; i < legs; ++i) {
    Leg leg;
    leg.path = place;
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

std::size_t RouteTable::place_of(const PathSet& paths, NodeId source, NodeId destination) const {
  const RouterId from = topology_.router_of(source), to = topology_.router_of(destination);
  const bool one = paths.count(from, to) == 1;
  const std::size_t there = nodes_[to.value].size();
  return paths.place(from, to, one ? 0 : number_[source.value] * there + number_[destination.value]);
}

RouteId RouteTable::first(NodeId source, NodeId destination, std::size_t epoch) const {
  return epochs_[epoch].first[place_of(paths(epoch), source, destination)];
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
  return legs_[route].path == place_of(paths(legs_[route].epoch), source, destination);
}

}  // namespace braid::routing
