#include "routing/paths/feedback_arcs.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "routing/base/random.h"
#include "routing/paths/temperature.h"

namespace braid::routing {
namespace {

constexpr std::int64_t kFixedWeight = std::int64_t{1} << 40;  // more than all others at a vertex together
constexpr std::uint64_t kSeed = 1;                            // the same arcs, the same answer
constexpr std::size_t kMostMoves = 5'000'000;                 // large graphs have fewer sweeps

/// An arc seen from one of its ends.
struct HalfArc {
  std::uint32_t there;
  std::int64_t weight;
};

class ArcOrder {
 public:
  ArcOrder(std::size_t vertices, const std::vector<Arc>& arcs, const OnProgress& progress)
      : arcs_(arcs), progress_(progress), out_(vertices), in_(vertices), position_(vertices), waits_(vertices) {
    for (const Arc& arc : arcs) {
      const std::int64_t weight = arc.fixed ? kFixedWeight : static_cast<std::int64_t>(arc.weight);
      out_[arc.from].push_back({arc.to, weight});
      in_[arc.to].push_back({arc.from, weight});
    }
  }

  FeedbackArcs solve() {
    FeedbackArcs result;
    result.removed.resize(arcs_.size());
    set_order(eades_lin_smyth());
    result.stuck = sort_by_fixed();
    if (!result.stuck.empty()) return result;
    search();
    take_back(result.removed);
    return result;
  }

 private:
  void set_order(std::vector<std::uint32_t> order) {
    order_ = std::move(order);
    for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
  }

  /// Sinks go to the end, sources to the beginning; where there is neither, the vertex goes to the beginning whose arcs
  /// out outweigh those in by most.
  std::vector<std::uint32_t> eades_lin_smyth() const {
    const std::size_t vertices = out_.size();
    constexpr std::int64_t kSource = std::int64_t{1} << 60;
    std::vector<std::int64_t> out_weight(vertices), in_weight(vertices);
    for (const Arc& arc : arcs_) {
      const std::int64_t weight = arc.fixed ? kFixedWeight : static_cast<std::int64_t>(arc.weight);
      out_weight[arc.from] += weight;
      in_weight[arc.to] += weight;
    }
    const auto key = [&](std::uint32_t v) {  // least first
      if (out_weight[v] == 0) return std::pair(-2 * kSource, v);
      return std::pair(in_weight[v] == 0 ? -kSource : in_weight[v] - out_weight[v], v);
    };
    std::set<std::pair<std::int64_t, std::uint32_t>> left;
    for (std::uint32_t v = 0; v < vertices; ++v) left.insert(key(v));
    std::vector<std::uint32_t> first, last;
    std::vector<bool> placed(vertices);
    while (!left.empty()) {
      const std::uint32_t v = left.begin()->second;
      left.erase(left.begin());
      placed[v] = true;
      (out_weight[v] == 0 ? last : first).push_back(v);
      const auto lighten = [&](const HalfArc& arc, std::vector<std::int64_t>& weight) {
        if (placed[arc.there]) return;
        left.erase(key(arc.there));
        weight[arc.there] -= arc.weight;
        left.insert(key(arc.there));
      };
      for (const HalfArc& arc : out_[v]) lighten(arc, in_weight);
      for (const HalfArc& arc : in_[v]) lighten(arc, out_weight);
    }
    first.insert(first.end(), last.rbegin(), last.rend());
    return first;
  }

