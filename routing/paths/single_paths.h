// A path for each pair of routers, or of nodes, from the shares of a linear program.
#pragma once

#include "routing/paths/link_balance.h"
#include "routing/paths/path_set.h"

namespace braid::routing {

/// Rounds shares to whole paths, then moves paths to other ways while that evens the channels out: no channel shall
/// have more paths than the bound of the program, rounded up; below that, the sum over channels of squared paths shall
/// be small, which keeps paths short, too. Paths come to no router twice.
/// Fills `paths`, which is empty.
PathSet single_paths(const WayRules& rules, const std::vector<RouterId>& ends, const LinkBalance& balance,
                     PathSet paths, const OnProgress& progress = {});
/// A path a pair of routers.
inline PathSet single_paths(const WayRules& rules, const std::vector<RouterId>& ends, const LinkBalance& balance,
                            const OnProgress& progress = {}) {
  return single_paths(rules, ends, balance, PathSet(rules.routers), progress);
}

}  // namespace braid::routing
