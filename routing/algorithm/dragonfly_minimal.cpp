// Shortest ways in a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008, section 4): within the group to the router that has
// the link to the destination's group, over it, and within that group. The lower half of the VCs before the link
// between groups, the upper half after it, and any on it: so links within a group are never waited for in a circle.
// With a VC for each phase (BookSim 2's "min"): VC 0 before the link between groups, VC 1 on it and after it, to the
// node; others are of injection links alone.
#include "routing/algorithm/dragonfly_ways.h"
#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/intermediate.h"

namespace braid::routing {
namespace {

constexpr const char* kDragonflyMinimal = "dragonfly_minimal";

enum class PhaseVcs : std::uint8_t { kHalves, kOneEach };
struct DragonflyMinimalOptions {
  PhaseVcs phase_vcs = PhaseVcs::kHalves;
};
const OptionTable<DragonflyMinimalOptions> kDragonflyMinimalTable =
    OptionTable<DragonflyMinimalOptions>("routing").choice<PhaseVcs>(
        "phase_vcs", &DragonflyMinimalOptions::phase_vcs,
        {{"halves", PhaseVcs::kHalves}, {"one_each", PhaseVcs::kOneEach}},
        "of a packet before the link between groups, and after it: half of the VCs each, and any on that link and to "
        "the node; or VC 0, and VC 1 from that link on, to the node");

class DragonflyMinimal final : public RoutingAlgorithm {
 public:
  DragonflyMinimal(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        ways_(require_dragonfly(topology, kDragonflyMinimal)),
        lower_(lower_half(all_vcs_)),
        one_each_(kDragonflyMinimalTable.read(context.configuration).phase_vcs == PhaseVcs::kOneEach) {
    require_vcs(kDragonflyMinimal, "dragonfly", context.vcs, 2);
    if (one_each_) require_hybrid_routers(kDragonflyMinimal, context.configuration);
  }

  /// The paper's VCs: lower half, links between groups, upper half, in this order.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    if (end.router == q.router) return out.add(end.port, one_each_ ? vc_of_phase(q) : all_vcs_);
    const std::uint32_t to = ways_.group(end.router);
    if (ways_.group(q.router) == to) {
      return out.add(ways_.within(q.router, end.router), one_each_ ? vc_of_phase(q) : arrived(q));
    }
    const PortId port = ways_.out(q.router, to);
    if (one_each_) return out.add(port, ways_.leaves_group(port) ? kSecond : kFirst);
    out.add(port, ways_.leaves_group(port) ? all_vcs_ : lower_);
  }

 private:
  static constexpr VcMask kFirst = 1, kSecond = 2;

  /// With a VC for each phase, in the destination's group: who has come from a node here begins.
  VcMask vc_of_phase(const RouteQuery& q) const {
    const bool injected = topology_.port(q.router, q.in_port).kind == PortKind::kLocal;
    return injected || q.in_vc.value == 0 ? kFirst : kSecond;
  }
  /// In the destination's group; who has come from a node here takes any.
  VcMask arrived(const RouteQuery& q) const {
    return topology_.port(q.router, q.in_port).kind == PortKind::kLocal ? all_vcs_ : all_vcs_ & ~lower_;
  }

  const Topology& topology_;
  DragonflyWays ways_;
  VcMask lower_;
  bool one_each_;
};

const bool dragonfly_minimal_registered = RoutingRegistry::instance().add(
    kDragonflyMinimal, "shortest ways in a dragonfly, over one link between groups", kDragonflyMinimalTable.list(),
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<DragonflyMinimal>(t, o); });

}  // namespace
}  // namespace braid::routing
