#include "routing/paths/single_paths.h"

#include <algorithm>
#include <cmath>

namespace braid::routing {
namespace {

using Cost = CheapestWays::Cost;

constexpr Cost kOverfull = Cost{1} << 32;  // a path too many costs more than any detour
constexpr Cost kOffTree = Cost{1} << 40;   // a channel that is not in the tree costs more than any way over it
constexpr int kMostSweeps = 100;

class PathChoice {
 public:
  PathChoice(const WayRules& rules, const std::vector<RouterId>& ends, const LinkBalance& balance,
             const PathSet& wanted, const OnProgress& progress)
      : rules_(rules),
        ends_(ends),
        wanted_(wanted),
        progress_(progress),
        most_(static_cast<std::int64_t>(std::ceil(balance.bound - 1e-6))),
        ways_(wanted.size()),
        paths_(rules.channels.count()) {
    round(balance);
  }

  /// Until no pair has a better way while all others stay, which comes: the sum of costs falls with every move.
  void improve() {
    bool moved = true;
    for (int sweep = 0; sweep < kMostSweeps && moved; ++sweep) {
      moved = false;
      for (const RouterId to : ends_) {
        for (const RouterId from : ends_) {
          tell(progress_, "move", moves_);
          for (std::size_t i = 0; from != to && i < wanted_.count(from, to); ++i) {
            if (move(from, to, i)) moved = true;
          }
        }
      }
    }
  }

  void fill(PathSet& paths) const {
    for (const RouterId from : ends_) {
      for (const RouterId to : ends_) {
        for (std::size_t i = 0; i < paths.count(from, to); ++i) {
          for (const std::uint32_t c : ways_[paths.place(from, to, i)]) {
            paths.at(from, to, i).ports.push_back(rules_.channels[c].port);
          }
        }
      }
    }
  }

 private:
  /// Pair by pair, each takes that of its ways which adds least to the sum of squares, as others stand by then.
  void round(const LinkBalance& balance) {
    std::vector<std::int64_t> shares(paths_.size());
    const auto add = [&](const Way& way, std::int64_t share) {
      for (const std::uint32_t c : way) shares[c] += share;
    };
    const auto for_each_pair = [&](const auto& visit) {
      for (std::size_t p = 0; p < balance.ways.size(); ++p) {
        visit(p, RouterId{p / rules_.routers}, RouterId{p % rules_.routers});
      }
    };
    for_each_pair([&](std::size_t p, RouterId from, RouterId to) {
      const auto paths = static_cast<std::int64_t>(wanted_.count(from, to));
      for (const SharedWay& s : balance.ways[p]) add(s.way, paths * s.share);
    });
    for_each_pair([&](std::size_t p, RouterId from, RouterId to) {
      if (p % rules_.routers == 0) tell(progress_, "pair", p, balance.ways.size());
      for (std::size_t i = 0; i < wanted_.count(from, to); ++i) {
        for (const SharedWay& s : balance.ways[p]) add(s.way, -s.share);
        Way& way = ways_[wanted_.place(from, to, i)];
        way = cheapest(balance.ways[p], shares);
        if (way.empty() && !balance.ways[p].empty()) way = tree_way(p);
        add(way, kWholePath);
        for (const std::uint32_t c : way) ++paths_[c];
      }
    });
  }

  /// Of a pair's ways that which adds least to the sum of squared shares. Empty: none is simple.
  Way cheapest(const std::vector<SharedWay>& ways, const std::vector<std::int64_t>& shares) const {
    std::int64_t least = INT64_MAX;
    const Way* best = nullptr;
    for (const SharedWay& s : ways) {
      std::int64_t cost = 0;
      for (const std::uint32_t c : s.way) cost += 2 * shares[c] + kWholePath;
      if (cost >= least || !is_simple(rules_.channels, s.way)) continue;
      least = cost;
      best = &s.way;
    }
    return best == nullptr ? Way{} : *best;
  }

  /// Channels may have to be taken in an order that leads round and back to a router; not in the tree.
  Way tree_way(std::size_t pair) const {
    std::vector<Cost> costs(paths_.size(), kOffTree);
    for (std::size_t c = 0; c < costs.size(); ++c) {
      if (rules_.tree[c]) costs[c] = 1;
    }
    return CheapestWays(rules_, RouterId{pair % rules_.routers}, costs).way(RouterId{pair / rules_.routers});
  }

  /// What one more path costs on a channel: the growth of the square, and the fine for one too many.
  Cost cost(std::uint32_t channel) const {
    const std::int64_t over = std::max<std::int64_t>(0, paths_[channel] + 1 - most_);
    return 2 * paths_[channel] + 1 + over * kOverfull;
  }
  Cost cost(const Way& way) const {
    Cost all = 0;
    for (const std::uint32_t c : way) all += cost(c);
    return all;
  }

  bool move(RouterId from, RouterId to, std::size_t number) {
    Way& present = ways_[wanted_.place(from, to, number)];
    for (const std::uint32_t c : present) --paths_[c];
    std::vector<Cost> costs;
    for (std::uint32_t c = 0; c < paths_.size(); ++c) costs.push_back(cost(c));
    const CheapestWays cheapest(rules_, to, costs);
    const Way other = cheapest.way(from);
    const bool better = cheapest.cost(from) < cost(present) && is_simple(rules_.channels, other);
    if (better) present = other;
    if (better) ++moves_;
    for (const std::uint32_t c : present) ++paths_[c];
    return better;
  }

  const WayRules& rules_;
  const std::vector<RouterId>& ends_;
  const PathSet& wanted_;  // how many paths there are
  const OnProgress& progress_;
  std::size_t moves_ = 0;  // of paths to better ways
  std::int64_t most_;
  std::vector<Way> ways_;            // [place of a path]
  std::vector<std::int64_t> paths_;  // [channel] that cross it
};

}  // namespace

PathSet single_paths(const WayRules& rules, const std::vector<RouterId>& ends, const LinkBalance& balance,
                     PathSet paths, const OnProgress& progress) {
  PathChoice choice(rules, ends, balance, paths, progress);
  choice.improve();
  choice.fill(paths);
  return paths;
}

}  // namespace braid::routing
