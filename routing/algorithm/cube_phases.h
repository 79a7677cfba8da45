// Over an intermediate router of a network of several dimensions: dimension order to it on the lower half of the VCs,
// dimension order from it on the upper half. Each half has halves of its own on rings. A packet goes from the first
// phase to the second and never back, and each phase by itself cannot deadlock (routing/algorithm/cube_ways.h).
#pragma once

#include "routing/algorithm/cube_ways.h"
#include "routing/algorithm/intermediate.h"

namespace braid::routing {

class CubePhases : public RoutingAlgorithm {
 public:
  std::uint32_t draws() const override { return kIntermediateDraws; }
  bool depends_on_source() const override { return true; }
  /// Dally and Seitz (1987), for each phase; phases are in order.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    const bool injected = ways_.leads_to_node(q.in_port);
    if (injected || (first_.all >> q.in_vc.value & 1) != 0) {
      const RouterId by = intermediate(q, end.router);
      if (by != q.router && !(injected && goes_straight(q, by, end.router))) {
        const Candidate way = to_intermediate(q, by);
        return out.add(way.port, way.vcs);
      }
    }
    if (end.router == q.router) return out.add(end.port, all_vcs_);
    const Candidate way = to_end(q, end.router);
    out.add(way.port, way.vcs);
  }

 protected:
  CubePhases(const char* name, const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        ways_(topology, name),
        first_(lower_half(all_vcs_)),
        second_(all_vcs_ & ~lower_half(all_vcs_)) {
    require_hybrid_routers(name, context.configuration);
    require_vcs(name, ways_.rings() ? "torus" : "mesh or flattened butterfly", context.vcs, ways_.rings() ? 4 : 2);
  }

  virtual RouterId intermediate(const RouteQuery& q, RouterId end) const = 0;
  /// At the source's router: does the packet take the second phase at once?
  virtual bool goes_straight(const RouteQuery& /*q*/, RouterId /*by*/, RouterId /*end*/) const { return false; }
  Candidate to_intermediate(const RouteQuery& q, RouterId by) const {
    return ways_.next(q, by, first_, [&](std::size_t d) { return (tie_bits(q) >> d & 1) != 0; });
  }
  Candidate to_end(const RouteQuery& q, RouterId end) const {
    return ways_.next(q, end, second_, [&](std::size_t d) { return (tie_bits(q) >> (8 + d) & 1) != 0; });
  }

  const Topology& topology_;
  CubeWays ways_;

 private:
  CubeWays::Vcs first_, second_;
};

}  // namespace braid::routing
