// Proofs at a glance that demands have no disjoint paths: a few routers that more demands leave, or enter, than they
// have channels.
#pragma once

#include <optional>
#include <vector>

#include "routing/base/progress.h"
#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::routing {

/// One router: the degree bound.
std::optional<DemandCut> overfull_router(const Topology& topology, const Channels& channels,
                                         const std::vector<Demand>& demands);

/// On a grid every rectangle (not around a torus's edge), elsewhere all routers within some distance of one.
std::optional<DemandCut> overfull_region(const Topology& topology, const Channels& channels,
                                         const std::vector<Demand>& demands, const OnProgress& progress);

}  // namespace braid::routing
