// Mesh and torus: the same grid of routers, without and with links around the edges.
#pragma once

#include "routing/topology/topology.h"

namespace braid::routing {

struct GridOptions : LinkOptions {
  std::uint32_t width = 8, height = 8;
};
/// A torus needs 3 routers in each dimension, so that no two links join the same pair.
const OptionTable<GridOptions>& grid_options(bool wrap);

Topology build_grid(const GridOptions& options, bool wrap);

/// The grid of a topology, or an InputError that says that `algorithm` needs one.
const Grid& require_grid(const Topology& topology, const char* algorithm);

}  // namespace braid::routing
