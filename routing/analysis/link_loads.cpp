#include "routing/analysis/link_loads.h"

#include <stdexcept>
#include <string>

namespace braid::routing {
namespace {

constexpr std::size_t kManyFlows = 16384;

}  // namespace

std::vector<Hop> path_between(const Topology& topology, const RoutingAlgorithm& algorithm, NodeId source,
                              NodeId destination, std::uint32_t draw, RouteId stream) {
  std::vector<Hop> path;
  const Attachment& start = topology.nodes[source.value].front();
  const RouteTable* routes = algorithm.routes();
  RouteQuery query{start.router, start.port, VcId{0}, source, destination, stream, static_cast<std::uint8_t>(draw)};
  if (routes != nullptr) query.route = routes->first(source, destination);
  CandidateList candidates;
  for (;;) {
    algorithm.route(query, candidates);
    if (candidates.size() == 0) {
      throw std::logic_error("the routing algorithm gave no candidate at router " +
                             topology.router_names[query.router.value] + " for node " +
                             std::to_string(destination.value));
    }
    const Candidate* best = candidates.begin();
    for (const Candidate& c : candidates) {
      if (c.priority > best->priority) best = &c;
    }
    path.push_back({query.router, best->port});
    const Port& out = topology.port(query.router, best->port);
    if (out.kind == PortKind::kLocal) {
      if (routes == nullptr || routes->is_last(query.route)) return path;
      query.route = routes->next(query.route);  // out of the in-transit buffer, by the port by which it went in
      query.in_port = best->port;
      continue;
    }
    query.router = out.peer_router;
    query.in_port = out.peer_port;
    query.in_vc = VcId{static_cast<std::size_t>(__builtin_ctz(best->vcs))};
  }
}

Draws::Draws(const RoutingAlgorithm& algorithm, const Flow& flow, std::uint32_t most)
    : first(0), step(1), count(algorithm.draws()) {
  if (count <= most) return;
  step = count / most;
  count = most;
  first = static_cast<std::uint32_t>((flow.source.value + 7 * flow.destination.value) % step);
}

std::vector<std::vector<double>> link_loads(const Topology& topology, const RoutingAlgorithm& algorithm,
                                            const std::vector<Flow>& flows) {
  std::vector<std::vector<double>> loads;
  for (const auto& ports : topology.routers) loads.emplace_back(ports.size());
  const std::uint32_t most = flows.size() > kManyFlows ? kDrawsOfMany : algorithm.draws();
  for (const Flow& flow : flows) {
    const Draws draws(algorithm, flow, most);
    for (std::uint32_t i = 0; i < draws.count; ++i) {
      for (const Hop& hop : path_between(topology, algorithm, flow.source, flow.destination,
                                         draws.first + i * draws.step, flow.stream)) {
        loads[hop.router.value][hop.port.value] += flow.weight / draws.count;
      }
    }
  }
  return loads;
}

}  // namespace braid::routing
