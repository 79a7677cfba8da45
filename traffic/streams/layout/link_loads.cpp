// A layout for X-first routing: streams that share links cost more than long ways.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "routing/base/input_error.h"
#include "traffic/streams/layout/layout_cost.h"

namespace braid::traffic {
namespace {

/// The squares of the loads: two streams on one link cost as much as four alone; of layouts alike the one of fewer
/// links is better for that, too.
class SquaredLoads final : public LayoutCost {
 public:
  explicit SquaredLoads(const LayoutContext& context) : loads_(context) {}
  double of(const std::vector<NodeId>& place) override {
    double total = 0.0;
    for (const double load : loads_.of(place)) total += load * load;
    return total;
  }

 private:
  LinkLoads loads_;
};

const bool link_loads_registered = LayoutCostRegistry::instance().add(
    "link_loads", "squares of the streams on each link under X-first, shares and copies counted as such",
    [](const LayoutContext& c) {
      if (!c.topology.grid) throw InputError("stream.layout_cost = \"link_loads\" needs a mesh or torus");
      return std::make_unique<SquaredLoads>(c);
    });

}  // namespace

LinkLoads::LinkLoads(const LayoutContext& context)
    : graph_(context.graph),
      topology_(context.topology),
      loads_(context.topology.router_count() * 4),
      last_(context.topology.router_count() * 4) {
  // An actor's streams: a group of copies is one; what is dealt out is another, of all edges without a group.
  std::map<std::uint32_t, double> dealt;  // [actor] items a firing
  for (const StreamEdge& e : graph_.edges) {
    if (!e.group) dealt[e.from] += e.push;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> groups;
  for (const StreamEdge& e : graph_.edges) {
    shares_.push_back(e.group ? 1.0 : e.push / dealt[e.from]);
    const auto number = static_cast<std::uint32_t>(groups.size() + 1);
    once_.push_back(e.group ? groups.emplace(std::pair(e.from, *e.group), number).first->second : 0);
    order_.push_back(order_.size());
  }
  std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) { return once_[a] < once_[b]; });
}

const std::vector<double>& LinkLoads::of(const std::vector<NodeId>& place) {
  std::fill(loads_.begin(), loads_.end(), 0.0);
  std::fill(last_.begin(), last_.end(), 0);
  for (const std::size_t e : order_) {
    const StreamEdge& edge = graph_.edges[e];
    add(topology_.router_of(place[edge.from]), topology_.router_of(place[edge.to]), shares_[e], once_[e]);
  }
  return loads_;
}

void LinkLoads::add(RouterId from, RouterId to, double share, std::uint32_t once) {
  const routing::Grid& grid = *topology_.grid;
  std::uint32_t x = grid.x(from), y = grid.y(from);
  while (x != grid.x(to) || y != grid.y(to)) {
    const bool in_x = x != grid.x(to);
    const bool up = in_x ? x < grid.x(to) : y < grid.y(to);
    const std::size_t link = grid.at(x, y).value * 4 + (in_x ? 0U : 2U) + (up ? 0U : 1U);
    if (once == 0 || last_[link] != once) loads_[link] += share;
    if (once != 0) last_[link] = once;
    (in_x ? x : y) += up ? 1U : ~0U;
  }
}

}  // namespace braid::traffic
