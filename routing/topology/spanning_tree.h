// A tree over the links of a topology that reaches every node, for what is handed out and gathered again (SAT signal).
#pragma once

#include <cstdint>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {

struct SpanningTree {
  struct Vertex {
    RouterId router;
    std::uint32_t parent = 0;             ///< vertex; the root is its own
    std::uint32_t link_cycles = 0;        ///< latency of the link to the parent
    std::vector<std::uint32_t> children;  ///< vertices, in the order of port numbers
    std::vector<NodeId> nodes;            ///< that hang here
  };
  std::vector<Vertex> vertices;        ///< the root first, parents before children; none without a node below
  std::uint32_t node_link_cycles = 0;  ///< see node_link_cycles()
};

/// Breadth first from the middle: a root switch of a k-ary n-tree, the centre of a grid, else the router from which the
/// farthest node is nearest (the lowest number among equals).
SpanningTree spanning_tree(const Topology& topology);

/// Cycles of the link between a node and its router, for signals that run beside the links: 1 in an indirect network,
/// where they are apart; 0 where router and node are one tile.
std::uint32_t node_link_cycles(const Topology& topology);

}  // namespace braid::routing
