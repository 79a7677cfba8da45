// The channel-dependency graph of a routing algorithm on a topology (Dally and Seitz; Duato for escape channels).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::routing {

class ChannelDependencyGraph {
 public:
  /// Follows every route from every node to every node, or until the channels followed so far wait in a cycle: time
  /// grows with destinations times channels. VCs that always come together in candidates are followed as one. Without
  /// escape VCs the graph is that of all channels; with them, of the escape channels alone, with the dependencies that
  /// pass through adaptive channels (followed up to 1024 routers; beyond, direct ones only).
  ChannelDependencyGraph(const Topology& topology, const RoutingAlgorithm& algorithm, std::uint32_t vcs,
                         const OnProgress& progress = {});

  /// Channels of a cycle in order, in words; empty if there is none.
  std::vector<std::string> find_cycle() const;
  /// A state in which no escape channel is offered, in words; empty if there is none.
  const std::string& state_without_escape() const { return state_without_escape_; }

 private:
  struct State {
    RouterId router;
    PortId in_port;
    std::uint8_t in_vc;
    std::uint32_t last_escape;  // the escape channel it came by, directly or through adaptive channels
  };
  void build(const OnProgress& progress);
  bool masks_overlap() const;
  bool is_new(const State& state);
  void follow_draws(NodeId destination, const std::vector<NodeId>& sources);
  void follow(NodeId destination, const std::vector<NodeId>& sources);
  void visit(const State& state, NodeId source, NodeId destination);
  State take(const State& state, PortId port, unsigned vc);
  void depend(std::uint32_t from, std::uint32_t to);
  std::uint32_t channel(RouterId router, PortId port, unsigned vc) const;
  std::string name(std::uint32_t channel) const;

  const Topology& topology_;
  const RoutingAlgorithm& algorithm_;
  std::uint32_t vcs_;
  std::size_t ports_;
  VcMask escape_;
  std::vector<std::vector<std::uint32_t>> edges_;  // [channel]
  std::string state_without_escape_;
  bool one_vc_a_mask_ = true;  // follow the lowest VC of each candidate's mask for all of them
  std::vector<VcMask> masks_;  // that candidates had
  std::uint8_t draw_ = 0;      // of the packets that are followed
  CandidateList candidates_;   // of the state that is visited
  std::vector<State> frontier_;
  // States that were met on the way to the present destination: one a channel, but for those on adaptive channels
  // behind an escape channel.
  std::uint64_t followed_ = 0;
  std::vector<std::uint64_t> met_;  // [channel] the last value of followed_ that met it
  std::unordered_set<std::uint64_t> met_behind_escape_;
};

}  // namespace braid::routing
