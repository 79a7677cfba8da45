// Minimal adaptive with escape VCs (Duato): on the adaptive VCs every minimal direction is open; the escape VCs (VC 0;
// on a torus VCs 0 and 1, one a dateline class) run X first and are asked for last. With sticky escape, a packet that
// took an escape VC stays on escape VCs, as BookSim's min_adapt has it.
#include "routing/algorithm/minimal_adaptive.h"

#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

class MinimalAdaptive final : public GridRouting {
 public:
  MinimalAdaptive(const Topology& topology, const RoutingContext& options)
      : GridRouting(topology, options.vcs, "minimal_adaptive"),
        sticky_(minimal_adaptive_options().read(options.configuration).sticky_escape),
        escape_(grid_.wrap ? 3 : 1) {
    if (ties_are_drawn(minimal_adaptive_options().read(options.configuration).ties, options.configuration)) {
      draw_ties();
    }
    require_vcs("minimal_adaptive", grid_.wrap ? "torus" : "mesh", options.vcs, grid_.wrap ? 3 : 2);
  }
  VcMask escape_vcs() const override { return escape_; }
  /// Duato, "A new theory of deadlock-free adaptive routing in wormhole networks", IEEE Trans. Parallel and Distributed
  /// Systems 4(12), 1993. Routes are minimal, so adaptive links in between leave the order of the X-first escape
  /// channels as it is: on a way east, columns only grow, and whoever has left the row for good needs x no more.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return std::max<std::size_t>(3, topology_.nodes.front().size()); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Offset o = offset(q);
    if (o.x == 0 && o.y == 0) {
      eject(q, out);
      return;
    }
    const bool injected = q.in_port.value >= kFirstGridLocalPort.value;
    const bool on_escape = !injected && ((escape_ >> q.in_vc.value) & 1) != 0;
    if (!(sticky_ && on_escape)) {
      if (o.x != 0) out.add(x_port(o.x), all_vcs_ & ~escape_, 1);
      if (o.y != 0) out.add(y_port(o.y), all_vcs_ & ~escape_, 1);
    }
    if (o.x != 0) {
      out.add(x_port(o.x), escape_class(x_way(q, o.x)));
    } else {
      out.add(y_port(o.y), escape_class(y_way(q, o.y)));
    }
  }

 private:
  /// VC 1 while the link that closes the ring is ahead, VC 0 from then on: by position alone, for a packet may leave
  /// the escape and come back.
  VcMask escape_class(const RingWay& way) const {
    if (!grid_.wrap) return escape_;
    return way.wraps() ? escape_ & ~lower_half(escape_) : lower_half(escape_);
  }

  bool sticky_;
  VcMask escape_;
};

const bool minimal_adaptive_registered = RoutingRegistry::instance().add(
    "minimal_adaptive", "every minimal direction, with X-first escape VCs (Duato)", minimal_adaptive_options().list(),
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<MinimalAdaptive>(t, o); });

}  // namespace

const OptionTable<MinimalAdaptiveOptions>& minimal_adaptive_options() {
  using Options = MinimalAdaptiveOptions;
  static OptionTable<Options> torus("routing");
  static const OptionTable<Options> table =
      OptionTable<Options>("routing")
          .boolean("sticky_escape", &Options::sticky_escape, "once on an escape VC, always")
          .when(kOnTorus, on_torus, add_ties(torus));
  return table;
}

}  // namespace braid::routing
