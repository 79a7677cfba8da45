#include "routing/paths/disjoint/free_channels.h"

#include <algorithm>
#include <unordered_map>

namespace braid::routing {
namespace {

constexpr std::uint32_t kNotReached = ~std::uint32_t{0};

}  // namespace

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
    : channels_(channels), out_of_(channels_out_of(topology, channels)), taken_(channels.count()) {}

std::optional<std::vector<std::uint32_t>> FreeChannels::shortest(const Demand& demand) {
  std::vector<std::uint32_t> path;
  if (demand.from == demand.to) return path;
  came_by_.assign(out_of_.size(), kNotReached);
  frontier_.assign(1, demand.from);
  for (std::size_t i = 0; i < frontier_.size() && came_by_[demand.to.value] == kNotReached; ++i) {
    for (const std::uint32_t c : out_of_[frontier_[i].value]) {
      const RouterId next = channels_[c].to;
      if (taken_[c] || came_by_[next.value] != kNotReached || next == demand.from) continue;
      came_by_[next.value] = c;
      frontier_.push_back(next);
    }
  }
  if (came_by_[demand.to.value] == kNotReached) return std::nullopt;
  for (RouterId r = demand.to; r != demand.from; r = channels_[path.back()].from) path.push_back(came_by_[r.value]);
  std::reverse(path.begin(), path.end());
  return path;
}

void FreeChannels::take(const std::vector<std::uint32_t>& path) {
  for (const std::uint32_t c : path) taken_[c] = true;
}

void FreeChannels::free_all() { std::fill(taken_.begin(), taken_.end(), false); }

}  // namespace braid::routing
