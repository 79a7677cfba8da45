// Paths in a text file, one a line, as the routers that they come to: `0,0 1,0 1,1  # what follows is a comment`. The
// first router is where the path begins, the last where it ends. Where several links join two routers it takes the
// first that no line above has taken.
#pragma once

#include <string>
#include <vector>

#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::routing {

/// [demand] its path. Demands with the same two ends take their lines in the order of the file. Throws InputError with
/// line and column: a word that is no router, routers that no link joins, a link that a line above has, a router that a
/// path comes to twice, a path of no demand; and where a demand has no line.
std::vector<std::vector<std::uint32_t>> read_paths(const std::string& file, const Topology& topology,
                                                   const Channels& channels, const std::vector<Demand>& demands);

/// The line of a path, without its end.
std::string path_line(const Topology& topology, const Channels& channels, const Demand& demand,
                      const std::vector<std::uint32_t>& path);

}  // namespace braid::routing
