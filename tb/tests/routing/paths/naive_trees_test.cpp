// Trees that packets never leave upwards after they went down, and the dependencies that smart-routing keeps, found
// plainly by the rules that dfs.cpp, up_down.cpp, dependency_removal.cpp and smart_feedback.cpp begin with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "routing/paths/dependency_graph.h"
#include "routing/paths/dependency_removal.h"
#include "routing/paths/legal_paths.h"
#include "routing/paths/shortest_loads.h"
#include "routing/paths/single_paths.h"
#include "tb/tests/support/paths.h"

namespace braid::test::naive_trees_test {
namespace {

using namespace routing;

std::vector<Topology> networks() {
  std::vector<Topology> all{
      ring_of(6), grid_of("mesh", 4, 3), grid_of("torus", 3, 3),
      graph_of(8, {{3, 0}, {0, 1}, {1, 2}, {2, 3}, {1, 4}, {4, 5}, {5, 6}, {6, 1}, {6, 7}, {2, 7}}, 6)};
  for (const std::uint32_t instance : {0U, 1U, 2U, 3U}) all.push_back(irregular(9 + instance, instance));
  return all;
}

std::vector<std::size_t> neighbours(const Topology& t, std::size_t router) {
  std::vector<std::size_t> all;
  for (const Port& port : t.routers[router]) {
    if (port.kind == PortKind::kNetwork) all.push_back(port.peer_router.value);
  }
  return all;
}

void expect_same(const Topology& t, const PathSet& naive, const PathSet& paths) {
  ASSERT_EQ(naive.size(), paths.size());
  for (std::size_t i = 0; i < naive.size(); ++i) {
    EXPECT_EQ(naive.at_place(i).ports, paths.at_place(i).ports) << t.name << ", path " << i;
  }
}

/// Walked depth first from the router with the largest sum of distances; next the one with most links into the tree, of
/// those the one with the largest sum, of those the lowest port's.
void walk(const Topology& t, std::size_t here, std::vector<std::size_t>& walked) {
  const auto is_in = [&](std::size_t r) { return std::find(walked.begin(), walked.end(), r) != walked.end(); };
  const auto farness = [&](std::size_t r) {
    const auto all = t.distances_to(RouterId{r});
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  };
  const auto merit = [&](std::size_t r) {
    const auto all = neighbours(t, r);
    return std::pair(std::count_if(all.begin(), all.end(), is_in), farness(r));
  };
  if (walked.empty()) {
    for (std::size_t r = 1; r < t.router_count(); ++r) here = farness(r) > farness(here) ? r : here;
  }
  walked.push_back(here);
  for (;;) {
    std::vector<std::size_t> open = neighbours(t, here);
    open.erase(std::remove_if(open.begin(), open.end(), is_in), open.end());
    if (open.empty()) return;
    walk(t, *std::max_element(open.begin(), open.end(), [&](auto a, auto b) { return merit(a) < merit(b); }), walked);
  }
}

TEST(NaiveTrees, OfDfsAreWalkedAsItsHeuristicsSay) {
  for (const Topology& t : networks()) {
    std::vector<std::size_t> walked;
    walk(t, 0, walked);
    Ranks ranks(t.router_count());
    for (std::uint32_t i = 0; i < walked.size(); ++i) ranks[walked[i]] = i;
    expect_same(t, shortest_legal_paths(t, ranks, PathsPer::kRouterPair, Random(1, "routing.dfs"), {}),
                computed(t, "dfs"));
  }
}

/// Level by level from r0, in a level by number.
TEST(NaiveTrees, OfUpDownAreBreadthFirst) {
  for (const Topology& t : networks()) {
    const auto level = t.distances_to(RouterId{0});
    Ranks ranks(t.router_count());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      for (std::size_t other = 0; other < ranks.size(); ++other) {
        ranks[r] += std::pair(level[other], other) < std::pair(level[r], r) ? 1 : 0;
      }
    }
    expect_same(t, shortest_legal_paths(t, ranks, PathsPer::kRouterPair, Random(1, "routing.up_down"), {}),
                computed(t, "up_down"));
  }
}

bool has(const Dependencies& after, const Dependency& d) {
  return std::find(after[d.channel].begin(), after[d.channel].end(), d.next) != after[d.channel].end();
}

/// Depth first to whom has the fewest neighbours left; then of each shortest cycle the first of those dependencies goes
/// without which paths' squares are the fewest, none within the tree; at last, last first, what closes no cycle is
/// back.
class NaiveRemoval {
 public:
  explicit NaiveRemoval(const Topology& t) : t_(t), channels_(t), met_(t.router_count()), tree(channels_.count()) {
    grow(0);
    DependencyGraph graph(all_dependencies(t, channels_));
    std::vector<Dependency> gone;
    for (auto cycle = graph.shortest_cycle(); !cycle.empty(); cycle = graph.shortest_cycle()) {
      std::map<std::uint64_t, Dependency> by_harm;
      for (const Dependency& d : cycle) {
        if (tree[d.channel] && tree[d.next]) continue;
        DependencyGraph without = graph;
        without.remove(d);
        std::uint64_t squares = 0;
        for (const std::uint64_t load : shortest_loads(channels_, routers_with_nodes(t), without))
          squares += load * load;
        by_harm.emplace(squares, d);
      }
      gone.push_back(by_harm.begin()->second);
      graph.remove(gone.back());
    }
    for (; !gone.empty(); gone.pop_back()) {
      DependencyGraph with = graph;
      with.add(gone.back());
      if (with.shortest_cycle().empty()) graph = with;
    }
    after = graph.after();
  }

