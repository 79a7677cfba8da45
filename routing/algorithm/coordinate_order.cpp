#include "routing/algorithm/coordinate_order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <vector>

#include "routing/algorithm/port_table.h"

namespace braid::routing {
namespace {

/// Where a router stands among the different coordinates of a graph, ascending.
struct Place {
  std::uint32_t x = 0, y = 0;
  friend bool operator==(const Place& a, const Place& b) { return a.x == b.x && a.y == b.y; }
};
enum Direction : std::uint8_t { kEastward, kWestward, kNorthward, kSouthward, kDirections };

std::vector<double> different(const std::vector<Position>& positions, double Position::* axis) {
  std::vector<double> all;
  for (const Position& p : positions) all.push_back(p.*axis);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

class CoordinateOrder final : public RoutingAlgorithm, public PortTable {
 public:
  CoordinateOrder(const Topology& topology, const RoutingContext& context, bool x_first)
      : RoutingAlgorithm(context.vcs), topology_(topology), x_first_(x_first) {
    find_places();
    find_ports();
    for (const auto& at : topology.nodes) most_ = std::max(most_, at.size());
  }
  bool is_table_of_ports() const override { return most_ == 1; }
  std::size_t max_candidates() const override { return most_; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Place here = places_[q.router.value], there = places_[topology_.router_of(q.destination).value];
    if (here == there) {
      for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
      return;
    }
    const bool in_x = x_first_ ? here.x != there.x : here.y == there.y;
    const Direction x = here.x < there.x ? kEastward : kWestward, y = here.y < there.y ? kNorthward : kSouthward;
    out.add(ports_[q.router.value][in_x ? x : y], all_vcs_);
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... why) const {
    std::ostringstream text;
    text << "routing algorithm \"" << (x_first_ ? "x_first" : "y_first") << '"';
    (text << ... << why);
    throw InputError(text.str());
  }

  void find_places() {
    const std::vector<double> xs = different(topology_.positions, &Position::x),
                              ys = different(topology_.positions, &Position::y);
    width_ = xs.size();
    // Of more places than routers one of the first is empty, so nobody needs room for all of them.
    at_.assign(std::min(xs.size() * ys.size(), topology_.router_count() + 1), kNone);
    for (std::size_t r = 0; r < topology_.router_count(); ++r) {
      const Position& p = topology_.positions[r];
      const auto x = static_cast<std::uint32_t>(std::lower_bound(xs.begin(), xs.end(), p.x) - xs.begin());
      const auto y = static_cast<std::uint32_t>(std::lower_bound(ys.begin(), ys.end(), p.y) - ys.begin());
      places_.push_back({x, y});
      if (y * width_ + x >= at_.size()) continue;
      std::size_t& first = at_[y * width_ + x];
      if (first != kNone) {
        refuse(": routers ", one_line(topology_.router_names[first]), " and ", one_line(topology_.router_names[r]),
               " of the graph are at one place, x = ", p.x, " and y = ", p.y);
      }
      first = r;
    }
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if (at_[i] != kNone) continue;
      refuse(" on a graph needs routers on a full grid: the ", topology_.router_count(), " of this one have ",
             xs.size(), " different x and ", ys.size(), " different y, and none is at x = ", xs[i % width_],
             ", y = ", ys[i / width_]);
    }
  }

  void find_ports() {
    constexpr PortId kNoPort{kMaxPorts};
    ports_.assign(topology_.router_count(), {kNoPort, kNoPort, kNoPort, kNoPort});
    for (std::size_t r = 0; r < topology_.router_count(); ++r) {
      for (std::size_t p = topology_.port_count(RouterId{r}); p-- > 0;) {  // of parallel links the first stays
        const Port& port = topology_.port(RouterId{r}, PortId{p});
        if (port.kind != PortKind::kNetwork) continue;
        const Place a = places_[r], b = places_[port.peer_router.value];
        if (b == Place{a.x + 1, a.y}) ports_[r][kEastward] = PortId{p};
        if (a == Place{b.x + 1, b.y}) ports_[r][kWestward] = PortId{p};
        if (b == Place{a.x, a.y + 1}) ports_[r][kNorthward] = PortId{p};
        if (a == Place{b.x, b.y + 1}) ports_[r][kSouthward] = PortId{p};
      }
    }
    const auto need = [&](std::size_t r, std::size_t to, Direction direction) {
      if (ports_[r][direction] != kNoPort) return;
      refuse(" on a graph: routers ", one_line(topology_.router_names[r]), " and ",
             one_line(topology_.router_names[to]), " are neighbours on its grid, but no link joins them");
    };
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if ((i + 1) % width_ != 0) need(at_[i], at_[i + 1], kEastward);
      if (i + width_ < at_.size()) need(at_[i], at_[i + width_], kNorthward);
    }
  }

  const Topology& topology_;
  bool x_first_;
  std::size_t width_ = 0, most_ = 1;
  static constexpr std::size_t kNone = SIZE_MAX;
  std::vector<Place> places_;                           // [router]
  std::vector<std::size_t> at_;                         // [y * width + x] router
  std::vector<std::array<PortId, kDirections>> ports_;  // [router][direction]
};

}  // namespace

bool has_coordinates_alone(const Topology& t) {
  return !t.positions.empty() && !t.grid && !t.tree && !t.cube && !t.dragonfly && !t.chain;
}

std::unique_ptr<RoutingAlgorithm> make_coordinate_order(const Topology& topology, const RoutingContext& context,
                                                        bool x_first) {
  return std::make_unique<CoordinateOrder>(topology, context, x_first);
}

}  // namespace braid::routing
