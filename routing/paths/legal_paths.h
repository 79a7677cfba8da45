// Paths that go up first and then down: no cycle of channels can close where all routers have a rank and a packet
// never goes up again after it went down (up*/down*; paper: in-transit-buffers, section 1).
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/progress.h"
#include "routing/base/random.h"
#include "routing/paths/path_set.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// [router]: a link leads up to its end of lower rank. No two routers have the same.
using Ranks = std::vector<std::uint32_t>;

/// For each pair one of its shortest legal paths, each as likely.
PathSet shortest_legal_paths(const Topology& topology, const Ranks& ranks, PathsPer per, Random random,
                             const OnProgress& progress);

}  // namespace braid::routing
