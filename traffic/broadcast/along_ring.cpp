// Positions along a virtual ring over the links (routing/topology/ring.h): a diamond ring of arity 1 is that ring then,
// a Hamiltonian one where there is one.
#include <algorithm>

#include "routing/topology/ring.h"
#include "traffic/broadcast/placement.h"

namespace braid::traffic {
namespace {

class AlongRing final : public BroadcastPlacement {
 public:
  std::vector<NodeId> nodes(const PlacementContext& context) const override {
    std::vector<NodeId> order;
    for (const routing::RingStop& stop : routing::virtual_ring(context.topology)) order.push_back(stop.node);
    std::rotate(order.begin(), std::find(order.begin(), order.end(), context.root), order.end());
    return order;
  }
};

const bool along_ring_registered = BroadcastPlacementRegistry::instance().add(
    "ring", "along a virtual ring over the links, from the root on", [] { return std::make_unique<AlongRing>(); });

}  // namespace
}  // namespace braid::traffic
