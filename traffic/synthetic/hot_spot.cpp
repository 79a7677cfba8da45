// A fraction of all packets goes to one of the hot nodes, the rest to any node. Where none is named, one is drawn from
// the seed (in-transit-buffers, section 4.1: "one host chosen randomly").
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

struct HotSpotOptions {
  std::vector<std::uint32_t> hot_nodes;
  double hot_fraction = 0.2;
};
const OptionTable<HotSpotOptions> kHotSpotTable =
    OptionTable<HotSpotOptions>("traffic")
        .integers("hot_nodes", &HotSpotOptions::hot_nodes, "none: one, drawn from the seed")
        .number("hot_fraction", &HotSpotOptions::hot_fraction, 0.0, 1.0, "share of all packets that goes there");

class HotSpot final : public TrafficPattern {
 public:
  HotSpot(std::size_t nodes, const HotSpotOptions& options, std::uint64_t seed)
      : nodes_(nodes),
        hot_(options.hot_nodes),
        hot_fraction_(options.hot_fraction),
        hot_bits_(Random::probability_bits(options.hot_fraction)) {
    if (hot_.empty()) hot_.push_back(static_cast<std::uint32_t>(Random(seed, "traffic.hot_nodes").below(nodes)));
    for (const std::uint32_t node : hot_) {
      if (node >= nodes) {
        throw InputError("traffic.hot_nodes: node " + std::to_string(node) + " is out of range: expected 0 to " +
                         std::to_string(nodes - 1));
      }
    }
  }
  Destination destination(NodeId, Random& random) const override {
    if (random.chance(hot_bits_)) return NodeId{hot_[random.below(hot_.size())]};
    return NodeId{random.below(nodes_)};
  }
  bool add_shares(NodeId, double weight, Shares& to) const override {
    for (const std::uint32_t hot : hot_) to[NodeId{hot}] += weight * hot_fraction_ / static_cast<double>(hot_.size());
    for (std::size_t n = 0; n < nodes_; ++n) {
      to[NodeId{n}] += weight * (1.0 - hot_fraction_) / static_cast<double>(nodes_);
    }
    return true;
  }

 private:
  std::size_t nodes_;
  std::vector<std::uint32_t> hot_;
  double hot_fraction_;
  std::uint64_t hot_bits_;
};

const bool hot_spot_registered = PatternRegistry::instance().add(
    "hot_spot", "a fraction to hot nodes, the rest uniform", kHotSpotTable.list(),
    [](const routing::Topology& t, const Configuration& c) {
      return std::make_unique<HotSpot>(t.node_count(), kHotSpotTable.read(c), read_seed(c));
    });

}  // namespace
}  // namespace braid::traffic
