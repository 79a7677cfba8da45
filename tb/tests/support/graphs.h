// Networks and routing rules made by hand, for what no product algorithm does.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "tb/tests/support/complaint.h"

namespace braid::test {

/// Routers r0, r1, ... joined by `links` in order: each end gets its router's next port, called "to_rN". One node a
/// router, the first `nodes` of them, on the last port.
inline routing::Topology graph_of(std::size_t routers, const std::vector<std::pair<std::size_t, std::size_t>>& links,
                                  std::size_t nodes = SIZE_MAX) {
  using namespace routing;
  Topology t;
  t.name = "a graph";
  t.routers.resize(routers);
  for (std::size_t r = 0; r < routers; ++r) t.router_names.push_back("r" + std::to_string(r));
  for (const auto& [a, b] : links) {
    const PortId at_a{t.routers[a].size()}, at_b{t.routers[b].size()};
    t.routers[a].push_back({PortKind::kNetwork, RouterId{b}, at_b, NodeId{}, 1, "to_r" + std::to_string(b)});
    t.routers[b].push_back({PortKind::kNetwork, RouterId{a}, at_a, NodeId{}, 1, "to_r" + std::to_string(a)});
  }
  for (std::size_t r = 0; r < routers && r < nodes; ++r) {
    t.nodes.push_back({{RouterId{r}, PortId{t.routers[r].size()}}});
    t.routers[r].push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{r}, 1, "local0"});
  }
  return t;
}

/// r0 - r1 - ... - r0.
inline routing::Topology ring_of(std::size_t routers, std::size_t without_links = 0, std::size_t nodes = SIZE_MAX) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t r = 0; r < routers; ++r) links.emplace_back(r, (r + 1) % routers);
  return graph_of(routers + without_links, links, nodes);
}

inline routing::Topology grid_of(const char* kind, std::uint32_t width, std::uint32_t height) {
  Configuration options;
  options.set("topology.kind", kind);
  options.set("topology.width", width);
  options.set("topology.height", height);
  return routing::make_topology(options);
}

/// [router][port] flits/cycle.
inline std::vector<std::vector<std::uint32_t>> speeds_of(const routing::Topology& t) {
  std::vector<std::vector<std::uint32_t>> speeds(t.router_count());
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (const routing::Port& port : t.routers[r]) speeds[r].push_back(port.flits_per_cycle);
  }
  return speeds;
}

/// The port of `from` that leads to `to`.
inline PortId port_to(const routing::Topology& t, RouterId from, RouterId to) {
  for (std::size_t p = 0; p < t.port_count(from); ++p) {
    const routing::Port& port = t.port(from, PortId{p});
    if (port.kind == routing::PortKind::kNetwork && port.peer_router == to) return PortId{p};
  }
  throw std::logic_error("no such link");
}

/// An algorithm that does what a test says, away from the destination.
class Scripted final : public routing::RoutingAlgorithm {
 public:
  struct Claims {
    VcMask escape = 0;
    bool by_source = false;
    bool bubble = false;
  };
  using Rule = std::function<void(const routing::RouteQuery&, routing::CandidateList&)>;
  Scripted(const routing::Topology& topology, std::uint32_t vcs, Claims claims, Rule rule)
      : RoutingAlgorithm(vcs), topology_(topology), claims_(claims), rule_(std::move(rule)) {}

  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    out.clear();
    if (topology_.router_of(q.destination) == q.router) {
      for (const routing::Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
    } else {
      rule_(q, out);
    }
  }
  VcMask escape_vcs() const override { return claims_.escape; }
  bool depends_on_source() const override { return claims_.by_source; }
  bool relies_on_bubble() const override { return claims_.bubble; }
  std::size_t max_candidates() const override { return 8; }

 private:
  const routing::Topology& topology_;
  Claims claims_;
  Rule rule_;
};

/// Port, priority, VCs of each candidate, in order.
using Ways = std::vector<std::tuple<std::uint32_t, std::uint32_t, VcMask>>;

inline Ways ways(const routing::RoutingAlgorithm& algorithm, const routing::RouteQuery& query) {
  routing::CandidateList out;
  algorithm.route(query, out);
  Ways result;
  for (const routing::Candidate& c : out) result.emplace_back(c.port.value, c.priority, c.vcs);
  return result;
}

}  // namespace braid::test
