// Odd-even turn model (Chiu 2000), minimal: a packet may not turn from east to north or south in an even column, nor
// from north or south to west in an odd column. Adaptive, without VCs for deadlock.
#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

class OddEven final : public GridRouting {
 public:
  OddEven(const Topology& topology, std::uint32_t vcs) : GridRouting(topology, vcs, "odd_even") {
    if (grid_.wrap) throw InputError("routing algorithm \"odd_even\" needs a mesh; topology is " + topology.name);
  }
  bool depends_on_source() const override { return true; }
  std::size_t max_candidates() const override { return std::max<std::size_t>(2, topology_.nodes.front().size()); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Offset o = offset(q);
    const std::uint32_t column = grid_.x(q.router);
    const std::uint32_t source_column = grid_.x(topology_.router_of(q.source));
    const bool odd = column % 2 == 1;
    if (o.x == 0 && o.y == 0) {
      eject(q, out);
    } else if (o.x == 0) {
      out.add(y_port(o.y), all_vcs_);
    } else if (o.x > 0) {
      const bool destination_odd = (column + static_cast<std::uint32_t>(o.x)) % 2 == 1;
      if (o.y == 0) {
        out.add(kEast, all_vcs_);
      } else {
        if (odd || column == source_column) out.add(y_port(o.y), all_vcs_);
        if (destination_odd || o.x != 1) out.add(kEast, all_vcs_);
      }
    } else {
      out.add(kWest, all_vcs_);
      if (!odd && o.y != 0) out.add(y_port(o.y), all_vcs_);
    }
  }
};

const bool odd_even_registered = RoutingRegistry::instance().add(
    "odd_even", "turn model by column, minimal and adaptive (mesh)",
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<OddEven>(t, o.vcs); });

}  // namespace
}  // namespace braid::routing
