// The cost of StreamIt's layout for Raw without its term for switches that synchronize, as the paper has it: items
// times links.
#include <memory>

#include "traffic/streams/layout/layout_cost.h"

namespace braid::traffic {
namespace {

class Hops final : public LayoutCost {
 public:
  explicit Hops(const LayoutContext& context) : hops_(context), edges_(context.graph.edges.size()) {}
  double of(const std::vector<NodeId>& place) override {
    double total = 0.0;
    for (std::size_t e = 0; e < edges_; ++e) total += hops_.items(e) * hops_.links(e, place);
    return total;
  }

 private:
  HopsOfItems hops_;
  std::size_t edges_;
};

const bool hops_registered =
    LayoutCostRegistry::instance().add("hops", "items times the links they cross: the paper's cost",
                                       [](const LayoutContext& c) { return std::make_unique<Hops>(c); });

}  // namespace

HopsOfItems::HopsOfItems(const LayoutContext& context) : graph_(context.graph) {
  const routing::Topology& topology = context.topology;
  const std::vector<std::uint64_t> repetitions = graph_.repetitions();
  for (const StreamEdge& e : graph_.edges) items_.push_back(static_cast<double>(repetitions[e.from] * e.push));
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    const auto distance = topology.distances_to(topology.router_of(NodeId{n}));
    distance_.emplace_back();
    for (std::size_t m = 0; m < topology.node_count(); ++m) {
      distance_.back().push_back(distance[topology.router_of(NodeId{m}).value]);
    }
  }
}

}  // namespace braid::traffic
