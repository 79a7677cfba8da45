// The linear program of smart-routing and of its relative for in-transit buffers (paper: in-transit-buffers, section 1:
// "it uses a linear programming solver to balance the traffic"): pairs may split their traffic over several ways, and
// the channel that most paths cross gets as few as can be.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/progress.h"
#include "routing/paths/cheapest_ways.h"
#include "routing/paths/path_set.h"

namespace braid::routing {

struct SharedWay {
  Way way;
  std::int64_t share = 0;  ///< of a path, in units of 1 / kWholePath
};
constexpr std::int64_t kWholePath = std::int64_t{1} << 20;

struct LinkBalance {
  /// [from * routers + to] the ways that the pair splits its path over, each once; shares add up to kWholePath.
  std::vector<std::vector<SharedWay>> ways;
  double most = 0;   ///< paths on the fullest channel
  double bound = 0;  ///< no choice of ways has fewer there
};

/// `ends`: the routers between which there are paths each way, as many as `paths` has room for; every one has a way to
/// every other. All paths of two routers have the same shares.
LinkBalance balance_links(const WayRules& rules, const std::vector<RouterId>& ends, const PathSet& paths,
                          const OnProgress& progress = {});
/// A path a pair.
inline LinkBalance balance_links(const WayRules& rules, const std::vector<RouterId>& ends,
                                 const OnProgress& progress = {}) {
  return balance_links(rules, ends, PathSet(rules.routers), progress);
}

}  // namespace braid::routing
