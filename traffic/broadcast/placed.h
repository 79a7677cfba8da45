// A scheme with a node at each of its positions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "traffic/broadcast/placement.h"

namespace braid::traffic {

struct PlacedBroadcast {
  std::unique_ptr<BroadcastScheme> scheme;
  std::vector<NodeId> nodes;  ///< [position]
};

/// All nodes of the topology take part. `placement` is asked where the scheme leaves it open; `hop_cycles` as in
/// PlacementContext. Throws InputError.
PlacedBroadcast place_broadcast(const std::string& scheme, const std::string& placement,
                                const routing::Topology& topology, NodeId root, std::uint32_t hop_cycles,
                                const Configuration& configuration);

}  // namespace braid::traffic
