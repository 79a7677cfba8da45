// The disjoint-paths problem as an integer program: 0/1 flows of several commodities. Demands from one router (or to
// one, whichever makes fewer) are one commodity, for their paths may change ends where they meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/base/progress.h"
#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::routing {

struct FlowLimits {
  double seconds = 60.0;
  std::size_t fewer_than = 0;  ///< only paths of fewer channels together are looked for; 0: any
};

struct FlowAnswer {
  bool finished = false;                          ///< else the time was over: what was found may not be the best
  bool by_relaxation = false;                     ///< finished without branching
  std::vector<std::vector<std::uint32_t>> paths;  ///< [demand] channels, as few together as possible; empty: none
  std::uint64_t nodes = 0;                        ///< of the search
};

/// Of at least one demand, each between two routers. What progress throws breaks it off.
FlowAnswer solve_flow_program(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                              const FlowLimits& limits, const OnProgress& progress);

}  // namespace braid::routing
