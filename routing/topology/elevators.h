// Elevators: in a mesh of three dimensions, the positions (x, y) of the plane whose routers have vertical links.
// Stacked chips often have them in some places only, for a bundle of through-silicon vias takes much area.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {

/// The ports of the third dimension of a mesh.
constexpr PortId kUpwards{4}, kDownwards{5};

/// Is it a mesh of three dimensions, wherever its vertical links are?
inline bool is_stack(const Topology& topology) {
  return topology.cube && topology.cube->row == Cube::Row::kLine && topology.cube->sizes.size() == 3;
}

/// Of a stack: the positions x + y * sizes[0] with vertical links, ascending. All of them where it is a single plane,
/// which needs none.
inline std::vector<std::uint32_t> elevators_of(const Topology& topology) {
  std::vector<std::uint32_t> all;
  const auto positions = static_cast<std::uint32_t>(topology.cube->stride(2));
  for (std::uint32_t i = 0; i < positions; ++i) {
    const bool joined = topology.port(RouterId{i}, kUpwards).kind == PortKind::kNetwork;
    if (joined || topology.cube->sizes[2] == 1) all.push_back(i);
  }
  return all;
}

/// Are they in some places only?
inline bool has_elevators(const Topology& topology) {
  return is_stack(topology) && elevators_of(topology).size() < topology.cube->stride(2);
}

}  // namespace braid::routing
