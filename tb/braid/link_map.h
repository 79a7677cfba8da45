// Loads of links: as a map on a grid, as lines elsewhere, as JSON.
#pragma once

#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "models/fabric/circuits.h"
#include "routing/topology/topology.h"

namespace braid::tb {

using Loads = std::vector<std::vector<double>>;  ///< [router][port]

/// How many circuits are on each port.
Loads circuit_loads(const routing::Topology& topology, const std::vector<models::CircuitResult>& circuits);
/// One number for each direction of each link.
void print_loads(const routing::Topology& topology, const std::string& title, const Loads& loads);
boost::json::array loads_json(const routing::Topology& topology, const Loads& loads);

}  // namespace braid::tb
