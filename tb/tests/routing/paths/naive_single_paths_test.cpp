// From shares to single paths step by step as the header tells it, without any short cut: whatever a path would add is
// what all channels together have after it, less what they had before.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/single_paths.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::naive_single_paths_test {
namespace {

using namespace routing;
using Cost = CheapestWays::Cost;

/// A depth-first tree from router 0: ways over it are long, so that others pay.
struct Tree {
  Tree(const Topology& t, const Channels& channels) : parent(t.router_count()), is_in(channels.count()) {
    std::vector<bool> seen(t.router_count());
    grow(t, channels, seen, 0);
  }
  void grow(const Topology& t, const Channels& channels, std::vector<bool>& seen, std::size_t here) {
    seen[here] = true;
    for (std::uint32_t c = 0; c < channels.count(); ++c) {
      const std::size_t next = channels[c].to.value;
      if (channels[c].from.value != here || seen[next]) continue;
      parent[next] = here;
      is_in[c] = true;
      is_in[channels.at(RouterId{next}, t.port(channels[c].from, channels[c].port).peer_port)] = true;
      grow(t, channels, seen, next);
    }
  }
  std::vector<std::size_t> up(std::size_t from) const {
    std::vector<std::size_t> all{from};
    while (all.back() != 0) all.push_back(parent[all.back()]);
    return all;
  }
  /// Up to where both come together, and down.
  std::vector<std::size_t> way(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> here = up(from), there = up(to);
    while (here.size() > 1 && there.size() > 1 && here[here.size() - 2] == there[there.size() - 2]) {
      here.pop_back();
      there.pop_back();
    }
    here.insert(here.end(), there.rbegin() + 1, there.rend());
    return here;
  }

  std::vector<std::size_t> parent;
  std::vector<bool> is_in;  // [channel]
};

struct Problem {
  const Topology& topology;
  const WayRules& rules;
  const Tree& tree;
  std::vector<RouterId> ends;
  LinkBalance balance;
  PathSet wanted;
};

class Naive {
 public:
  explicit Naive(const Problem& problem) : p_(problem), ways_(p_.wanted.size()), is_whole_(p_.wanted.size()) {
    for (std::size_t a = 0; a < p_.rules.routers; ++a) {
      for (std::size_t b = 0; b < p_.rules.routers; ++b) {
        for (std::size_t i = 0; i < paths(a, b); ++i) round(a, b, p_.wanted.place(RouterId{a}, RouterId{b}, i));
      }
    }
    while (improve()) continue;
  }
  const Way& way(std::size_t place) const { return ways_[place]; }
  std::size_t moves() const { return moves_; }
  std::size_t by_tree() const { return by_tree_; }

 private:
  std::size_t paths(std::size_t a, std::size_t b) const {
    return p_.balance.ways[a * p_.rules.routers + b].empty() ? 0 : p_.wanted.count(RouterId{a}, RouterId{b});
  }
  /// The path is whole from now on; all that are not yet have their shares.
  void round(std::size_t a, std::size_t b, std::size_t place) {
    is_whole_[place] = true;
    std::vector<std::int64_t> shares(p_.rules.channels.count());
    for (std::size_t i = 0; i < p_.rules.routers; ++i) {
      for (std::size_t j = 0; j < p_.rules.routers; ++j) {
        for (std::size_t n = 0; n < paths(i, j); ++n) add(shares, i, j, p_.wanted.place(RouterId{i}, RouterId{j}, n));
      }
    }
    const std::int64_t before = squares(shares);
    std::int64_t least = INT64_MAX;
    for (const SharedWay& s : p_.balance.ways[a * p_.rules.routers + b]) {
      if (!is_simple(p_.rules.channels, s.way)) continue;
      std::vector<std::int64_t> with = shares;
      for (const std::uint32_t c : s.way) with[c] += kWholePath;
      if (squares(with) - before >= least) continue;
      least = squares(with) - before;
      ways_[place] = s.way;
    }
    if (least < INT64_MAX) return;
    ++by_tree_;
    const std::vector<std::size_t> on = p_.tree.way(a, b);
    for (std::size_t i = 1; i < on.size(); ++i) {
      ways_[place].push_back(
          p_.rules.channels.at(RouterId{on[i - 1]}, port_to(p_.topology, RouterId{on[i - 1]}, RouterId{on[i]})));
    }
  }
  void add(std::vector<std::int64_t>& shares, std::size_t a, std::size_t b, std::size_t place) const {
    if (is_whole_[place]) {
      for (const std::uint32_t c : ways_[place]) shares[c] += kWholePath;
    } else {
      for (const SharedWay& s : p_.balance.ways[a * p_.rules.routers + b]) {
        for (const std::uint32_t c : s.way) shares[c] += s.share;
      }
    }
  }
  static std::int64_t squares(const std::vector<std::int64_t>& shares) {
    std::int64_t sum = 0;
    for (const std::int64_t s : shares) sum += s * s;
    return sum;
  }

