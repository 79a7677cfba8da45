#include "routing/algorithm/up_down_chains.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace braid::routing {
namespace {

/// The two links of a router on a chain: one up, one down.
struct Links {
  const Port* up = nullptr;
  const Port* down = nullptr;
};

/// Of a router with exactly these two, else neither.
Links links_on_chain(const Topology& t, const Ranks& ranks, std::size_t router) {
  Links links;
  for (const Port& port : t.routers[router]) {
    if (port.kind != PortKind::kNetwork) continue;
    const Port*& link = ranks[port.peer_router.value] < ranks[router] ? links.up : links.down;
    if (link != nullptr) return {};
    link = &port;
  }
  return links.up != nullptr && links.down != nullptr ? links : Links{};
}

std::size_t count_ends(const Topology& t, const Ranks& ranks) {
  std::size_t ends = 0;
  for (std::size_t r = 0; r < t.router_count(); ++r) ends += links_on_chain(t, ranks, r).up == nullptr ? 1 : 0;
  return ends;
}

}  // namespace

UpDownChains::UpDownChains(const Topology& topology, const Ranks& ranks)
    : topology_(topology),
      ranks_(ranks),
      places_(topology.router_count()),
      number_(topology.router_count()),
      ends_(count_ends(topology, ranks)),
      rows_(topology, ends_, ends_) {
  if (!worth_it()) return;
  place();
  join_ends();
}

/// Ranks fall along every chain, so that in their order the router above is placed before the one below it.
void UpDownChains::place() {
  std::vector<std::uint32_t> by_rank(places_.size());
  for (std::uint32_t r = 0; r < places_.size(); ++r) by_rank[ranks_[r]] = r;
  for (const std::uint32_t r : by_rank) {
    Place& here = places_[r];
    here.top = here.above = here.below = RouterId{r};
    const Links links = links_on_chain(topology_, ranks_, r);
    if (links.up == nullptr) continue;
    const Place& above = places_[links.up->peer_router.value];
    here.above = above.above;
    here.up_links = above.up_links + 1;
    if (above.up_links != 0) here.top = above.top;
  }
  std::reverse(by_rank.begin(), by_rank.end());
  for (const std::uint32_t r : by_rank) {
    const Links links = links_on_chain(topology_, ranks_, r);
    if (links.up == nullptr) continue;
    const Place& below = places_[links.down->peer_router.value];
    places_[r].below = below.below;
    places_[r].down_links = below.down_links + 1;
  }
}

void UpDownChains::join_ends() {
  for (std::uint32_t r = 0, ends = 0; r < places_.size(); ++r) {
    if (is_end(RouterId{r})) number_[r] = ends++;
  }
  edges_.resize(ends_);
  for (std::uint32_t r = 0; r < places_.size(); ++r) {
    if (!is_end(RouterId{r})) continue;
    for (const Port& port : topology_.routers[r]) {
      if (port.kind != PortKind::kNetwork) continue;
      const Place& next = places_[port.peer_router.value];
      const bool up = is_up(RouterId{r}, port.peer_router);
      edges_[number_[r]].push_back({up ? next.above : next.below, 1 + (up ? next.up_links : next.down_links), up});
    }
  }
}

/// From the ends that have such a way already, shortest first, backwards over edges of one direction. (Every edge is
/// there from its other end, too, where it leads the other way.)
void UpDownChains::spread(std::vector<Ways>& ways, std::uint32_t Ways::* kind, bool up) const {
  using Reached = std::pair<std::uint32_t, std::uint32_t>;  // links, end
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> frontier;
  for (std::uint32_t end = 0; end < ways.size(); ++end) {
    if (ways[end].*kind != kFar) frontier.emplace(ways[end].*kind, end);
  }
  while (!frontier.empty()) {
    const auto [links, end] = frontier.top();
    frontier.pop();
    if (links > ways[end].*kind) continue;
    for (const Edge& back : edges_[end]) {
      const std::uint32_t before = number_[back.to.value], through = links + back.links;
      if (back.up == up || through >= ways[before].*kind) continue;
      ways[before].*kind = through;
      frontier.emplace(through, before);
    }
  }
}

std::vector<UpDownChains::Ways> UpDownChains::ways_to(RouterId end) const {
  std::vector<Ways> ways(ends_);
  ways[number_[end.value]] = {kFar, 0, 0};
  spread(ways, &Ways::down, false);
  spread(ways, &Ways::up, true);
  for (Ways& way : ways) way.free = way.down;  // what goes up first goes up before it goes down
  spread(ways, &Ways::free, true);
  return ways;
}

const UpDownChains::Ways& UpDownChains::ways(RouterId from_end, RouterId to_end) const {
  return rows_.row(to_end.value, [&] { return ways_to(to_end); })[number_[from_end.value]];
}

UpDownChains::Length UpDownChains::from_end(RouterId end, bool went_down, RouterId destination) const {
  const Place& there = places_[destination.value];
  const Ways& above = ways(end, there.above);
  const Length over_above = sum(went_down ? above.down : above.free, there.up_links);
  if (went_down || is_end(destination)) return over_above;
  return std::min(over_above, sum(ways(end, there.below).up, there.down_links));
}

UpDownChains::Length UpDownChains::from(RouterId router, bool went_down, RouterId destination) const {
  if (is_end(router)) return from_end(router, went_down, destination);
  const Place &here = places_[router.value], &there = places_[destination.value];
  const bool together = !is_end(destination) && here.top == there.top;
  Length least = sum(here.down_links, from_end(here.below, true, destination));
  if (together && there.up_links >= here.up_links) least = there.up_links - here.up_links;
  if (went_down) return least;
  if (together && there.up_links < here.up_links) return std::min<Length>(least, here.up_links - there.up_links);
  return std::min(least, sum(here.up_links, from_end(here.above, false, destination)));
}

PortId UpDownChains::port(RouterId router, bool went_down, RouterId destination) const {
  PortId best{std::size_t{UINT8_MAX}};
  if (router == destination) return best;
  Length least = kFar;
  const std::vector<Port>& ports = topology_.routers[router.value];
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].kind != PortKind::kNetwork) continue;
    const bool up = is_up(router, ports[p].peer_router);
    if (up && went_down) continue;
    const Length links = from(ports[p].peer_router, !up, destination);
    if (links >= least) continue;
    least = links;
    best = PortId{p};
  }
  return best;
}

}  // namespace braid::routing
