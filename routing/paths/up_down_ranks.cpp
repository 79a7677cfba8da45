#include "routing/paths/up_down_ranks.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "routing/base/input_error.h"

namespace braid::routing {
namespace {

/// The lowest number among those of the best value.
template <class Value>
RouterId least_of(const Topology& t, Value value) {
  RouterId best{0};
  auto least = value(best);
  for (std::size_t r = 1; r < t.router_count(); ++r) {
    const auto here = value(RouterId{r});
    if (here < least) {
      best = RouterId{r};
      least = here;
    }
  }
  return best;
}

std::uint64_t distance_to_all(const Topology& t, RouterId router) {
  const std::vector<std::uint32_t> distance = t.distances_to(router);
  return std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
}

std::int64_t links_of(const Topology& t, RouterId router) {
  const std::vector<Port>& ports = t.routers[router.value];
  return std::count_if(ports.begin(), ports.end(), [](const Port& p) { return p.kind == PortKind::kNetwork; });
}

RouterId root_of(const Topology& t, const std::string& root, const char* key) {
  if (root == "first") return RouterId{0};
  if (root == "most_links") return least_of(t, [&](RouterId r) { return -links_of(t, r); });
  if (root == "center") return least_of(t, [&](RouterId r) { return distance_to_all(t, r); });
  const auto found = std::find(t.router_names.begin(), t.router_names.end(), root);
  if (found != t.router_names.end()) return RouterId{static_cast<std::size_t>(found - t.router_names.begin())};
  throw InputError("routing." + std::string(key) + " = \"" + one_line(root) +
                   "\": expected first, most_links, center or the name of a " + "router, such as " +
                   t.router_names.front());
}

}  // namespace

OptionTable<UpDownOptions> up_down_options(const char* key) {
  return OptionTable<UpDownOptions>("routing").text(
      key, &UpDownOptions::root, "of the up*/down* tree: first, most_links, center (nearest to all) or a router");
}

Ranks up_down_ranks(const Topology& topology, RouterId root) {
  const std::vector<std::uint32_t> level = topology.distances_to(root);
  std::vector<std::uint32_t> order(topology.router_count());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return level[a] < level[b]; });
  Ranks ranks(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

Ranks up_down_ranks(const Topology& topology, const UpDownOptions& options, const char* key) {
  return up_down_ranks(topology, root_of(topology, options.root, key));
}

}  // namespace braid::routing
