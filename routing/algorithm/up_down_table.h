// up*/down* (Autonet) on any topology: links point up to the root of a breadth-first tree, and a packet never goes up
// again after it went down, so no cycle can close; of the legal ways the shortest, of those the lowest port.
#pragma once

#include <array>
#include <deque>
#include <tuple>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {

/// next[router][phase][destination router]: phase 1 after a packet has gone down.
class UpDownTable {
 public:
  explicit UpDownTable(const Topology& topology) : topology_(topology), level_(topology.distances_to(RouterId{0})) {
    next_.assign(topology.router_count(), {std::vector<std::uint16_t>(topology.router_count(), kNoPort),
                                           std::vector<std::uint16_t>(topology.router_count(), kNoPort)});
    for (std::size_t d = 0; d < topology.router_count(); ++d) fill(RouterId{d});
  }

  /// The next step of a packet that has (not) gone down before.
  PortId port(RouterId router, bool went_down, RouterId destination) const {
    return PortId{next_[router.value][went_down ? 1 : 0][destination.value]};
  }
  bool is_up(RouterId from, RouterId to) const {
    return std::tie(level_[to.value], to.value) < std::tie(level_[from.value], from.value);
  }

 private:
  static constexpr std::uint16_t kNoPort = UINT16_MAX;

  /// Breadth first backwards from the destination over (router, phase).
  void fill(RouterId destination) {
    std::vector<std::array<std::uint32_t, 2>> distance(topology_.router_count(), {UINT32_MAX, UINT32_MAX});
    distance[destination.value] = {0, 0};
    std::deque<std::pair<RouterId, int>> frontier{{destination, 0}, {destination, 1}};
    while (!frontier.empty()) {
      const auto [here, phase] = frontier.front();
      frontier.pop_front();
      for (const Port& back : topology_.routers[here.value]) {
        if (back.kind != PortKind::kNetwork) continue;
        const RouterId before = back.peer_router;
        const bool up = is_up(before, here);
        if (up ? phase != 0 : phase != 1) continue;  // a step up leaves phase 0, a step down leads to phase 1
        for (int before_phase = 0; before_phase <= (up ? 0 : 1); ++before_phase) {
          std::uint32_t& d = distance[before.value][static_cast<std::size_t>(before_phase)];
          const std::uint32_t through = distance[here.value][static_cast<std::size_t>(phase)] + 1;
          std::uint16_t& port = next_[before.value][static_cast<std::size_t>(before_phase)][destination.value];
          if (d == UINT32_MAX) {
            d = through;
            frontier.push_back({before, before_phase});
          }
          if (d == through && (port == kNoPort || back.peer_port.value < port)) port = back.peer_port.value;
        }
      }
    }
  }

  const Topology& topology_;
  std::vector<std::uint32_t> level_;
  std::vector<std::array<std::vector<std::uint16_t>, 2>> next_;
};

}  // namespace braid::routing
