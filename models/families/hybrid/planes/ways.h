// Ways on that need nobody's decision: where the router and the destination alone say by which port a packet leaves.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/families/hybrid/planes/vectors.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/algorithm/port_table.h"

namespace braid::models::hybrid::planes {

/// A byte for each pair of router and node, as long as that is few bytes; of larger networks coordinates, if the ways
/// follow from them.
class Ways {
 public:
  static constexpr std::size_t kMostPairs = 1 << 16;  ///< to stay near the processor
  /// Asks the algorithm, once.
  void learn(const routing::RoutingAlgorithm& routing, const RouterBank& bank, std::size_t nodes) {
    const auto* const table = dynamic_cast<const routing::PortTable*>(&routing);
    if (table == nullptr || !table->is_table_of_ports()) return;
    if (nodes * bank.router_count() <= kMostPairs) return learn_pairs(routing, bank.router_count(), nodes);
    if (auto by_place = table->by_place()) learn_places(*by_place, bank);
  }
  bool known() const { return nodes_ != 0; }

 private:
  struct Target {  // of a node
    routing::GridPlace place;
    std::uint8_t port = 0;  // of its router
  };
  /// A bit each: where so many links lead on, and back. (By signs alone: which it is nobody could guess.)
  static unsigned side(int links) {
    return (static_cast<unsigned>(links) >> 31 << 1) | (static_cast<unsigned>(-links) >> 31);
  }

 public:
  /// Pointers to them: who walks a list copies it into a local variable, as with BankView.
  class View {
   public:
    /// `kPairs`: for sure a byte for each pair.
    template <bool kPairs>
    BRAID_PLANES_INLINE unsigned of(std::uint32_t router, NodeId destination) const {
      if (kPairs || pairs_ != nullptr) return pairs_[router * nodes_ + destination.value];
      const routing::GridPlace here = routers_[router];
      const Target& there = targets_[destination.value];
      const unsigned x = side(there.place.x - here.x), y = side(there.place.y - here.y);
      const unsigned sides = 4 * x + y;
      return by_sides_[sides] | (there.port & (0U - static_cast<unsigned>(sides == 0)));
    }

   private:
    friend class Ways;
    std::size_t nodes_ = 0;
    const std::uint8_t* pairs_ = nullptr;
    const routing::GridPlace* routers_ = nullptr;
    const Target* targets_ = nullptr;
    const std::uint8_t* by_sides_ = nullptr;
  };
  View view() const {
    View view;
    view.nodes_ = nodes_;
    view.pairs_ = pairs_.empty() ? nullptr : pairs_.data();
    view.routers_ = routers_.data();
    view.targets_ = targets_.data();
    view.by_sides_ = by_sides_.data();
    return view;
  }

 private:
  void learn_pairs(const routing::RoutingAlgorithm& routing, std::size_t routers, std::size_t nodes) {
    nodes_ = nodes;
    pairs_.resize(routers * nodes);
    routing::Candidate way;
    for (std::size_t r = 0; r < routers; ++r) {
      for (std::size_t n = 0; n < nodes; ++n) {
        routing::CandidateList list(&way);
        routing.route({RouterId{r}, PortId{0}, VcId{0}, NodeId{0}, NodeId{n}}, list);
        pairs_[r * nodes + n] = static_cast<std::uint8_t>(way.port.value);
      }
    }
  }
  void learn_places(const routing::WaysByPlace& ways, const RouterBank& bank) {
    nodes_ = ways.nodes.size();
    routers_ = ways.routers;
    for (std::size_t n = 0; n < nodes_; ++n) {
      const PortIndex port = bank.wiring().local_ports[n].router_port;
      targets_.push_back({ways.nodes[n], static_cast<std::uint8_t>(bank.port_of(port))});
    }
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        if (x == 0 && y == 0) continue;
        by_sides_[4 * side(x) + side(y)] = static_cast<std::uint8_t>(ways.ports[3 * (x + 1) + (y + 1)].value);
      }
    }
  }

  std::size_t nodes_ = 0;
  std::vector<std::uint8_t> pairs_;  // [router * nodes + destination]; empty: by places
  std::vector<routing::GridPlace> routers_;
  std::vector<Target> targets_;              // [node]
  std::array<std::uint8_t, 16> by_sides_{};  // by side() of both; 0 where both are none
};

}  // namespace braid::models::hybrid::planes
