// braid paths of source-routed experiments: the paths themselves, and whether they hold what they claim.
#pragma once

#include <boost/json.hpp>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/path_check.h"
#include "routing/base/configuration.h"
#include "routing/topology/topology.h"

namespace braid::tb {

/// Every pair's path: routers and ports by name, and `in_transit`, indices into `ports`: before that port the packet
/// leaves the network for an in-transit buffer.
boost::json::array paths_json(const routing::Topology& topology, const routing::PathSet& paths);

/// By the claims of the computation that the experiment chooses. Throws InputError where routers choose the way.
routing::PathCheck check_routes(const routing::Topology& topology, const routing::RoutingAlgorithm& algorithm,
                                const Configuration& experiment);
/// ... of those after the failure of a link, which they must do without.
routing::PathCheck check_routes_after_failure(const routing::Topology& topology,
                                              const routing::RoutingAlgorithm& algorithm,
                                              const Configuration& experiment);
boost::json::object check_json(const routing::PathCheck& check);
void print_check(const routing::PathCheck& check);

}  // namespace braid::tb
