// A fraction of all packets goes to a region of low-numbered nodes, the rest to any node (paper: sat-fairness, section
// III.B: 25 % to the first eighth of the nodes).
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

struct HotRegionOptions {
  double hot_fraction = 0.2;
  std::uint32_t hot_region_nodes = 0;
};
const OptionTable<HotRegionOptions> kHotRegionTable =
    OptionTable<HotRegionOptions>("traffic")
        .number("hot_fraction", &HotRegionOptions::hot_fraction, 0.0, 1.0, "share of all packets that goes there")
        .integer("hot_region_nodes", &HotRegionOptions::hot_region_nodes, 0, 1000000000,
                 "nodes 0 to n - 1; 0: an eighth of all");

class HotRegion final : public TrafficPattern {
 public:
  HotRegion(std::size_t nodes, const HotRegionOptions& options)
      : nodes_(nodes),
        region_(options.hot_region_nodes != 0 ? options.hot_region_nodes : nodes / 8),
        hot_fraction_(options.hot_fraction),
        hot_bits_(Random::probability_bits(options.hot_fraction)) {
    if (region_ < 1 || region_ > nodes) {
      throw InputError("traffic pattern \"hot_region\": a region of " + std::to_string(region_) + " of " +
                       std::to_string(nodes) + " nodes; set traffic.hot_region_nodes to 1 or more");
    }
  }
  Destination destination(NodeId, Random& random) const override {
    return NodeId{random.below(random.chance(hot_bits_) ? region_ : nodes_)};
  }
  bool add_shares(NodeId, double weight, Shares& to) const override {
    for (std::size_t n = 0; n < nodes_; ++n) {
      const double hot = n < region_ ? hot_fraction_ / static_cast<double>(region_) : 0.0;
      to[NodeId{n}] += weight * (hot + (1.0 - hot_fraction_) / static_cast<double>(nodes_));
    }
    return true;
  }

 private:
  std::size_t nodes_;
  std::size_t region_;
  double hot_fraction_;
  std::uint64_t hot_bits_;
};

const bool hot_region_registered =
    PatternRegistry::instance().add("hot_region", "a fraction to the first nodes, the rest uniform",
                                    kHotRegionTable.list(), [](const routing::Topology& t, const Configuration& c) {
                                      return std::make_unique<HotRegion>(t.node_count(), kHotRegionTable.read(c));
                                    });

}  // namespace
}  // namespace braid::traffic
