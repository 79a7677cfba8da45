// Only what lies in a feedback loop can wait for itself. Of each loop, inner ones first, a steady state is fired (what
// comes from outside is there); the order does not matter, a node that can fire can still do so later. If every node
// gets as far as its firings of a steady state, the loop never stops: suppose it did later, at counts F. Of the nodes
// blocked then each waits for one that is blocked, too; one steady state earlier the edge between them held as many
// items, and yet the waiting node fired once more, so the other must have fired its next time before. Round the ring of
// waiting nodes each would have to have come before itself.
#include "traffic/streams/deadlock.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "routing/base/input_error.h"

namespace braid::traffic {
namespace {

constexpr std::uint64_t kMostVisits = 20'000'000;  // of nodes, in all loops

/// Items stay below 2^63: counts are cut here.
constexpr std::uint64_t kManyItems = std::uint64_t{1} << 62U;

std::uint64_t times_at_most(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kManyItems / b ? kManyItems : a * b;
}

class LoopRun {
 public:
  LoopRun(const FlatGraph& graph, const FlatSpan& loop, const std::vector<std::uint64_t>& firings,
          std::vector<std::uint64_t>& items)
      : graph_(graph), loop_(loop), items_(items), fired_(loop.end - loop.begin), begun_(loop.end - loop.begin) {
    std::uint64_t common = 0;
    for (std::size_t n = loop.begin; n < loop.end; ++n) common = std::gcd(common, firings[n]);
    for (std::size_t n = loop.begin; n < loop.end; ++n) goal_.push_back(firings[n] / common);
    for (std::size_t n = loop.begin; n < loop.end; ++n) {
      for (const std::size_t e : graph.nodes[n].inputs) {
        const FlatEdge& edge = graph.edges[e];
        items_[e] = edge.initial;
        // A node may have to run ahead of its steady state for one that peeks.
        if (inside(e) && edge.pop != 0) ahead_ += 1 + (edge.peek - edge.pop) / edge.pop / goal_[n - loop.begin];
      }
    }
  }

  /// Fires what can fire until all have reached their goals or nothing can.
  bool runs(std::uint64_t& visits) {
    bool moved = true;
    while (moved) {
      moved = false;
      bool done = true;
      for (std::size_t n = loop_.begin; n < loop_.end; ++n) {
        if (++visits > kMostVisits) {
          throw InputError(loop_.where,
                           "feedback loop " + one_line(loop_.name) + ": expected a steady state of fewer firings");
        }
        const std::uint64_t times = can_fire(n);
        if (times != 0) fire(n, times);
        moved = moved || times != 0;
        done = done && fired_[n - loop_.begin] >= goal_[n - loop_.begin];
      }
      if (done) return true;
    }
    return false;
  }

 private:
  bool inside(std::size_t e) const {
    const FlatEdge& edge = graph_.edges[e];
    return edge.from >= loop_.begin && edge.from < loop_.end && edge.to >= loop_.begin && edge.to < loop_.end;
  }
  bool has_prologue(std::size_t n) const {
    return graph_.nodes[n].kind == FlatNode::Kind::kFilter && graph_.nodes[n].filter.prework &&
           !begun_[n - loop_.begin];
  }

  std::uint64_t can_fire(std::size_t n) const {
    const bool prologue = has_prologue(n);
    const std::uint64_t most = times_at_most(goal_[n - loop_.begin], ahead_);
    std::uint64_t times = prologue ? 1 : most - std::min(most, fired_[n - loop_.begin]);
    for (const std::size_t e : graph_.nodes[n].inputs) {
      if (!inside(e)) continue;
      const FlatEdge& edge = graph_.edges[e];
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
      if (inside(e)) items_[e] -= prologue ? filter.prework->pop : times * graph_.edges[e].pop;
    }
    for (const std::size_t e : graph_.nodes[n].outputs) {
      if (!inside(e)) continue;
      const std::uint64_t more = prologue ? filter.prework->push : times_at_most(times, graph_.edges[e].push);
      items_[e] = std::min(items_[e] + more, kManyItems);
    }
    if (prologue) {
      begun_[n - loop_.begin] = true;
    } else {
      fired_[n - loop_.begin] += times;
    }
  }

  const FlatGraph& graph_;
  const FlatSpan& loop_;
  std::vector<std::uint64_t>& items_;        // [edge]
  std::vector<std::uint64_t> fired_, goal_;  // [node - begin]
  std::vector<bool> begun_;                  // [node - begin]
  std::uint64_t ahead_ = 1;                  // steady states
};

}  // namespace

void check_deadlock(const FlatGraph& graph, const std::vector<std::uint64_t>& firings) {
  std::vector<std::uint64_t> items(graph.edges.size());
  std::uint64_t visits = 0;
  for (const FlatSpan& span : graph.spans) {
    if (!span.loop || LoopRun(graph, span, firings, items).runs(visits)) continue;
    throw InputError(span.where, "deadlock: feedback loop " + one_line(span.name) +
                                     " stops: expected more items enqueued, as many as its nodes wait for");
  }
}

}  // namespace braid::traffic
