// Smart-routing's way to a channel-dependency graph without cycles (Cherkasova, Kotov and Rokicki, "Fibre channel
// fabrics: evaluation and design", HICSS 1996; paper: in-transit-buffers, section 1: "it searches through the CDG for
// cycles, removing dependences taking into account a heuristic").
#pragma once

#include <vector>

#include "routing/base/progress.h"
#include "routing/paths/cheapest_ways.h"

namespace braid::routing {

struct AcyclicDependencies {
  Dependencies after;      ///< close no cycle; any other one would
  std::vector<bool> tree;  ///< [channel] of a spanning tree whose dependencies are all there
};

/// One dependency after the other goes, of each cycle the one that does least harm.
AcyclicDependencies acyclic_dependencies(const Topology& topology, const Channels& channels,
                                         const OnProgress& progress = {});

}  // namespace braid::routing
