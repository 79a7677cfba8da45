// Shortest ways in a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008, section 4): within the group to the router that has
// the link to the destination's group, over it, and within that group. The lower half of the VCs before the link
// between groups, the upper half after it, and any on it: so links within a group are never waited for in a circle.
#include <string>

#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

constexpr const char* kDragonflyMinimal = "dragonfly_minimal";

const Dragonfly& require_dragonfly(const Topology& topology) {
  if (topology.dragonfly) return *topology.dragonfly;
  throw InputError("routing algorithm \"" + std::string(kDragonflyMinimal) +
                   "\" needs topology.kind = \"dragonfly\"; topology is " + topology.name);
}

class DragonflyMinimal final : public RoutingAlgorithm {
 public:
  DragonflyMinimal(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        dragonfly_(require_dragonfly(topology)),
        lower_(lower_half(all_vcs_)) {
    if (context.vcs < 2) {
      throw InputError("routing algorithm \"" + std::string(kDragonflyMinimal) + "\" needs router.vcs >= 2; it is 1");
    }
  }

  /// The paper's VCs: lower half, links between groups, upper half, in this order.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    if (end.router == q.router) return out.add(end.port, all_vcs_);
    const std::uint32_t group = dragonfly_.group(q.router), to = dragonfly_.group(end.router);
    if (group == to) return out.add(within(q.router, dragonfly_.place(end.router)), arrived(q));
    const std::uint32_t link = dragonfly_.link_to(group, to), place = link / dragonfly_.global_ports;
    if (place != dragonfly_.place(q.router)) return out.add(within(q.router, place), lower_);
    out.add(PortId{std::size_t{dragonfly_.routers_per_group} - 1 + link % dragonfly_.global_ports}, all_vcs_);
  }

 private:
  PortId within(RouterId here, std::uint32_t place) const {
    return PortId{std::size_t{place} - (place > dragonfly_.place(here) ? 1 : 0)};
  }
  /// In the destination's group; who has come from a node here takes any.
  VcMask arrived(const RouteQuery& q) const {
    return topology_.port(q.router, q.in_port).kind == PortKind::kLocal ? all_vcs_ : all_vcs_ & ~lower_;
  }

  const Topology& topology_;
  const Dragonfly& dragonfly_;
  VcMask lower_;
};

const bool dragonfly_minimal_registered = RoutingRegistry::instance().add(
    kDragonflyMinimal, "shortest ways in a dragonfly, over one link between groups", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<DragonflyMinimal>(t, o); });

}  // namespace
}  // namespace braid::routing
