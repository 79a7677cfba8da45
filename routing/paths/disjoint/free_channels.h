// Channels that paths have taken, and the shortest way over those that are left.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/paths/channels.h"
#include "routing/paths/disjoint/disjoint_finder.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// Of each router, in the order of its ports.
std::vector<std::vector<std::uint32_t>> channels_out_of(const Topology& topology, const Channels& channels);

/// Links from each demand's `from` to its `to`.
std::vector<std::uint32_t> demand_distances(const Topology& topology, const std::vector<Demand>& demands);

class FreeChannels {
 public:
  FreeChannels(const Topology& topology, const Channels& channels);

  /// Breadth-first, lowest port first; empty if `from` is `to`. Nothing if there is no way.
  std::optional<std::vector<std::uint32_t>> shortest(const Demand& demand);
  void take(const std::vector<std::uint32_t>& path);
  /// Takes the shortest way at once; false if there is none.
  bool take_shortest(const Demand& demand);
  void free_all() { ++round_; }

 private:
  bool reaches(const Demand& demand);

  // A layout of a stream graph asks for millions of ways: marks tell this round and this search from those before, so
  // that nothing is cleared.
  const Channels& channels_;
  std::vector<std::uint32_t> first_;  // [router] of its channels, which follow one another; behind them all their count
  std::vector<std::uint64_t> taken_;  // [channel] in which round
  std::vector<std::uint64_t> seen_;   // [router] by which search
  std::vector<std::uint32_t> came_by_;  // [router] channel, where this search has been
  std::vector<RouterId> queue_;         // [place in line]
  std::uint64_t round_ = 1, search_ = 0;
};

}  // namespace braid::routing
