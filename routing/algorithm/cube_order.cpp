// Dimension order on networks of several dimensions (routing/algorithm/cube_ways.h). Where both ways round a ring are
// as long, each packet draws one.
#include "routing/algorithm/cube_ways.h"
#include "routing/algorithm/torus_ways.h"

namespace braid::routing {
namespace {

constexpr const char* kDimensionOrder = "dimension_order";

class CubeOrder final : public RoutingAlgorithm {
 public:
  CubeOrder(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs), topology_(topology), ways_(topology, kDimensionOrder), vcs_(all_vcs_) {
    if (!ways_.rings()) return;
    require_vcs(kDimensionOrder, "torus", context.vcs, 2);
    drawn_ = ties_are_drawn(Ties::kAuto, context.configuration);
  }

  std::uint32_t draws() const override { return drawn_ ? 1U << ways_.dimensions() : 1; }
  /// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE Trans. Computers
  /// C-36(5), 1987.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    if (end.router == q.router) return out.add(end.port, all_vcs_);
    const Candidate way = ways_.next(q, end.router, vcs_, [&](std::size_t d) { return goes_up(q, end.router, d); });
    out.add(way.port, way.vcs);
  }

 private:
  /// By the fixed rule the router's other coordinates and the destination's own decide, so that not all go one way.
  bool goes_up(const RouteQuery& q, RouterId to, std::size_t d) const {
    if (drawn_) return (q.draw >> d & 1) != 0;
    std::uint32_t sum = ways_.coordinate(to, d);
    for (std::size_t other = 0; other < ways_.dimensions(); ++other) sum += ways_.coordinate(q.router, other);
    return sum % 2 == 0;
  }

  const Topology& topology_;
  CubeWays ways_;
  CubeWays::Vcs vcs_;
  bool drawn_ = false;
};

const bool cube_order_registered = RoutingRegistry::instance().add(
    kDimensionOrder, "all links of one dimension, then of the next, in any number of dimensions", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<CubeOrder>(t, o); });

}  // namespace
}  // namespace braid::routing
