// The same program in other stream graphs, for whoever looks for one whose streams can each have a path of their own:
// with fewer streams an actor, and with fewer actors, so that splitters and joiners find free tiles (paper:
// tentacle-routing, section 2.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "routing/base/progress.h"
#include "routing/topology/topology.h"
#include "traffic/streams/stream_graph.h"

namespace braid::traffic {

struct Variant {
  std::size_t tiles = 0;     ///< most actors of the partition; 0: it is the graph of a file
  std::uint32_t degree = 0;  ///< most streams into or out of an actor; 0: any number
  StreamGraph graph;
  double steady_states = 1;  ///< of the program in one of the graph
  // Of a steady state of the program:
  double cycles = 0;           ///< at least: see least_cycles()
  double bottleneck_work = 0;  ///< of the busiest actor, with what it passes on
};

/// An actor with more streams into or out of it than any tile has links: on no layout are their circuits disjoint.
struct CrowdedActor {
  std::size_t actor = 0, streams = 0;
  bool leaving = true;
  std::size_t links = 0;
};
/// The first of those with the most streams.
/// `trees`: copies of the same items are one stream that leaves.
std::optional<CrowdedActor> crowded_actor(const StreamGraph& graph, const routing::Topology& topology,
                                          bool trees = false);

/// What bounds a program's speed on any layout.
struct Pace {
  double computation_scaling = 1.0;            ///< cycles per unit of work
  std::size_t node_sends = 1, node_takes = 1;  ///< items in a cycle
  bool trees = false;                          ///< a node sends copies of the same items once
};
/// Cycles between two steady states of the graph where the network has no other limit than an item a cycle on each
/// stream: those of its busiest actor, stream or node.
double least_cycles(const StreamGraph& graph, const Pace& pace);

/// A firing's, at least 1: work times scaling, rounded.
double firing_cycles(std::uint64_t work_cycles, double computation_scaling);

struct VariantOptions {
  std::uint32_t degree = 0;  ///< the user's; 0: any number. None has more
  bool relays = true;        ///< as bound_degree() has it
  Pace pace;
};

/// The program as it is first, then others. What is as fast as that (Variant::cycles) or faster comes before what is
/// slower: a remedy is not for speed, and actors that a lighter load of work would do without are kept for a heavier
/// one. Then by the work of the busiest actor; then those with more actors and more streams an actor. No graph twice,
/// none but the first with a crowded actor. `partition` makes the program's graph for at most so many tiles; one of a
/// file, which is as it is, has `tiles` 0. Throws InputError if the program as it is cannot be made.
std::vector<Variant> variants(const std::function<Variant(std::size_t tiles)>& partition, std::size_t tiles,
                              const routing::Topology& topology, const VariantOptions& options,
                              const routing::OnProgress& progress);

}  // namespace braid::traffic
