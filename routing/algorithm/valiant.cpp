// Valiant: every packet goes by a place that it draws, so that whatever the pattern the load of links is that of
// uniform traffic, twice (Valiant, 1982). In networks of several dimensions the place is any router; in a dragonfly it
// is any group (Kim, Dally, Scott, Abts, ISCA 2008).
#include "routing/algorithm/cube_phases.h"
#include "routing/algorithm/dragonfly_phases.h"

namespace braid::routing {
namespace {

constexpr const char* kValiant = "valiant";

class CubeValiant final : public CubePhases {
 public:
  CubeValiant(const Topology& topology, const RoutingContext& context) : CubePhases(kValiant, topology, context) {}

 private:
  RouterId intermediate(const RouteQuery& q, RouterId) const override {
    return RouterId{intermediate_of(q, topology_.router_count())};
  }
};

class DragonflyValiant final : public DragonflyPhases {
 public:
  DragonflyValiant(const Topology& topology, const RoutingContext& context)
      : DragonflyPhases(kValiant, topology, context) {}
};

const bool valiant_registered = RoutingRegistry::instance().add(
    kValiant, "by a router, in a dragonfly a group, that each packet draws", {},
    [](const Topology& t, const RoutingContext& o) -> std::unique_ptr<RoutingAlgorithm> {
      if (t.dragonfly) return std::make_unique<DragonflyValiant>(t, o);
      return std::make_unique<CubeValiant>(t, o);
    });

}  // namespace
}  // namespace braid::routing
