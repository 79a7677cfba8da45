// Elevator-First (Dubois, Sheibanyrad, Petrot, Bahmani, "Elevator-First: a deadlock-free distributed routing algorithm
// for vertically partially connected 3D-NoCs", IEEE Trans. Computers 62(3), 2013): a packet for another plane goes in
// x, then y to an elevator, up or down by it, and in the destination's plane in x, then y. Every router works the
// elevator out from where it is: a step towards the elevator brings no other one nearer by more than that step, and of
// those as near the lowest number wins before and after it. So no packet carries it.
//
// VCs within planes: the lower half for packets that go up, the upper half for those that go down, either half for
// those that stay in their plane, which keep to it. Packets of the lower half wait for channels in this order: x, then
// y links of a plane, its links up, x links of the next plane; those of the upper half in the order from the top plane
// down. No packet goes from one half to the other. So no circle can close. Vertical links take any VC, for those up
// carry packets of the lower half only. All VCs are for all where one elevator is: a circle would have to leave a plane
// by another one than that by which it came. And where elevators are everywhere: nobody goes in x or y before the last
// vertical link.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/rows_on_demand.h"
#include "routing/topology/elevators.h"

namespace braid::routing {
namespace {

constexpr const char* kElevatorFirst = "elevator_first";

enum class ElevatorRule : std::uint8_t { kNearest, kOnTheWay };

struct ElevatorOptions {
  ElevatorRule elevator = ElevatorRule::kNearest;
};
const OptionTable<ElevatorOptions> kElevatorTable = OptionTable<ElevatorOptions>("routing").choice<ElevatorRule>(
    "elevator", &ElevatorOptions::elevator,
    {{"nearest", ElevatorRule::kNearest}, {"on_the_way", ElevatorRule::kOnTheWay}},
    "by which a packet goes: the nearest, or the nearest of those that make its whole way shortest; of several the one "
    "of lowest x + y * width");

const Topology* require_stack(const Topology& topology) {
  if (is_stack(topology)) return &topology;
  throw InputError("routing algorithm \"" + std::string(kElevatorFirst) +
                   "\" needs topology.kind = \"cube\" with three dimensions and without topology.wrap; topology is " +
                   topology.name);
}

/// Which elevator a packet takes from each position of the plane.
class ElevatorChoice {
 public:
  ElevatorChoice(const Topology& topology, ElevatorRule choice)
      : elevators_(elevators_of(topology)),
        width_(topology.cube->sizes[0]),
        positions_(topology.cube->stride(2)),
        nearest_(choice == ElevatorRule::kNearest),
        rows_(topology, positions_, nearest_ ? 1 : positions_) {}

  std::size_t count() const { return elevators_.size(); }
  bool everywhere() const { return count() == positions_; }
  void check_room() const { rows_.check_room(); }
  /// For a packet at position `here` whose destination is at position `to` of another plane.
  std::uint32_t from(std::uint32_t here, std::uint32_t to) const {
    return rows_.row(nearest_ ? 0 : to, [&] { return best(to); })[here];
  }

 private:
  /// An elevator as seen from a position. The first of them in this order is taken.
  struct Offer {
    std::uint32_t cost, links, elevator;  // links to it, and where the whole way counts those behind it, too
    bool operator<(const Offer& o) const {
      return std::tie(cost, links, elevator) < std::tie(o.cost, o.links, o.elevator);
    }
  };
  static constexpr std::uint32_t kNone = UINT32_MAX / 2;