  bool improve() {
    bool any = false;
    for (const RouterId to : p_.ends) {
      for (const RouterId from : p_.ends) {
        for (std::size_t i = 0; i < paths(from.value, to.value); ++i) {
          const std::size_t place = p_.wanted.place(from, to, i);
          const Way present = std::exchange(ways_[place], {});
          const Cost without = worth();
          std::vector<Cost> costs;
          for (std::uint32_t c = 0; c < p_.rules.channels.count(); ++c) {
            ways_[place] = {c};
            costs.push_back(worth() - without);
          }
          ways_[place] = present;
          const Way other = CheapestWays(p_.rules, to, costs).way(from);
          const Cost now = worth();
          if (!is_simple(p_.rules.channels, other)) continue;
          ways_[place] = other;
          if (worth() < now) {
            any = true;
            ++moves_;
          } else {
            ways_[place] = present;
          }
        }
      }
    }
    return any;
  }
  /// Squares of paths, and beyond the bound 1, 1 + 2, 1 + 2 + 3 ... times a fine for that many too many.
  Cost worth() const {
    std::vector<Cost> paths(p_.rules.channels.count());
    for (const Way& way : ways_) {
      for (const std::uint32_t c : way) ++paths[c];
    }
    const auto most = static_cast<Cost>(std::ceil(p_.balance.bound));
    Cost sum = 0;
    for (const Cost n : paths) sum += n * n + (n > most ? (n - most) * (n - most + 1) / 2 * (Cost{1} << 32) : 0);
    return sum;
  }

  const Problem& p_;
  std::vector<Way> ways_;  // [place]
  std::vector<bool> is_whole_;
  std::size_t moves_ = 0, by_tree_ = 0;
};

/// Up to four ways a pair, with shares of any size; the first may be the only one.
LinkBalance drawn_balance(Random& random, const WayRules& rules, const std::vector<RouterId>& ends) {
  LinkBalance balance;
  balance.ways.resize(rules.routers * rules.routers);
  balance.bound = static_cast<double>(1 + random.below(12)) / 2;
  for (const RouterId from : ends) {
    for (const RouterId to : ends) {
      if (from == to) continue;
      std::vector<SharedWay>& ways = balance.ways[from.value * rules.routers + to.value];
      std::int64_t left = kWholePath;
      const std::size_t most = 1 + random.below(4);
      for (std::size_t i = 1; left > 0; ++i) {
        std::vector<Cost> costs(rules.channels.count());
        for (Cost& c : costs) c = static_cast<Cost>(1 + random.below(9));
        const auto share = i < most ? static_cast<std::int64_t>(1 + random.below(kWholePath / 2)) : left;
        ways.push_back({CheapestWays(rules, to, costs).way(from), std::min(left, share)});
        left -= ways.back().share;
      }
    }
  }
  return balance;
}

void add_node(Topology& t, std::size_t router) {
  const NodeId node{t.nodes.size()};
  t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
  t.routers[router].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "more"});
}

struct Seen {
  std::size_t moves = 0, by_tree = 0;
};
/// `kept`: of ten dependencies beside those of the tree, how many there are.
Seen expect_as_told(const Topology& t, PathsPer per, std::uint64_t kept, Random& random) {
  const Channels channels(t);
  const Tree tree(t, channels);
  Dependencies after = all_dependencies(t, channels);
  for (std::uint32_t c = 0; c < after.size(); ++c) {
    std::vector<std::uint32_t> stay;
    for (const std::uint32_t next : after[c]) {
      if ((tree.is_in[c] && tree.is_in[next]) || random.below(10) < kept) stay.push_back(next);
    }
    after[c] = stay;
  }
  WayRules rules(t, channels, after);
  rules.tree = tree.is_in;
  const std::vector<RouterId> ends = routers_with_nodes(t);
  const Problem problem{t, rules, tree, ends, drawn_balance(random, rules, ends), PathSet(t, per)};
  const Naive naive(problem);
  const PathSet paths = single_paths(rules, ends, problem.balance, PathSet(t, per));
  for (const RouterId from : ends) {
    for (const RouterId to : ends) {
      if (from == to) continue;
      for (std::size_t i = 0; i < paths.count(from, to); ++i) {
        EXPECT_EQ(channels.on(from, paths.at(from, to, i)), naive.way(paths.place(from, to, i)))
            << from.value << " to " << to.value << ", path " << i;
      }
    }
  }
  return {naive.moves(), naive.by_tree()};
}

TEST(NaiveSinglePaths, AreTheSameWhereAllMayFollowAll) {
  Random random(1, "paths");
  std::size_t moves = 0;
  for (int i = 0; i < 12; ++i) {
    moves += expect_as_told(graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {0, 3}, {1, 4}}, 5),
                            PathsPer::kRouterPair, 10, random)
                 .moves;
    moves += expect_as_told(ring_of(5), PathsPer::kRouterPair, 10, random).moves;
  }
  EXPECT_GT(moves, 20U);
}

TEST(NaiveSinglePaths, AreTheSameForPairsOfNodes) {
  Random random(2, "paths");
  Topology t = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}}, 4);
  add_node(t, 1);
  add_node(t, 1);
  add_node(t, 3);
  std::size_t moves = 0;
  for (int i = 0; i < 8; ++i) moves += expect_as_told(t, PathsPer::kNodePair, 10, random).moves;
  EXPECT_GT(moves, 20U);
}

/// Where channels may not be taken in any order, shares come to a router twice, and moves would: from r0 over r2 and
/// round r3, r4 to r1, unless packets may go straight on at r2. The tree leads round over r5 to r8.
TEST(NaiveSinglePaths, AreTheSameWhereWaysComeToARouterTwice) {
  Random random(3, "paths");
  const Topology t = graph_of(9, {{0, 2}, {2, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 1}, {2, 3}, {3, 4}, {4, 2}, {2, 1}}, 5);
  std::size_t moves = 0, by_tree = 0;
  for (int i = 0; i < 40; ++i) {
    const Seen seen = expect_as_told(t, PathsPer::kRouterPair, 3 + static_cast<std::uint64_t>(i % 6), random);
    moves += seen.moves;
    by_tree += seen.by_tree;
  }
  EXPECT_GT(moves, 20U);
  EXPECT_GT(by_tree, 2U);
}

}  // namespace
}  // namespace braid::test::naive_single_paths_test
