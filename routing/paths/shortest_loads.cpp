#include "routing/paths/shortest_loads.h"

#include <algorithm>

namespace braid::routing {
namespace {

constexpr std::uint32_t kNoLinks = UINT32_MAX;

/// The ways to one router.
class SplitWays {
 public:
  SplitWays(const Channels& channels, const DependencyGraph& dependencies, RouterId to)
      : dependencies_(dependencies), links_(channels.count(), kNoLinks), parts_(channels.count()) {
    for (std::uint32_t c = 0; c < channels.count(); ++c) {
      if (channels[c].to == to) reach(c, 1);
    }
    for (std::size_t i = 0; i < nearest_first_.size(); ++i) {
      const std::uint32_t behind = nearest_first_[i];
      for (const std::uint32_t c : dependencies.before()[behind]) reach(c, links_[behind] + 1);
    }
  }

  /// A path begins at a router whose channels are these.
  void begin(const std::vector<std::uint32_t>& channels) {
    std::uint32_t least = kNoLinks;
    for (const std::uint32_t c : channels) least = std::min(least, links_[c]);
    split(kSplitParts, channels, least);
  }

  void add_to(std::vector<std::uint64_t>& loads) {
    for (auto c = nearest_first_.rbegin(); c != nearest_first_.rend(); ++c) {
      loads[*c] += parts_[*c];
      if (parts_[*c] != 0 && links_[*c] > 1) split(parts_[*c], dependencies_.after()[*c], links_[*c] - 1);
    }
  }

 private:
  void reach(std::uint32_t channel, std::uint32_t links) {
    if (links_[channel] != kNoLinks) return;
    links_[channel] = links;
    nearest_first_.push_back(channel);
  }

  /// Evenly over those of the channels that are so many links away; what cannot be divided goes to the first.
  void split(std::uint64_t parts, const std::vector<std::uint32_t>& channels, std::uint32_t links) {
    const auto is_on_way = [&](std::uint32_t c) { return links_[c] == links; };
    const auto ways = static_cast<std::uint64_t>(std::count_if(channels.begin(), channels.end(), is_on_way));
    std::uint64_t rest = parts % ways;
    for (const std::uint32_t c : channels) {
      if (!is_on_way(c)) continue;
      parts_[c] += parts / ways + rest;
      rest = 0;
    }
  }

  const DependencyGraph& dependencies_;
  std::vector<std::uint32_t> links_;          // [channel] to the router, itself included
  std::vector<std::uint64_t> parts_;          // [channel]
  std::vector<std::uint32_t> nearest_first_;  // channels
};

}  // namespace

std::vector<std::uint64_t> shortest_loads(const Channels& channels, const std::vector<RouterId>& ends,
                                          const DependencyGraph& dependencies) {
  std::vector<std::vector<std::uint32_t>> out;  // [router] channels
  for (std::uint32_t c = 0; c < channels.count(); ++c) {
    if (out.size() <= channels[c].from.value) out.resize(channels[c].from.value + 1);
    out[channels[c].from.value].push_back(c);
  }
  std::vector<std::uint64_t> loads(channels.count());
  for (const RouterId to : ends) {
    SplitWays ways(channels, dependencies, to);
    for (const RouterId from : ends) {
      if (from != to) ways.begin(out[from.value]);
    }
    ways.add_to(loads);
  }
  return loads;
}

}  // namespace braid::routing
