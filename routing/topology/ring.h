// A virtual ring: a closed walk over the links that calls at every node once (paper: sat-fairness, section II.B).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {

struct RingWire {
  std::string name;  ///< "FROM_to_TO", routers by name, nodes as "nodeN"
  std::uint32_t cycles = 1;
};

struct RingStop {
  NodeId node;
  std::vector<RingWire> wires;  ///< to the next stop's node
};

/// On a grid a Hamiltonian circuit of the routers, where there is one (a mesh of odd times odd has none); where one
/// port number followed from router to router visits them all, that circle (a wrapped hexagonal mesh has three); else
/// the tour around a spanning tree, which on a k-ary n-tree is the paper's: nodes in ascending order, H(n) = 2k + k
/// H(n-1) links.
std::vector<RingStop> virtual_ring(const Topology& topology);

}  // namespace braid::routing
