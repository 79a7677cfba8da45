// Are the paths of source routing what they claim to be? (paper: in-transit-buffers, section 3: one path a pair, no
// cycle in the channel-dependency graph.) Nothing here is shared with what computes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "routing/paths/path_set.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// What a computation claims beyond what every set of paths must hold to (routing/paths/path_computation.h).
struct PathClaims {
  bool minimal = false;
  bool acyclic = false;  ///< without in-transit buffers
};

struct PathCheck {
  /// The first path that is missing, leads elsewhere, goes in a circle within a leg, is longer than claimed, or has an
  /// in-transit buffer where none can be, in a sentence. Then nothing else is known.
  std::string fault;
  /// Channels that wait for each other, in order, each with a pair of routers whose path makes it wait; of the legs
  /// or, where these are free of cycles and whole paths claim to be, of the paths. Channels are those between routers:
  /// packets that leave the network for a node or an in-transit buffer always drain.
  std::vector<std::string> cycle;
  std::string cycle_of;  ///< "legs" or "whole paths"; empty: no cycle

  PathsPer per = PathsPer::kRouterPair;
  std::uint64_t pairs = 0;  ///< of different routers, or of nodes of different routers: those that have a path
  double links_mean = 0.0, in_transit_mean = 0.0;  ///< per path
  std::uint64_t in_transit_most = 0;               ///< on a path
  /// Paths that take a channel.
  std::uint64_t paths_per_link_most = 0;
  double paths_per_link_mean = 0.0, paths_per_link_deviation = 0.0;
  std::uint64_t dependencies = 0;  ///< of channels, in the legs

  bool good() const { return fault.empty() && cycle.empty(); }
  /// The cycle in a sentence's part, cut short: "a waits for b waits for a".
  std::string cycle_text() const;
};

PathCheck check_paths(const Topology& topology, const PathSet& paths, const PathClaims& claims = {});

}  // namespace braid::routing
