#include "traffic/broadcast/placed.h"

#include <fmt/format.h>

#include <utility>

namespace braid::traffic {

PlacedBroadcast place_broadcast(const std::string& scheme, const std::string& placement,
                                const routing::Topology& topology, NodeId root, std::uint32_t hop_cycles,
                                const Configuration& configuration) {
  const std::size_t nodes = topology.node_count();
  if (root.value >= nodes) {
    throw InputError(fmt::format("broadcast.root = {}: expected 0 to {}", root.value, nodes - 1));
  }
  PlacedBroadcast placed;
  placed.scheme = BroadcastSchemeRegistry::instance().make(
      scheme, {static_cast<std::uint32_t>(nodes), topology, root, configuration});
  const auto fixed = placed.scheme->nodes();
  if (fixed && configuration.find("broadcast.placement") != nullptr) {
    throw InputError("broadcast.placement: \"" + scheme + "\" says itself which node stands where; expected none");
  }
  placed.nodes = fixed ? *fixed
                       : BroadcastPlacementRegistry::instance().make(placement)->nodes(
                             {topology, placed.scheme->parts(), root, hop_cycles, configuration});
  return placed;
}

}  // namespace braid::traffic