  /// Turns the order as little as fixed arcs demand; from then on, no move is worth turning one back. Gives the cycle
  /// that fixed arcs close.
  std::vector<std::uint32_t> sort_by_fixed() {
    std::vector<std::uint32_t> waits_for(out_.size());
    for (const Arc& arc : arcs_) waits_for[arc.to] += arc.fixed ? 1 : 0;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;  // positions
    for (std::uint32_t v = 0; v < waits_for.size(); ++v) {
      if (waits_for[v] == 0) ready.push(position_[v]);
    }
    std::vector<std::uint32_t> sorted;
    while (!ready.empty()) {
      sorted.push_back(order_[ready.top()]);
      ready.pop();
      for (const HalfArc& arc : out_[sorted.back()]) {
        if (arc.weight == kFixedWeight && --waits_for[arc.there] == 0) ready.push(position_[arc.there]);
      }
    }
    if (sorted.size() < out_.size()) return cycle_of(waits_for);
    set_order(std::move(sorted));
    return {};
  }
  /// Backwards from a vertex that waits: each of those has a fixed arc from another one.
  std::vector<std::uint32_t> cycle_of(const std::vector<std::uint32_t>& waits_for) const {
    std::vector<std::uint32_t> walked;
    auto here = static_cast<std::uint32_t>(
        std::find_if(waits_for.begin(), waits_for.end(), [](std::uint32_t n) { return n > 0; }) - waits_for.begin());
    while (std::find(walked.begin(), walked.end(), here) == walked.end()) {
      walked.push_back(here);
      here = std::find_if(in_[here].begin(), in_[here].end(), [&](const HalfArc& arc) {
               return arc.weight == kFixedWeight && waits_for[arc.there] > 0;
             })->there;
    }
    walked.erase(walked.begin(), std::find(walked.begin(), walked.end(), here));
    std::reverse(walked.begin(), walked.end());
    return walked;
  }

  /// Simulated annealing, and from the lightest order that it meets each vertex to its best place.
  void search() {
    if (out_.size() > 2 && !arcs_.empty()) anneal();
    for (std::uint32_t v = 0; v < out_.size(); ++v) look_at(v);
    settle();
  }
  void anneal() {
    Random random(kSeed);
    std::vector<std::uint32_t> best = order_;
    std::int64_t cost = 0, least = 0;  // over the order that the search begins with
    Temperature temperature(mean_weight());
    const std::size_t sweeps = std::min(Temperature::kSweeps, kMostMoves / out_.size() + 1);
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep, temperature.cool(Temperature::kSweeps / sweeps)) {
      tell(progress_, "order", sweep, sweeps);
      for (std::size_t i = 0; i < out_.size(); ++i) {
        const auto v = static_cast<std::uint32_t>(random.below(out_.size()));
        if (out_[v].empty() && in_[v].empty()) continue;
        const std::uint32_t to = beside_a_neighbour(v, random);
        const std::int64_t change = change_of(v, to);
        if (to == position_[v] || !temperature.takes(change, random)) continue;
        shift(v, to);
        cost += change;
        if (cost >= least) continue;
        least = cost;
        best = order_;
      }
    }
    set_order(std::move(best));
  }
  /// Of the arcs that may be removed.
  std::uint64_t mean_weight() const {
    std::uint64_t sum = 0, count = 0;
    for (const Arc& arc : arcs_) {
      sum += arc.fixed ? 0 : arc.weight;
      count += arc.fixed ? 0 : 1;
    }
    return sum / std::max<std::uint64_t>(1, count) + 1;
  }
  /// Just before a vertex that v leads to, or just behind one that leads to v.
  std::uint32_t beside_a_neighbour(std::uint32_t v, Random& random) const {
    const std::uint64_t drawn = random.below(out_[v].size() + in_[v].size());
    const bool leads = drawn < out_[v].size();
    const std::uint32_t at = position_[leads ? out_[v][drawn].there : in_[v][drawn - out_[v].size()].there];
    if (leads) return at > position_[v] ? at - 1 : at;
    return at < position_[v] ? at + 1 : at;
  }
  /// What arcs that lead back weigh more when v stands at `to`.
  std::int64_t change_of(std::uint32_t v, std::uint32_t to) const {
    const std::uint32_t first = std::min(position_[v], to), last = std::max(position_[v], to);
    std::int64_t passed = 0;  // on the way to the end: arcs out lead back then, arcs in forward
    const auto is_passed = [&](const HalfArc& arc) {
      return first <= position_[arc.there] && position_[arc.there] <= last;
    };
    for (const HalfArc& arc : out_[v]) passed += is_passed(arc) ? arc.weight : 0;
    for (const HalfArc& arc : in_[v]) passed -= is_passed(arc) ? arc.weight : 0;
    return to > position_[v] ? passed : -passed;
  }

