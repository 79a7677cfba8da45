// An all-reduce over the links of a broadcast scheme: every position has a value, the root gets them combined,
// everybody gets the result. Two trees, n - 1 messages each: up by a shortest way to the root, down by a shortest way
// from it.
#pragma once

#include <vector>

#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {

struct AllReduceParts {
  std::vector<BroadcastPart> up;  ///< [position]; everybody begins, and tells the next one when all below have told it
  std::vector<BroadcastPart> down;  ///< [position]; the root begins, and everybody tells those below
};

/// Of equally short ways up the one by the lowest positions; down, the one that the scheme tells first. Lists ascend.
AllReduceParts all_reduce_parts(const std::vector<BroadcastPart>& parts);

/// Messages from the farthest position to the root, and from the root to the farthest position.
std::uint32_t all_reduce_path(const AllReduceParts& parts);

}  // namespace braid::traffic
