#include "tb/braid/route_paths.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "routing/paths/path_computation.h"
#include "routing/topology/failure.h"

namespace braid::tb {
namespace {

namespace json = boost::json;

/// Where each pair of nodes has its own path, `nodes` are its two.
json::object path_json(const routing::Topology& topology, RouterId from, RouterId to, const routing::Path& path,
                       const std::optional<std::pair<NodeId, NodeId>>& nodes) {
  json::array routers, ports, in_transit;
  RouterId here = from;
  routers.emplace_back(topology.router_names[here.value]);
  for (const PortId port : path.ports) {
    ports.emplace_back(topology.port(here, port).name);
    here = topology.port(here, port).peer_router;
    routers.emplace_back(topology.router_names[here.value]);
  }
  for (const std::uint16_t hop : path.in_transit) in_transit.emplace_back(hop);
  json::object entry{{"from", topology.router_names[from.value]}, {"to", topology.router_names[to.value]}};
  if (nodes) {
    entry["source"] = nodes->first.value;
    entry["destination"] = nodes->second.value;
  }
  entry["routers"] = routers;
  entry["ports"] = ports;
  entry["in_transit"] = in_transit;
  return entry;
}

}  // namespace

json::array paths_json(const routing::Topology& topology, const routing::PathSet& paths) {
  json::array all;
  const std::vector<RouterId> ends = routing::routers_with_nodes(topology);
  const std::vector<std::vector<NodeId>> nodes = routing::nodes_by_router(topology);
  for (const RouterId from : ends) {
    for (const RouterId to : ends) {
      if (from == to) continue;
      if (paths.per() == routing::PathsPer::kRouterPair) {
        all.push_back(path_json(topology, from, to, paths.at(from, to), {}));
        continue;
      }
      const std::size_t there = nodes[to.value].size();
      for (std::size_t i = 0; i < paths.count(from, to); ++i) {
        const std::pair pair(nodes[from.value][i / there], nodes[to.value][i % there]);
        all.push_back(path_json(topology, from, to, paths.at(from, to, i), pair));
      }
    }
  }
  return all;
}

namespace {

routing::PathCheck check_epoch(const routing::Topology& topology, const routing::RoutingAlgorithm& algorithm,
                               std::size_t epoch, const Configuration& experiment) {
  const routing::PathOptions options = routing::path_options().read(experiment);
  const auto computation =
      routing::PathComputationRegistry::instance().make(options.paths, {experiment, options.paths_per});
  const routing::PathClaims claims{computation->minimal(), computation->acyclic()};
  return routing::check_paths(topology, algorithm.routes()->paths(epoch), claims);
}

}  // namespace

routing::PathCheck check_routes(const routing::Topology& topology, const routing::RoutingAlgorithm& algorithm,
                                const Configuration& experiment) {
  if (algorithm.routes() == nullptr) {
    throw InputError("--check is about paths that sources choose: expected routing.algorithm = \"source_routed\"");
  }
  return check_epoch(topology, algorithm, 0, experiment);
}

routing::PathCheck check_routes_after_failure(const routing::Topology& topology,
                                              const routing::RoutingAlgorithm& algorithm,
                                              const Configuration& experiment) {
  const routing::Attachment end = routing::failed_end(topology, experiment);
  return check_epoch(routing::without_link(topology, end), algorithm, 1, experiment);
}

json::object check_json(const routing::PathCheck& c) {
  return {{"good", c.good()},
          {"fault", c.fault},
          {"cycle", json::array(c.cycle.begin(), c.cycle.end())},
          {"pairs", c.pairs},
          {"links_mean", c.links_mean},
          {"in_transit_mean", c.in_transit_mean},
          {"in_transit_most", c.in_transit_most},
          {"paths_per_link_most", c.paths_per_link_most},
          {"paths_per_link_mean", c.paths_per_link_mean},
          {"paths_per_link_deviation", c.paths_per_link_deviation},
          {"dependencies", c.dependencies}};
}

void print_check(const routing::PathCheck& c) {
  if (!c.fault.empty()) {
    fmt::print("wrong: {}\n", c.fault);
    return;
  }
  const bool of_nodes = c.per == routing::PathsPer::kNodePair;
  fmt::print("{}             {}\n", of_nodes ? "pairs of nodes  " : "pairs of routers", c.pairs);
  fmt::print("links of a path              {:.3f} mean\n", c.links_mean);
  fmt::print("in-transit buffers of a path {:.3f} mean, {} at most\n", c.in_transit_mean, c.in_transit_most);
  fmt::print("paths on a link              {:.2f} mean, {:.2f} standard deviation, {} at most\n", c.paths_per_link_mean,
             c.paths_per_link_deviation, c.paths_per_link_most);
  fmt::print("dependencies of channels     {}{}\n", c.dependencies, c.cycle.empty() ? ", no cycle" : "");
  if (!c.cycle.empty()) fmt::print("wrong: channels wait for each other along {}: {}\n", c.cycle_of, c.cycle_text());
}

}  // namespace braid::tb
