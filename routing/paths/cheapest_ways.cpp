#include "routing/paths/cheapest_ways.h"

#include <functional>
#include <queue>
#include <utility>

namespace braid::routing {
namespace {

constexpr std::uint32_t kNoNextChannel = UINT32_MAX;

}  // namespace

Dependencies all_dependencies(const Topology& topology, const Channels& channels) {
  Dependencies after(channels.count());
  for (std::uint32_t c = 0; c < channels.count(); ++c) {
    const RouterId here = channels[c].to;
    const PortId back = topology.port(channels[c].from, channels[c].port).peer_port;
    for (std::size_t p = 0; p < topology.port_count(here); ++p) {
      if (topology.port(here, PortId{p}).kind == PortKind::kNetwork && PortId{p} != back) {
        after[c].push_back(channels.at(here, PortId{p}));
      }
    }
  }
  return after;
}

WayRules::WayRules(const Topology& topology, const Channels& all, const Dependencies& after,
                   std::vector<std::vector<bool>> to)
    : channels(all), routers(topology.router_count()), before(all.count()), leads_to(std::move(to)) {
  for (std::uint32_t c = 0; c < all.count(); ++c) {
    for (const std::uint32_t next : after[c]) before[next].push_back(c);
  }
}

/// Dijkstra's algorithm from the router backwards, on channels.
CheapestWays::CheapestWays(const WayRules& rules, RouterId to, const std::vector<Cost>& cost)
    : to_(to),
      costs_(rules.routers, kNoWay),
      first_(rules.routers, kNoNextChannel),
      next_(rules.channels.count(), kNoNextChannel) {
  using Entry = std::pair<Cost, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;  // of the same cost the lowest channel first
  std::vector<Cost> least(rules.channels.count(), kNoWay);
  const auto reach = [&](std::uint32_t channel, Cost behind, std::uint32_t next) {
    if (!rules.may_lead(channel, to) || behind + cost[channel] >= least[channel]) return;
    least[channel] = behind + cost[channel];
    next_[channel] = next;
    open.emplace(least[channel], channel);
  };
  for (std::uint32_t c = 0; c < rules.channels.count(); ++c) {
    if (rules.channels[c].to == to) reach(c, 0, kNoNextChannel);
  }
  costs_[to.value] = 0;
  while (!open.empty()) {
    const auto [all, channel] = open.top();
    open.pop();
    if (all != least[channel]) continue;
    const RouterId from = rules.channels[channel].from;
    if (costs_[from.value] == kNoWay) {
      costs_[from.value] = all;
      first_[from.value] = channel;
    }
    for (const std::uint32_t c : rules.before[channel]) reach(c, all, channel);
  }
}

Way CheapestWays::way(RouterId from) const {
  Way way;
  for (std::uint32_t c = first_[from.value]; c != kNoNextChannel; c = next_[c]) way.push_back(c);
  return way;
}

bool is_simple(const Channels& channels, const Way& way) {
  for (std::size_t i = 0; i < way.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      if (channels[way[i]].to == channels[way[k]].from) return false;
    }
  }
  return true;
}

}  // namespace braid::routing
