// Every packet goes equally far: to any of the nodes at that distance. Load by distance, for any topology.
#include <vector>

#include "traffic/synthetic/pattern.h"

namespace {

using namespace braid;

struct AtDistanceOptions {
  std::uint32_t distance_links = 3;
};
const OptionTable<AtDistanceOptions>& options() {
  static const OptionTable<AtDistanceOptions> table = OptionTable<AtDistanceOptions>("traffic").integer(
      "distance_links", &AtDistanceOptions::distance_links, 1, 1000000, "links between source and destination");
  return table;
}

class AtDistance final : public traffic::TrafficPattern {
 public:
  AtDistance(const routing::Topology& topology, const Configuration& configuration)
      : destinations_(topology.node_count()) {
    const std::uint32_t wanted = options().read(configuration).distance_links;
    bool any = false;
    for (std::size_t d = 0; d < topology.node_count(); ++d) {
      const std::vector<std::uint32_t> distances = topology.distances_to(topology.router_of(NodeId{d}));
      for (std::size_t s = 0; s < topology.node_count(); ++s) {
        if (distances[topology.router_of(NodeId{s}).value] != wanted) continue;
        destinations_[s].push_back(NodeId{d});
        any = true;
      }
    }
    if (!any) throw InputError("traffic.distance_links: no two nodes of this topology are so far from each other");
  }
  /// A node with nobody at that distance (in the middle of a mesh) is silent.
  traffic::Destination destination(NodeId source, Random& random) const override {
    const std::vector<NodeId>& all = destinations_[source.value];
    if (all.empty()) return std::nullopt;
    return all[random.below(all.size())];
  }

 private:
  std::vector<std::vector<NodeId>> destinations_;  // [source]
};

const bool registered = traffic::PatternRegistry::instance().add(
    "at_distance", "any node so many links away", options().list(),
    [](const routing::Topology& t, const Configuration& c) { return std::make_unique<AtDistance>(t, c); });

}  // namespace
