// The tentacle and the negotiation written down plainly, as docs/setup.md and their files tell them, and held against
// the finders in networks where routers are as far from the destination as their neighbours, too.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/disjoint.h"

namespace braid::test::naive_searches_test {
namespace {

using namespace routing;
using Paths = std::vector<std::vector<std::uint32_t>>;

/// Channels out of each router by port.
std::vector<std::vector<std::uint32_t>> channels_out(const Channels& channels, std::size_t routers) {
  std::vector<std::vector<std::uint32_t>> out(routers);
  for (std::uint32_t c = 0; c < channels.count(); ++c) out[channels[c].from.value].push_back(c);
  return out;
}

/// One order: depth-first, demand after demand.
class NaiveTentacle {
 public:
  NaiveTentacle(const Topology& t, const Channels& channels, const std::vector<Demand>& demands,
                const std::vector<std::size_t>& order)
      : paths(demands.size()), t_(t), channels_(channels), out_(channels_out(channels, t.router_count())) {
    for (const std::size_t d : order) {
      demand_ = &demands[d];
      links_ = t.distances_to(demand_->to);
      tree_ = demand_->copies ? &trees_[*demand_->copies] : nullptr;
      branches_ = tree_ != nullptr && !tree_->routers.empty();
      tried_.clear();
      visited_ = {demand_->from.value};
      path_.clear();
      if (demand_->from != demand_->to && !grow(demand_->from)) return;
      paths[d] = path_;
      taken_.insert(path_.begin(), path_.end());
      if (tree_ != nullptr) keep();
    }
    found = true;
  }

  bool found = false;
  Paths paths;
  std::uint32_t backtracks = 0;

 private:
  struct Tree {
    std::set<std::uint32_t> channels;
    std::set<std::uint32_t> routers;
  };
  bool of_tree(std::uint32_t c) const { return tree_ != nullptr && tree_->channels.count(c) != 0; }
  void keep() {
    tree_->routers.insert(demand_->from.value);
    for (const std::uint32_t c : path_) {
      tree_->channels.insert(c);
      tree_->routers.insert(channels_[c].to.value);
    }
  }
  /// Is the destination reached from here? Else every channel out of here has been tried.
  bool grow(RouterId here) {
    if (here == demand_->to) return true;
    while (const std::optional<std::uint32_t> next = best(here)) {
      tried_.insert(*next);
      const RouterId there = channels_[*next].to;
      const bool branch_meets_tree = branches_ && !of_tree(*next) && tree_->routers.count(there.value) != 0;
      path_.push_back(*next);
      if (!branch_meets_tree && visited_.insert(there.value).second && grow(there)) return true;
      path_.pop_back();
      ++backtracks;
    }
    return false;
  }
  /// Nearer ones first; on the tree, of those as near its own first. The lowest port of each kind.
  std::optional<std::uint32_t> best(RouterId here) const {
    const bool on_tree = branches_ && (path_.empty() || of_tree(path_.back()));
    for (const bool nearer : {true, false}) {
      for (const bool own : {true, false}) {
        for (const std::uint32_t c : out_[here.value]) {
          const bool own_here = on_tree && of_tree(c), is_nearer = links_[channels_[c].to.value] < links_[here.value];
          const bool back = !path_.empty() && c == reverse(path_.back());
          if (is_nearer != nearer || own_here != own || back || tried_.count(c) != 0) continue;
          if (taken_.count(c) != 0 && !own_here) continue;
          return c;
        }
      }
    }
    return std::nullopt;
  }
  std::uint32_t reverse(std::uint32_t c) const {
    return channels_.at(channels_[c].to, t_.port(channels_[c].from, channels_[c].port).peer_port);
  }

