// Dimension order from router to router of a network of several dimensions: all links of the lowest dimension, then of
// the next.
//
// On a ring each packet goes the shorter way. Who crosses the link that closes the ring takes the upper half of the VCs
// all along it, everybody else the lower: the lower half never crosses that link, and the upper half, on shortest ways,
// never the one half-way round. So neither closes a cycle. In a flattened butterfly a row is one link.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "routing/algorithm/grid_routing.h"
#include "routing/topology/elevators.h"

namespace braid::routing {

inline const Cube& require_cube(const Topology& topology, const char* algorithm) {
  if (topology.cube && has_elevators(topology)) {
    throw InputError("routing algorithm \"" + std::string(algorithm) +
                     "\" needs vertical links at every router, \"elevator_first\" does not; topology is " +
                     topology.name);
  }
  if (topology.cube) return *topology.cube;
  throw InputError("routing algorithm \"" + std::string(algorithm) +
                   "\" needs topology.kind = \"cube\" or \"flattened_butterfly\"; topology is " + topology.name);
}

class CubeWays {
 public:
  /// VCs for a whole way, and the half of them for who does not cross the link that closes a ring.
  struct Vcs {
    explicit Vcs(VcMask vcs) : all(vcs), lower(vcs == 0 ? 0 : lower_half(vcs)) {}
    VcMask all, lower;
  };

  CubeWays(const Topology& topology, const char* algorithm)
      : cube_(require_cube(topology, algorithm)), dimensions_(cube_.sizes.size()) {
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      for (std::size_t d = 0; d < dimensions_; ++d) places_.push_back(cube_.coordinate(RouterId{r}, d));
    }
    for (std::size_t d = 0; d <= dimensions_; ++d) first_port_.push_back(cube_.first_port(d));
  }

  const Cube& cube() const { return cube_; }
  bool rings() const { return cube_.row == Cube::Row::kRing; }
  std::size_t dimensions() const { return dimensions_; }
  std::uint32_t coordinate(RouterId router, std::size_t d) const { return places_[router.value * dimensions_ + d]; }
  bool leads_to_node(PortId port) const { return port.value >= first_port_[dimensions_]; }

  /// The way on to another router, on `vcs`, of which a packet keeps its half within a ring. `goes_up(d)`: of two ways
  /// round a ring that are as long.
  template <class GoesUp>
  [[gnu::always_inline]] Candidate next(const RouteQuery& q, RouterId to, const Vcs& vcs, GoesUp goes_up) const {
    const std::uint32_t* here = &places_[q.router.value * dimensions_];
    const std::uint32_t* there = &places_[to.value * dimensions_];
    std::size_t d = 0;
    while (here[d] == there[d]) ++d;
    const std::size_t first = first_port_[d];
    switch (cube_.row) {
      case Cube::Row::kComplete:
        return {PortId{first + there[d] - (there[d] > here[d] ? 1 : 0)}, 0, vcs.all};
      case Cube::Row::kLine:
        return {PortId{first + (there[d] > here[d] ? 0 : 1)}, 0, vcs.all};
      default:
        break;
    }
    const std::uint32_t size = cube_.sizes[d], ahead = (there[d] + size - here[d]) % size;
    const bool up = 2 * ahead == size ? goes_up(d) : 2 * ahead < size;
    return {PortId{first + (up ? 0 : 1)}, 0, half(q, first, vcs, up == (there[d] < here[d]))};
  }

  /// Links from a router to another in one dimension, and in all.
  std::uint32_t links(RouterId from, RouterId to, std::size_t d) const {
    const std::uint32_t here = coordinate(from, d), there = coordinate(to, d);
    const std::uint32_t apart = std::max(here, there) - std::min(here, there);
    if (cube_.row == Cube::Row::kComplete) return apart == 0 ? 0 : 1;
    return rings() ? std::min(apart, cube_.sizes[d] - apart) : apart;
  }
  std::uint32_t links(RouterId from, RouterId to) const {
    std::uint32_t all = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) all += links(from, to, d);
    return all;
  }

 private:
  static VcMask half(const RouteQuery& q, std::size_t first_port, const Vcs& vcs, bool crosses) {
    const std::size_t from = q.in_port.value;
    const bool on_ring = from >= first_port && from < first_port + 2 && (vcs.all >> q.in_vc.value & 1) != 0;
    if (on_ring) return (vcs.lower >> q.in_vc.value & 1) != 0 ? vcs.lower : vcs.all & ~vcs.lower;
    return crosses ? vcs.all & ~vcs.lower : vcs.lower;
  }

  const Cube& cube_;
  std::size_t dimensions_;
  std::vector<std::uint32_t> places_;    // [router][dimension]
  std::vector<std::size_t> first_port_;  // [dimension], and the first that leads to a node
};

}  // namespace braid::routing
