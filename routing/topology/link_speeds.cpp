#include "routing/topology/link_speeds.h"

#include <algorithm>

namespace braid::routing {

Speeds link_speeds(const Topology& topology, const Configuration& configuration) {
  const std::string kind = topology_options().read(configuration).kind;
  const LinkSpeedsRegistry& registry = LinkSpeedsRegistry::instance();
  if (registry.entries().count(kind) == 0) return {};
  Speeds speeds = registry.make(kind, configuration)->of(topology);
  const auto is_slow = [](const std::vector<std::uint32_t>& ports) {
    return std::all_of(ports.begin(), ports.end(), [](std::uint32_t speed) { return speed == 1; });
  };
  return std::all_of(speeds.begin(), speeds.end(), is_slow) ? Speeds{} : speeds;
}

}  // namespace braid::routing
