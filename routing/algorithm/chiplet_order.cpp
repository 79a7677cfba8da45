// Dimension order in a chain of chiplets that need not be joined in every row: within a chiplet x, then y; to another
// chiplet first y to a joined row, then x in this row to the destination's column, then y. The row is one that makes
// the way shortest: the nearest on the way, or where none lies on it the one that costs the smaller detour. Every
// router works it out from where it is, and a step towards the row only makes it better, so no packet carries it.
//
// VCs: the lower half on y links before x, the upper half on those after it, any in x. So channels are waited for in
// this order: lower half in y, x, upper half in y; and in each of the three a packet keeps its direction. No circle can
// close, as in dimension order (Dally and Seitz, IEEE Trans. Computers C-36(5), 1987). All VCs are for all where every
// row is joined, as no packet goes in y before x, and where one row is: a circle would have to turn from y into x in
// two rows, its northernmost and its southernmost.
#include <algorithm>

#include "routing/algorithm/grid_routing.h"

namespace braid::routing {
namespace {

constexpr const char* kChipletOrder = "chiplet_order";

const ChipletChain& require_chain(const Topology& topology) {
  if (topology.chain) return *topology.chain;
  throw InputError("routing algorithm \"" + std::string(kChipletOrder) +
                   "\" needs topology.kind = \"chiplet_chain\"; topology is " + topology.name);
}

/// Where the nearest joined rows are.
class JoinedRows {
 public:
  explicit JoinedRows(const ChipletChain& chain) : below_(chain.height, kNone), above_(chain.height, kNone) {
    const int rows = static_cast<int>(chain.height);
    for (int y = 0, last = kNone; y < rows; ++y) below_[at(y)] = last = chain.joined[at(y)] ? y : last;
    for (int y = rows - 1, last = kNone; y >= 0; --y) above_[at(y)] = last = chain.joined[at(y)] ? y : last;
  }
  /// The row in which to go from a chiplet to another, from a router in row `y` to one in row `to`. Where a row below
  /// and one above are as good, `even` says which, so that both carry their share.
  int between(int y, int to, bool even) const {
    const int below = below_[at(y)], above = above_[at(y)];
    if (below == kNone || above == kNone) return std::max(below, above);
    const int by_below = y - below + std::abs(below - to), by_above = above - y + std::abs(above - to);
    if (by_below == by_above) return even ? below : above;
    return by_below < by_above ? below : above;
  }

 private:
  static constexpr int kNone = -1;
  static std::size_t at(int y) { return static_cast<std::size_t>(y); }
  std::vector<int> below_, above_;  // [row], this row among them
};

class ChipletOrder final : public RoutingAlgorithm {
 public:
  ChipletOrder(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        chain_(require_chain(topology)),
        rows_(chain_),
        before_x_(all_vcs_),
        after_x_(all_vcs_) {
    const auto rows = std::count(chain_.joined.begin(), chain_.joined.end(), true);
    if (topology.grid || rows == 1) return;
    require_vcs(kChipletOrder, "chain of chiplets joined in several rows, but not in all,", context.vcs, 2);
    before_x_ = lower_half(all_vcs_);
    after_x_ = all_vcs_ & ~before_x_;
  }

  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const RouterId end = topology_.router_of(q.destination);
    if (q.router == end) {
      for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
      return;
    }
    const int x = static_cast<int>(chain_.x(q.router)), to_x = static_cast<int>(chain_.x(end));
    const int y = static_cast<int>(chain_.y(q.router)), to_y = static_cast<int>(chain_.y(end));
    if (chain_.chiplet(q.router) != chain_.chiplet(end)) {
      const int row = rows_.between(y, to_y, to_x % 2 == 0);
      if (row != y) return out.add(row > y ? kNorth : kSouth, before_x_);
    }
    if (x != to_x) return out.add(to_x > x ? kEast : kWest, all_vcs_);
    out.add(to_y > y ? kNorth : kSouth, after_x_);
  }

 private:
  const Topology& topology_;
  const ChipletChain& chain_;
  JoinedRows rows_;
  VcMask before_x_, after_x_;  // in y
};

const bool chiplet_order_registered = RoutingRegistry::instance().add(
    kChipletOrder, "in a chain of chiplets: in y to a joined row, in x, in y; within a chiplet in x, then in y", {},
    [](const Topology& t, const RoutingContext& o) { return std::make_unique<ChipletOrder>(t, o); });

}  // namespace
}  // namespace braid::routing
