// A stream program after load balancing: actors that fire, edges that carry items, and the tile each actor sits on
// (paper: tentacle-routing, sections 2.1 and 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/progress.h"
#include "routing/base/random.h"
#include "routing/topology/topology.h"

namespace braid::traffic {

/// Fires when every input edge holds its `peek` items: takes `pop` from each, computes for `work_cycles` times the
/// computation scaling factor, and puts `push` items on every output edge.
struct Actor {
  std::string name;
  std::uint64_t work_cycles = 0;      ///< per firing, at scaling factor 1
  std::optional<RouterId> placement;  ///< fixed tile, if the file gives one
};

struct StreamEdge {
  std::uint32_t from = 0;  ///< index of an actor
  std::uint32_t to = 0;
  std::uint32_t push = 1;  ///< items per firing of `from`
  std::uint32_t pop = 1;   ///< items per firing of `to`
  std::uint32_t peek = 1;  ///< items `to` must see before it fires, >= pop
  /// Edges of one actor with the same number carry copies of the same items (a duplicating splitter folded into it).
  std::optional<std::uint32_t> group{};
  std::uint32_t initial = 0;  ///< items at `to` before the first firing: of a feedback loop, say
};

/// What a search for circuits came to (stream.remedies).
struct StreamRemedy {
  std::string taken;                             ///< in words
  std::string why;                               ///< nothing helped: what is in the way of the program as it is
  std::uint32_t degree = 0;                      ///< most streams into or out of an actor; 0: any number
  std::uint64_t tiles = 0;                       ///< most actors of the partition; 0: a graph of a file
  std::uint32_t layout = 0;                      ///< 0: that of the options
  std::uint32_t tried = 0;                       ///< graphs on layouts
  double least_cycles = 0;                       ///< between two steady states of the program, on any layout
  double least_cycles_asked = 0;                 ///< ... of the program as it is
  std::optional<double> packets_least_cycles{};  ///< ... on packets, where they are a candidate
};

/// Kept with a graph: that a search has found it, so that nobody searches again.
struct StreamGraphPlan {
  std::optional<double> steady_states;  ///< of the program in one of the graph; none: of a graph's file
  bool packets = false;                 ///< streams stay on packets
  StreamRemedy remedy;
};

struct StreamGraph {
  std::string name;
  std::string file;
  std::vector<Actor> actors;
  std::vector<StreamEdge> edges;
  std::optional<StreamGraphPlan> plan{};

  /// Firings of each actor in one steady state: the smallest positive integers that balance every edge
  /// (push * firings[from] = pop * firings[to]). Throws InputError if the rates are inconsistent, or an
  /// actor would fire more than 10^12 times.
  std::vector<std::uint64_t> repetitions() const;
};

/// Reads Braid's stream graph format (TOML; docs/stream-graphs.md). Throws InputError: unknown key or actor, rate < 1,
/// peek < pop, a cycle whose initial items do not suffice, an actor without edges, inconsistent rates, copies of one
/// group that differ, two actors on one tile, a plan whose actors have no tiles.
StreamGraph read_stream_graph(const std::string& file);

/// The same format: what read_stream_graph() reads back as the same graph.
std::string to_toml(const StreamGraph& graph);

constexpr std::uint32_t kMostRate = 65535;      ///< of push and pop
constexpr std::uint32_t kMostPeek = 1'000'000;  ///< of peek and initial

struct PlacementOptions {
  std::string layout_cost = "weighted";  ///< a LayoutCost (traffic/streams/layout/); the three weights are of this one
  double distance_weight = 1.0;          ///< cost of one item crossing one link
  double sharing_weight = 0.0;    ///< cost of each stream beyond the first on a link under X-first routing; section 3
                                  ///< leaves this term out of the layout cost
  double disjoint_weight = 20.0;  ///< cost of each stream that finds no free path when all are routed on disjoint
                                  ///< links, one by one: a layout without disjoint paths is given up (section 2.2)
  std::uint32_t moves = 100000;
  bool anneal = true;  ///< false: only what the file fixes, the others in order
};

/// One node for each actor, at most one actor a node; fixed placements are kept. Simulated annealing over the cost of
/// section 2.1 (hops, interference). Same seed, same placement. Throws InputError if there are more actors than nodes.
std::vector<NodeId> place(const StreamGraph& graph, const routing::Topology& topology, const PlacementOptions& options,
                          std::uint64_t seed, const routing::OnProgress& progress = {});

}  // namespace braid::traffic
