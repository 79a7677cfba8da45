// How much of each link was used while measuring.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/network.h"
#include "models/experiment/results.h"
#include "routing/base/ids.h"

namespace braid::models {

/// Flits over a link.
struct LinkCount {
  RouterId from;
  PortId port;
  Fabric::LinkUse use;
  std::uint32_t subnet = 0;
};
/// Of all links between routers, since the run began; subnet by subnet.
std::vector<LinkCount> link_counts(const Network& network);

/// Of the same links, `cycles` apart. They name their subnet where the network says how many it has.
std::vector<LinkResult> link_results(const std::vector<LinkCount>& before, const std::vector<LinkCount>& after,
                                     std::uint64_t cycles, bool name_subnets = false);

/// Injection and ejection, of what the classes have counted by node.
std::vector<NodeLinkResult> node_link_results(const routing::Topology& topology,
                                              const std::vector<TrafficClassResults>& classes, std::size_t subnets = 1);

/// Each subnet's counts since the run began.
std::vector<Fabric::Counters> subnet_counts(const Network& network);

/// The figures of each subnet, of its counts `cycles` apart and its links.
std::vector<SubnetResult> subnet_results(const Network& network, const std::vector<Fabric::Counters>& before,
                                         const std::vector<LinkResult>& links, std::uint64_t cycles);

}  // namespace braid::models
