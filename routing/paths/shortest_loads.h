// What channels would carry if every pair split its path evenly over its shortest ways: found in a moment, and a good
// guess of what a linear program makes of the same dependencies.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/paths/dependency_graph.h"

namespace braid::routing {

constexpr std::uint64_t kSplitParts = 4096;  ///< of a path

/// [channel] parts of paths. `ends`: every one has a way to every other.
std::vector<std::uint64_t> shortest_loads(const Channels& channels, const std::vector<RouterId>& ends,
                                          const DependencyGraph& dependencies);

}  // namespace braid::routing
