// Mesh and torus: the same grid of routers, without and with links around the edges.
#pragma once

#include "routing/topology/topology.h"

namespace braid::routing {

/// Throws InputError for sizes out of range (a torus needs 3 routers in each dimension, so that no two links join the
/// same pair).
Topology build_grid(const TopologyOptions& options, bool wrap);

/// The grid of a topology, or an InputError that says that `algorithm` needs one.
const Grid& require_grid(const Topology& topology, const char* algorithm);

}  // namespace braid::routing
