// Source routing: a packet follows the path that its source has written into its header, leg by leg where in-transit
// buffers lie between (paper: in-transit-buffers). Which paths those are, `routing.paths` and `routing.in_transit` say
// (routing/paths/path_computation.h).
#include <algorithm>
#include <cstddef>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/paths/path_computation.h"
#include "routing/topology/failure.h"

namespace braid::routing {
namespace {

/// How often a path takes a link, either way.
unsigned times_taken(const Topology& topology, RouterId from, const Path& path, Attachment end) {
  const Port& port = topology.port(end.router, end.port);
  const std::vector<RouterId> routers = routers_on(topology, from, path);
  unsigned times = 0;
  for (std::size_t i = 0; i < path.ports.size(); ++i) {
    times += routers[i] == end.router && path.ports[i] == end.port ? 1 : 0;
    times += routers[i] == port.peer_router && path.ports[i] == port.peer_port ? 1 : 0;
  }
  return times;
}

/// Throws InputError if a path comes to a link twice: a packet could be cut in two places at once.
void check_taken_once(const Topology& topology, const PathSet& paths, Attachment end) {
  const std::vector<RouterId> ends = routers_with_nodes(topology);
  for (const RouterId from : ends) {
    for (const RouterId to : ends) {
      unsigned most = 0;
      for (std::size_t i = 0; i < paths.count(from, to); ++i) {
        most = std::max(most, times_taken(topology, from, paths.at(from, to, i), end));
      }
      if (most < 2) continue;
      throw InputError("failure.port: the path from router " + topology.router_names[from.value] + " to router " +
                       topology.router_names[to.value] + " takes this link twice; expected another link");
    }
  }
}

class SourceRouted final : public RoutingAlgorithm {
 public:
  SourceRouted(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        routes_(topology, make_paths(topology, context.configuration, context.progress)) {
    if (has_failure(context.configuration)) add_paths_without_link(context);
  }

  const RouteTable* routes() const override { return &routes_; }
  bool depends_on_source() const override { return true; }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    if (q.router != routes_.last_router(q.route)) {
      out.add(routes_.port_at(q.route, q.router), all_vcs_);
      return;
    }
    const NodeId end = routes_.end(q.route, q.source, q.destination);
    for (const Attachment& a : topology_.nodes[end.value]) out.add(a.port, all_vcs_);
  }

 private:
  /// The epoch after the failure (docs/in-transit-buffers.md).
  void add_paths_without_link(const RoutingContext& context) {
    const Attachment end = failed_end(topology_, context.configuration);
    const Topology left = without_link(topology_, end);
    check_taken_once(topology_, routes_.paths(), end);
    routes_.add_epoch(make_paths(left, context.configuration, context.progress));
  }

  const Topology& topology_;
  RouteTable routes_;
};

const bool source_routed_registered = RoutingRegistry::instance().add(
    "source_routed", "along the path that the source has computed; in-transit buffers on the way",
    path_options().list(), [](const Topology& t, const RoutingContext& context) {
      t.refuse_one_way("routing.algorithm = \"source_routed\"");  // finders of paths go links both ways
      return std::make_unique<SourceRouted>(t, context);
    });

}  // namespace
}  // namespace braid::routing
