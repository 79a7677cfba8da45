// The loads of all links as a picture (SVG), for any topology: a line for each direction, as wide and as red as it is
// busy.
#pragma once

#include <string>
#include <vector>

#include "models/experiment/results.h"
#include "routing/topology/topology.h"

namespace braid::tb {

/// Where its routers are drawn: as the topology says, else rows and columns of a grid, levels of a tree, a circle.
std::vector<routing::Position> router_positions(const routing::Topology& topology);

/// Loads in flits a cycle; `nodes` may be empty.
std::string loads_svg(const routing::Topology& topology, const std::vector<models::LinkResult>& links,
                      const std::vector<models::NodeLinkResult>& nodes, const std::string& title);

}  // namespace braid::tb
