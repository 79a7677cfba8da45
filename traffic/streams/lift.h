// A program without the structures that do nothing, as MIT's compiler lifts it before it counts.
#pragma once

#include "traffic/streams/hierarchy.h"

namespace braid::traffic {

/// A splitjoin of one branch becomes that branch, a pipeline in a pipeline its stages, one of a single stage that
/// stage. A splitjoin that takes nothing of what its branch takes (weight 0) stays.
Structure lifted(Structure program);

}  // namespace braid::traffic
