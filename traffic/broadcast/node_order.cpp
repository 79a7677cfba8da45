// Positions in the order of the nodes' numbers: rows of a mesh one after the other.
#include "traffic/broadcast/placement.h"

namespace braid::traffic {

std::vector<NodeId> in_node_order(std::size_t nodes, NodeId root) {
  std::vector<NodeId> order;
  for (std::size_t p = 0; p < nodes; ++p) order.push_back(NodeId{(root.value + p) % nodes});
  return order;
}

namespace {

class NodeOrder final : public BroadcastPlacement {
 public:
  std::vector<NodeId> nodes(const PlacementContext& context) const override {
    return in_node_order(context.parts.size(), context.root);
  }
};

const bool node_order_registered = BroadcastPlacementRegistry::instance().add(
    "node_order", "as the nodes are numbered, from the root on", [] { return std::make_unique<NodeOrder>(); });

}  // namespace
}  // namespace braid::traffic
