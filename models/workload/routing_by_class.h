// The routing algorithm of an experiment whose classes of traffic may have virtual channels of their own: by whoever
// needs another one of it, for networks side by side (models/fabric/subnets.h), and knows no workload. The classes that
// ask for channels are synthetic traffic's (models/workload/synthetic/virtual_networks.cpp).
#pragma once

#include <memory>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::models {

/// The algorithm that `routing.algorithm` names, in each of the ranges that the experiment's classes ask for; by itself
/// where no class has VCs of its own. Throws InputError.
std::unique_ptr<routing::RoutingAlgorithm> make_routing_by_class(const routing::Topology& topology,
                                                                 const Configuration& configuration,
                                                                 const routing::OnProgress& progress = {});

}  // namespace braid::models
