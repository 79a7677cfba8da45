// UGAL-L (Singh, "Load-balanced routing in interconnection networks", thesis, Stanford 2005; dragonflies: Kim, Dally,
// Scott, Abts, ISCA 2008): at its source's router a packet chooses between the shortest way and that over the place
// that Valiant's routing would give it, by the queues of that router for either, times the links of either way.
#include "routing/algorithm/cube_phases.h"
#include "routing/algorithm/dragonfly_phases.h"
#include "routing/algorithm/output_queues.h"

namespace braid::routing {
namespace {

constexpr const char* kUgal = "ugal";

struct UgalOptions {
  std::uint32_t threshold = 0;
};
const OptionTable<UgalOptions> kUgalTable = OptionTable<UgalOptions>("routing").integer(
    "ugal_threshold", &UgalOptions::threshold, 0, 100000,
    "flits times links by which the shortest way may be worse than the one over an intermediate, and is taken");

/// Chooses between two ways out of a router.
class Choice : public ReadsOutputQueues {
 public:
  explicit Choice(const RoutingContext& context) : threshold_(kUgalTable.read(context.configuration).threshold) {}
  void read_queues(const OutputQueues& queues) const override { queues_ = &queues; }

 protected:
  struct Way {
    PortId port;
    std::uint32_t links;
  };
  bool straight_is_better(RouterId here, const Way& straight, const Way& detour) const {
    return cost(here, straight) <= cost(here, detour) + threshold_;
  }

 private:
  std::uint64_t cost(RouterId here, const Way& way) const {
    return queues_ == nullptr ? 0 : std::uint64_t{queues_->waiting_flits(here, way.port)} * way.links;
  }
  std::uint64_t threshold_;
  mutable const OutputQueues* queues_ = nullptr;  // of the network that the algorithm was made for
};

class CubeUgal final : public CubePhases, public Choice {
 public:
  CubeUgal(const Topology& topology, const RoutingContext& context)
      : CubePhases(kUgal, topology, context), Choice(context) {}

 private:
  RouterId intermediate(const RouteQuery& q, RouterId) const override {
    return RouterId{intermediate_of(q, topology_.router_count())};
  }
  bool goes_straight(const RouteQuery& q, RouterId by, RouterId end) const override {
    if (end == q.router) return true;
    const Way straight{to_end(q, end).port, ways_.links(q.router, end)};
    return straight_is_better(q.router, straight,
                              {to_intermediate(q, by).port, ways_.links(q.router, by) + ways_.links(by, end)});
  }
};

class DragonflyUgal final : public DragonflyPhases, public Choice {
 public:
  DragonflyUgal(const Topology& topology, const RoutingContext& context)
      : DragonflyPhases(kUgal, topology, context), Choice(context) {}

 private:
  bool goes_straight(const RouteQuery& q, std::uint32_t by, RouterId end) const override {
    const std::uint32_t group = ways_.group(q.router), to = ways_.group(end);
    const Way straight{group == to ? ways_.within(q.router, end) : ways_.out(q.router, to), ways_.links(q.router, end)};
    const std::uint32_t links = ways_.links_out(q.router, by) + ways_.links(ways_.entry(group, by), end);
    return straight_is_better(q.router, straight, {ways_.out(q.router, by), links});
  }
};

const bool ugal_registered = RoutingRegistry::instance().add(
    kUgal, "the shortest way or Valiant's, by the queues of the source's router (UGAL-L)", kUgalTable.list(),
    [](const Topology& t, const RoutingContext& o) -> std::unique_ptr<RoutingAlgorithm> {
      if (t.dragonfly) return std::make_unique<DragonflyUgal>(t, o);
      return std::make_unique<CubeUgal>(t, o);
    });

}  // namespace
}  // namespace braid::routing
