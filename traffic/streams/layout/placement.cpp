// Layout: one actor a tile, by simulated annealing over a cost (paper: tentacle-routing, section 2.1).
#include <algorithm>
#include <utility>

#include "routing/base/input_error.h"
#include "traffic/base/annealing.h"
#include "traffic/streams/layout/layout_cost.h"
#include "traffic/streams/stream_graph.h"

namespace braid::traffic {
namespace {

/// A node for every actor and, behind them, the free nodes, so that a move is a swap of two places.
struct Places {
  std::vector<NodeId> of;
  std::vector<std::size_t> movable;  // all but those that the graph fixes
};

std::vector<bool> fixed_nodes(const StreamGraph& graph, std::size_t nodes) {
  std::vector<bool> taken(nodes);
  for (const Actor& a : graph.actors) {
    if (!a.placement) continue;
    if (a.placement->value >= nodes) {
      throw InputError({graph.file, 0, 0}, "actor " + a.name + ": tile " + std::to_string(a.placement->value) +
                                               " is out of range: expected 0 to " + std::to_string(nodes - 1));
    }
    taken[a.placement->value] = true;
  }
  return taken;
}

/// What the graph fixes, the others in order.
Places first_places(const StreamGraph& graph, std::size_t nodes) {
  const std::vector<bool> taken = fixed_nodes(graph, nodes);
  std::vector<NodeId> free;  // lowest last
  for (std::size_t n = nodes; n-- > 0;) {
    if (!taken[n]) free.push_back(NodeId{n});
  }
  Places places;
  for (const Actor& a : graph.actors) {
    if (a.placement) {
      places.of.push_back(NodeId{a.placement->value});
    } else {
      places.movable.push_back(places.of.size());
      places.of.push_back(free.back());
      free.pop_back();
    }
  }
  for (; !free.empty(); free.pop_back()) {
    places.movable.push_back(places.of.size());
    places.of.push_back(free.back());
  }
  return places;
}

}  // namespace

std::vector<NodeId> place(const StreamGraph& graph, const routing::Topology& topology, const PlacementOptions& options,
                          std::uint64_t seed, const routing::OnProgress& progress) {
  const std::size_t actors = graph.actors.size(), nodes = topology.node_count();
  if (actors > nodes) {
    throw InputError({graph.file, 0, 0}, "the graph has " + std::to_string(actors) + " actors, the network only " +
                                             std::to_string(nodes) + " nodes");
  }
  Places places = first_places(graph, nodes);
  if (options.anneal && places.movable.size() > 1) {
    const auto layout = LayoutCostRegistry::instance().make(options.layout_cost, {graph, topology, options});
    Random random(seed, "placement");
    std::size_t tried = 0;
    const auto cost = [&](const std::vector<NodeId>& of) {
      if (++tried % 128 == 0) routing::tell(progress, "layout", tried, options.moves);
      return layout->of(of);
    };
    places.of = anneal(std::move(places.of), places.movable, cost, options.moves, random, actors);
  }
  places.of.resize(actors);
  return places.of;
}

}  // namespace braid::traffic
