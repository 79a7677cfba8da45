// Over an intermediate group of a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008, section 4.1). VCs in thirds, as there:
// the first for links on the way to the intermediate group, the second within it, or within the source's group where a
// packet goes straight, the third within the destination's group; links to the destination's group take the second and
// the third. So links are waited for in this order: first third within a group, first third between groups, second
// third within a group, the others between groups, third within a group.
#pragma once

#include "routing/algorithm/dragonfly_ways.h"
#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/intermediate.h"

namespace braid::routing {

class DragonflyPhases : public RoutingAlgorithm {
 public:
  std::uint32_t draws() const override { return kIntermediateDraws; }
  bool depends_on_source() const override { return true; }
  /// The order of the paper's VCs, above.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const RouterId here = q.router;
    const Attachment& end = topology_.nodes[q.destination.value].front();
    const std::uint32_t group = ways_.group(here), to = ways_.group(end.router);
    if (on_way_out(q, group, end.router)) return out.add(ways_.out(here, intermediate(q)), first_);
    if (here == end.router) return out.add(end.port, all_vcs_);
    const bool injected = ways_.leads_to_node(q.in_port);
    if (group == to) return out.add(ways_.within(here, end.router), injected ? second_ | third_ : third_);
    const PortId port = ways_.out(here, to);
    out.add(port, ways_.leaves_group(port) ? second_ | third_ : second_);
  }

 protected:
  DragonflyPhases(const char* name, const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        ways_(require_dragonfly(topology, name)),
        first_((VcMask{1} << context.vcs / 3) - 1),
        second_(first_ << context.vcs / 3),
        third_(all_vcs_ & ~(first_ | second_)) {
    require_hybrid_routers(name, context.configuration);
    require_vcs(name, "dragonfly", context.vcs, 3);
  }

  /// At the source's router, of a packet that would leave both its groups: does it go straight all the same?
  virtual bool goes_straight(const RouteQuery& /*q*/, std::uint32_t /*by*/, RouterId /*end*/) const { return false; }
  /// One of all groups.
  std::uint32_t intermediate(const RouteQuery& q) const {
    return static_cast<std::uint32_t>(intermediate_of(q, ways_.groups()));
  }

  const Topology& topology_;
  DragonflyWays ways_;

 private:
  /// Is the packet in its source's group, bound for an intermediate one? Whose intermediate group is that of its source
  /// or destination goes straight.
  bool on_way_out(const RouteQuery& q, std::uint32_t group, RouterId end) const {
    if (!ways_.leads_to_node(q.in_port)) return !ways_.leaves_group(q.in_port) && (first_ >> q.in_vc.value & 1) != 0;
    const std::uint32_t by = intermediate(q);
    return by != group && by != ways_.group(end) && !goes_straight(q, by, end);
  }

  VcMask first_, second_, third_;
};

}  // namespace braid::routing
