// A topology and its routes as text, for comparisons: every port, and what is offered to packets on all of their ways.
#pragma once

#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::test {

inline std::string told(const routing::Topology& topology) {
  std::ostringstream out;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    out << topology.router_names[r];
    for (const routing::Port& p : topology.routers[r]) {
      out << ' ' << p.name << ' ' << static_cast<int>(p.kind) << ' ' << p.peer_router.value << ' ' << p.peer_port.value
          << ' ' << p.node.value << ' ' << p.latency_cycles << ' ' << p.flits_per_cycle;
    }
    out << '\n';
  }
  return out.str();
}

/// What routers offer packets of one pair of nodes wherever they may come to, each state of a head once.
class OfferedOnTheWay {
 public:
  OfferedOnTheWay(const routing::Topology& topology, const routing::RoutingAlgorithm& routing, std::ostream& out)
      : topology_(topology), routing_(routing), out_(out) {}

  void tell(NodeId from, NodeId to, std::uint8_t draw) {
    const routing::Attachment& start = topology_.nodes[from.value].front();
    const VcId vc{static_cast<std::size_t>(__builtin_ctzll(routing_.injection_vcs()))};
    left_ = {{start.router, start.port, vc}};
    seen_.clear();
    while (!left_.empty()) {
      const State state = left_.back();
      left_.pop_back();
      if (seen_.insert({state.router.value, state.port.value, state.vc.value}).second) at(state, from, to, draw);
    }
  }

 private:
  struct State {
    RouterId router;
    PortId port;
    VcId vc;
  };

  void at(const State& state, NodeId from, NodeId to, std::uint8_t draw) {
    routing_.route({state.router, state.port, state.vc, from, to, routing::kNoRoute, draw}, candidates_);
    for (const routing::Candidate& c : candidates_) {
      out_ << state.router.value << ' ' << c.port.value << ' ' << c.vcs << ' ' << c.priority << '\n';
      const routing::Port& way = topology_.port(state.router, c.port);
      if (way.kind != routing::PortKind::kNetwork || c.vcs == 0) continue;
      left_.push_back(
          {way.peer_router, way.peer_port, VcId{static_cast<std::size_t>(__builtin_ctzll(std::uint64_t{c.vcs}))}});
    }
  }

  const routing::Topology& topology_;
  const routing::RoutingAlgorithm& routing_;
  std::ostream& out_;
  routing::CandidateList candidates_;
  std::vector<State> left_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen_;
};

/// Of some hundred pairs of nodes, spread over all.
inline std::string told_routes(const routing::Topology& topology, const routing::RoutingAlgorithm& routing) {
  std::ostringstream out;
  const routing::RouteTable* const table = routing.routes();
  if (routing.routes_streams() != nullptr) return "";  // streams' own, known when there are some
  OfferedOnTheWay offered(topology, routing, out);
  const std::size_t nodes = topology.node_count(), pairs = nodes * nodes, step = pairs / 150 + 1;
  for (std::size_t pair = 0; pair < pairs; pair += step) {
    const NodeId from{pair / nodes}, to{pair % nodes};
    if (from == to) continue;
    out << from.value << ' ' << to.value << '\n';
    if (table == nullptr) {
      for (const std::uint8_t draw : {0, 129}) offered.tell(from, to, draw);
      continue;
    }
    for (routing::RouteId leg = table->first(from, to);; leg = table->next(leg)) {
      for (std::size_t hop = 0; hop < table->links(leg); ++hop) out << table->port(leg, hop).value << ' ';
      out << table->end(leg, from, to).value << '\n';
      if (table->is_last(leg)) break;
    }
  }
  return out.str();
}

}  // namespace braid::test
