// The shortest paths to one router: how many there are, each by its number, and a few of them at random (paper:
// in-transit-buffers, section 3: "there may be a high number of minimal paths … we randomly select").
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/random.h"
#include "routing/topology/topology.h"

namespace braid::routing {

class MinimalPaths {
 public:
  /// `topology` outlives this.
  MinimalPaths(const Topology& topology, RouterId to);

  /// More than 2^64 - 1 count as so many. None from a router that has no way.
  std::uint64_t count(RouterId from) const { return counts_[from.value]; }
  /// Number `number` of them, in the order of port numbers.
  std::vector<PortId> path(RouterId from, std::uint64_t number) const;
  /// Numbers of `most` of them, ascending, each choice as likely; of all, if there are no more.
  std::vector<std::uint64_t> draw(RouterId from, std::size_t most, Random& random) const;

 private:
  bool comes_nearer(RouterId here, const Port& port) const {
    return port.kind == PortKind::kNetwork && distance_[port.peer_router.value] + 1 == distance_[here.value];
  }
  const Topology& topology_;
  std::vector<std::uint32_t> distance_;  // [router]
  std::vector<std::uint64_t> counts_;    // [router]
};

}  // namespace braid::routing
