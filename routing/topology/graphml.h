// Networks in GraphML, as docs/graphml.md describes it: what networkx and others write, checked line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {

struct GraphMl {
  struct Node {
    std::string name;                       ///< attribute `name`, else its id; no two nodes have the same
    std::uint32_t nodes = 1;                ///< that hang on this router, 0 to kMaxPorts
    std::size_t line = 0;                   ///< in the file, from 1
    std::optional<Position> position = {};  ///< attributes `x` and `y`, or yEd's geometry
  };
  struct Edge {
    std::size_t from = 0, to = 0;      ///< indices of `nodes`, never the same
    std::string name;                  ///< "" if it has none
    std::uint32_t latency_cycles = 0;  ///< 1 to kMostLinkLatency; 0 if it has none
    std::size_t line = 0;
    std::uint32_t flits_per_cycle = 0;  ///< attribute of that name, 1 to kMostLinkSpeed; 0 if it has none
  };
  std::vector<Node> nodes;  ///< in the order of the file
  std::vector<Edge> edges;  ///< in the order of the file
};

/// Throws InputError with file and line where the file is not GraphML, or says what a network cannot be: unknown or
/// undeclared attributes, directed edges, names that are given twice, numbers out of range.
GraphMl read_graphml(const std::string& file);

}  // namespace braid::routing
