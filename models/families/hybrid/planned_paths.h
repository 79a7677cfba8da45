// Circuits' paths that a program finds which sees the whole network, at one centralized node (paper: tentacle-routing,
// section 2.2), and that are installed at run time: a probe carries its path, so it neither searches nor turns back.
#pragma once

#include <string>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/options.h"
#include "routing/topology/topology.h"

namespace braid::models::hybrid {

/// [circuit] ports that lead to other routers, in order; by `finder`, a name of DisjointRegistry. Empty: it found none.
using PlannedPaths = std::vector<std::vector<CircuitResult::Step>>;
PlannedPaths planned_paths(const routing::Topology& topology, const Configuration& configuration,
                           const std::string& finder, const std::vector<CircuitRequest>& requests);

/// Of setup.paths beside what cannot follow a path. Throws InputError.
void check_planned(const Options& options);

}  // namespace braid::models::hybrid
