// Ways to one router over channels that each have a cost, where not every channel may follow every other.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/paths/channels.h"

namespace braid::routing {

/// Channels in order.
using Way = std::vector<std::uint32_t>;

/// [channel] the channels that may follow it, ascending: the dependencies that paths may make.
using Dependencies = std::vector<std::vector<std::uint32_t>>;

/// All but turning back on the same link.
Dependencies all_dependencies(const Topology& topology, const Channels& channels);

/// What ways may take.
struct WayRules {
  /// `to`: [router][channel] may be on a way to the router; empty: all may. `channels` outlives this.
  WayRules(const Topology& topology, const Channels& channels, const Dependencies& after,
           std::vector<std::vector<bool>> to = {});
  bool may_lead(std::uint32_t channel, RouterId to) const { return leads_to.empty() || leads_to[to.value][channel]; }

  const Channels& channels;
  std::size_t routers;
  Dependencies before;  ///< [channel] those that it may follow, ascending
  std::vector<std::vector<bool>> leads_to;
  /// [channel] Over these alone each router has one way to each other. Empty: no way comes to a router twice.
  std::vector<bool> tree;
};

class CheapestWays {
 public:
  using Cost = std::int64_t;
  static constexpr Cost kNoWay = INT64_MAX;

  /// `cost`: [channel] more than 0; all together less than 2^62. The same on every machine.
  CheapestWays(const WayRules& rules, RouterId to, const std::vector<Cost>& cost);

  RouterId to() const { return to_; }
  Cost cost(RouterId from) const { return costs_[from.value]; }
  /// Empty from the router itself, and from where there is none.
  Way way(RouterId from) const;

 private:
  RouterId to_;
  std::vector<Cost> costs_;           // [router]
  std::vector<std::uint32_t> first_;  // [router] channel
  std::vector<std::uint32_t> next_;   // [channel]
};

/// Does it come to no router twice?
bool is_simple(const Channels& channels, const Way& way);

}  // namespace braid::routing
