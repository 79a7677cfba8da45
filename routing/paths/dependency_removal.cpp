#include "routing/paths/dependency_removal.h"

#include <optional>

#include "routing/paths/dependency_graph.h"
#include "routing/paths/shortest_loads.h"

namespace braid::routing {
namespace {

/// The published heuristic is not told in full. Harm is measured here: the sum over channels of squared loads, which
/// grows with detours and with crowding alike. The paper has smart-routing go back on removals that cut a pair off;
/// here dependencies within a spanning tree stay, so that nothing is ever cut off: they close no cycle, for one leads
/// up and then down again.
class DependencyRemoval {
 public:
  DependencyRemoval(const Topology& topology, const Channels& channels, const OnProgress& progress)
      : channels_(channels),
        progress_(progress),
        ends_(routers_with_nodes(topology)),
        graph_(all_dependencies(topology, channels)),
        tree_(channels.count()) {
    keep_tree(topology);
  }

  AcyclicDependencies run() {
    for (auto cycle = graph_.shortest_cycle(); !cycle.empty(); cycle = graph_.shortest_cycle()) {
      removed_.push_back(least_harm(cycle));
      graph_.remove(removed_.back());
    }
    put_back();
    return {graph_.after(), tree_};
  }

 private:
  void keep_tree(const Topology& topology);

  Dependency least_harm(const std::vector<Dependency>& cycle) {
    std::optional<Dependency> best;
    std::uint64_t least = UINT64_MAX;
    for (const Dependency& d : cycle) {
      if (tree_[d.channel] && tree_[d.next]) continue;
      tell(progress_, "removal", removed_.size());
      const std::uint64_t harm = sum_of_squares_without(d);
      if (best && harm >= least) continue;
      best = d;
      least = harm;
    }
    return *best;
  }

  std::uint64_t sum_of_squares_without(const Dependency& dependency) {
    graph_.remove(dependency);
    std::uint64_t sum = 0;
    for (const std::uint64_t load : shortest_loads(channels_, ends_, graph_)) sum += load * load;
    graph_.add(dependency);
    return sum;
  }

  /// Later removals may have broken a cycle once more.
  void put_back() {
    for (auto d = removed_.rbegin(); d != removed_.rend(); ++d) {
      tell(progress_, "removal", static_cast<std::size_t>(removed_.rend() - d));
      if (!graph_.reaches(d->next, d->channel)) graph_.add(*d);
    }
  }

  const Channels& channels_;
  const OnProgress& progress_;
  std::vector<RouterId> ends_;
  DependencyGraph graph_;
  std::vector<bool> tree_;  // [channel]
  std::vector<Dependency> removed_;
};

/// Depth first, always to the neighbour with the fewest neighbours left (Warnsdorff's rule): nearly a path. Few
/// dependencies are within such a tree, and no router is the root that a broad tree would crowd.
void DependencyRemoval::keep_tree(const Topology& topology) {
  std::vector<bool> met(topology.router_count());
  const auto is_new = [&](const Port& port) { return port.kind == PortKind::kNetwork && !met[port.peer_router.value]; };
  const auto news_of = [&](RouterId router) {
    std::size_t count = 0;
    for (const Port& port : topology.routers[router.value]) count += is_new(port) ? 1 : 0;
    return count;
  };
  std::vector<RouterId> trail{RouterId{0}};
  met[0] = true;
  while (!trail.empty()) {
    const RouterId here = trail.back();
    std::optional<PortId> best;
    for (std::size_t p = 0; p < topology.port_count(here); ++p) {
      const Port& port = topology.port(here, PortId{p});
      if (!is_new(port)) continue;
      if (!best || news_of(port.peer_router) < news_of(topology.port(here, *best).peer_router)) best = PortId{p};
    }
    if (!best) {
      trail.pop_back();
      continue;
    }
    const Port& port = topology.port(here, *best);
    tree_[channels_.at(here, *best)] = true;
    tree_[channels_.at(port.peer_router, port.peer_port)] = true;
    met[port.peer_router.value] = true;
    trail.push_back(port.peer_router);
  }
}

}  // namespace

AcyclicDependencies acyclic_dependencies(const Topology& topology, const Channels& channels,
                                         const OnProgress& progress) {
  return DependencyRemoval(topology, channels, progress).run();
}

}  // namespace braid::routing