  void look_at(std::uint32_t v) {
    if (waits_[v]) return;
    waits_[v] = true;
    waiting_.push_back(v);
  }
  /// Moves vertices to where the arcs that lead back weigh least, until none that may have a better place is left.
  void settle() {
    while (!waiting_.empty()) {
      const std::uint32_t v = waiting_.front();
      waiting_.pop_front();
      waits_[v] = false;
      const std::optional<std::uint32_t> better = better_place(v);
      if (better) put(v, *better > position_[v] ? *better - 1 : *better);
    }
  }
  /// The first position behind which v would stand, counted with v where it is now; none if no move is worth it.
  std::optional<std::uint32_t> better_place(std::uint32_t v) {
    // From the beginning on, passing a neighbour that v leads to makes that arc lead back; passing one that leads to v
    // makes that arc lead forward.
    passed_.clear();
    for (const HalfArc& arc : out_[v]) passed_.emplace_back(position_[arc.there], arc.weight);
    for (const HalfArc& arc : in_[v]) passed_.emplace_back(position_[arc.there], -arc.weight);
    std::sort(passed_.begin(), passed_.end());
    std::int64_t cost = 0, least = 0, now = 0;
    std::uint32_t best = 0;
    for (std::size_t i = 0; i < passed_.size(); ++i) {
      const auto& [at, weight] = passed_[i];
      cost += weight;
      if (i + 1 < passed_.size() && passed_[i + 1].first == at) continue;  // arcs both ways: v passes both at once
      if (cost < least) {
        least = cost;
        best = at + 1;
      }
      if (at < position_[v]) now = cost;
    }
    if (least >= now) return std::nullopt;
    return best;
  }
  void shift(std::uint32_t v, std::uint32_t to) {
    const std::uint32_t from = position_[v];
    const auto begin = order_.begin();
    if (to > from) {
      std::rotate(begin + from, begin + from + 1, begin + to + 1);
    } else {
      std::rotate(begin + to, begin + from, begin + from + 1);
    }
    for (std::uint32_t i = std::min(to, from); i <= std::max(to, from); ++i) position_[order_[i]] = i;
  }
  /// Moves v to a position; its neighbours may have better places from now on.
  void put(std::uint32_t v, std::uint32_t to) {
    shift(v, to);
    look_at(v);
    for (const HalfArc& arc : out_[v]) look_at(arc.there);
    for (const HalfArc& arc : in_[v]) look_at(arc.there);
  }

  /// Removes the arcs that lead back, but for those without which nothing else would close a cycle.
  void take_back(std::vector<bool>& removed) const {
    std::vector<std::size_t> back;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      if (position_[arcs_[i].from] > position_[arcs_[i].to]) back.push_back(i);
    }
    std::stable_sort(back.begin(), back.end(),
                     [this](std::size_t a, std::size_t b) { return arcs_[a].weight > arcs_[b].weight; });
    std::vector<std::vector<std::uint32_t>> kept(out_.size());
    for (const Arc& arc : arcs_) {
      if (position_[arc.from] < position_[arc.to]) kept[arc.from].push_back(arc.to);
    }
    std::size_t tried = 0;
    for (const std::size_t i : back) {
      tell(progress_, "arc", tried++, back.size());
      removed[i] = leads_to(kept, arcs_[i].to, arcs_[i].from);
      if (!removed[i]) kept[arcs_[i].from].push_back(arcs_[i].to);
    }
  }
  static bool leads_to(const std::vector<std::vector<std::uint32_t>>& arcs, std::uint32_t from, std::uint32_t to) {
    std::vector<bool> seen(arcs.size());
    std::vector<std::uint32_t> frontier{from};
    while (!frontier.empty()) {
      const std::uint32_t here = frontier.back();
      frontier.pop_back();
      if (here == to) return true;
      for (const std::uint32_t there : arcs[here]) {
        if (!seen[there]) frontier.push_back(there);
        seen[there] = true;
      }
    }
    return false;
  }

  const std::vector<Arc>& arcs_;
  const OnProgress& progress_;
  std::vector<std::vector<HalfArc>> out_, in_;                  // [vertex]
  std::vector<std::uint32_t> order_;                            // [position]
  std::vector<std::uint32_t> position_;                         // [vertex]
  std::deque<std::uint32_t> waiting_;                           // vertices that may have a better place
  std::vector<bool> waits_;                                     // [vertex] is it among them?
  std::vector<std::pair<std::uint32_t, std::int64_t>> passed_;  // of better_place()
};

}  // namespace

FeedbackArcs feedback_arcs(std::size_t vertices, const std::vector<Arc>& arcs, const OnProgress& progress) {
  return ArcOrder(vertices, arcs, progress).solve();
}

}  // namespace braid::routing