 private:
  void grow(std::size_t here) {
    met_[here] = true;
    const auto left = [&](std::size_t r) {
      const auto all = neighbours(t_, r);
      return std::count_if(all.begin(), all.end(), [&](std::size_t n) { return !met_[n]; });
    };
    for (;;) {
      std::vector<std::uint32_t> open;  // channels
      for (std::uint32_t c = 0; c < channels_.count(); ++c) {
        if (channels_[c].from.value == here && !met_[channels_[c].to.value]) open.push_back(c);
      }
      if (open.empty()) return;
      const std::uint32_t best = *std::min_element(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) {
        return left(channels_[a].to.value) < left(channels_[b].to.value);
      });
      const RouterId there = channels_[best].to;
      tree[best] = tree[channels_.at(there, t_.port(RouterId{here}, channels_[best].port).peer_port)] = true;
      grow(there.value);
    }
  }

  const Topology& t_;
  Channels channels_;
  std::vector<bool> met_;

 public:
  std::vector<bool> tree;
  Dependencies after;
};

TEST(NaiveTrees, OfSmartKeepTheSameDependencies) {
  for (const Topology& t : networks()) {
    const NaiveRemoval naive(t);
    const AcyclicDependencies kept = acyclic_dependencies(t, Channels(t));
    EXPECT_EQ(kept.tree, naive.tree) << t.name;
    EXPECT_EQ(kept.after, naive.after) << t.name;
  }
}

/// Dependencies come back in the order of the paths that would take them if cycles did no harm; of each cycle that one
/// closes then, the least taken goes, neither itself nor one of the tree; then all that close no cycle are there again.
/// What is evener stays, and once all have been tried they are tried again, unless none was.
class NaiveFeedback {
 public:
  NaiveFeedback(const Topology& t, std::uint32_t tries)
      : t_(t), channels_(t), ends_(routers_with_nodes(t)), start_(acyclic_dependencies(t, channels_)) {
    const Dependencies all = all_dependencies(t, channels_);
    const Choice free = choose(all);
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      for (const std::uint32_t next : all[c]) wanted_.push_back({c, next});
    }
    std::stable_sort(wanted_.begin(), wanted_.end(),
                     [&](const Dependency& a, const Dependency& b) { return free.taken(a) > free.taken(b); });
    Choice best = choose(start_.after);
    for (bool again = true; again;) {
      again = false;
      for (const Dependency& d : wanted_) {
        if (has(best.after, d) || tries == 0) continue;
        --tries;
        const Choice other = choose(with(best, d));
        if (other.loads() >= best.loads()) continue;
        best = other;
        again = true;
        ++better;
      }
    }
    paths = best.paths;
  }

  PathSet paths{0};
  std::size_t better = 0;

 private:
  struct Choice {
    Dependencies after;
    PathSet paths;
    std::vector<Way> ways;

    std::size_t taken(const Dependency& d) const {
      std::size_t count = 0;
      for (const Way& way : ways) {
        for (std::size_t i = 1; i < way.size(); ++i) count += way[i - 1] == d.channel && way[i] == d.next ? 1 : 0;
      }
      return count;
    }
    std::pair<std::size_t, std::size_t> loads() const {
      std::map<std::uint32_t, std::size_t> on;
      for (const Way& way : ways) {
        for (const std::uint32_t c : way) ++on[c];
      }
      std::size_t most = 0, squares = 0;
      for (const auto& [channel, count] : on) {
        most = std::max(most, count);
        squares += count * count;
      }
      return {most, squares};
    }
  };

  Choice choose(const Dependencies& after) const {
    WayRules rules(t_, channels_, after);
    rules.tree = start_.tree;
    Choice choice{after, single_paths(rules, ends_, balance_links(rules, ends_)), {}};
    for (const RouterId from : ends_) {
      for (const RouterId to : ends_) choice.ways.push_back(channels_.on(from, choice.paths.at(from, to)));
    }
    return choice;
  }
  Dependencies with(const Choice& choice, const Dependency& back) const {
    DependencyGraph graph(choice.after);
    graph.add(back);
    for (auto cycle = graph.shortest_cycle(); !cycle.empty(); cycle = graph.shortest_cycle()) {
      std::map<std::size_t, Dependency> by_taken;  // the first of equals
      for (const Dependency& d : cycle) {
        if (d.channel == back.channel && d.next == back.next) continue;
        if (!start_.tree[d.channel] || !start_.tree[d.next]) by_taken.emplace(choice.taken(d), d);
      }
      graph.remove(by_taken.begin()->second);
    }
    for (const Dependency& d : wanted_) {
      if (has(graph.after(), d)) continue;
      DependencyGraph more = graph;
      more.add(d);
      if (more.shortest_cycle().empty()) graph = more;
    }
    return graph.after();
  }

  const Topology& t_;
  Channels channels_;
  std::vector<RouterId> ends_;
  AcyclicDependencies start_;
  std::vector<Dependency> wanted_;
};

TEST(NaiveTrees, OfSmartWithFeedbackChooseTheSamePaths) {
  std::size_t better = 0;
  for (const std::uint32_t instance : {0U, 1U, 2U}) {
    const Topology t = irregular(8 + instance, instance);
    const NaiveFeedback naive(t, 16);
    expect_same(t, naive.paths, computed(t, "smart_feedback"));
    better += naive.better;
  }
  EXPECT_GT(better, 1U);
}

}  // namespace
}  // namespace braid::test::naive_trees_test
