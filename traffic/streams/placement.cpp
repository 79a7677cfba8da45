// Layout: one actor a tile, by simulated annealing over the cost of tentacle-routing, section 2.1.
#include <algorithm>
#include <utility>

#include "routing/base/input_error.h"
#include "traffic/base/annealing.h"
#include "traffic/streams/stream_graph.h"

namespace braid::traffic {
namespace {

class Layout {
 public:
  Layout(const StreamGraph& graph, const routing::Topology& topology, const PlacementOptions& options)
      : graph_(graph), topology_(topology), options_(options), links_(topology.router_count() * 4) {
    const std::vector<std::uint64_t> repetitions = graph.repetitions();
    for (const StreamEdge& e : graph.edges) items_.push_back(static_cast<double>(repetitions[e.from] * e.push));
    for (std::size_t n = 0; n < topology.node_count(); ++n) {
      const auto distance = topology.distances_to(topology.router_of(NodeId{n}));
      distance_.emplace_back();
      for (std::size_t m = 0; m < topology.node_count(); ++m) {
        distance_.back().push_back(distance[topology.router_of(NodeId{m}).value]);
      }
      const auto& ports = topology.routers[topology.router_of(NodeId{n}).value];
      degree_.push_back(static_cast<int>(std::count_if(
          ports.begin(), ports.end(), [](const routing::Port& p) { return p.kind == routing::PortKind::kNetwork; })));
    }
  }

  double cost(const std::vector<NodeId>& place) {
    double total = 0.0;
    std::vector<int>&out = out_, &in = in_;
    out.assign(graph_.actors.size(), 0);
    in.assign(graph_.actors.size(), 0);
    std::fill(links_.begin(), links_.end(), 0);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const StreamEdge& e = graph_.edges[i];
      ++out[e.from];
      ++in[e.to];
      total += options_.distance_weight * items_[i] * distance_[place[e.from].value][place[e.to].value];
      if (topology_.grid && options_.sharing_weight > 0.0) total += options_.sharing_weight * share(place, e);
    }
    for (std::size_t a = 0; a < graph_.actors.size(); ++a) {  // more streams than links: no disjoint circuits at all
      const int links = degree_[place[a].value];
      total += kNoCircuit * (std::max(0, out[a] - links) + std::max(0, in[a] - links));
    }
    if (options_.disjoint_weight > 0.0) total += options_.disjoint_weight * streams_without_path(place);
    return total;
  }

 private:
  static constexpr double kNoCircuit = 1000.0;

  /// Routes the streams in order, each on a shortest path of links that no other has taken.
  double streams_without_path(const std::vector<NodeId>& place) {
    free_ports_.assign(topology_.router_count(), ~std::uint64_t{0});
    double lost = 0.0;
    for (const StreamEdge& e : graph_.edges) {
      const RouterId from = topology_.router_of(place[e.from]), to = topology_.router_of(place[e.to]);
      if (!take_path(from, to)) lost += 1.0;
    }
    return lost;
  }

  bool take_path(RouterId from, RouterId to) {
    came_by_.assign(topology_.router_count(), {from, PortId{0}});
    std::vector<RouterId>& frontier = frontier_;
    frontier.assign(1, from);
    visited_.assign(topology_.router_count(), 0);
    visited_[from.value] = 1;
    for (std::size_t i = 0; i < frontier.size() && visited_[to.value] == 0; ++i) {
      const RouterId here = frontier[i];
      const std::vector<routing::Port>& ports = topology_.routers[here.value];
      for (std::size_t p = 0; p < ports.size(); ++p) {
        if (ports[p].kind != routing::PortKind::kNetwork || ((free_ports_[here.value] >> p) & 1) == 0) continue;
        const RouterId next = ports[p].peer_router;
        if (visited_[next.value] != 0) continue;
        visited_[next.value] = 1;
        came_by_[next.value] = {here, PortId{p}};
        frontier.push_back(next);
      }
    }
    if (visited_[to.value] == 0) return false;
    for (RouterId r = to; r != from; r = came_by_[r.value].router) {
      free_ports_[came_by_[r.value].router.value] &= ~(std::uint64_t{1} << came_by_[r.value].port.value);
    }
    return true;
  }

  /// Adds a stream to the links of its X-first path; how many of them were taken already.
  double share(const std::vector<NodeId>& place, const StreamEdge& e) {
    const routing::Grid& grid = *topology_.grid;
    const RouterId from = topology_.router_of(place[e.from]), to = topology_.router_of(place[e.to]);
    std::uint32_t x = grid.x(from), y = grid.y(from);
    double taken = 0.0;
    while (x != grid.x(to) || y != grid.y(to)) {
      const bool in_x = x != grid.x(to);
      const bool up = in_x ? x < grid.x(to) : y < grid.y(to);
      const std::size_t port = (in_x ? 0U : 2U) + (up ? 0U : 1U);
      if (links_[grid.at(x, y).value * 4 + port]++ > 0) taken += 1.0;
      (in_x ? x : y) += up ? 1U : ~0U;
    }
    return taken;
  }

  const StreamGraph& graph_;
  const routing::Topology& topology_;
  const PlacementOptions& options_;
  std::vector<double> items_;                         // [edge] a steady state
  std::vector<std::vector<std::uint32_t>> distance_;  // [node][node] links
  std::vector<int> degree_;                           // [node] links of its router
  std::vector<int> links_;                            // [router * 4 + port] streams
  // Scratch:
  std::vector<int> out_, in_;                 // [actor]
  std::vector<std::uint64_t> free_ports_;     // [router] output ports that no stream has taken
  std::vector<routing::Attachment> came_by_;  // [router] of the search
  std::vector<char> visited_;                 // [router]
  std::vector<RouterId> frontier_;
};

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
                          std::uint64_t seed) {
  const std::size_t actors = graph.actors.size(), nodes = topology.node_count();
  if (actors > nodes) {
    throw InputError({graph.file, 0, 0}, "the graph has " + std::to_string(actors) + " actors, the network only " +
                                             std::to_string(nodes) + " nodes");
  }
  Places places = first_places(graph, nodes);
  if (options.anneal && places.movable.size() > 1) {
    Layout layout(graph, topology, options);
    Random random(seed, "placement");
    const auto cost = [&layout](const std::vector<NodeId>& of) { return layout.cost(of); };
    places.of = anneal(std::move(places.of), places.movable, cost, options.moves, random, actors);
  }
  places.of.resize(actors);
  return places.of;
}

}  // namespace braid::traffic
