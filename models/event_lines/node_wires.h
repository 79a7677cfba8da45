// Wires of a line beside the data network, point to point between nodes' interfaces, over the shortest ways.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/ids.h"
#include "routing/topology/topology.h"
#include "traffic/broadcast/one_wave.h"

namespace braid::models {

/// Cycles between the nodes of two positions: the links' latencies on the shortest way between their routers, and those
/// of the links to the nodes where node and router are apart (routing/topology/spanning_tree.h), times `hop_cycles`.
/// Quickest if asked for one `from` after the other.
traffic::WireCycles wires_between(const routing::Topology& topology, const std::vector<NodeId>& nodes,
                                  std::uint32_t hop_cycles);

}  // namespace braid::models
