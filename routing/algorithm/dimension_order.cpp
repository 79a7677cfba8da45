// Dimension order: all links of one dimension, then all of the other. "x_first" and "y_first" differ in nothing else.
//
// Each ring of a torus has two datelines: the link that closes it, and the one half-way round. No shortest way crosses
// both. Who crosses the first takes the upper half of the VCs in this ring, who crosses the other the lower half, and
// everybody else any VC; then a packet stays with its half to the end of the ring. So neither half is used all round,
// and nothing leads from one to the other: no cycle, and both halves carry the same load (Scott and Thorson,
// "Optimized routing in the Cray T3D", 1994).
#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/port_table.h"

namespace braid::routing {
namespace {

struct DimensionOrderOptions {
  bool bubble = false;
};
const OptionTable<DimensionOrderOptions> kDimensionOrderTable = OptionTable<DimensionOrderOptions>("routing").boolean(
    "bubble", &DimensionOrderOptions::bubble,
    "on a torus of virtual cut-through routers: packets enter a ring where two buffers are free");

template <bool kXFirst>
class DimensionOrder final : public GridRouting, public PortTable {
 public:
  DimensionOrder(const Topology& topology, const RoutingContext& options)
      : GridRouting(topology, options.vcs, name()),
        bubble_(kDimensionOrderTable.read(options.configuration).bubble),
        lower_(lower_half(all_vcs_)) {
    if (grid_.wrap && !bubble_) require_vcs(name(), "torus", options.vcs, 2);
  }
  bool relies_on_bubble() const override { return grid_.wrap && bubble_; }
  /// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE Trans. Computers
  /// C-36(5), 1987: one dimension after the other, and rings with a dateline. With the bubble in place of the dateline:
  /// Carrion et al., "A flow control mechanism to avoid message deadlock in k-ary n-cube networks", HiPC 1997.
  bool acyclic_by_construction() const override { return true; }
  static const char* name() { return kXFirst ? "x_first" : "y_first"; }

  bool is_table_of_ports() const override { return !grid_.wrap && max_candidates() == 1; }
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
    out.add(port, !grid_.wrap || bubble_ ? all_vcs_ : ring_vcs(q, port, x ? x_way(q, o.x) : y_way(q, o.y)));
  }

 private:
  VcMask ring_vcs(const RouteQuery& q, PortId port, const RingWay& way) const {
    const bool in_ring = q.in_port.value / 2 == port.value / 2;  // east and west, or north and south
    if (in_ring) return ((lower_ >> q.in_vc.value) & 1) != 0 ? lower_ : all_vcs_ & ~lower_;
    if (way.wraps()) return all_vcs_ & ~lower_;
    const int half_way = (way.size - 1) / 2;
    return (way.position > half_way) != (way.end() > half_way) ? lower_ : all_vcs_;
  }

  bool bubble_;   // rings need no halves
  VcMask lower_;  // half of the VCs
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
