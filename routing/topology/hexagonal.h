// The wrapped hexagonal mesh as others need it: its size and its six directions.
#pragma once

#include "routing/topology/topology.h"

namespace braid::routing {

constexpr std::size_t kHexagonalDirections = 6;  ///< ports 0 .. 5 in the order of their angles; then the local ports

/// 3n(n-1)+1 for n = `edge` routers an edge.
std::size_t hexagonal_router_count(std::uint32_t edge);

/// One step in `direction` (0 east, 1 north-east, 2 north-west, 3 west, 4 south-west, 5 south-east).
RouterId hexagonal_neighbour(std::uint32_t edge, RouterId router, PortId direction);

}  // namespace braid::routing
