// The cost of section 2.1 with more terms, each with its weight: items times links, streams that share links under
// X-first, streams for which no link-disjoint path is left.
#include <algorithm>
#include <memory>

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
        seen_(topology_.router_count()),
        came_by_(topology_.router_count()),
        queue_(topology_.router_count()) {
    for (const StreamEdge& e : graph_.edges) ++out_[e.from], ++in_[e.to];
    for (std::size_t r = 0; r < topology_.router_count(); ++r) {
      first_.push_back(heads_.size());
      for (const routing::Port& p : topology_.routers[r]) {
        if (p.kind != routing::PortKind::kNetwork) continue;
        tails_.push_back(r);
        heads_.push_back(p.peer_router.value);
      }
    }
    first_.push_back(heads_.size());
    taken_.resize(heads_.size());
    for (std::size_t n = 0; n < topology_.node_count(); ++n) {
      const std::size_t r = topology_.router_of(NodeId{n}).value;
      router_.push_back(r);
      degree_.push_back(static_cast<int>(first_[r + 1] - first_[r]));
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
    ++round_;
    double lost = 0.0;
    for (const StreamEdge& e : graph_.edges) {
      if (!take_path(router_[place[e.from].value], router_[place[e.to].value])) lost += 1.0;
    }
    return lost;
  }

  /// Breadth first, a router's links in the order of its ports. This is where the time of a layout goes: flat arrays,
  /// and marks that tell this search and this round of streams from those before, so that nothing is cleared.
  bool take_path(std::size_t from, std::size_t to) {
    if (from == to) return true;
    seen_[from] = ++search_;
    std::size_t* end = queue_.data();
    *end++ = from;
    for (const std::size_t* here = queue_.data(); here != end; ++here) {
      for (std::size_t link = first_[*here]; link < first_[*here + 1]; ++link) {
        const std::size_t next = heads_[link];
        if (taken_[link] == round_ || seen_[next] == search_) continue;
        seen_[next] = search_;
        came_by_[next] = link;
        if (next == to) return take(from, to);
        *end++ = next;
      }
    }
    return false;
  }
  bool take(std::size_t from, std::size_t to) {
    for (std::size_t r = to; r != from; r = tails_[came_by_[r]]) taken_[came_by_[r]] = round_;
    return true;
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
  std::vector<int> degree_;           // [node] links of its router
  std::vector<int> links_;            // [router * 4 + port] streams
  std::vector<int> out_, in_;         // [actor] streams
  std::vector<std::size_t> router_;   // [node]
  std::vector<std::size_t> first_;    // [router] of its links
  std::vector<std::size_t> tails_;    // [link] router
  std::vector<std::size_t> heads_;    // [link] router
  std::vector<std::uint64_t> taken_;  // [link] in which round by a stream
  std::vector<std::uint64_t> seen_;   // [router] by which search
  std::vector<std::size_t> came_by_;  // [router] link, where this search has been
  std::vector<std::size_t> queue_;    // [place in line] router
  std::uint64_t round_ = 0, search_ = 0;
};

const bool weighted_registered =
    LayoutCostRegistry::instance().add("weighted", "hops, shared links and streams without a disjoint path, weighted",
                                       [](const LayoutContext& c) { return std::make_unique<WeightedCost>(c); });

}  // namespace
}  // namespace braid::traffic
