#include "traffic/streams/queue_room.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace braid::traffic {
namespace {

constexpr std::uint64_t kMostFirings = 2'000'000;
constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

/// Actors that fire as soon as they may, one after the other; the time that they take does not matter.
class BoundedRun {
 public:
  BoundedRun(const StreamGraph& graph, const QueueRoom& room)
      : graph_(graph),
        room_(room),
        repetitions_(graph.repetitions()),
        inputs_(graph.actors.size()),
        outputs_(graph.actors.size()),
        queued_(graph.edges.size()),
        arrived_(graph.edges.size()),
        computing_(graph.actors.size()),
        fired_(graph.actors.size()) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      outputs_[graph.edges[e].from].push_back(e);
      inputs_[graph.edges[e].to].push_back(e);
      arrived_[e] = graph.edges[e].initial;
      const std::uint64_t holds = room.beyond == 0 ? room.destination : seen_items(graph.edges[e]) + room.beyond;
      // Blocked with up to packet - 1 items of room: a packet is admitted whole.
      admits_.push_back(holds == 0 ? kNoBound : holds - std::min(holds, room.packet - 1));
      together_.push_back(room.copies_together ? copies_of(graph, e) : std::vector<std::size_t>{e});
      // How many steady states one end may have to be ahead of the other, with the items that a block waits for.
      const std::uint64_t items = repetitions_[graph.edges[e].from] * graph.edges[e].push;
      ahead_ += 2 + (graph.edges[e].peek + graph.edges[e].initial + room.block - 1) / items;
    }
  }

  std::optional<Stuck> run() {
    std::set<std::vector<std::uint64_t>> seen;
    std::uint64_t firings = 0, seen_at = kNoBound;
    for (;;) {
      bool moved = false;
      for (std::size_t a = 0; a < graph_.actors.size(); ++a) {
        while (firings <= kMostFirings && step(a)) {
          moved = true;
          ++firings;
        }
      }
      if (!moved) return stuck();
      const std::uint64_t done = completed();
      if (done != seen_at && !seen.insert(state(done)).second) return std::nullopt;
      seen_at = done;
      if (firings > kMostFirings) return std::nullopt;
    }
  }

 private:
  /// Items are taken when a firing begins and put out, all at once, when it ends.
  bool step(std::size_t a) {
    bool moved = false;
    if (!computing_[a] && fired_[a] < (completed_ + ahead_) * repetitions_[a] && missing_items(a) == kNone) {
      for (const std::size_t e : inputs_[a]) {
        arrived_[e] -= graph_.edges[e].pop;
        carry(e);
      }
      computing_[a] = moved = true;
    }
    if (computing_[a] && missing_room(a) == kNone) {
      for (const std::size_t e : outputs_[a]) {
        queued_[e] += graph_.edges[e].push;
        carry(e);
      }
      computing_[a] = false;
      ++fired_[a];
      moved = true;
    }
    return moved;
  }

  void carry(std::size_t e) {
    if (together_[e].size() > 1) return carry_together(together_[e]);
    if (arrived_[e] >= admits_[e]) return;
    const std::uint64_t items = std::min(queued_[e] - queued_[e] % room_.block, admits_[e] - arrived_[e]);
    const std::uint64_t whole = room_.block == 1 ? items : (items + room_.block - 1) / room_.block * room_.block;
    queued_[e] -= whole;
    arrived_[e] += whole;
  }

  /// On circuits that fork: a copy waits for room for all of them.
  void carry_together(const std::vector<std::size_t>& copies) {
    std::uint64_t items = kNoBound;
    for (const std::size_t e : copies) {
      items = std::min({items, queued_[e], admits_[e] - std::min(admits_[e], arrived_[e])});
    }
    for (const std::size_t e : copies) {
      queued_[e] -= items;
      arrived_[e] += items;
    }
  }

  static bool any(std::size_t) { return true; }
  /// The first edge without items; `of(edge)`: only such.
  template <class Of = bool (*)(std::size_t)>
  std::size_t missing_items(std::size_t a, Of of = any) const {
    for (const std::size_t e : inputs_[a]) {
      if (arrived_[e] < std::max(graph_.edges[e].peek, graph_.edges[e].pop) && of(e)) return e;
    }
    return kNone;
  }
  std::size_t missing_room(std::size_t a) const {
    if (room_.source == 0) return kNone;
    for (const std::size_t e : outputs_[a]) {
      if (queued_[e] + graph_.edges[e].push > room_.source) return e;
    }
    return kNone;
  }
  /// No item comes any more, as there is no room for it, or for a copy of it elsewhere.
  bool is_full(std::size_t e) const {
    return std::any_of(together_[e].begin(), together_[e].end(),
                       [&](std::size_t copy) { return arrived_[copy] >= admits_[copy]; });
  }

  std::uint64_t completed() {
    completed_ = kNoBound;
    for (std::size_t a = 0; a < fired_.size(); ++a) completed_ = std::min(completed_, fired_[a] / repetitions_[a]);
    return completed_;
  }

  std::vector<std::uint64_t> state(std::uint64_t done) const {
    std::vector<std::uint64_t> all = queued_;
    all.insert(all.end(), arrived_.begin(), arrived_.end());
    for (std::size_t a = 0; a < fired_.size(); ++a) {
      all.push_back((fired_[a] - done * repetitions_[a]) * 2 + (computing_[a] ? 1 : 0));
    }
    return all;
  }

  /// Who waits on a cycle: from anyone who waits for ever, along what it waits for, until somebody comes again.
  Stuck stuck() const {
    const std::vector<char> stays = waiting_for_ever();
    std::vector<char> met(stays.size());
    std::size_t a = 0;
    while (stays[a] == 0) ++a;
    while (met[a]++ == 0 && stays[next(a, stays)] != 0) a = next(a, stays);
    return {a, waits(a, stays), computing_[a] != 0};
  }
  /// [actor] Who is only held back by how far it may be ahead would go on, and so would who waits for such alone.
  std::vector<char> waiting_for_ever() const {
    std::vector<char> stays(graph_.actors.size(), 1);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t a = 0; a < stays.size(); ++a) {
        if (stays[a] == 0 || waits(a, stays) != kNone) continue;
        stays[a] = 0;
        more = true;
      }
    }
    return stays;
  }
  std::size_t waits(std::size_t a, const std::vector<char>& stays) const {
    if (computing_[a]) return missing_room(a);
    return missing_items(a, [&](std::size_t e) { return stays[graph_.edges[e].from] != 0 || is_full(e); });
  }
  std::size_t next(std::size_t a, const std::vector<char>& stays) const {
    const StreamEdge& e = graph_.edges[waits(a, stays)];
    return computing_[a] ? e.to : e.from;
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const StreamGraph& graph_;
  const QueueRoom& room_;
  std::vector<std::uint64_t> admits_;               // [edge]
  std::vector<std::vector<std::size_t>> together_;  // [edge] edges whose items leave with its own
  std::uint64_t ahead_ = 1, completed_ = 0;
  std::vector<std::uint64_t> repetitions_;                  // [actor]
  std::vector<std::vector<std::size_t>> inputs_, outputs_;  // [actor] edges
  std::vector<std::uint64_t> queued_, arrived_;             // [edge] at the source, at the destination
  std::vector<char> computing_;                             // [actor]
  std::vector<std::uint64_t> fired_;                        // [actor]
};