  const Topology& t_;
  const Channels& channels_;
  std::vector<std::vector<std::uint32_t>> out_;
  std::map<std::uint32_t, Tree> trees_;
  const Demand* demand_ = nullptr;
  std::vector<std::uint32_t> links_;
  Tree* tree_ = nullptr;
  bool branches_ = false;  // the tree stands already
  std::set<std::uint32_t> taken_, tried_, visited_;
  std::vector<std::uint32_t> path_;
};

struct Found {
  bool any = false;
  Paths paths;
  std::size_t tries = 0;
  std::uint32_t backtracks = 0;
};
Found by_tentacle(const Topology& t, const std::vector<Demand>& demands) {
  const Channels channels(t);
  Random random(1, "setup.order");
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t tries = 1; tries <= 9; ++tries) {
    const NaiveTentacle one(t, channels, demands, order);
    if (one.found) return {true, one.paths, tries, one.backtracks};
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  return {false, {}, 9, 0};
}

/// Round by round all demands, each on its cheapest path as the others stand; a shared channel costs half of its price
/// more for each other path on it in the first round, 1.3 times that in each further one, and a link more for each path
/// too many at the end of every round.
Found by_negotiation(const Topology& t, const std::vector<Demand>& demands) {
  const Channels channels(t);
  const auto out = channels_out(channels, t.router_count());
  std::vector<double> history(channels.count());
  Paths paths(demands.size());
  double present = 0.5;
  for (std::size_t round = 1; round <= 200; ++round) {
    std::vector<std::uint32_t> users(channels.count());
    const auto count = [&] {
      users.assign(channels.count(), 0);
      for (const auto& path : paths) {
        for (const std::uint32_t c : path) ++users[c];
      }
    };
    for (std::size_t d = 0; d < demands.size(); ++d) {
      paths[d].clear();
      count();
      std::map<std::size_t, std::pair<double, std::uint32_t>> reached{{demands[d].from.value, {0.0, 0}}};
      std::set<std::size_t> settled;
      for (;;) {
        const std::pair<const std::size_t, std::pair<double, std::uint32_t>>* next = nullptr;
        for (const auto& r : reached) {  // by number: of the same cost the lower router
          if (settled.count(r.first) == 0 && (next == nullptr || r.second.first < next->second.first)) next = &r;
        }
        if (next->first == demands[d].to.value) break;
        settled.insert(next->first);
        const double cost = next->second.first;
        for (const std::uint32_t c : out[next->first]) {
          const double there = cost + (1.0 + history[c]) * (1.0 + present * users[c]);
          const auto at = reached.find(channels[c].to.value);
          if (at == reached.end() || there < at->second.first) reached[channels[c].to.value] = {there, c};
        }
      }
      for (RouterId r = demands[d].to; r != demands[d].from;) {
        const std::uint32_t c = reached.at(r.value).second;
        paths[d].insert(paths[d].begin(), c);
        r = channels[c].from;
      }
    }
    count();
    bool disjoint = true;
    for (std::size_t c = 0; c < users.size(); ++c) {
      for (std::uint32_t more = 1; more < users[c]; ++more) {
        history[c] += 1.0;
        disjoint = false;
      }
    }
    if (disjoint) return {true, paths, round, 0};
    present *= 1.3;
    if (present > 1e6) present = 1e6;
  }
  return {false, {}, 200, 0};
}

void expect_same(const Found& naive, const DisjointPaths& found, const std::string& where) {
  EXPECT_EQ(found.answer, naive.any ? DisjointAnswer::kFound : DisjointAnswer::kUnknown) << where;
  EXPECT_EQ(found.tries, naive.tries) << where;
  EXPECT_EQ(found.paths, naive.paths) << where;
  EXPECT_EQ(found.backtracks, naive.backtracks) << where;
}

/// A mesh, where no neighbour is as far from anywhere; a wheel and one more, where many are.
std::vector<Topology> networks() {
  return {grid_of("mesh", 4, 4),
          graph_of(8, {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {5, 0},
                       {6, 0},
                       {6, 1},
                       {6, 2},
                       {6, 3},
                       {6, 4},
                       {6, 5},
                       {7, 0},
                       {7, 3}}),
          graph_of(7, {{3, 4}, {0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 5}, {5, 6}, {6, 0}, {2, 3}})};
}

TEST(NaiveSearches, TentaclesFindTheSamePaths) {
  Random random(5, "naive_searches_test");
  std::size_t late = 0, none = 0, backtracks = 0;
  for (const Topology& t : networks()) {
    for (int i = 0; i < 60; ++i) {
      const auto demands = random_demands(t.router_count(), 4 + random.below(6), random);
      const Found naive = by_tentacle(t, demands);
      expect_same(naive, found_by("tentacle", t, demands), t.name + ", " + std::to_string(i));
      late += naive.any && naive.tries > 1 ? 1 : 0;
      none += naive.any ? 0 : 1;
      backtracks += naive.backtracks;
    }
  }
  EXPECT_GT(late, 10U);
  EXPECT_GT(none, 10U);
  EXPECT_GT(backtracks, 100U);
}

/// Up to three trees of up to four branches each, and others.
TEST(NaiveSearches, TreesOfTentaclesAreTheSame) {
  Random random(6, "naive_searches_test");
  std::size_t found = 0, late = 0;
  for (const Topology& t : networks()) {
    for (int i = 0; i < 150; ++i) {
      std::vector<Demand> demands = random_demands(t.router_count(), random.below(4), random);
      const std::uint64_t trees = 1 + random.below(3);
      for (std::uint32_t tree = 0; tree < trees; ++tree) {
        const RouterId from{random.below(t.router_count())};
        std::set<std::uint32_t> ends{from.value};
        for (std::size_t branches = 1 + random.below(4); branches > 0; --branches) {
          const RouterId to{random.below(t.router_count())};
          if (ends.insert(to.value).second) demands.push_back({from, to, tree});
        }
      }
      const Found naive = by_tentacle(t, demands);
      expect_same(naive, found_by("tentacle", t, demands), t.name + ", " + std::to_string(i));
      found += naive.any ? 1 : 0;
      late += naive.any && naive.tries > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(found, 100U);
  EXPECT_GT(late, 10U);
}

TEST(NaiveSearches, NegotiationsEndWithTheSamePaths) {
  Random random(7, "naive_searches_test");
  std::size_t late = 0, none = 0;
  for (const Topology& t : networks()) {
    for (int i = 0; i < 15; ++i) {
      const auto demands = random_demands(t.router_count(), 4 + random.below(5), random);
      const Found naive = by_negotiation(t, demands);
      expect_same(naive, found_by("negotiated", t, demands), t.name + ", " + std::to_string(i));
      late += naive.any && naive.tries > 2 ? 1 : 0;
      none += naive.any ? 0 : 1;
    }
  }
  EXPECT_GT(late, 5U);
  EXPECT_GT(none, 2U);
}

}  // namespace
}  // namespace braid::test::naive_searches_test
