// Local traffic (in-transit-buffers, section 4.1): to any other node that is near. The paper's "at most 5 switches
// away" counts switches that a packet comes through: with four links between them.
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

struct LocalOptions {
  std::uint32_t local_radius = 4;
};
const OptionTable<LocalOptions> kLocalTable = OptionTable<LocalOptions>("traffic").integer(
    "local_radius", &LocalOptions::local_radius, 0, 1000000000,
    "links between routers to the farthest destination; 0: nodes of the same router");

class Local final : public TrafficPattern {
 public:
  Local(const routing::Topology& topology, const LocalOptions& options) : near_(topology.router_count()) {
    topology.refuse_one_way("traffic.pattern = \"local\"");
    for (std::size_t n = 0; n < topology.node_count(); ++n) routers_.push_back(topology.router_of(NodeId{n}));
    for (const RouterId router : routers_) {
      if (near_[router.value].empty()) near_[router.value] = nodes_near(topology, router, options.local_radius);
    }
    for (std::size_t n = 0; n < routers_.size(); ++n) {
      if (near_[routers_[n].value].size() > 1) continue;
      throw InputError("traffic pattern \"local\": node " + std::to_string(n) + " has no other node within " +
                       std::to_string(options.local_radius) + " links; raise traffic.local_radius");
    }
  }

  Destination destination(NodeId source, Random& random) const override {
    const std::vector<NodeId>& near = near_[routers_[source.value].value];
    const NodeId drawn = near[random.below(near.size() - 1)];
    return drawn == source ? near.back() : drawn;  // the last one, which is never drawn, stands in for the source
  }
  bool add_shares(NodeId source, double weight, Shares& to) const override {
    const std::vector<NodeId>& near = near_[routers_[source.value].value];
    for (const NodeId node : near) {
      if (node != source) to[node] += weight / static_cast<double>(near.size() - 1);
    }
    return true;
  }

 private:
  /// The router's own nodes included.
  std::vector<NodeId> nodes_near(const routing::Topology& topology, RouterId router, std::uint32_t radius) const {
    const std::vector<std::uint32_t> links = topology.distances_to(router);
    std::vector<NodeId> near;
    for (std::size_t n = 0; n < routers_.size(); ++n) {
      if (links[routers_[n].value] <= radius) near.push_back(NodeId{n});
    }
    return near;
  }

  std::vector<RouterId> routers_;          // [node]
  std::vector<std::vector<NodeId>> near_;  // [router]
};

const bool local_registered = PatternRegistry::instance().add(
    "local", "any other node that is near", kLocalTable.list(),
    [](const routing::Topology& t, const Configuration& c) { return std::make_unique<Local>(t, kLocalTable.read(c)); });

}  // namespace
}  // namespace braid::traffic
