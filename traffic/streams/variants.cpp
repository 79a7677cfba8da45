#include "traffic/streams/variants.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "routing/base/input_error.h"
#include "traffic/streams/bounded_degree.h"
#include "traffic/streams/queue_room.h"

namespace braid::traffic {
namespace {

constexpr std::size_t kShares = 8, kLeastShares = 2;  // of the actors: all, 7/8, ... 2/8
constexpr std::uint32_t kDegrees[] = {4, 3, 2};

std::size_t most_links(const routing::Topology& topology) {
  std::size_t most = 0;
  for (const auto& ports : topology.routers) {
    const auto links = std::count_if(ports.begin(), ports.end(),
                                     [](const routing::Port& p) { return p.kind == routing::PortKind::kNetwork; });
    most = std::max(most, static_cast<std::size_t>(links));
  }
  return most;
}

bool has_loop(const StreamGraph& graph) {
  return std::any_of(graph.edges.begin(), graph.edges.end(), [](const StreamEdge& e) { return e.initial != 0; });
}

/// Nothing: it cannot be bounded so.
std::optional<Variant> bounded(Variant v, std::uint32_t degree, const VariantOptions& options,
                               const routing::Topology& topology) {
  if (has_loop(v.graph)) return std::nullopt;
  try {
    v.graph = bound_degree(v.graph, degree, options.relays, topology);
  } catch (const InputError&) {
    return std::nullopt;
  }
  v.degree = degree;
  return v;
}

std::vector<std::size_t> fewer_tiles(const Variant& whole) {
  std::vector<std::size_t> all;
  if (whole.tiles == 0) return all;
  const std::size_t actors = whole.graph.actors.size();
  for (std::size_t share = kShares - 1; share >= kLeastShares; --share) {
    const std::size_t tiles = actors * share / kShares;
    if (tiles >= 2 && (all.empty() || all.back() != tiles)) all.push_back(tiles);
  }
  return all;
}

double busiest_work(const StreamGraph& graph) {
  const std::vector<std::uint64_t> firings = graph.repetitions();
  double most = 0.0;
  for (std::size_t a = 0; a < firings.size(); ++a) {
    most = std::max(most, static_cast<double>(firings[a]) * static_cast<double>(graph.actors[a].work_cycles));
  }
  return most;
}

/// Does an edge leave its actor, with `trees`, or do its items with those of another one?
bool leaves(const StreamGraph& graph, std::size_t edge, bool trees) {
  return !trees || copies_of(graph, edge).front() == edge;
}

}  // namespace

double firing_cycles(std::uint64_t work_cycles, double computation_scaling) {
  return std::max(1.0, std::floor(static_cast<double>(work_cycles) * computation_scaling + 0.5));
}

std::optional<CrowdedActor> crowded_actor(const StreamGraph& graph, const routing::Topology& topology, bool trees) {
  std::vector<std::size_t> in(graph.actors.size()), out(graph.actors.size());
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (leaves(graph, e, trees)) ++out[graph.edges[e].from];
    ++in[graph.edges[e].to];
  }
  CrowdedActor most;
  most.links = most.streams = most_links(topology);
  for (std::size_t a = 0; a < graph.actors.size(); ++a) {
    if (out[a] > most.streams) most = {a, out[a], true, most.links};
    if (in[a] > most.streams) most = {a, in[a], false, most.links};
  }
  return most.streams > most.links ? std::optional(most) : std::nullopt;
}

double least_cycles(const StreamGraph& graph, const Pace& pace) {
  const std::vector<std::uint64_t> firings = graph.repetitions();
  std::vector<double> sent(graph.actors.size()), taken(graph.actors.size());
  double most = 0.0;
  for (std::size_t a = 0; a < firings.size(); ++a) {
    const double each = firing_cycles(graph.actors[a].work_cycles, pace.computation_scaling);
    most = std::max(most, static_cast<double>(firings[a]) * each);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const StreamEdge& e = graph.edges[i];
    const double items = static_cast<double>(firings[e.from]) * e.push;
    if (leaves(graph, i, pace.trees)) sent[e.from] += items;
    taken[e.to] += items;
    const double node = std::max(sent[e.from] / static_cast<double>(pace.node_sends),
                                 taken[e.to] / static_cast<double>(pace.node_takes));
    most = std::max({most, items, node});
  }
  return most;
}

namespace {

/// Collects variants.
class Variants {
 public:
  Variants(const routing::Topology& topology, const VariantOptions& options) : topology_(topology), options_(options) {}

  /// With the streams that the user allows an actor.
  void keep_as_asked(const Variant& v) {
    if (options_.degree == 0) return keep(v);
    if (auto fewer = bounded(v, options_.degree, options_, topology_)) keep(std::move(*fewer));
  }
  void keep_with_fewer_streams(const Variant& v) {
    for (const std::uint32_t degree : kDegrees) {
      if (options_.degree != 0 && degree >= options_.degree) continue;
      if (auto fewer = bounded(v, degree, options_, topology_)) keep(std::move(*fewer));
    }
  }
  void keep(Variant v) {
    if (!seen_.insert(to_toml(v.graph)).second) return;
    if (!all_.empty() && crowded_actor(v.graph, topology_, options_.pace.trees)) return;
    v.cycles = least_cycles(v.graph, options_.pace) / v.steady_states;
    v.bottleneck_work = busiest_work(v.graph) / v.steady_states;
    all_.push_back(std::move(v));
  }

  std::vector<Variant> sorted() {
    const double enough = all_.front().cycles;
    const auto rank = [&](const Variant& v) { return std::pair(std::max(v.cycles, enough), v.bottleneck_work); };
    std::stable_sort(all_.begin() + 1, all_.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return std::move(all_);
  }

 private:
  const routing::Topology& topology_;
  const VariantOptions& options_;
  std::vector<Variant> all_;
  std::set<std::string> seen_;  // graphs
};

}  // namespace

std::vector<Variant> variants(const std::function<Variant(std::size_t tiles)>& partition, std::size_t tiles,
                              const routing::Topology& topology, const VariantOptions& options,
                              const routing::OnProgress& progress) {
  Variants all(topology, options);
  const Variant whole = partition(tiles);
  Variant as_it_is = whole;
  if (options.degree != 0) {
    as_it_is.graph = bound_degree(whole.graph, options.degree, options.relays, topology);
    as_it_is.degree = options.degree;
  }
  all.keep(std::move(as_it_is));
  all.keep_with_fewer_streams(whole);
  const std::vector<std::size_t> fewer = fewer_tiles(whole);
  for (std::size_t i = 0; i < fewer.size(); ++i) {
    routing::tell(progress, "partition", i, fewer.size());
    const Variant v = partition(fewer[i]);
    all.keep_as_asked(v);
    all.keep_with_fewer_streams(v);
  }
  return all.sorted();
}

}  // namespace braid::traffic
