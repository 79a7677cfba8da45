// up*/down* (Autonet) on any topology: links point up to the root of a breadth-first tree, and a packet never goes up
// again after it went down, so no cycle can close; of the legal ways the shortest, of those the lowest port.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "routing/algorithm/rows_on_demand.h"
#include "routing/algorithm/up_down_chains.h"
#include "routing/paths/up_down_ranks.h"
#include "routing/topology/topology.h"

namespace braid::routing {

class UpDownTable {
 public:
  explicit UpDownTable(const Topology& topology)
      : topology_(topology),
        ranks_(up_down_ranks(topology, RouterId{0})),
        chains_(topology, ranks_),
        next_(topology, 2 * topology.router_count()) {}
  UpDownTable(const UpDownTable&) = delete;
  UpDownTable& operator=(const UpDownTable&) = delete;

  /// The next step of a packet that has (not) gone down before.
  PortId port(RouterId router, bool went_down, RouterId destination) const {
    return chains_.worth_it() ? chains_.port(router, went_down, destination) : by_row(router, went_down, destination);
  }
  /// The same, from a row of all routers.
  PortId by_row(RouterId router, bool went_down, RouterId destination) const {
    const std::uint8_t* next = next_.row(destination.value, [&] { return steps_to(destination); });
    return PortId{next[entry(router, went_down ? 1 : 0)]};
  }
  bool is_up(RouterId from, RouterId to) const { return ranks_[to.value] < ranks_[from.value]; }
  void check_room() const {
    if (chains_.worth_it()) {
      chains_.check_room();
    } else {
      next_.check_room();
    }
  }

 private:
  static constexpr std::uint8_t kNoPort = UINT8_MAX;
  static_assert(kMaxPorts <= kNoPort);

  static std::size_t entry(RouterId router, std::size_t phase) { return 2 * std::size_t{router.value} + phase; }

  /// Breadth first backwards from the destination over (router, phase): the row of next_.
  std::vector<std::uint8_t> steps_to(RouterId destination) const {
    std::vector<std::uint8_t> next(2 * topology_.router_count(), kNoPort);
    std::vector<std::uint32_t> distance(2 * topology_.router_count(), UINT32_MAX);
    distance[entry(destination, 0)] = distance[entry(destination, 1)] = 0;
    std::deque<std::pair<RouterId, std::size_t>> frontier{{destination, 0}, {destination, 1}};
    while (!frontier.empty()) {
      const auto [here, phase] = frontier.front();
      frontier.pop_front();
      for (const Port& back : topology_.routers[here.value]) {
        if (back.kind != PortKind::kNetwork) continue;
        const RouterId before = back.peer_router;
        const bool up = is_up(before, here);
        if (up ? phase != 0 : phase != 1) continue;  // a step up leaves phase 0, a step down leads to phase 1
        for (std::size_t before_phase = 0; before_phase <= (up ? 0 : 1); ++before_phase) {
          std::uint32_t& d = distance[entry(before, before_phase)];
          const std::uint32_t through = distance[entry(here, phase)] + 1;
          std::uint8_t& port = next[entry(before, before_phase)];
          if (d == UINT32_MAX) {
            d = through;
            frontier.push_back({before, before_phase});
          }
          if (d == through && (port == kNoPort || back.peer_port.value < port)) {
            port = static_cast<std::uint8_t>(back.peer_port.value);
          }
        }
      }
    }
    return next;
  }

  const Topology& topology_;
  Ranks ranks_;
  UpDownChains chains_;
  RowsOnDemand<std::uint8_t> next_;  // [destination router][router and phase]; phase 1 after a packet has gone down
};

}  // namespace braid::routing
