// What bounds a stream program's throughput, and what of it holds a run back.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/node_bandwidth.h"
#include "models/workload/streams/stream_program.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// Flits so far over each link between routers, in the order of routers and their ports.
std::vector<std::uint64_t> link_flits(const routing::Topology& topology, const Fabric& fabric);

struct MeasuredStreams {
  double iterations = 0;                  ///< in the window
  std::uint64_t cycles = 0;               ///< of the window
  std::vector<std::uint64_t> link_flits;  ///< in it
};

/// What nodes move in a cycle.
struct NodePorts {
  const LocalPortMap& map;
  NodeBandwidth bandwidth = {};
};

/// Actors, local ports and nodes by what an iteration needs of them, round trips by their requests and responses as
/// they travelled, links by what went over them (adaptive packets have no way of their own). The one that is nearest
/// to what it can do; the first of equals in this order: compute, link, injection, ejection, round_trip.
std::optional<StreamBound> stream_bound(const StreamProgram& program, const NodePorts& nodes,
                                        const routing::Topology& topology, const MeasuredStreams& measured);

}  // namespace braid::models
