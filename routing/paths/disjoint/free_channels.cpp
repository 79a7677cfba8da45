#include "routing/paths/disjoint/free_channels.h"

#include <algorithm>
#include <unordered_map>

namespace braid::routing {

std::vector<std::vector<std::uint32_t>> channels_out_of(const Topology& topology, const Channels& channels) {
  std::vector<std::vector<std::uint32_t>> out_of(topology.router_count());
  for (std::uint32_t c = 0; c < channels.count(); ++c) out_of[channels[c].from.value].push_back(c);
  return out_of;
}

std::vector<std::uint32_t> demand_distances(const Topology& topology, const std::vector<Demand>& demands) {
  std::unordered_map<RouterId, std::vector<std::uint32_t>> to;
  std::vector<std::uint32_t> result;
  for (const Demand& d : demands) {
    const auto found = to.find(d.to);
    const auto& links = found != to.end() ? found->second : to.emplace(d.to, topology.distances_to(d.to)).first->second;
    result.push_back(links[d.from.value]);
  }
  return result;
}

FreeChannels::FreeChannels(const Topology& topology, const Channels& channels)
    : channels_(channels),
      taken_(channels.count()),
      seen_(topology.router_count()),
      came_by_(topology.router_count()),
      queue_(topology.router_count()) {
  std::uint32_t c = 0;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    first_.push_back(c);
    while (c < channels.count() && channels[c].from.value == r) ++c;
  }
  first_.push_back(c);
}

bool FreeChannels::reaches(const Demand& demand) {
  if (demand.from == demand.to) return true;
  const std::uint64_t round = round_, search = ++search_;
  seen_[demand.from.value] = search;
  RouterId* end = queue_.data();
  *end++ = demand.from;
  for (const RouterId* here = queue_.data(); here != end; ++here) {
    const std::uint32_t end_of_channels = first_[here->value + 1];
    for (std::uint32_t c = first_[here->value]; c < end_of_channels; ++c) {
      if (taken_[c] == round) continue;
      const RouterId next = channels_[c].to;
      if (seen_[next.value] == search) continue;
      seen_[next.value] = search;
      came_by_[next.value] = c;
      if (next == demand.to) return true;
      *end++ = next;
    }
  }
  return false;
}

std::optional<std::vector<std::uint32_t>> FreeChannels::shortest(const Demand& demand) {
  if (!reaches(demand)) return std::nullopt;
  std::vector<std::uint32_t> path;
  for (RouterId r = demand.to; r != demand.from; r = channels_[path.back()].from) path.push_back(came_by_[r.value]);
  std::reverse(path.begin(), path.end());
  return path;
}

void FreeChannels::take(const std::vector<std::uint32_t>& path) {
  for (const std::uint32_t c : path) taken_[c] = round_;
}

bool FreeChannels::take_shortest(const Demand& demand) {
  if (!reaches(demand)) return false;
  for (RouterId r = demand.to; r != demand.from; r = channels_[came_by_[r.value]].from) {
    taken_[came_by_[r.value]] = round_;
  }
  return true;
}

}  // namespace braid::routing
