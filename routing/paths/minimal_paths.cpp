#include "routing/paths/minimal_paths.h"

#include <algorithm>
#include <set>

namespace braid::routing {

MinimalPaths::MinimalPaths(const Topology& topology, RouterId to)
    : topology_(topology), distance_(topology.distances_to(to)), counts_(topology.router_count()) {
  std::vector<RouterId> nearest_first;
  for (std::size_t r = 0; r < distance_.size(); ++r) {
    if (distance_[r] != UINT32_MAX) nearest_first.push_back(RouterId{r});
  }
  std::stable_sort(nearest_first.begin(), nearest_first.end(),
                   [this](RouterId a, RouterId b) { return distance_[a.value] < distance_[b.value]; });
  counts_[to.value] = 1;
  for (const RouterId here : nearest_first) {
    for (const Port& port : topology.routers[here.value]) {
      if (!comes_nearer(here, port)) continue;
      const std::uint64_t ahead = counts_[port.peer_router.value];
      counts_[here.value] += std::min(ahead, UINT64_MAX - counts_[here.value]);
    }
  }
}

std::vector<PortId> MinimalPaths::path(RouterId from, std::uint64_t number) const {
  std::vector<PortId> ports;
  RouterId here = from;
  while (distance_[here.value] > 0) {
    const std::vector<Port>& all = topology_.routers[here.value];
    for (std::size_t p = 0; p < all.size(); ++p) {
      if (!comes_nearer(here, all[p])) continue;
      const std::uint64_t behind = counts_[all[p].peer_router.value];
      if (number < behind) {
        ports.emplace_back(p);
        break;
      }
      number -= behind;
    }
    here = topology_.port(here, ports.back()).peer_router;
  }
  return ports;
}

std::vector<std::uint64_t> MinimalPaths::draw(RouterId from, std::size_t most, Random& random) const {
  const std::uint64_t all = count(from);
  std::set<std::uint64_t> drawn;
  // Floyd's sample without replacement: one draw for each that is taken.
  for (std::uint64_t last = all - std::min<std::uint64_t>(all, most); last < all; ++last) {
    if (!drawn.insert(all <= most ? last : random.below(last + 1)).second) drawn.insert(last);
  }
  return {drawn.begin(), drawn.end()};
}

}  // namespace braid::routing
