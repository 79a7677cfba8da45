// UGAL-G (Singh, "Load-balanced routing in interconnection networks", thesis, Stanford 2005; dragonflies: Kim, Dally,
// Scott, Abts, ISCA 2008, section 4.2): UGAL by the queues of all routers on either way. An oracle, to say how much
// knowing less costs: a packet chooses where it enters, by what every queue held at the end of the last cycle.
#include "routing/algorithm/cube_phases.h"
#include "routing/algorithm/dragonfly_phases.h"
#include "routing/algorithm/output_queues.h"

namespace braid::routing {
namespace {

constexpr const char* kUgalG = "ugal_g";

/// Adds up ways.
class Oracle : public ReadsOutputQueues {
 public:
  bool reads_all_queues() const override { return true; }
  void read_queues(const OutputQueues& queues) const override { queues_ = &queues; }

 protected:
  /// Flits that wait for links on a packet's way, and one for each link: the cycles that it would take if they did not
  /// move before it.
  class Way {
   public:
    Way(const Oracle& oracle, const Topology& topology, RouterId from)
        : queues_(oracle.queues_), topology_(topology), here_(from) {}
    RouterId here() const { return here_; }
    std::uint64_t flits() const { return flits_; }
    void take(PortId port) {
      flits_ += 1 + (queues_ == nullptr ? 0 : queues_->waited_flits(here_, port));
      here_ = topology_.port(here_, port).peer_router;
    }

   private:
    const OutputQueues* queues_;
    const Topology& topology_;
    RouterId here_;
    std::uint64_t flits_ = 0;
  };

 private:
  mutable const OutputQueues* queues_ = nullptr;  // of the network that the algorithm was made for
};

class CubeUgalG final : public CubePhases, public Oracle {
 public:
  CubeUgalG(const Topology& topology, const RoutingContext& context) : CubePhases(kUgalG, topology, context) {}

 private:
  RouterId intermediate(const RouteQuery& q, RouterId) const override {
    return RouterId{intermediate_of(q, topology_.router_count())};
  }
  bool goes_straight(const RouteQuery& q, RouterId by, RouterId end) const override {
    Way straight(*this, topology_, q.router), detour(*this, topology_, q.router);
    go(q, straight, end, &CubeUgalG::to_end);
    go(q, detour, by, &CubeUgalG::to_intermediate);
    go(q, detour, end, &CubeUgalG::to_end);
    return straight.flits() <= detour.flits();
  }
  void go(RouteQuery q, Way& way, RouterId to, Candidate (CubePhases::*next)(const RouteQuery&, RouterId) const) const {
    while (way.here() != to) {
      q.router = way.here();
      way.take((this->*next)(q, to).port);
    }
  }
};

class DragonflyUgalG final : public DragonflyPhases, public Oracle {
 public:
  DragonflyUgalG(const Topology& topology, const RoutingContext& context)
      : DragonflyPhases(kUgalG, topology, context) {}

 private:
  bool goes_straight(const RouteQuery& q, std::uint32_t by, RouterId end) const override {
    Way straight(*this, topology_, q.router), detour(*this, topology_, q.router);
    go(straight, ways_.group(end), end);
    go(detour, by, end);
    return straight.flits() <= detour.flits();
  }
  /// To a group, and from there to a router.
  void go(Way& way, std::uint32_t by, RouterId end) const {
    while (ways_.group(way.here()) != by) way.take(ways_.out(way.here(), by));
    const std::uint32_t to = ways_.group(end);
    while (ways_.group(way.here()) != to) way.take(ways_.out(way.here(), to));
    if (way.here() != end) way.take(ways_.within(way.here(), end));
  }
};

const bool ugal_g_registered = RoutingRegistry::instance().add(
    kUgalG, "the shortest way or Valiant's, by the queues of all routers on either (UGAL-G, an oracle)", {},
    [](const Topology& t, const RoutingContext& o) -> std::unique_ptr<RoutingAlgorithm> {
      if (t.dragonfly) return std::make_unique<DragonflyUgalG>(t, o);
      return std::make_unique<CubeUgalG>(t, o);
    });

}  // namespace
}  // namespace braid::routing
