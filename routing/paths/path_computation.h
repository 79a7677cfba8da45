// The two stages of source routing (paper: in-transit-buffers, section 3, Figures 1 and 2), a policy each:
//   PathComputation    which way each pair of routers, or of nodes, takes (`routing.paths`);
//   InTransitPlacement where packets leave the network for an in-transit buffer (`routing.in_transit`), which breaks
//                      the cycles of the channel-dependency graph that the paths would close, or only eases contention.
#pragma once

#include <memory>
#include <string>

#include "routing/base/progress.h"
#include "routing/base/registry.h"
#include "routing/paths/path_set.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// What both are made from.
struct PathContext {
  Configuration configuration;  ///< for the policy's own options, and the seed
  PathsPer per = PathsPer::kRouterPair;
};

class PathComputation {
 public:
  static const char* axis() { return "path computation"; }
  virtual ~PathComputation() = default;
  /// A path for every pair, without in-transit buffers. Throws InputError.
  virtual PathSet compute(const Topology& topology, const OnProgress& progress) const = 0;
  /// Does it claim that every path is as short as can be? (routing/analysis/path_check.h holds it to that.)
  virtual bool minimal() const = 0;
  /// Does it claim that its paths cannot deadlock without in-transit buffers?
  virtual bool acyclic() const = 0;
};
using PathComputationRegistry = Registry<PathComputation, PathContext>;

class InTransitPlacement {
 public:
  static const char* axis() { return "in-transit buffer placement"; }
  virtual ~InTransitPlacement() = default;
  /// Fills in Path::in_transit of every path; only at routers with nodes. Throws InputError.
  virtual void place(const Topology& topology, PathSet& paths, const OnProgress& progress) const = 0;
};
using InTransitPlacementRegistry = Registry<InTransitPlacement, PathContext>;

struct PathOptions {
  std::string paths = "balanced";
  std::string in_transit = "minimum";
  PathsPer paths_per = PathsPer::kRouterPair;
};
/// In section [routing], where routing.algorithm = "source_routed".
const OptionTable<PathOptions>& path_options();

/// The paths that an experiment chooses, in-transit buffers placed. Throws InputError.
PathSet make_paths(const Topology& topology, const Configuration& configuration, const OnProgress& progress = {});

}  // namespace braid::routing
