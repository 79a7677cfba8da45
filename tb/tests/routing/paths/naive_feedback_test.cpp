// The search for a light set of feedback arcs step by step as its header tells it, written down without any short cut:
// each move costs what the whole order costs after it, less what it cost before.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/feedback_arcs.h"
#include "routing/paths/temperature.h"

namespace braid::test::naive_feedback_test {
namespace {

using routing::Arc;
using Order = std::vector<std::uint32_t>;

class Naive {
 public:
  Naive(std::uint32_t vertices, const std::vector<Arc>& arcs) : vertices_(vertices), arcs_(arcs) {
    order_ = by_fixed(eades_lin_smyth());
    anneal();
    settle();
  }

  /// Heavy ones of those that lead back stay first, where they close no cycle with what stays.
  std::vector<bool> removed() const {
    std::vector<std::size_t> back;
    std::vector<bool> gone(arcs_.size());
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      gone[i] = place(order_, arcs_[i].from) > place(order_, arcs_[i].to);
      if (gone[i]) back.push_back(i);
    }
    std::stable_sort(back.begin(), back.end(),
                     [&](std::size_t a, std::size_t b) { return arcs_[a].weight > arcs_[b].weight; });
    for (const std::size_t i : back) gone[i] = leads(arcs_[i].to, arcs_[i].from, gone);
    return gone;
  }

