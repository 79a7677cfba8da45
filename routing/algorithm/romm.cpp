// ROMM (Nesson and Johnsson, "ROMM routing on mesh and torus networks", SPAA 1995), of two phases: every packet goes by
// a router that it draws within the box of its shortest ways, so its way is a shortest one.
#include "routing/algorithm/cube_phases.h"

namespace braid::routing {
namespace {

constexpr const char* kRomm = "romm";

class Romm final : public CubePhases {
 public:
  Romm(const Topology& topology, const RoutingContext& context) : CubePhases(kRomm, topology, context) {}

 private:
  RouterId intermediate(const RouteQuery& q, RouterId end) const override {
    const Cube& cube = ways_.cube();
    const RouterId start = topology_.router_of(q.source);
    std::uint64_t box = 1;
    for (std::size_t d = 0; d < ways_.dimensions(); ++d) box *= ways_.links(start, end, d) + 1;
    std::uint64_t place = intermediate_of(q, box), stride = 1, by = 0;
    for (std::size_t d = 0; d < ways_.dimensions(); stride *= cube.sizes[d++]) {
      const std::uint64_t sides = ways_.links(start, end, d) + 1;
      by += stride * moved(q, start, end, d, static_cast<std::uint32_t>(place % sides));
      place /= sides;
    }
    return RouterId{by};
  }
  /// The coordinate so many links on towards the end.
  std::uint32_t moved(const RouteQuery& q, RouterId start, RouterId end, std::size_t d, std::uint32_t by) const {
    const std::uint32_t here = ways_.coordinate(start, d), there = ways_.coordinate(end, d),
                        size = ways_.cube().sizes[d];
    if (ways_.cube().row == Cube::Row::kComplete) return by == 0 ? here : there;
    if (!ways_.rings()) return there > here ? here + by : here - by;
    const std::uint32_t ahead = (there + size - here) % size;
    const bool up = 2 * ahead == size ? (tie_bits(q) >> d & 1) != 0 : 2 * ahead < size;
    return (up ? here + by : here + size - by) % size;
  }
};

const bool romm_registered = RoutingRegistry::instance().add(
    kRomm, "by a router that each packet draws among those on its shortest ways", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<Romm>(t, o); });

}  // namespace
}  // namespace braid::routing
