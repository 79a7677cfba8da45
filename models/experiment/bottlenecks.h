// The links that carried most, and why: which flows of packets, streams or circuits cross them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/experiment/results.h"
#include "models/workload/workload.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/link_loads.h"
#include "routing/topology/topology.h"

namespace braid::models {

struct Bottleneck {
  struct Sharer {
    std::string name;  ///< of a stream or circuit, else "SOURCE -> DESTINATION", numbers of nodes
    double share = 0;  ///< of all that the sharers want of the link, 0 to 1
  };
  RouterId from;
  PortId port;
  double flits_per_cycle = 0;  ///< packets and circuits, while measuring
  std::size_t sources = 0, destinations = 0;
  std::vector<Sharer> sharers;  ///< who wants most comes first
};

/// The `most` links between routers with the most flits while measuring, the busiest first, of links alike in the order
/// of the results; none that carried nothing. `flows` go one of the ways that the routing prefers in an empty network
/// (an adaptive one shuns full queues when it runs); circuits where their set-up led.
std::vector<Bottleneck> bottlenecks(const Results& results, const routing::Topology& topology,
                                    const routing::RoutingAlgorithm& routing, const std::vector<routing::Flow>& flows,
                                    std::size_t most = 5);

}  // namespace braid::models