 private:
  static std::size_t place(const Order& order, std::uint32_t v) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), v) - order.begin());
  }
  static bool is_in(const Order& order, std::uint32_t v) { return place(order, v) < order.size(); }
  /// Fixed arcs weigh more than all others together.
  static std::int64_t weight(const Arc& arc) {
    return arc.fixed ? std::int64_t{1} << 40 : static_cast<std::int64_t>(arc.weight);
  }
  std::int64_t cost(const Order& order) const {
    std::vector<std::size_t> at(vertices_);
    for (std::size_t i = 0; i < order.size(); ++i) at[order[i]] = i;
    std::int64_t all = 0;
    for (const Arc& a : arcs_) all += at[a.from] > at[a.to] ? weight(a) : 0;
    return all;
  }

  /// Of those that are left: the first sink to the end, else the first source to the beginning, else the first of the
  /// greatest difference.
  Order eades_lin_smyth() const {
    Order left, first, last;
    for (std::uint32_t v = 0; v < vertices_; ++v) left.push_back(v);
    while (!left.empty()) {
      const auto sum = [&](std::uint32_t v, bool out) {
        std::int64_t all = 0;
        for (const Arc& a : arcs_) {
          if ((out ? a.from : a.to) == v && is_in(left, out ? a.to : a.from)) all += weight(a);
        }
        return all;
      };
      std::uint32_t best = left.front();
      for (const std::uint32_t v : left) {
        const auto rank = [&](std::uint32_t u) { return sum(u, true) == 0 ? 0 : sum(u, false) == 0 ? 1 : 2; };
        const bool more = rank(v) == 2 && sum(v, true) - sum(v, false) > sum(best, true) - sum(best, false);
        if (rank(v) < rank(best) || (rank(v) == rank(best) && more)) best = v;
      }
      if (sum(best, true) == 0) {
        last.insert(last.begin(), best);
      } else {
        first.push_back(best);
      }
      left.erase(std::find(left.begin(), left.end(), best));
    }
    first.insert(first.end(), last.begin(), last.end());
    return first;
  }

  /// Each as early as it stands and its fixed arcs let it.
  Order by_fixed(Order order) const {
    Order sorted;
    while (!order.empty()) {
      const auto next = std::find_if(order.begin(), order.end(), [&](std::uint32_t v) {
        return std::none_of(arcs_.begin(), arcs_.end(),
                            [&](const Arc& a) { return a.fixed && a.to == v && !is_in(sorted, a.from); });
      });
      sorted.push_back(*next);
      order.erase(next);
    }
    return sorted;
  }

  void anneal() {
    Random random(1);
    std::uint64_t sum = 0, count = 0;
    for (const Arc& a : arcs_) {
      if (a.fixed) continue;
      sum += a.weight;
      ++count;
    }
    routing::Temperature temperature(sum / std::max<std::uint64_t>(count, 1) + 1);
    Order best = order_;
    std::int64_t least = cost(order_), now = least;
    for (std::size_t sweep = 0; sweep < routing::Temperature::kSweeps; ++sweep) {
      for (std::uint32_t i = 0; i < vertices_; ++i) {
        const auto v = static_cast<std::uint32_t>(random.below(vertices_));
        const std::vector<std::uint32_t> to = neighbours(v, true), from = neighbours(v, false);
        if (to.empty() && from.empty()) continue;
        const std::uint64_t drawn = random.below(to.size() + from.size());
        Order moved = order_;
        moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(place(moved, v)));
        const std::size_t at = drawn < to.size() ? place(moved, to[drawn]) : place(moved, from[drawn - to.size()]) + 1;
        moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(at), v);
        if (moved == order_) continue;
        const std::int64_t then = cost(moved);
        if (!temperature.takes(then - now, random)) continue;
        order_ = moved;
        now = then;
        if (now >= least) continue;
        least = now;
        best = order_;
      }
      temperature.cool(1);
    }
    order_ = best;
  }

  /// Each to the first of its best places, if that is better than where it stands; then its neighbours once more.
  void settle() {
    std::deque<std::uint32_t> waiting;
    const auto wait = [&](std::uint32_t v) {
      if (std::find(waiting.begin(), waiting.end(), v) == waiting.end()) waiting.push_back(v);
    };
    for (std::uint32_t v = 0; v < vertices_; ++v) wait(v);
    while (!waiting.empty()) {
      const std::uint32_t v = waiting.front();
      waiting.pop_front();
      Order without = order_, best = order_;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(place(without, v)));
      for (std::size_t at = 0; at < vertices_; ++at) {
        Order moved = without;
        moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(at), v);
        if (cost(moved) < cost(best)) best = moved;
      }
      if (best == order_) continue;
      order_ = best;
      wait(v);
      for (const bool out : {true, false}) {
        for (const std::uint32_t u : neighbours(v, out)) wait(u);
      }
    }
  }
  std::vector<std::uint32_t> neighbours(std::uint32_t v, bool out) const {
    std::vector<std::uint32_t> all;
    for (const Arc& a : arcs_) {
      if ((out ? a.from : a.to) == v) all.push_back(out ? a.to : a.from);
    }
    return all;
  }
  bool leads(std::uint32_t from, std::uint32_t to, const std::vector<bool>& gone) const {
    std::vector<bool> met(vertices_);
    met[from] = true;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < arcs_.size(); ++i) {
        if (gone[i] || !met[arcs_[i].from] || met[arcs_[i].to]) continue;
        met[arcs_[i].to] = more = true;
      }
    }
    return met[to];
  }

  std::uint32_t vertices_;
  const std::vector<Arc>& arcs_;
  Order order_;
};

class NaiveFeedback : public testing::TestWithParam<std::uint64_t> {};

/// Few weights, so that many orders are as light: which of them is found hangs on every step.
TEST_P(NaiveFeedback, IsTheSearchStepByStep) {
  Random random(GetParam(), "naive_feedback_test");
  const auto vertices = static_cast<std::uint32_t>(9 + GetParam());
  std::vector<Arc> arcs;
  for (std::uint32_t a = 0; a < vertices; ++a) {
    for (std::uint32_t b = 0; b < vertices; ++b) {
      if (a == b || random.below(5) > 1) continue;
      const bool fixed = a < b && random.below(8) < GetParam() % 3;
      arcs.push_back({a, b, 1 + random.below(1 + GetParam() % 2), fixed});
    }
  }
  EXPECT_EQ(routing::feedback_arcs(vertices, arcs).removed, Naive(vertices, arcs).removed());
}
INSTANTIATE_TEST_SUITE_P(Graphs, NaiveFeedback, testing::Range<std::uint64_t>(0, 6));

}  // namespace
}  // namespace braid::test::naive_feedback_test
