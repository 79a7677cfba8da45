// Source routing: a packet follows the path that its source has written into its header, leg by leg where in-transit
// buffers lie between (paper: in-transit-buffers). Which paths those are, `routing.paths` and `routing.in_transit` say
// (routing/paths/path_computation.h).
#include "routing/algorithm/routing_algorithm.h"
#include "routing/paths/path_computation.h"

namespace braid::routing {
namespace {

class SourceRouted final : public RoutingAlgorithm {
 public:
  SourceRouted(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        routes_(topology, make_paths(topology, context.configuration, context.progress)) {}

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
  const Topology& topology_;
  RouteTable routes_;
};

const bool source_routed_registered = RoutingRegistry::instance().add(
    "source_routed", "along the path that the source has computed; in-transit buffers on the way",
    path_options().list(),
    [](const Topology& t, const RoutingContext& context) { return std::make_unique<SourceRouted>(t, context); });

}  // namespace
}  // namespace braid::routing
