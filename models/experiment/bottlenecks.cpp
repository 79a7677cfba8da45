#include "models/experiment/bottlenecks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "routing/base/random.h"

namespace braid::models {
namespace {

/// Of one link, while its sharers are found.
struct BusyLink {
  Bottleneck found;
  std::set<NodeId> sources, destinations;
  double wanted = 0.0;
};

/// Of the ways that an algorithm prefers alike, one for each pair of nodes: an adaptive one's flows spread over them.
class OneOfAlike final : public routing::RoutingAlgorithm {
 public:
  explicit OneOfAlike(const routing::RoutingAlgorithm& inner) : RoutingAlgorithm(1), inner_(inner) {}
  void route(const routing::RouteQuery& query, routing::CandidateList& out) const override {
    inner_.route(query, out);
    if (out.size() < 2) return;  // of none path_between() says so
    std::uint16_t best = 0;
    for (const routing::Candidate& c : out) best = std::max(best, c.priority);
    alike_.clear();
    std::copy_if(out.begin(), out.end(), std::back_inserter(alike_), [&](const auto& c) { return c.priority == best; });
    out.clear();
    const std::uint64_t pair = std::uint64_t{query.source.value} << 32 | query.destination.value;
    const routing::Candidate& one = alike_[mix64(pair + query.router.value) % alike_.size()];
    out.add(one.port, one.vcs, one.priority);
  }
  std::size_t max_candidates() const override { return inner_.max_candidates(); }
  std::uint32_t draws() const override { return inner_.draws(); }
  const routing::RouteTable* routes() const override { return inner_.routes(); }

