// The worst for shortest ways in a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008, section 4.2): every node of a group
// sends to the nodes of the next group, each as likely, so that one link between groups carries all of a group's
// packets.
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

class NextGroup final : public TrafficPattern {
 public:
  explicit NextGroup(const routing::Topology& topology) {
    if (!topology.dragonfly) {
      throw InputError("traffic pattern \"next_group\" needs topology.kind = \"dragonfly\"; topology is " +
                       topology.name);
    }
    groups_ = topology.dragonfly->groups();
    nodes_ = topology.node_count() / groups_;
  }
  Destination destination(NodeId source, Random& random) const override {
    return NodeId{first_of_next(source) + random.below(nodes_)};
  }
  bool add_shares(NodeId source, double weight, Shares& to) const override {
    for (std::size_t n = 0; n < nodes_; ++n) {
      to[NodeId{first_of_next(source) + n}] += weight / static_cast<double>(nodes_);
    }
    return true;
  }

 private:
  /// Nodes of a group follow each other.
  std::size_t first_of_next(NodeId source) const { return (source.value / nodes_ + 1) % groups_ * nodes_; }

  std::size_t groups_ = 0, nodes_ = 0;  // of the network, of a group
};

const bool next_group_registered = PatternRegistry::instance().add(
    "next_group", "every group of a dragonfly to the next one",
    [](const routing::Topology& t, const Configuration&) { return std::make_unique<NextGroup>(t); });

}  // namespace
}  // namespace braid::traffic
