#include "routing/analysis/channel_dependency.h"

#include <algorithm>

#include "routing/analysis/path_check.h"

namespace braid::routing {
namespace {

constexpr std::uint32_t kNoChannel = UINT32_MAX;
constexpr std::size_t kMostRoutersForIndirect = 1024;
constexpr std::size_t kFirstLookForCycles = 64;  // destinations; small networks are followed whole

}  // namespace

ChannelDependencyGraph::ChannelDependencyGraph(const Topology& topology, const RoutingAlgorithm& algorithm,
                                               std::uint32_t vcs, const OnProgress& progress)
    : topology_(topology),
      algorithm_(algorithm),
      vcs_(vcs),
      ports_(topology.max_port_count()),
      escape_(algorithm.escape_vcs()),
      edges_(topology.router_count() * ports_ * vcs),
      met_(edges_.size()) {
  build(progress);
  if (!masks_overlap()) return;
  one_vc_a_mask_ = false;  // a VC belongs to several masks: only one by one are the channels told apart
  for (auto& edges : edges_) edges.clear();
  build(progress);
}

/// Do two different masks share a VC?
bool ChannelDependencyGraph::masks_overlap() const {
  VcMask seen = 0;
  for (const VcMask mask : masks_) {
    if ((seen & mask) != 0) return true;
    seen |= mask;
  }
  return false;
}

void ChannelDependencyGraph::build(const OnProgress& progress) {
  std::vector<NodeId> all;
  for (std::size_t n = 0; n < topology_.node_count(); ++n) all.push_back(NodeId{n});
  std::size_t next_look = kFirstLookForCycles;  // where there is a cycle, a few destinations show it
  for (const NodeId destination : all) {
    tell(progress, "destination", destination.value, all.size());
    if (!algorithm_.depends_on_source()) {
      follow_draws(destination, all);
    } else {
      for (const NodeId source : all) follow_draws(destination, {source});
    }
    if (destination.value < next_look) continue;
    next_look *= 2;
    if (!find_cycle().empty()) return;
  }
}

void ChannelDependencyGraph::follow_draws(NodeId destination, const std::vector<NodeId>& sources) {
  for (std::uint32_t draw = 0; draw < algorithm_.draws(); ++draw) {
    draw_ = static_cast<std::uint8_t>(draw);
    follow(destination, sources);
  }
}

/// All states that packets of `sources` to `destination` can be in. Sources share states: routing does not tell them
/// apart, or there is only one.
void ChannelDependencyGraph::follow(NodeId destination, const std::vector<NodeId>& sources) {
  ++followed_;
  met_behind_escape_.clear();
  for (const NodeId source : sources) {
    const Attachment& a = topology_.nodes[source.value].front();
    frontier_.push_back({a.router, a.port, 0, kNoChannel});
    while (!frontier_.empty()) {
      const State state = frontier_.back();
      frontier_.pop_back();
      if (is_new(state)) visit(state, source, destination);
    }
  }
}

/// Notes the state. On an escape channel, that is the last one: the channel says all.
bool ChannelDependencyGraph::is_new(const State& state) {
  const std::uint32_t at = channel(state.router, state.in_port, state.in_vc);
  if (state.last_escape != kNoChannel && ((escape_ >> state.in_vc) & 1) == 0) {
    return met_behind_escape_.insert((std::uint64_t{at} << 32) | state.last_escape).second;
  }
  const bool is_new = met_[at] != followed_;
  met_[at] = followed_;
  return is_new;
}

void ChannelDependencyGraph::visit(const State& state, NodeId source, NodeId destination) {
  algorithm_.route({state.router, state.in_port, VcId{state.in_vc}, source, destination, kNoRoute, draw_}, candidates_);
  bool escape_offered = false;
  for (const Candidate& c : candidates_) {
    if (topology_.port(state.router, c.port).kind == PortKind::kLocal) return;  // ejection always drains
    for (const VcMask kind : {c.vcs & escape_, c.vcs & ~escape_}) {
      if (kind == 0) continue;
      escape_offered |= (kind & escape_) != 0;
      if (std::find(masks_.begin(), masks_.end(), kind) == masks_.end()) masks_.push_back(kind);
      for (VcMask vcs = kind; vcs != 0; vcs = one_vc_a_mask_ ? 0 : vcs & (vcs - 1)) {
        frontier_.push_back(take(state, c.port, static_cast<unsigned>(__builtin_ctz(vcs))));
      }
    }
  }
  if (escape_ != 0 && !escape_offered && state_without_escape_.empty()) {
    state_without_escape_ = "router " + topology_.router_names[state.router.value] + ", packet from node " +
                            std::to_string(source.value) + " to node " + std::to_string(destination.value);
  }
}

/// Notes what waits for what when a packet takes an output VC, and gives the state it is in then.
ChannelDependencyGraph::State ChannelDependencyGraph::take(const State& state, PortId port, unsigned vc) {
  const std::uint32_t taken = channel(state.router, port, vc);
  const Port& in = topology_.port(state.router, state.in_port);
  const Port& out = topology_.port(state.router, port);
  std::uint32_t carried = kNoChannel;
  if (escape_ == 0) {
    const bool along_ring = algorithm_.relies_on_bubble() && in.peer_port == port;
    if (in.came_from_router() && !along_ring) depend(channel(in.peer_router, in.peer_port, state.in_vc), taken);
  } else if (((escape_ >> vc) & 1) != 0) {
    if (state.last_escape != kNoChannel) depend(state.last_escape, taken);
    carried = taken;
  } else if (topology_.router_count() <= kMostRoutersForIndirect) {
    carried = state.last_escape;
  }
  return {out.peer_router, out.peer_port, static_cast<std::uint8_t>(vc), carried};
}

void ChannelDependencyGraph::depend(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& edges = edges_[from];
  if (std::find(edges.begin(), edges.end(), to) == edges.end()) edges.push_back(to);
}

std::uint32_t ChannelDependencyGraph::channel(RouterId router, PortId port, unsigned vc) const {
  return static_cast<std::uint32_t>((router.value * ports_ + port.value) * vcs_ + vc);
}

std::string ChannelDependencyGraph::name(std::uint32_t channel) const {
  const RouterId router{channel / vcs_ / ports_};
  const PortId port{channel / vcs_ % ports_};
  return "(" + topology_.router_names[router.value] + ")->" + topology_.port(router, port).name + " vc " +
         std::to_string(channel % vcs_);
}

std::vector<std::string> ChannelDependencyGraph::find_cycle() const {
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<Mark> marks(edges_.size(), Mark::kNew);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // channel, next edge to follow
  for (std::uint32_t start = 0; start < edges_.size(); ++start) {
    if (marks[start] != Mark::kNew) continue;
    path.assign(1, {start, 0});
    marks[start] = Mark::kOnPath;
    while (!path.empty()) {
      auto& [here, edge] = path.back();
      if (edge == edges_[here].size()) {
        marks[here] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t next = edges_[here][edge++];
      if (marks[next] == Mark::kNew) {
        marks[next] = Mark::kOnPath;
        path.push_back({next, 0});
      } else if (marks[next] == Mark::kOnPath) {
        std::vector<std::string> cycle;
        for (const auto& [on_path, unused] : path) {
          if (on_path == next || !cycle.empty()) cycle.push_back(name(on_path));
        }
        return cycle;
      }
    }
  }
  return {};
}

namespace {

/// Of each epoch: packets of two are never under way at once.
void check_source_routes(const Topology& topology, const RouteTable& routes, std::size_t epoch) {
  const PathCheck check = check_paths(topology, routes.paths(epoch));
  if (!check.fault.empty()) throw InputError("source routing on " + topology.name + ": " + check.fault);
  if (check.cycle.empty()) return;
  throw InputError(
      std::string(epoch == 0 ? "these paths" : "the paths after the failure") + " can deadlock on " + topology.name +
      " (expected another routing.in_transit, or " +
      "routing.paths that close no cycle): channels wait for each other in a cycle: " + check.cycle_text());
}

}  // namespace

void check_deadlock_free(const Topology& topology, const RoutingAlgorithm& algorithm, std::uint32_t vcs,
                         const OnProgress& progress) {
  if (algorithm.acyclic_by_construction()) return;
  if (const RouteTable* routes = algorithm.routes()) {
    for (std::size_t epoch = 0; epoch < routes->epochs(); ++epoch) check_source_routes(topology, *routes, epoch);
    return;
  }
  const ChannelDependencyGraph graph(topology, algorithm, vcs, progress);
  if (!graph.state_without_escape().empty()) {
    throw InputError("this routing can deadlock: no escape channel is offered at " + graph.state_without_escape());
  }
  const std::vector<std::string> cycle = graph.find_cycle();
  if (cycle.empty()) return;
  constexpr std::size_t kMost = 6;
  std::string text = "this routing can deadlock on " + topology.name + ": " +
                     (algorithm.escape_vcs() != 0 ? "escape " : "") + "channels wait for each other in a cycle: ";
  for (std::size_t i = 0; i < std::min(kMost, cycle.size()); ++i) text += cycle[i] + " waits for ";
  if (cycle.size() > kMost) text += "… (" + std::to_string(cycle.size() - kMost) + " more) waits for ";
  throw InputError(text + cycle.front());
}

}  // namespace braid::routing