 private:
  const routing::RoutingAlgorithm& inner_;
  mutable std::vector<routing::Candidate> alike_;  // asked by one thread
};

double load_of(const LinkResult& link) { return link.packet_flits_per_cycle + link.circuit_flits_per_cycle; }

using Where = Bottleneck::Where;

std::vector<BusyLink> busiest(const Results& results, const routing::Topology& topology, std::size_t most) {
  std::vector<Bottleneck> order;
  for (const LinkResult& link : results.links) {
    order.push_back({link.from, link.port, load_of(link), 0, 0, {}});
    order.back().most_flits_per_cycle = topology.port(link.from, link.port).flits_per_cycle;
    order.back().subnet = link.subnet;
  }
  for (const NodeLinkResult& link : results.node_links) {
    const routing::Attachment& at = topology.nodes[link.node.value].front();
    order.push_back({at.router, at.port, link.injected_flits_per_cycle, 0, 0, {}, Where::kInjection, link.node});
    const routing::Attachment& out = topology.exits_of(link.node).front();
    order.push_back({out.router, out.port, link.ejected_flits_per_cycle, 0, 0, {}, Where::kEjection, link.node});
  }
  order.erase(std::remove_if(order.begin(), order.end(), [](const Bottleneck& b) { return b.flits_per_cycle <= 0.0; }),
              order.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const Bottleneck& a, const Bottleneck& b) { return a.load() > b.load(); });
  order.resize(std::min(order.size(), most));
  std::vector<BusyLink> all;
  for (Bottleneck& link : order) all.push_back({std::move(link), {}, {}, 0.0});
  return all;
}

void share(BusyLink& link, const routing::Flow& flow) {
  link.sources.insert(flow.source);
  link.destinations.insert(flow.destination);
  link.wanted += flow.weight;
  const std::string pair = fmt::format("{} -> {}", flow.source.value, flow.destination.value);
  link.found.sharers.push_back({flow.name.empty() ? pair : flow.name, flow.weight});
}

void cross(std::vector<BusyLink>& links, RouterId router, PortId port, const routing::Flow& flow) {
  for (BusyLink& link : links) {
    const Bottleneck& b = link.found;
    const bool here = b.where == Where::kBetweenRouters && b.from == router && b.port == port;
    if (here && b.subnet.value_or(0) == flow.subnet) share(link, flow);
  }
}

void cross_ends(std::vector<BusyLink>& links, const routing::Flow& flow) {
  for (BusyLink& link : links) {
    const Bottleneck& b = link.found;
    const bool in = b.where == Where::kInjection && b.node == flow.source;
    if (in || (b.where == Where::kEjection && b.node == flow.destination)) share(link, flow);
  }
}

/// What was counted on the links themselves.
void take_counted(std::vector<BusyLink>& links, const std::vector<LinkResult>& counted) {
  for (BusyLink& link : links) {
    if (link.found.where != Where::kBetweenRouters) continue;
    const auto of = std::find_if(counted.begin(), counted.end(), [&](const LinkResult& l) {
      return l.from == link.found.from && l.port == link.found.port && l.subnet == link.found.subnet;
    });
    for (const LinkFlow& f : *of->flows) {
      const std::string pair = fmt::format("{} -> {}", f.source.value, f.destination.value);
      const bool only = f.traffic_class == "packets";
      share(link, {f.source, f.destination, f.flits_per_cycle, only ? pair : f.traffic_class + " " + pair});
    }
  }
}

/// Routers that one of the links leaves: a path's hops at others need no look.
std::vector<bool> routers_of(const std::vector<BusyLink>& links, const routing::Topology& topology) {
  std::vector<bool> routers(topology.router_count());
  for (const BusyLink& link : links) {
    if (link.found.where == Where::kBetweenRouters) routers[link.found.from.value] = true;
  }
  return routers;
}

/// What of a flow's weight crosses each channel of these routers: all of it, unless its packets draw their ways.
std::map<std::pair<RouterId, PortId>, double> shares_of(const routing::Flow& flow, const routing::Topology& topology,
                                                        const OneOfAlike& ways, const std::vector<bool>& routers) {
  std::map<std::pair<RouterId, PortId>, double> shares;
  const routing::Draws draws(ways, flow, routing::kDrawsOfMany);
  for (std::uint32_t i = 0; i < draws.count; ++i) {
    const std::uint32_t draw = draws.first + i * draws.step;
    for (const routing::Hop& hop :
         routing::path_between(topology, ways, flow.source, flow.destination, draw, flow.stream)) {
      if (routers[hop.router.value]) shares[{hop.router, hop.port}] += flow.weight / draws.count;
    }
  }
  return shares;
}

Bottleneck finished(BusyLink link) {
  Bottleneck& b = link.found;
  b.sources = link.sources.size();
  b.destinations = link.destinations.size();
  for (Bottleneck::Sharer& s : b.sharers) s.share = link.wanted > 0.0 ? s.share / link.wanted : 0.0;
  std::stable_sort(b.sharers.begin(), b.sharers.end(), [](const auto& x, const auto& y) { return x.share > y.share; });
  return std::move(b);
}

}  // namespace

std::vector<Bottleneck> bottlenecks(const Results& results, const routing::Topology& topology,
                                    const routing::RoutingAlgorithm& routing, const std::vector<routing::Flow>& flows,
                                    std::size_t most) {
  std::vector<BusyLink> links = busiest(results, topology, most);
  if (links.empty()) return {};
  const bool counted = !results.links.empty() && results.links.front().flows.has_value();
  if (counted) take_counted(links, results.links);
  const OneOfAlike ways(routing);
  const std::vector<bool> routers = routers_of(links, topology);
  for (const routing::Flow& flow : flows) {
    cross_ends(links, flow);
    if (counted) continue;
    for (const auto& [channel, weight] : shares_of(flow, topology, ways, routers)) {
      cross(links, channel.first, channel.second,
            {flow.source, flow.destination, weight, flow.name, routing::kNoRoute, flow.subnet});
    }
  }
  for (const CircuitResult& circuit : results.setup.circuits) {
    const routing::Flow flow{circuit.source, circuit.destination, 1.0, circuit.stream};
    for (const CircuitResult::Step& step : circuit.path) cross(links, step.router, step.port, flow);
  }
  std::vector<Bottleneck> all;
  for (BusyLink& link : links) all.push_back(finished(std::move(link)));
  return all;
}

}  // namespace braid::models
