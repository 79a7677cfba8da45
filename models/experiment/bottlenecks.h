// The links that carried most, and why: which flows of packets, streams or circuits cross them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
    double share = 0;  ///< of all that the sharers want of the link, or have sent over it, 0 to 1
  };
  enum class Where : std::uint8_t { kBetweenRouters, kInjection, kEjection };
  RouterId from;
  PortId port;
  double flits_per_cycle = 0;  ///< packets and circuits, while measuring
  std::size_t sources = 0, destinations = 0;
  std::vector<Sharer> sharers;  ///< who wants most comes first
  Where where = Where::kBetweenRouters;
  NodeId node = {};                          ///< of an injection or ejection link
  std::uint32_t most_flits_per_cycle = 1;    ///< that the link takes
  std::optional<std::uint32_t> subnet = {};  ///< of a link between routers, of networks side by side
  /// Of what the link takes, 0 to 1.
  double load() const { return flits_per_cycle / most_flits_per_cycle; }
};

/// The `most` links that carried most of what they take while measuring, the busiest first, of links alike those
/// between routers first, in the order of the results; none that carried nothing. `flows` go one of the ways that the
/// routing prefers in an empty network (an adaptive one shuns full queues when it runs); circuits where their set-up
/// led. Where packets were counted link by link (results.link_flows), these counts take the place of `flows` on links
/// between routers.
std::vector<Bottleneck> bottlenecks(const Results& results, const routing::Topology& topology,
                                    const routing::RoutingAlgorithm& routing, const std::vector<routing::Flow>& flows,
                                    std::size_t most = 5);

}  // namespace braid::models
