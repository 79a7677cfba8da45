#include "routing/paths/disjoint/demand_cuts.h"

#include <array>

namespace braid::routing {
namespace {

/// What crosses the border of a region in one direction.
struct Crossing {
  std::uint32_t demands = 0, channels = 0;
  bool overfull() const { return demands > channels; }
};

std::optional<DemandCut> cut_of(const std::vector<bool>& inside, const Channels& channels,
                                const std::vector<Demand>& demands) {
  std::array<Crossing, 2> by_direction;  // [leaving]
  const auto crosses = [&](RouterId from, RouterId to) { return inside[from.value] != inside[to.value]; };
  for (const Demand& d : demands) {
    if (crosses(d.from, d.to)) ++by_direction[inside[d.from.value]].demands;
  }
  for (std::size_t c = 0; c < channels.count(); ++c) {
    if (crosses(channels[c].from, channels[c].to)) ++by_direction[inside[channels[c].from.value]].channels;
  }
  for (const bool leaving : {true, false}) {
    const Crossing& crossing = by_direction[leaving];
    if (!crossing.overfull()) continue;
    DemandCut cut{{}, leaving, crossing.demands, crossing.channels};
    for (std::size_t r = 0; r < inside.size(); ++r) {
      if (inside[r]) cut.routers.push_back(RouterId{r});
    }
    return cut;
  }
  return std::nullopt;
}

std::optional<DemandCut> overfull_rectangle(const Topology& topology, const Channels& channels,
                                            const std::vector<Demand>& demands, const OnProgress& progress) {
  const Grid& grid = *topology.grid;
  for (std::uint32_t top = 0; top < grid.height; ++top) {
    for (std::uint32_t left = 0; left < grid.width; ++left) {
      tell(progress, "corner", grid.at(left, top).value, topology.router_count());
      for (std::uint32_t bottom = top; bottom < grid.height; ++bottom) {
        std::vector<bool> inside(topology.router_count());
        for (std::uint32_t right = left; right < grid.width; ++right) {
          for (std::uint32_t y = top; y <= bottom; ++y) inside[grid.at(right, y).value] = true;
          if (auto cut = cut_of(inside, channels, demands)) return cut;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<DemandCut> overfull_ball(const Topology& topology, const Channels& channels,
                                       const std::vector<Demand>& demands, const OnProgress& progress) {
  for (std::size_t centre = 0; centre < topology.router_count(); ++centre) {
    tell(progress, "router", centre, topology.router_count());
    const std::vector<std::uint32_t> links = topology.distances_to(RouterId{centre});
    std::size_t in = 0, before = 0;
    for (std::uint32_t radius = 0;; ++radius, before = in) {
      std::vector<bool> inside(links.size());
      in = 0;
      for (std::size_t r = 0; r < links.size(); ++r) in += inside[r] = links[r] <= radius;
      if (in == links.size() || in == before) break;
      if (auto cut = cut_of(inside, channels, demands)) return cut;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<DemandCut> overfull_router(const Topology& topology, const Channels& channels,
                                         const std::vector<Demand>& demands) {
  std::vector<std::array<Crossing, 2>> of(topology.router_count());  // [router][leaving]
  for (const Demand& d : demands) {
    if (d.from == d.to) continue;
    ++of[d.from.value][true].demands;
    ++of[d.to.value][false].demands;
  }
  for (std::size_t c = 0; c < channels.count(); ++c) {
    ++of[channels[c].from.value][true].channels;
    ++of[channels[c].to.value][false].channels;
  }
  for (std::size_t r = 0; r < of.size(); ++r) {
    for (const bool leaving : {true, false}) {
      const Crossing& crossing = of[r][leaving];
      if (crossing.overfull()) return DemandCut{{RouterId{r}}, leaving, crossing.demands, crossing.channels};
    }
  }
  return std::nullopt;
}

std::optional<DemandCut> overfull_region(const Topology& topology, const Channels& channels,
                                         const std::vector<Demand>& demands, const OnProgress& progress) {
  return topology.grid ? overfull_rectangle(topology, channels, demands, progress)
                       : overfull_ball(topology, channels, demands, progress);
}

}  // namespace braid::routing
