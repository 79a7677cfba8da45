// O1TURN on a mesh (Seo, Ali, Lim, Rafique, Thottethodi: Near-optimal worst-case throughput routing for two-dimensional
// mesh networks, ISCA 2005): half of the flows go x first on the lower half of the VCs, the others y first on the upper
// half. Each half alone is dimension order, so no cycle of channels closes. Here a flow always goes the same way, so
// its packets stay in order.
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/random.h"

namespace {

using namespace braid;

struct OneTurnOptions {
  double x_first_share = 0.5;
};
const OptionTable<OneTurnOptions>& options() {
  static const OptionTable<OneTurnOptions> table = OptionTable<OneTurnOptions>("routing").number(
      "x_first_share", &OneTurnOptions::x_first_share, 0.0, 1.0, "of the flows go x first, the others y first");
  return table;
}

class OneTurn final : public routing::RoutingAlgorithm {
 public:
  OneTurn(const routing::Topology& topology, const routing::RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        x_first_bits_(Random::probability_bits(options().read(context.configuration).x_first_share)),
        x_vcs_((VcMask{1} << (context.vcs / 2)) - 1) {
    if (!topology.grid || topology.grid->wrap) throw InputError("one_turn needs a mesh");
    if (context.vcs < 2) throw InputError("one_turn needs a VC for each way: expected router.vcs >= 2");
  }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }
  bool depends_on_source() const override { return true; }

  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    out.clear();
    const routing::Grid& grid = *topology_.grid;
    const RouterId to = topology_.router_of(q.destination);
    if (q.router == to) {
      for (const routing::Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
      return;
    }
    const auto x = grid.x(q.router), y = grid.y(q.router);
    const bool x_way = x_first(q.source, q.destination);
    const bool along_x = x_way ? x != grid.x(to) : y == grid.y(to);
    const PortId port = along_x ? (x < grid.x(to) ? routing::kEast : routing::kWest)
                                : (y < grid.y(to) ? routing::kNorth : routing::kSouth);
    out.add(port, x_way ? x_vcs_ : all_vcs_ & ~x_vcs_);
  }

  Report report() const override { return figures().of(*this); }
  static const FigureTable<OneTurn>& figures() {
    static const FigureTable<OneTurn> table = FigureTable<OneTurn>().add(
        "x_first_flows", "", "pairs of nodes whose packets go x first", &OneTurn::x_first_flows);
    return table;
  }

 private:
  bool x_first(NodeId source, NodeId destination) const {
    return mix64((std::uint64_t{source.value} << 32) | destination.value) < x_first_bits_;
  }
  std::uint64_t x_first_flows() const {
    std::uint64_t flows = 0;
    for (std::size_t s = 0; s < topology_.node_count(); ++s) {
      for (std::size_t d = 0; d < topology_.node_count(); ++d) flows += s != d && x_first(NodeId{s}, NodeId{d}) ? 1 : 0;
    }
    return flows;
  }

  const routing::Topology& topology_;
  std::uint64_t x_first_bits_;
  VcMask x_vcs_;
};

const bool registered = routing::RoutingRegistry::instance().add(
    "one_turn", "x or y first, by flow (O1TURN)", options().list(), OneTurn::figures().list(),
    [](const routing::Topology& t, const routing::RoutingContext& c) { return std::make_unique<OneTurn>(t, c); });

}  // namespace