  std::uint32_t apart(std::uint32_t a, std::uint32_t b) const {
    const auto by = [](std::uint32_t i, std::uint32_t j) { return std::max(i, j) - std::min(i, j); };
    return by(a % width_, b % width_) + by(a / width_, b / width_);
  }
  /// What is offered to a position is offered to its neighbours for a link more: along all rows, then along all
  /// columns, each both ways.
  std::vector<std::uint32_t> best(std::uint32_t to) const {
    std::vector<Offer> offers(positions_, Offer{kNone, kNone, 0});
    for (const std::uint32_t e : elevators_) offers[e] = {nearest_ ? 0 : apart(e, to), 0, e};
    const auto tell = [&](std::size_t from, std::size_t next) {
      const Offer& o = offers[from];
      offers[next] = std::min(offers[next], Offer{o.cost + 1, o.links + 1, o.elevator});
    };
    for (const bool along_rows : {true, false}) {
      const std::size_t step = along_rows ? 1 : width_;
      const auto follows = [&](std::size_t i) { return along_rows ? i % width_ != 0 : i >= width_; };
      for (std::size_t i = 0; i < positions_; ++i) {
        if (follows(i)) tell(i - step, i);
      }
      for (std::size_t i = positions_; i-- > 0;) {
        if (follows(i)) tell(i, i - step);
      }
    }
    std::vector<std::uint32_t> all;
    for (const Offer& o : offers) all.push_back(o.elevator);
    return all;
  }

  std::vector<std::uint32_t> elevators_;
  std::uint32_t width_;
  std::size_t positions_;
  bool nearest_;
  RowsOnDemand<std::uint32_t> rows_;  // [position of the destination] of all positions; one where it does not matter
};

class ElevatorFirst final : public RoutingAlgorithm {
 public:
  ElevatorFirst(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(*require_stack(topology)),
        elevators_(topology, kElevatorTable.read(context.configuration).elevator),
        width_(topology.cube->sizes[0]),
        positions_(static_cast<std::uint32_t>(topology.cube->stride(2))),
        going_up_(all_vcs_),
        going_down_(all_vcs_) {
    if (elevators_.everywhere() || elevators_.count() == 1) return;
    require_vcs(kElevatorFirst, "mesh with several elevators, but not everywhere,", context.vcs, 2);
    going_up_ = lower_half(all_vcs_);
    going_down_ = all_vcs_ & ~going_up_;
  }

  /// The paper's order of channels, above.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }
  void check_room() const override { elevators_.check_room(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    if (end.router == q.router) return out.add(end.port, all_vcs_);
    const std::uint32_t here = q.router.value % positions_, there = end.router.value % positions_;
    const std::uint32_t plane = q.router.value / positions_, to_plane = end.router.value / positions_;
    if (plane == to_plane) return out.add(towards(here, there), half_of(q));
    const std::uint32_t by = elevators_.from(here, there);
    const bool up = to_plane > plane;
    if (by == here) return out.add(up ? kUpwards : kDownwards, all_vcs_);
    out.add(towards(here, by), up ? going_up_ : going_down_);
  }

 private:
  /// In x, then in y: the first two ports lead along x, up and down, the next two along y.
  PortId towards(std::uint32_t here, std::uint32_t there) const {
    const std::uint32_t x = here % width_, to_x = there % width_;
    if (x != to_x) return PortId{std::size_t{to_x > x ? 0U : 1U}};
    return PortId{std::size_t{there > here ? 2U : 3U}};
  }
  /// In the destination's plane: who has just come up has the half of those that go up, and so on.
  VcMask half_of(const RouteQuery& q) const {
    if (q.in_port.value > kDownwards.value) return all_vcs_;  // from a node: it stays in its plane
    if (q.in_port == kDownwards) return going_up_;
    if (q.in_port == kUpwards) return going_down_;
    return (going_up_ >> q.in_vc.value & 1) != 0 ? going_up_ : going_down_;
  }

  const Topology& topology_;
  ElevatorChoice elevators_;
  std::uint32_t width_, positions_;  // of a plane
  VcMask going_up_, going_down_;     // within planes
};

const bool elevator_first_registered = RoutingRegistry::instance().add(
    kElevatorFirst,
    "in x and y to an elevator, by it to the destination's plane, in x and y (mesh of three dimensions)",
    kElevatorTable.list(),
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<ElevatorFirst>(t, o); });

}  // namespace
}  // namespace braid::routing
