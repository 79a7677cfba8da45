// What several subnets ask of the rest of an experiment (models/fabric/subnets.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/workload/workload.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/options.h"

namespace braid::models {

/// Throws InputError for what knows one network only: modules, RTL, a fairness policy, a link that fails, packets with
/// paths from their source.
void check_subnets(const Configuration& configuration, const routing::RoutingAlgorithm& routing);

/// Throws InputError for a workload that knows one network only, and for a subnet that no class goes by.
void check_classes(const std::vector<std::unique_ptr<Workload>>& workloads, std::uint32_t subnets);

/// Is the algorithm told of a network's queues, so that each subnet needs one of its own?
bool holds_queues(const routing::RoutingAlgorithm& routing);

/// The local ports of all nodes.
std::size_t ports_of_subnet(const LocalPortMap& ports);

}  // namespace braid::models
