// Dimension order: all links of one dimension, then all of the other. "x_first" and "y_first" differ in nothing else.
#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

struct DimensionOrderOptions {
  bool bubble = false;
};
const OptionTable<DimensionOrderOptions> kDimensionOrderTable = OptionTable<DimensionOrderOptions>("routing").boolean(
    "bubble", &DimensionOrderOptions::bubble,
    "on a torus of virtual cut-through routers: packets enter a ring where two buffers are free");

template <bool kXFirst>
class DimensionOrder final : public GridRouting {
 public:
  DimensionOrder(const Topology& topology, const RoutingContext& options)
      : GridRouting(topology, options.vcs, name(), kDimensionOrderTable.read(options.configuration).bubble) {
    if (grid_.wrap && !bubble_) require_vcs(name(), "torus", options.vcs, 2);
  }
  bool relies_on_bubble() const override { return grid_.wrap && bubble_; }
  static const char* name() { return kXFirst ? "x_first" : "y_first"; }

  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Offset o = offset(q);
    if ((o.x | o.y) == 0) {
      eject(q, out);
      return;
    }
    const bool x = kXFirst ? o.x != 0 : o.y == 0;
    // A difference again, see x_port().
    const PortId port{y_port(o.y).value + (x_port(o.x).value - y_port(o.y).value) * std::size_t{x}};
    out.add(port, !grid_.wrap ? all_vcs_ : x ? x_class(all_vcs_, q, o.x) : y_class(all_vcs_, q, o.y));
  }
};

template <bool kXFirst>
const bool dimension_order_registered = RoutingRegistry::instance().add(
    DimensionOrder<kXFirst>::name(), kXFirst ? "first all links in x, then in y" : "first all links in y, then in x",
    kDimensionOrderTable.list(),
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<DimensionOrder<kXFirst>>(t, o); });
template const bool dimension_order_registered<true>;
template const bool dimension_order_registered<false>;

}  // namespace
}  // namespace braid::routing
