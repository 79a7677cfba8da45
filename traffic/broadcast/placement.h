// Which node stands at which position of a broadcast. One placement a file, registered by name.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {

struct PlacementContext {
  const routing::Topology& topology;
  const std::vector<BroadcastPart>& parts;
  NodeId root;
  std::uint32_t hop_cycles;  ///< what a link costs a message, in cycles of a unit that handles one
  const Configuration& configuration;
};

class BroadcastPlacement {
 public:
  static const char* axis() { return "broadcast placement"; }
  virtual ~BroadcastPlacement() = default;
  /// [position], each another node, the root's first.
  virtual std::vector<NodeId> nodes(const PlacementContext& context) const = 0;
};
using BroadcastPlacementRegistry = Registry<BroadcastPlacement>;

/// As the nodes are numbered, from the root on and around.
std::vector<NodeId> in_node_order(std::size_t nodes, NodeId root);

}  // namespace braid::traffic
