// West-first turn model (Glass and Ni): all links to the west come first; then east, north and south adaptively. No
// turn into west exists, so no cycle can close.
#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

class WestFirst final : public GridRouting {
 public:
  WestFirst(const Topology& topology, std::uint32_t vcs) : GridRouting(topology, vcs, "west_first") {
    if (grid_.wrap) throw InputError("routing algorithm \"west_first\" needs a mesh; topology is " + topology.name);
  }
  std::size_t max_candidates() const override { return std::max<std::size_t>(2, topology_.nodes.front().size()); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Offset o = offset(q);
    if (o.x < 0) {
      out.add(kWest, all_vcs_);
      return;
    }
    if (o.x > 0) out.add(kEast, all_vcs_);
    if (o.y != 0) out.add(y_port(o.y), all_vcs_);
    if (out.size() == 0) eject(q, out);
  }
};

const bool west_first_registered = RoutingRegistry::instance().add(
    "west_first", "turn model: west first, then adaptive (mesh)",
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<WestFirst>(t, o.vcs); });

}  // namespace
}  // namespace braid::routing
