// Source routing where each stream has a path of its own: the packets name their stream, and somebody says between whom
// the streams lead before the first cycle.
#pragma once

#include <vector>

#include "routing/base/ids.h"
#include "routing/base/progress.h"

namespace braid::routing {

/// The two ends of a stream.
struct StreamEnds {
  NodeId source, destination;
};

/// An algorithm whose packets name their stream as RouteQuery::route, by its place among those that it was told.
class RoutesStreams {
 public:
  virtual ~RoutesStreams() = default;
  /// Before the first cycle, by whoever knows them. Throws InputError where the finder has no paths.
  virtual void find_paths(const std::vector<StreamEnds>& streams, const OnProgress& progress) const = 0;
};

}  // namespace braid::routing
