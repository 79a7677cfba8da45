// Dimension order on networks of several dimensions: all links of the lowest dimension, then of the next.
//
// On a ring each packet goes the shorter way, and draws it where both are as long. Who crosses the link that closes the
// ring takes the upper half of the VCs all along it, everybody else the lower: the lower half never crosses that link,
// and the upper half, on shortest ways, never the one half-way round. So neither closes a cycle. In a flattened
// butterfly a row is one link.
#include <vector>

#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/torus_ways.h"

namespace braid::routing {
namespace {

constexpr const char* kDimensionOrder = "dimension_order";

const Cube& require_cube(const Topology& topology) {
  if (topology.cube) return *topology.cube;
  throw InputError("routing algorithm \"" + std::string(kDimensionOrder) +
                   "\" needs topology.kind = \"cube\" or \"flattened_butterfly\"; topology is " + topology.name);
}

class CubeOrder final : public RoutingAlgorithm {
 public:
  CubeOrder(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        cube_(require_cube(topology)),
        dimensions_(cube_.sizes.size()),
        lower_(lower_half(all_vcs_)) {
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      for (std::size_t d = 0; d < dimensions_; ++d) places_.push_back(cube_.coordinate(RouterId{r}, d));
    }
    for (std::size_t d = 0; d < dimensions_; ++d) first_port_.push_back(cube_.first_port(d));
    if (cube_.row != Cube::Row::kRing) return;
    require_vcs(kDimensionOrder, "torus", context.vcs, 2);
    drawn_ = ties_are_drawn(Ties::kAuto, context.configuration);
  }

  std::uint32_t draws() const override { return drawn_ ? 1U << dimensions_ : 1; }
  /// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE Trans. Computers
  /// C-36(5), 1987.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    const std::uint32_t* here = &places_[q.router.value * dimensions_];
    const std::uint32_t* there = &places_[end.router.value * dimensions_];
    std::size_t d = 0;
    while (d < dimensions_ && here[d] == there[d]) ++d;
    if (d == dimensions_) return out.add(end.port, all_vcs_);
    if (cube_.row == Cube::Row::kComplete) {
      out.add(PortId{first_port_[d] + there[d] - (there[d] > here[d] ? 1 : 0)}, all_vcs_);
    } else if (cube_.row == Cube::Row::kLine) {
      out.add(PortId{first_port_[d] + (there[d] > here[d] ? 0 : 1)}, all_vcs_);
    } else {
      const bool up = goes_up(q, d, here, there);
      const PortId port{first_port_[d] + (up ? 0 : 1)};
      out.add(port, half(q, d, up == (there[d] < here[d])));
    }
  }

 private:
  /// The shorter way round. Of two as long each packet draws one; by the fixed rule the router's other coordinates and
  /// its own decide, so that not all go one way.
  bool goes_up(const RouteQuery& q, std::size_t d, const std::uint32_t* here, const std::uint32_t* there) const {
    const std::uint32_t size = cube_.sizes[d], up = (there[d] + size - here[d]) % size;
    if (2 * up != size) return 2 * up < size;
    if (drawn_) return (q.draw >> d & 1) != 0;
    std::uint32_t sum = there[d];
    for (std::size_t other = 0; other < dimensions_; ++other) sum += here[other];
    return sum % 2 == 0;
  }
  /// Of the VCs; within a ring a packet keeps its half.
  VcMask half(const RouteQuery& q, std::size_t d, bool crosses) const {
    const std::size_t from = q.in_port.value;
    if (from >= first_port_[d] && from < first_port_[d] + 2) {
      return (lower_ >> q.in_vc.value & 1) != 0 ? lower_ : all_vcs_ & ~lower_;
    }
    return crosses ? all_vcs_ & ~lower_ : lower_;
  }

  const Topology& topology_;
  const Cube& cube_;
  std::size_t dimensions_;
  VcMask lower_;
  bool drawn_ = false;
  std::vector<std::uint32_t> places_;    // [router][dimension]
  std::vector<std::size_t> first_port_;  // [dimension]
};

const bool cube_order_registered = RoutingRegistry::instance().add(
    kDimensionOrder, "all links of one dimension, then of the next, in any number of dimensions", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<CubeOrder>(t, o); });

}  // namespace
}  // namespace braid::routing
