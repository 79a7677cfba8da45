// What a set-up of circuits would come to, without a cycle of it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/options.h"
#include "routing/topology/topology.h"

namespace braid::models::hybrid {

/// Circuit lanes a local port that every node needs for those that start and end there.
std::uint32_t least_lanes(const routing::Topology& topology, const std::vector<CircuitRequest>& requests);

/// Where circuits share local ports a tree ends once at a router: of several with the same items the first keeps
/// CircuitRequest::copies. (Of two outputs that are both shared either may be another circuit's in every cycle.)
std::vector<CircuitRequest> apart_at_shared_ports(const routing::Topology& topology, std::uint32_t circuit_lanes,
                                                  std::vector<CircuitRequest> requests);

/// Would SetupSequencer find a circuit for each? The same orders over the same links
/// (routing/paths/disjoint/tentacle.cpp), or what setup.paths finds, or all at once (ParallelSetup). A node that
/// starts, or ends, more circuits than its local ports have lanes has none for some.
bool circuits_would_stand(const routing::Topology& topology, const Options& options, const Configuration& configuration,
                          const std::vector<CircuitRequest>& requests);

}  // namespace braid::models::hybrid
