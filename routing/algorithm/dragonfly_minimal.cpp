// Shortest ways in a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008, section 4): within the group to the router that has
// the link to the destination's group, over it, and within that group. The lower half of the VCs before the link
// between groups, the upper half after it, and any on it: so links within a group are never waited for in a circle.
#include "routing/algorithm/dragonfly_ways.h"
#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

constexpr const char* kDragonflyMinimal = "dragonfly_minimal";

class DragonflyMinimal final : public RoutingAlgorithm {
 public:
  DragonflyMinimal(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        ways_(require_dragonfly(topology, kDragonflyMinimal)),
        lower_(lower_half(all_vcs_)) {
    require_vcs(kDragonflyMinimal, "dragonfly", context.vcs, 2);
  }

  /// The paper's VCs: lower half, links between groups, upper half, in this order.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    if (end.router == q.router) return out.add(end.port, all_vcs_);
    const std::uint32_t to = ways_.group(end.router);
    if (ways_.group(q.router) == to) return out.add(ways_.within(q.router, end.router), arrived(q));
    const PortId port = ways_.out(q.router, to);
    out.add(port, ways_.leaves_group(port) ? all_vcs_ : lower_);
  }

 private:
  /// In the destination's group; who has come from a node here takes any.
  VcMask arrived(const RouteQuery& q) const {
    return topology_.port(q.router, q.in_port).kind == PortKind::kLocal ? all_vcs_ : all_vcs_ & ~lower_;
  }

  const Topology& topology_;
  DragonflyWays ways_;
  VcMask lower_;
};

const bool dragonfly_minimal_registered = RoutingRegistry::instance().add(
    kDragonflyMinimal, "shortest ways in a dragonfly, over one link between groups", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<DragonflyMinimal>(t, o); });

}  // namespace
}  // namespace braid::routing
