// The channels that packets take: which there are, and the way of each pair of nodes over them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/router_timing.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/paths/route_table.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// A place in the arrays of whoever keeps something of each channel.
using ChannelIndex = std::uint32_t;

/// One channel of a route.
struct RouteStep {
  ChannelIndex channel = 0;
  ChannelKind kind = ChannelKind::kLink;
  std::uint16_t ways = 1;        ///< channels that could be taken in its place, itself included
  std::uint16_t extra_wire = 0;  ///< cycles of latency beyond the first of the channel before
  std::uint16_t header = 0;      ///< flits of a packet's route and marks that it still has there
};

/// From injection to ejection. `adaptive`: routers choose among several ways; the steps are one of them.
struct PacketRoute {
  std::vector<RouteStep> steps;
  std::uint32_t last_wire = 0;  ///< cycles of latency beyond the first of the ejection link
  bool adaptive = false;
};

class PacketRoutes {
 public:
  /// References must outlive it.
  PacketRoutes(const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
               const RouterTiming& routers);

  std::size_t channel_count() const { return channels_; }
  /// The way between two nodes, followed when first asked for. Of several ways at a router it takes them in turn by the
  /// pair's numbers, so that routes spread over them. Throws InputError if the routing goes on for ever.
  const PacketRoute& between(NodeId from, NodeId to);
  /// A way between two nodes, as `choose` has it (see walk).
  template <class Choose>
  PacketRoute follow(NodeId from, NodeId to, Choose choose);

  /// Follows the way of a packet from its source, choosing at each router: choose(candidate channels) is the index of
  /// the one taken. Calls step(RouteStep) for each channel after injection. Not for routes that sources choose.
  template <class Choose, class Step>
  void walk(NodeId from, NodeId to, Choose choose, Step step);

  ChannelIndex injection(NodeId from) const { return injection_[from.value]; }

 private:
  ChannelIndex output(RouterId router, PortId port) const { return output_[first_port_[router.value] + port.value]; }
  const routing::Port& port(RouterId router, PortId p) const { return topology_.port(router, p); }
  std::uint32_t beyond_first(const routing::Port& p) const {
    const bool counts = p.kind == routing::PortKind::kLocal ? node_link_latency_ : link_latency_;
    return counts ? p.latency_cycles - 1 : 0;
  }
  void offer(const routing::RouteQuery& query);
  std::uint8_t drawn(NodeId from, NodeId to) const;
  [[noreturn]] void refuse_endless(NodeId from, NodeId to) const;
  RouteStep injection_step(NodeId from, ChannelKind kind) const { return {injection(from), kind, 1, 0, 0}; }
  PacketRoute from_table(const routing::RouteTable& table, NodeId from, NodeId to) const;

  const routing::Topology& topology_;
  const routing::RoutingAlgorithm& routing_;
  const bool link_latency_, node_link_latency_, direct_, route_in_header_;
  std::size_t channels_ = 0;
  std::vector<std::size_t> first_port_;                            // [router]
  std::vector<ChannelIndex> output_;                               // [port of all routers]
  std::vector<ChannelIndex> injection_, ejection_;                 // [node]
  std::vector<std::vector<std::unique_ptr<PacketRoute>>> routes_;  // [from][to], rows on demand
  routing::CandidateList candidates_;
  std::vector<routing::Candidate> best_;  // of the highest priority, one a port
  std::vector<ChannelIndex> ways_;        // their channels
};

template <class Choose, class Step>
void PacketRoutes::walk(NodeId from, NodeId to, Choose choose, Step step) {
  const routing::Attachment& start = topology_.nodes[from.value].front();
  routing::RouteQuery query{start.router, start.port, VcId{}, from, to, routing::kNoRoute, drawn(from, to)};
  query.in_vc = VcId{static_cast<std::size_t>(__builtin_ctz(routing_.injection_vcs()))};
  std::uint32_t wire = beyond_first(port(start.router, start.port));
  for (std::size_t steps = 0; steps <= 4 * topology_.router_count() + 4; ++steps) {
    offer(query);
    const routing::Candidate& way = best_[choose(ways_)];
    const routing::Port& out = port(query.router, way.port);
    const bool ejects = out.kind == routing::PortKind::kLocal;
    step(RouteStep{output(query.router, way.port), ejects ? ChannelKind::kEjection : ChannelKind::kLink,
                   static_cast<std::uint16_t>(ways_.size()), static_cast<std::uint16_t>(wire), 0});
    wire = beyond_first(out);
    if (ejects) return;
    query.router = out.peer_router;
    query.in_port = out.peer_port;
    query.in_vc = VcId{static_cast<std::size_t>(__builtin_ctz(way.vcs))};
  }
  refuse_endless(from, to);
}

template <class Choose>
PacketRoute PacketRoutes::follow(NodeId from, NodeId to, Choose choose) {
  if (routing_.routes() != nullptr) return from_table(*routing_.routes(), from, to);
  PacketRoute route;
  route.steps.push_back(injection_step(from, ChannelKind::kInjection));
  if (direct_) {
    route.steps.push_back({ejection_[to.value], ChannelKind::kEjection, 1, 0, 0});
    return route;
  }
  walk(from, to, choose, [&](const RouteStep& step) {
    route.adaptive |= step.ways > 1;
    route.steps.push_back(step);
  });
  const routing::Attachment& end = topology_.exits_of(to).front();
  route.last_wire = beyond_first(port(end.router, end.port));
  route.steps.shrink_to_fit();
  return route;
}

}  // namespace braid::models
