// up*/down* on a network with long chains of routers that have two links: a ring, a line, a few switches far apart. A
// table of every router by every destination grows with the square of their length; here only the ends of chains have
// rows, and what lies on a chain is added up from its two ends, so that memory and time grow with the number of
// routers.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/algorithm/rows_on_demand.h"
#include "routing/paths/legal_paths.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// Gives the steps of UpDownTable's rows, those of UINT8_MAX included, where there is no way.
class UpDownChains {
 public:
  /// `ranks` outlive it, as the topology does.
  UpDownChains(const Topology& topology, const Ranks& ranks);

  /// Are there so few ends that this is the better table? A look at them costs more than one at a row.
  bool worth_it() const { return 4 * ends_ <= topology_.router_count(); }
  PortId port(RouterId router, bool went_down, RouterId destination) const;
  void check_room() const { rows_.check_room(); }

 private:
  using Length = std::uint64_t;
  static constexpr std::uint32_t kFar = UINT32_MAX;
  /// Where a router stands: between two ends, or at one, and then `above` and `below` are itself.
  struct Place {
    RouterId top;  // the router of the chain next to the upper end: the chain's name
    RouterId above, below;
    std::uint32_t up_links = 0, down_links = 0;
  };
  /// A row's entry, of an end: the shortest ways to the row's end.
  struct Ways {
    std::uint32_t free = kFar;  // up, then down
    std::uint32_t down = kFar;  // down only
    std::uint32_t up = kFar;    // up only: the packet may go on up
  };
  struct Edge {
    RouterId to;
    std::uint32_t links;
    bool up;
  };

  bool is_up(RouterId from, RouterId to) const { return ranks_[to.value] < ranks_[from.value]; }
  bool is_end(RouterId r) const { return places_[r.value].up_links + places_[r.value].down_links == 0; }
  static Length sum(Length a, Length b) { return a >= kFar || b >= kFar ? Length{kFar} : a + b; }
  void place();
  void join_ends();
  std::vector<Ways> ways_to(RouterId end) const;
  void spread(std::vector<Ways>& ways, std::uint32_t Ways::* kind, bool up) const;
  const Ways& ways(RouterId from_end, RouterId to_end) const;
  Length from_end(RouterId end, bool went_down, RouterId destination) const;
  Length from(RouterId router, bool went_down, RouterId destination) const;

  const Topology& topology_;
  const Ranks& ranks_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> number_;     // of an end; of other routers nothing
  std::vector<std::vector<Edge>> edges_;  // [end]
  std::size_t ends_ = 0;
  RowsOnDemand<Ways> rows_;  // [router that is an end][end]
};

}  // namespace braid::routing
