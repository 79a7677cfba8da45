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
  void free_all();

 private:
  const Channels& channels_;
  std::vector<std::vector<std::uint32_t>> out_of_;  // [router]
  std::vector<bool> taken_;                         // [channel]
  // Scratch:
  std::vector<std::uint32_t> came_by_;  // [router] channel
  std::vector<RouterId> frontier_;
};

}  // namespace braid::routing
