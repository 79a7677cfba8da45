// In-transit buffers between two channels of a path, wherever a rule wants one and a node can lend it.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/progress.h"
#include "routing/paths/channels.h"
#include "routing/paths/path_set.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// [router]: do nodes hang there?
std::vector<bool> have_nodes(const Topology& topology);

/// `wanted` takes two channels that a path takes one after the other. A router without nodes gets no buffer, whatever
/// `wanted` says; the cycle that this may leave is found by routing/analysis/path_check.h.
template <class Wanted>
void place_where(const Topology& topology, const Channels& channels, PathSet& paths, const OnProgress& progress,
                 Wanted wanted) {
  const std::vector<bool> has_node = have_nodes(topology);
  const std::vector<RouterId> ends = routers_with_nodes(topology);
  for (const RouterId from : ends) {
    tell(progress, "source", from.value, topology.router_count());
    for (const RouterId to : ends) {
      for (std::size_t i = 0; i < paths.count(from, to); ++i) {
        Path& path = paths.at(from, to, i);
        const std::vector<std::uint32_t> taken = channels.on(from, path);
        path.in_transit.clear();
        for (std::size_t hop = 1; hop < taken.size(); ++hop) {
          if (!has_node[channels[taken[hop]].from.value] || !wanted(taken[hop - 1], taken[hop])) continue;
          path.in_transit.push_back(static_cast<std::uint16_t>(hop));
        }
      }
    }
  }
}

}  // namespace braid::routing