/// The least value from `low` for which `good` holds, that of `high` being known to.
template <class Good>
std::uint64_t least(std::uint64_t low, std::uint64_t high, const Good& good) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (good(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Takes away actors without inputs until none is left, or only those on or behind a cycle.
bool has_cycle(const StreamGraph& graph) {
  std::vector<std::size_t> inputs(graph.actors.size()), ready;
  for (const StreamEdge& e : graph.edges) ++inputs[e.to];
  for (std::size_t a = 0; a < inputs.size(); ++a) {
    if (inputs[a] == 0) ready.push_back(a);
  }
  std::size_t removed = 0;
  for (; !ready.empty(); ++removed) {
    const std::size_t a = ready.back();
    ready.pop_back();
    for (const StreamEdge& e : graph.edges) {
      if (e.from == a && --inputs[e.to] == 0) ready.push_back(e.to);
    }
  }
  return removed != graph.actors.size();
}

/// ... or more, from `low` up; nothing: no value is good, not even 0, which stands for no bound.
template <class Good>
std::optional<std::uint64_t> least_bound(std::uint64_t low, const Good& good) {
  if (!good(0)) return std::nullopt;
  std::uint64_t high = low;
  while (!good(high)) high *= 2;
  return least(low, high, good);
}

}  // namespace

std::vector<std::size_t> copies_of(const StreamGraph& graph, std::size_t edge) {
  const StreamEdge& one = graph.edges[edge];
  std::vector<std::size_t> copies;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const StreamEdge& other = graph.edges[e];
    if (e == edge || (one.group && other.from == one.from && other.group == one.group)) copies.push_back(e);
  }
  return copies;
}

std::uint64_t seen_items(const StreamEdge& edge) { return std::max({edge.peek, edge.pop, edge.initial}); }

std::optional<Stuck> deadlock(const StreamGraph& graph, const QueueRoom& room) {
  if (room.destination == 0 && room.beyond == 0 && !has_cycle(graph) &&
      (room.source == 0 || room.source >= least_source_room(graph, room.block))) {
    return std::nullopt;  // what is put out always leaves
  }
  return BoundedRun(graph, room).run();
}

std::optional<std::uint64_t> least_destination_room(const StreamGraph& graph, const QueueRoom& room) {
  const auto alive = [&](std::uint64_t items) {
    QueueRoom with = room;
    with.destination = items;
    return !deadlock(graph, with);
  };
  std::uint64_t low = 1;
  for (const StreamEdge& e : graph.edges) {
    low = std::max<std::uint64_t>({low, std::max(e.peek, e.pop) + std::max(room.packet, room.block) - 1, e.initial});
  }
  return least_bound(low, alive);
}

std::optional<std::uint64_t> least_room_beyond(const StreamGraph& graph, const QueueRoom& room) {
  return least_bound(std::max<std::uint64_t>(1, room.packet - 1), [&](std::uint64_t items) {
    QueueRoom with = room;
    with.beyond = items;
    return !deadlock(graph, with);
  });
}

std::uint64_t least_source_room(const StreamGraph& graph, std::uint64_t block) {
  std::uint64_t most = 1;
  for (const StreamEdge& e : graph.edges) {
    most = std::max<std::uint64_t>(most, e.push + block - std::gcd<std::uint64_t>(e.push, block));
  }
  return most;
}

}  // namespace braid::traffic
