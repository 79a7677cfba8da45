// Source-routed packets over disjoint paths (paper: tentacle-routing, section 2.2: a switching mechanism beside
// circuits): a packet carries the path of its stream, and no two streams' paths share a link. `routing.finder` finds
// them.
//
// It cannot deadlock: all packets on a channel are of one stream, whose path comes to a router once, so a channel waits
// only for those that follow it on that path; the last waits for the node, which takes whatever comes.
#include "routing/algorithm/disjoint_paths.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "routing/algorithm/minimal_ports.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::routing {
namespace {

struct DisjointPathsOptions {
  std::string finder = "exact";
};
const OptionTable<DisjointPathsOptions> kDisjointPathsTable =
    OptionTable<DisjointPathsOptions>("routing").policy<DisjointRegistry>(
        "finder", &DisjointPathsOptions::finder, "who finds a path for each stream, no two of which share a link");

class DisjointPathsRouting final : public RoutingAlgorithm, public RoutesStreams {
 public:
  DisjointPathsRouting(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        ports_(topology),
        configuration_(context.configuration),
        finder_(kDisjointPathsTable.read(context.configuration).finder) {}

  bool depends_on_source() const override { return true; }
  bool acyclic_by_construction() const override { return !streams_.empty(); }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }
  void check_room() const override { ports_.check_room(); }
  const RoutesStreams* routes_streams() const override { return this; }

  void find_paths(const std::vector<StreamEnds>& streams, const OnProgress& progress) const override {
    std::vector<Demand> demands;
    for (const StreamEnds& s : streams) {
      demands.push_back({topology_.router_of(s.source), topology_.router_of(s.destination)});
    }
    const Channels channels(topology_);
    const DisjointPaths found =
        DisjointRegistry::instance().make(finder_, {configuration_})->find(topology_, channels, demands, progress);
    if (found.answer != DisjointAnswer::kFound) refuse(streams.size(), found.answer);
    streams_ = streams;
    turns_.assign(topology_.router_count(), {});
    for (std::size_t s = 0; s < streams.size(); ++s) {
      for (const std::uint32_t c : found.paths[s]) turns_[channels[c].from.value].push_back({s, channels[c].port});
    }
  }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    if (q.router == topology_.router_of(q.destination)) return ports_.eject(q.destination, all_vcs_, out);
    const std::size_t stream = stream_of(q);
    if (stream == streams_.size()) return towards(q, out);
    for (const Turn& turn : turns_[q.router.value]) {
      if (turn.stream == stream) return out.add(turn.port, all_vcs_);
    }
    towards(q, out);
  }

 private:
  struct Turn {
    std::size_t stream;
    PortId port;
  };

  [[noreturn]] void refuse(std::size_t streams, DisjointAnswer answer) const {
    throw InputError("routing.finder = \"" + finder_ +
                     "\": " + (answer == DisjointAnswer::kNone ? "there are no" : "it has found no") +
                     " disjoint paths for " + std::to_string(streams) + " streams; expected fewer, " +
                     (answer == DisjointAnswer::kNone ? "or another layout" : "another layout or another finder"));
  }

  /// The one that the packet names; of who asks without a packet the first between these nodes. None: streams_.size().
  std::size_t stream_of(const RouteQuery& q) const {
    if (q.route != kNoRoute) return std::min<std::size_t>(q.route, streams_.size());
    const auto same = std::find_if(streams_.begin(), streams_.end(), [&](const StreamEnds& s) {
      return s.source == q.source && s.destination == q.destination;
    });
    return static_cast<std::size_t>(same - streams_.begin());
  }

  /// The first port that leads nearer: where no packet ever is, for those who ask of all pairs of nodes.
  void towards(const RouteQuery& q, CandidateList& out) const {
    const std::uint32_t left = ports_.distance(q.router, q.destination);
    ports_.for_each_port(q.router, q.destination, [&](PortId port, std::uint32_t then_left) {
      if (then_left < left && out.size() == 0) out.add(port, all_vcs_);
    });
  }

  const Topology& topology_;
  MinimalPorts ports_;
  Configuration configuration_;
  std::string finder_;
  // Told once, before the first cycle:
  mutable std::vector<StreamEnds> streams_;
  mutable std::vector<std::vector<Turn>> turns_;  // [router] one at most for each of its links, as paths are disjoint
};

const bool disjoint_paths_registered = RoutingRegistry::instance().add(
    "disjoint_paths", "packets of each stream on a path of its own, no two of which share a link (tentacle)",
    kDisjointPathsTable.list(), [](const Topology& t, const RoutingContext& context) {
      return std::make_unique<DisjointPathsRouting>(t, context);
    });

}  // namespace
}  // namespace braid::routing
