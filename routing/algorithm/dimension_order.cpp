// Dimension order: all links of one dimension, then all of the other. "x_first" and "y_first" differ in nothing else.
//
// Each ring of a torus has two datelines: the link that closes it, and the one half-way round. No shortest way crosses
// both (routing.datelines = "one": the first alone, and whoever does not cross it takes the lower half, as in BookSim
// 2's dim_order). Who crosses the first takes the upper half of the VCs in this ring, who crosses the other the lower
// half, and everybody else any VC; then a packet stays with its half to the end of the ring. So neither half is used
// all round, and nothing leads from one to the other: no cycle, and both halves carry the same load (Scott and Thorson,
// "Optimized routing in the Cray T3D", 1994).
#include "routing/algorithm/coordinate_order.h"
#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/port_table.h"
#include "routing/algorithm/torus_ways.h"

namespace braid::routing {
namespace {

enum class Datelines : std::uint8_t { kTwo, kTwoDrawn, kOne };

struct DimensionOrderOptions : TiesOptions {
  bool bubble = false;
  Datelines datelines = Datelines::kTwo;
};
const OptionTable<DimensionOrderOptions>& dimension_order_options() {
  using Options = DimensionOrderOptions;
  static OptionTable<Options> torus("routing");
  static const OptionTable<Options> table =
      OptionTable<Options>("routing")
          .boolean("bubble", &Options::bubble,
                   "on a torus of virtual cut-through routers: packets enter a ring where two buffers are free")
          .when(kOnTorus, on_torus,
                add_ties(torus).choice<Datelines>(
                    "datelines", &Options::datelines,
                    {{"two", Datelines::kTwo}, {"two_drawn", Datelines::kTwoDrawn}, {"one", Datelines::kOne}},
                    "of a ring's VCs those who cross the link that closes it take the upper half, those who cross the "
                    "one half-way round the lower, others any, or a half that each packet draws; one: all but the "
                    "first take the lower"));
  return table;
}

template <bool kXFirst>
class DimensionOrder final : public GridRouting, public PortTable {
 public:
  DimensionOrder(const Topology& topology, const RoutingContext& options)
      : DimensionOrder(topology, options, dimension_order_options().read(options.configuration)) {}
  DimensionOrder(const Topology& topology, const RoutingContext& context, const DimensionOrderOptions& options)
      : GridRouting(topology, context.vcs, name()),
        bubble_(options.bubble),
        datelines_(options.datelines),
        lower_(lower_half(all_vcs_)) {
    if (ties_are_drawn(options.ties, context.configuration)) draw_ties();
    if (grid_.wrap && !bubble_) require_vcs(name(), "torus", context.vcs, 2);
  }
  std::uint32_t draws() const override { return draws_half() ? 16 : GridRouting::draws(); }
  bool relies_on_bubble() const override { return grid_.wrap && bubble_; }
  /// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE Trans. Computers
  /// C-36(5), 1987: one dimension after the other, and rings with a dateline. With the bubble in place of the dateline:
  /// Carrion et al., "A flow control mechanism to avoid message deadlock in k-ary n-cube networks", HiPC 1997.
  bool acyclic_by_construction() const override { return true; }
  static const char* name() { return kXFirst ? "x_first" : "y_first"; }

  bool is_table_of_ports() const override { return !grid_.wrap && max_candidates() == 1; }
  std::optional<WaysByPlace> by_place() const override {
    if (!is_table_of_ports()) return std::nullopt;
    WaysByPlace ways;
    const auto place = [&](RouterId r) {
      return GridPlace{static_cast<std::int16_t>(grid_.x(r)), static_cast<std::int16_t>(grid_.y(r))};
    };
    for (std::size_t r = 0; r < topology_.router_count(); ++r) ways.routers.push_back(place(RouterId{r}));
    for (std::size_t n = 0; n < topology_.node_count(); ++n)
      ways.nodes.push_back(place(topology_.router_of(NodeId{n})));
    for (int x = 0; x < 3; ++x) {
      for (int y = 0; y < 3; ++y) ways.ports[3 * x + y] = port_towards(x - 1, y - 1);
    }
    return ways;
  }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Offset o = offset(q);
    if ((o.x | o.y) == 0) {
      eject(q, out);
      return;
    }
    const bool x = goes_in_x(o.x, o.y);
    const PortId port = port_towards(o.x, o.y);
    out.add(port, !grid_.wrap || bubble_ ? all_vcs_ : ring_vcs(q, port, x ? x_way(q, o.x) : y_way(q, o.y)));
  }

 private:
  static bool goes_in_x(int dx, int dy) { return kXFirst ? dx != 0 : dy == 0; }
  /// A difference again, see x_port().
  static PortId port_towards(int dx, int dy) {
    return PortId{y_port(dy).value + (x_port(dx).value - y_port(dy).value) * std::size_t{goes_in_x(dx, dy)}};
  }
  VcMask ring_vcs(const RouteQuery& q, PortId port, const RingWay& way) const {
    const bool in_ring = q.in_port.value / 2 == port.value / 2;  // east and west, or north and south
    if (in_ring) return ((lower_ >> q.in_vc.value) & 1) != 0 ? lower_ : all_vcs_ & ~lower_;
    if (way.wraps()) return all_vcs_ & ~lower_;
    const int half_way = (way.size - 1) / 2;
    const bool crosses = (way.position > half_way) != (way.end() > half_way);
    if (crosses || datelines_ == Datelines::kOne) return lower_;
    if (datelines_ == Datelines::kTwo) return all_vcs_;
    const unsigned dimension = port.value / 2U;  // bits 2 and 3: the two below are of ties
    return ((q.draw >> (2 + dimension)) & 1) != 0 ? all_vcs_ & ~lower_ : lower_;
  }
  bool draws_half() const { return grid_.wrap && !bubble_ && datelines_ == Datelines::kTwoDrawn; }

  bool bubble_;  // rings need no halves
  Datelines datelines_;
  VcMask lower_;  // half of the VCs
};

template <bool kXFirst>
const bool dimension_order_registered = RoutingRegistry::instance().add(
    DimensionOrder<kXFirst>::name(), kXFirst ? "first all links in x, then in y" : "first all links in y, then in x",
    dimension_order_options().list(),
    [](const Topology& t, const RoutingContext& o) -> std::unique_ptr<RoutingAlgorithm> {
      if (has_coordinates_alone(t)) return make_coordinate_order(t, o, kXFirst);
      return std::make_unique<DimensionOrder<kXFirst>>(t, o);
    });
template const bool dimension_order_registered<true>;
template const bool dimension_order_registered<false>;

}  // namespace
}  // namespace braid::routing
