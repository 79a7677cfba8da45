// Dimension order on a graph whose routers stand on a grid: "x_first" and "y_first" where the links are in a file.
#pragma once

#include <memory>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::routing {

/// Is it a graph that may stand on a grid, with a place for every router, and none of the shapes that Braid makes?
bool has_coordinates_alone(const Topology& topology);
/// As on a mesh: all links in x, then in y, or the other way round; links that are not between neighbours of the grid
/// are left out. Throws InputError where routers do not stand on a full grid, or two neighbours have no link.
std::unique_ptr<RoutingAlgorithm> make_coordinate_order(const Topology& topology, const RoutingContext& context,
                                                        bool x_first);

}  // namespace braid::routing
