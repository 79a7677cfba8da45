// Destination tag (Dally and Towles, "Principles and practices of interconnection networks", section 8.4.1; BookSim 2's
// dest_tag): in a butterfly a router of stage s sends a packet out by digit n - 1 - s of its destination. That is the
// only way that there is.
#include <vector>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::routing {
namespace {

constexpr const char* kDestinationTag = "destination_tag";

class DestinationTag final : public RoutingAlgorithm {
 public:
  DestinationTag(const Topology& topology, const RoutingContext& context) : RoutingAlgorithm(context.vcs) {
    if (!topology.butterfly) {
      throw InputError("routing algorithm \"" + std::string(kDestinationTag) + "\" needs a butterfly; topology is " +
                       topology.name);
    }
    const Butterfly& fly = *topology.butterfly;
    arity_ = fly.arity;
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      places_.push_back(fly.power(fly.stages - 1 - fly.stage(RouterId{r})));
    }
  }

  bool follows_one_way_links() const override { return true; }
  /// Stages are passed in one order.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    out.add(PortId{std::size_t{q.destination.value / places_[q.router.value] % arity_}}, all_vcs_);
  }

 private:
  std::uint32_t arity_ = 0;
  std::vector<std::uint32_t> places_;  // [router] arity to the power of the digit that it looks at
};

const bool destination_tag_registered = RoutingRegistry::instance().add(
    kDestinationTag, "the only way through a butterfly: a digit of the destination at each stage", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<DestinationTag>(t, o); });

}  // namespace
}  // namespace braid::routing
