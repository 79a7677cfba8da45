// Uniform random destinations: over all nodes (a node may draw itself; the packet then passes one router, as in
// BookSim), or over all others.
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

template <bool kWithSelf>
class Uniform final : public TrafficPattern {
 public:
  explicit Uniform(std::size_t nodes) : nodes_(nodes) {
    if (!kWithSelf && nodes < 2) throw InputError("traffic pattern \"uniform_without_self\" needs at least 2 nodes");
  }
  Destination destination(NodeId source, Random& random) const override {
    if (kWithSelf) return NodeId{random.below(nodes_)};
    const std::uint64_t other = random.below(nodes_ - 1);
    return NodeId{other + (other >= source.value ? 1 : 0)};
  }
  bool add_shares(NodeId source, double weight, Shares& to) const override {
    const double each = weight / static_cast<double>(kWithSelf ? nodes_ : nodes_ - 1);
    for (std::size_t n = 0; n < nodes_; ++n) {
      if (kWithSelf || n != source.value) to[NodeId{n}] += each;
    }
    return true;
  }

 private:
  std::size_t nodes_;
};

template <bool kWithSelf>
std::unique_ptr<TrafficPattern> make(const routing::Topology& topology, const Configuration&) {
  return std::make_unique<Uniform<kWithSelf>>(topology.node_count());
}
const bool uniform_registered = PatternRegistry::instance().add("uniform", "any node, itself included", make<true>) &&
                                PatternRegistry::instance().add("uniform_without_self", "any other node", make<false>);

}  // namespace
}  // namespace braid::traffic
