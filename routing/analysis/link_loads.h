// Paths and link loads of a routing algorithm, for maps, the annealer's cost and closed forms.
#pragma once

#include <string>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::routing {

struct Hop {
  RouterId router;
  PortId port;  ///< taken there; the last hop's is a local port
};

/// The path of a packet that always takes the first candidate of highest priority; `draw` is what it drew, `stream`
/// what it names where each stream has a path of its own (routing/algorithm/disjoint_paths.h).
std::vector<Hop> path_between(const Topology& topology, const RoutingAlgorithm& algorithm, NodeId source,
                              NodeId destination, std::uint32_t draw = 0, RouteId stream = kNoRoute);

struct Flow {
  NodeId source, destination;
  double weight = 1.0;        ///< flits/cycle, items, or 1 a stream
  std::string name = {};      ///< of a stream; empty: its nodes say all
  RouteId stream = kNoRoute;  ///< that its packets name
  std::uint32_t subnet = 0;   ///< of networks side by side, the one that carries them
};

/// What a flow's packets draw: all of it, or `most` draws evenly apart, from one that differs by pair.
struct Draws {
  Draws(const RoutingAlgorithm& algorithm, const Flow& flow, std::uint32_t most);
  std::uint32_t first, step, count;
};
constexpr std::uint32_t kDrawsOfMany = 16;  ///< of a flow, where there are many

/// Sum of the weights of the flows whose path crosses each output port, [router][port]: of packets whose way hangs on
/// what they draw, each draw's share (of more than 16384 flows as near as 16 draws of each come).
std::vector<std::vector<double>> link_loads(const Topology& topology, const RoutingAlgorithm& algorithm,
                                            const std::vector<Flow>& flows);

}  // namespace braid::routing
