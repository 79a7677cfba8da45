// The cost of section 2.1 with more terms, each with its weight: items times links, streams that share links under
// X-first, streams for which no link-disjoint path is left.
#include <algorithm>
#include <memory>

#include "routing/paths/channels.h"
#include "routing/paths/disjoint/free_channels.h"
#include "traffic/streams/layout/layout_cost.h"

namespace braid::traffic {
namespace {

class WeightedCost final : public LayoutCost {
 public:
  explicit WeightedCost(const LayoutContext& context)
      : graph_(context.graph),
        topology_(context.topology),
        options_(context.options),
        hops_(context),
        links_(topology_.router_count() * 4),
        out_(graph_.actors.size()),
        in_(graph_.actors.size()),
        channels_(topology_),
        free_(topology_, channels_) {
    for (const StreamEdge& e : graph_.edges) ++out_[e.from], ++in_[e.to];
    for (std::size_t n = 0; n < topology_.node_count(); ++n) {
      const auto& ports = topology_.routers[topology_.router_of(NodeId{n}).value];
      degree_.push_back(static_cast<int>(std::count_if(
          ports.begin(), ports.end(), [](const routing::Port& p) { return p.kind == routing::PortKind::kNetwork; })));
    }
  }

  double of(const std::vector<NodeId>& place) override {
    double total = 0.0;
    std::fill(links_.begin(), links_.end(), 0);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const StreamEdge& e = graph_.edges[i];
      total += options_.distance_weight * hops_.items(i) * hops_.links(i, place);
      if (topology_.grid && options_.sharing_weight > 0.0) total += options_.sharing_weight * share(place, e);
    }
    for (std::size_t a = 0; a < graph_.actors.size(); ++a) {  // more streams than links: no disjoint circuits at all
      const int links = degree_[place[a].value];
      total += kNoCircuit * (std::max(0, out_[a] - links) + std::max(0, in_[a] - links));
    }
    if (options_.disjoint_weight > 0.0) total += options_.disjoint_weight * streams_without_path(place);
    return total;
  }

 private:
  static constexpr double kNoCircuit = 1000.0;

  /// Routes the streams in order, each on a shortest path of links that no other has taken.
  double streams_without_path(const std::vector<NodeId>& place) {
    free_.free_all();
    double lost = 0.0;
    for (const StreamEdge& e : graph_.edges) {
      if (!free_.take_shortest({topology_.router_of(place[e.from]), topology_.router_of(place[e.to])})) lost += 1.0;
    }
    return lost;
  }

  /// Adds a stream to the links of its X-first path; how many of them were taken already.
  double share(const std::vector<NodeId>& place, const StreamEdge& e) {
    const routing::Grid& grid = *topology_.grid;
    const RouterId from = topology_.router_of(place[e.from]), to = topology_.router_of(place[e.to]);
    std::uint32_t x = grid.x(from), y = grid.y(from);
    double taken = 0.0;
    while (x != grid.x(to) || y != grid.y(to)) {
      const bool in_x = x != grid.x(to);
      const bool up = in_x ? x < grid.x(to) : y < grid.y(to);
      const std::size_t port = (in_x ? 0U : 2U) + (up ? 0U : 1U);
      if (links_[grid.at(x, y).value * 4 + port]++ > 0) taken += 1.0;
      (in_x ? x : y) += up ? 1U : ~0U;
    }
    return taken;
  }

  const StreamGraph& graph_;
  const routing::Topology& topology_;
  const PlacementOptions& options_;
  HopsOfItems hops_;
  std::vector<int> degree_;    // [node] links of its router
  std::vector<int> links_;     // [router * 4 + port] streams
  std::vector<int> out_, in_;  // [actor] streams
  routing::Channels channels_;
  routing::FreeChannels free_;
};

const bool weighted_registered =
    LayoutCostRegistry::instance().add("weighted", "hops, shared links and streams without a disjoint path, weighted",
                                       [](const LayoutContext& c) { return std::make_unique<WeightedCost>(c); });

}  // namespace
}  // namespace braid::traffic
