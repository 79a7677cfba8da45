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
};
/// Of all links between routers, since the run began.
std::vector<LinkCount> link_counts(const Network& network);

/// Of the same links, `cycles` apart.
std::vector<LinkResult> link_results(const std::vector<LinkCount>& before, const std::vector<LinkCount>& after,
                                     std::uint64_t cycles);

/// Injection and ejection, of what the classes have counted by node.
std::vector<NodeLinkResult> node_link_results(const routing::Topology& topology,
                                              const std::vector<TrafficClassResults>& classes);

}  // namespace braid::models
