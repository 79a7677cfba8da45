// What routing algorithms on a grid share: coordinates of every router, the way to the destination in each dimension,
// ejection, and the halves of the VCs that rings need.
#pragma once

#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/grid.h"

namespace braid::routing {

/// Rings need two classes of VCs: this half of `vcs` (the smaller one of an odd number) and the others.
inline VcMask lower_half(VcMask vcs) {
  const auto lowest = static_cast<unsigned>(__builtin_ctz(vcs));
  const auto count = static_cast<unsigned>(__builtin_popcount(vcs));
  return ((VcMask{1} << (count / 2)) - 1) << lowest;
}

class GridRouting : public RoutingAlgorithm {
 public:
  std::uint32_t draws() const override { return drawn_ ? 4 : 1; }

 protected:
  GridRouting(const Topology& topology, std::uint32_t vcs, const char* name)
      : RoutingAlgorithm(vcs), topology_(topology), grid_(require_grid(topology, name)) {
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      places_.push_back(
          {static_cast<std::int16_t>(grid_.x(RouterId{r})), static_cast<std::int16_t>(grid_.y(RouterId{r}))});
    }
    for (std::size_t n = 0; n < topology.node_count(); ++n) {
      place_of_node_.push_back(places_[topology.router_of(NodeId{n}).value]);
    }
  }

  /// Where a ring has an even number of routers, ways of exactly half of it are drawn.
  void draw_ties() { drawn_ = grid_.wrap && (grid_.width % 2 == 0 || grid_.height % 2 == 0); }

  struct Place {
    std::int16_t x = 0, y = 0;
  };
  /// Links still to go: positive is east (north). On a torus the shorter way. Where both are as long, each packet draws
  /// its way, one bit a dimension (as BookSim 2's dimension order does). By the fixed rule half of the routers and, at
  /// each, half of the destinations go east (north): the coordinate across the ring has a part in it, so that neither
  /// traffic to one place nor along one diagonal goes all one way; but all packets of a pair go the same.
  struct Offset {
    int x = 0, y = 0;
  };
  Offset offset(const RouteQuery& q) const {
    const Place here = places_[q.router.value];
    const Place there = place_of_node_[q.destination.value];
    Offset o{there.x - here.x, there.y - here.y};
    if (grid_.wrap) {
      o.x = shorter_way(o.x, static_cast<int>(grid_.width), drawn_ ? q.draw : here.x + here.y + there.y);
      o.y = shorter_way(o.y, static_cast<int>(grid_.height), drawn_ ? q.draw >> 1 : here.x + here.y + there.x);
    }
    return o;
  }
  // A difference, not a choice: which way a packet goes is nothing that a processor could guess.
  static PortId x_port(int dx) { return PortId{std::size_t{kWest.value} - static_cast<std::size_t>(dx > 0)}; }
  static PortId y_port(int dy) { return PortId{std::size_t{kSouth.value} - static_cast<std::size_t>(dy > 0)}; }
  static_assert(kWest.value == kEast.value + 1 && kSouth.value == kNorth.value + 1);

  void eject(const RouteQuery& q, CandidateList& out) const {
    for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
  }

  /// The way that is left over one ring: from `position`, `links` on (negative: west or south) among `size` routers.
  struct RingWay {
    int position, links, size;
    int end() const { return position + links; }  // beyond 0 .. size - 1 if the link that closes the ring is on the way
    bool wraps() const { return end() < 0 || end() >= size; }
  };
  RingWay x_way(const RouteQuery& q, int dx) const {
    return {places_[q.router.value].x, dx, static_cast<int>(grid_.width)};
  }
  RingWay y_way(const RouteQuery& q, int dy) const {
    return {places_[q.router.value].y, dy, static_cast<int>(grid_.height)};
  }
  const Topology& topology_;
  Grid grid_;

 private:
  static int shorter_way(int offset, int size, int coin) {
    if (2 * offset == size || 2 * offset == -size) return coin % 2 == 0 ? size / 2 : -size / 2;
    if (2 * offset > size) return offset - size;
    if (2 * offset < -size) return offset + size;
    return offset;
  }
  bool drawn_ = false;
  std::vector<Place> places_;
  std::vector<Place> place_of_node_;
};

/// Throws InputError unless the experiment has the VCs that an algorithm needs.
inline void require_vcs(const char* algorithm, const char* where, std::uint32_t vcs, std::uint32_t least) {
  if (vcs >= least) return;
  throw InputError("routing algorithm \"" + std::string(algorithm) + "\" on a " + where +
                   " needs router.vcs >= " + std::to_string(least) + "; it is " + std::to_string(vcs));
}

}  // namespace braid::routing
