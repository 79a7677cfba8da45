// Only what lies on a cycle can wait for itself. Of each strongly connected part a steady state is fired (what comes
// from outside is there); the order does not matter, a node that can fire can still do so later. If every node gets as
// far as its firings of a steady state, the part never stops: suppose it did later, at counts F. Of the nodes blocked
// then each waits for one that is blocked, too; one steady state earlier the edge between them held as many items, and
// yet the waiting node fired once more, so the other must have fired its next time before. Round the loop of waiting
// nodes each would have to have come before itself.
#include "traffic/streams/deadlock.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <numeric>
#include <string>

#include "routing/base/input_error.h"

namespace braid::traffic {
namespace {

constexpr std::uint64_t kMostVisits = 20'000'000;

/// Items stay below 2^63: rates are below 2^33, firings at most 10^12 times what a prologue needs, cut there.
constexpr std::uint64_t kManyItems = std::uint64_t{1} << 62U;

std::uint64_t times_at_most(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kManyItems / b ? kManyItems : a * b;
}

class Part {
 public:
  Part(const FlatGraph& graph, const std::vector<std::uint64_t>& firings, std::vector<std::size_t> nodes,
       const std::vector<std::size_t>& part_of)
      : graph_(graph),
        nodes_(std::move(nodes)),
        inside_(graph.edges.size()),
        items_(graph.edges.size()),
        fired_(graph.nodes.size()),
        goal_(graph.nodes.size()),
        begun_(graph.nodes.size()) {
    std::uint64_t common = 0;
    for (const std::size_t n : nodes_) common = std::gcd(common, firings[n]);
    for (const std::size_t n : nodes_) goal_[n] = firings[n] / common;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const FlatEdge& edge = graph.edges[e];
      inside_[e] = part_of[edge.from] == part_of[edge.to];
      items_[e] = edge.initial;
      // A node may have to run ahead of its steady state for those that peek.
      if (inside_[e] && edge.pop != 0) {
        ahead_ += 1 + (edge.peek - edge.pop) / edge.pop / std::max<std::uint64_t>(goal_[edge.to], 1);
      }
    }
  }

  /// Fires what can fire until all have reached their goals or nothing can.
  bool runs() {
    bool moved = true;
    while (moved) {
      moved = false;
      for (const std::size_t n : nodes_) {
        if (++visits_ > kMostVisits) {
          throw InputError(graph_.nodes[n].where, "expected a feedback loop whose steady state takes fewer firings: " +
                                                      one_line(graph_.nodes[n].name));
        }
        const std::uint64_t times = can_fire(n);
        if (times != 0) fire(n, times);
        moved = moved || times != 0;
      }
      if (std::all_of(nodes_.begin(), nodes_.end(), [&](std::size_t n) { return fired_[n] >= goal_[n]; })) return true;
    }
    return false;
  }

 private:
  bool has_prologue(std::size_t n) const {
    return graph_.nodes[n].kind == FlatNode::Kind::kFilter && graph_.nodes[n].filter.prework && !begun_[n];
  }

  std::uint64_t can_fire(std::size_t n) const {
    const bool prologue = has_prologue(n);
    const std::uint64_t most = times_at_most(goal_[n], ahead_ + 1);
    std::uint64_t times = prologue ? 1 : most - std::min(most, fired_[n]);
    for (const std::size_t e : graph_.nodes[n].inputs) {
      const FlatEdge& edge = graph_.edges[e];
      if (!inside_[e]) continue;
      const std::uint64_t peek = prologue ? graph_.nodes[n].filter.prework->peek : edge.peek;
      if (items_[e] < peek) return 0;
      if (!prologue && edge.pop != 0) times = std::min(times, (items_[e] - peek) / edge.pop + 1);
    }
    return times;
  }

  void fire(std::size_t n, std::uint64_t times) {
    const bool prologue = has_prologue(n);
    const Filter& filter = graph_.nodes[n].filter;
    for (const std::size_t e : graph_.nodes[n].inputs) {
      if (inside_[e]) items_[e] -= prologue ? filter.prework->pop : times * graph_.edges[e].pop;
    }
    for (const std::size_t e : graph_.nodes[n].outputs) {
      if (inside_[e]) {
        const std::uint64_t more = prologue ? filter.prework->push : times_at_most(times, graph_.edges[e].push);
        items_[e] = std::min(items_[e] + more, kManyItems);
      }
    }
    if (prologue) {
      begun_[n] = true;
    } else {
      fired_[n] += times;
    }
  }

  const FlatGraph& graph_;
  std::vector<std::size_t> nodes_;
  std::vector<bool> inside_;                 // [edge]
  std::vector<std::uint64_t> items_;         // [edge]
  std::vector<std::uint64_t> fired_, goal_;  // [node]
  std::vector<bool> begun_;                  // [node]
  std::uint64_t ahead_ = 1, visits_ = 0;
};

}  // namespace

void check_deadlock(const FlatGraph& graph, const std::vector<std::uint64_t>& firings) {
  using Directed = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Directed directed(graph.nodes.size());
  for (const FlatEdge& e : graph.edges) {
    if (e.push != 0) boost::add_edge(e.from, e.to, directed);
  }
  std::vector<std::size_t> part_of(graph.nodes.size());
  const std::size_t parts = boost::strong_components(directed, part_of.data());
  std::vector<std::vector<std::size_t>> nodes(parts);
  for (std::size_t n = 0; n < part_of.size(); ++n) nodes[part_of[n]].push_back(n);
  for (std::vector<std::size_t>& part : nodes) {
    if (part.size() < 2) continue;
    const FlatNode& first = graph.nodes[part.front()];  // the outermost loop's joiner
    if (Part(graph, firings, part, part_of).runs()) continue;
    const std::string name = first.name.substr(0, first.name.rfind(".join"));
    throw InputError(first.where, "deadlock: feedback loop " + one_line(name) +
                                      " stops: expected more items enqueued, as many as its nodes wait for");
  }
}

}  // namespace braid::traffic
