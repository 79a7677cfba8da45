#include "routing/paths/link_balance.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <utility>

#include "routing/paths/solver_events.h"

namespace braid::routing {
namespace {

using Cost = CheapestWays::Cost;

constexpr double kPriceUnits = 1099511627776.0;  // 2^40: what all channels cost together
constexpr double kGap = 0.001;                   // most paths over bound, where the search may end
constexpr std::size_t kMostRounds = 400;

/// Column generation (Dantzig and Wolfe). A column is a whole tree: ways from all ends to one. A row for each channel
/// says that the trees' paths over it are no more than the fullest channel's, which is least; a row for each end, that
/// shares of its trees add up to 1. What the channel rows cost at the optimum prices the channels; cheapest ways at
/// those prices are the trees still missing. So the program has as many rows as channels and ends, not as there are
/// pairs.
class TreeProgram {
 public:
  TreeProgram(const WayRules& rules, const std::vector<RouterId>& ends, const PathSet& paths,
              const OnProgress& progress)
      : rules_(rules), ends_(ends), paths_(paths), progress_(progress) {
    clp_.setLogLevel(0);
    const SolverEvents events([this] { tell_round(); }, thrown_);
    clp_.passInEventHandler(&events);
    clp_.resize(static_cast<int>(channels() + ends.size()), 0);
    for (std::size_t row = 0; row < channels() + ends.size(); ++row) {
      const bool is_end = row >= channels();
      clp_.setRowBounds(static_cast<int>(row), is_end ? 1.0 : -COIN_DBL_MAX, is_end ? 1.0 : 0.0);
    }
    add_fullest();
  }

  LinkBalance solve() {
    add_trees(std::vector<Cost>(channels(), static_cast<Cost>(kPriceUnits) / static_cast<Cost>(channels())));
    for (round_ = 0; round_ < kMostRounds; ++round_) {
      optimize();
      const double most = clp_.primalColumnSolution()[0];
      if (most - bound_ <= kGap * most) break;
      if (!add_trees(prices())) break;
    }
    LinkBalance balance;
    balance.most = clp_.primalColumnSolution()[0];
    balance.bound = bound_;
    balance.ways = shares();
    return balance;
  }

 private:
  std::size_t channels() const { return rules_.channels.count(); }
  double paths_between(RouterId from, RouterId to) const { return static_cast<double>(paths_.count(from, to)); }
  void tell_round() const { tell(progress_, "round", round_); }

  void optimize() {
    clp_.primal(1);
    if (thrown_) std::rethrow_exception(thrown_);
  }

  void add_fullest() {
    std::vector<int> rows(channels());
    for (std::size_t c = 0; c < channels(); ++c) rows[c] = static_cast<int>(c);
    const std::vector<double> minus(channels(), -1.0);
    clp_.addColumn(static_cast<int>(channels()), rows.data(), minus.data(), 0.0, COIN_DBL_MAX, 1.0);
  }

  /// The duals of the channel rows, as costs that are no fractions and above 0.
  std::vector<Cost> prices() const {
    std::vector<double> dual(channels());
    double all = 0.0;
    for (std::size_t c = 0; c < channels(); ++c) all += dual[c] = std::max(0.0, -clp_.dualRowSolution()[c]);
    std::vector<Cost> cost;
    for (const double d : dual) cost.push_back(1 + std::llround(all > 0.0 ? d / all * kPriceUnits : 0.0));
    return cost;
  }

  /// The cheapest tree to each end. Whatever the prices, a share of them all is never more than the fullest channel's
  /// paths: so their trees' cost is a bound. False if no tree is better than those that the program has.
  bool add_trees(const std::vector<Cost>& cost) {
    Cost units = 0;
    for (const Cost c : cost) units += c;
    double all = 0.0;
    bool better = false;
    for (std::size_t e = 0; e < ends_.size(); ++e) {
      tell_round();
      const CheapestWays tree(rules_, ends_[e], cost);
      double paid = 0.0;
      for (const RouterId from : ends_) paid += paths_between(from, ends_[e]) * static_cast<double>(tree.cost(from));
      all += paid;
      if (bound_ > 0.0 && paid / static_cast<double>(units) >= clp_.dualRowSolution()[channels() + e] - 1e-9) continue;
      better = true;
      add_tree(e, tree);
    }
    bound_ = std::max(bound_, all / static_cast<double>(units));
    return better;
  }

  void add_tree(std::size_t end, const CheapestWays& tree) {
    std::vector<double> load(channels());
    for (const RouterId from : ends_) {
      for (const std::uint32_t c : tree.way(from)) load[c] += paths_between(from, tree.to());
    }
    std::vector<int> rows;
    std::vector<double> paths;
    for (std::size_t c = 0; c < channels(); ++c) {
      if (load[c] == 0.0) continue;
      rows.push_back(static_cast<int>(c));
      paths.push_back(load[c]);
    }
    rows.push_back(static_cast<int>(channels() + end));
    paths.push_back(1.0);
    clp_.addColumn(static_cast<int>(rows.size()), rows.data(), paths.data(), 0.0, COIN_DBL_MAX, 0.0);
    trees_.push_back(tree);
  }

  /// Of each pair, from the shares of trees. Rounded once, here; from here on all is integers.
  std::vector<std::vector<SharedWay>> shares() const {
    std::vector<std::vector<SharedWay>> ways(rules_.routers * rules_.routers);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      tell_round();
      const double share = clp_.primalColumnSolution()[t + 1] * static_cast<double>(kWholePath);
      if (share < 0.5) continue;
      for (const RouterId from : ends_) {
        if (from == trees_[t].to()) continue;
        add_share(ways[from.value * rules_.routers + trees_[t].to().value], trees_[t].way(from), std::llround(share));
      }
    }
    for (std::vector<SharedWay>& pair : ways) make_whole(pair);
    return ways;
  }

  static void add_share(std::vector<SharedWay>& pair, const Way& way, std::int64_t share) {
    const auto same = std::find_if(pair.begin(), pair.end(), [&](const SharedWay& s) { return s.way == way; });
    if (same != pair.end()) {
      same->share += share;
    } else {
      pair.push_back({way, share});
    }
  }

  /// What rounding has left over goes to the greatest share.
  static void make_whole(std::vector<SharedWay>& pair) {
    if (pair.empty()) return;
    std::int64_t left = kWholePath;
    for (const SharedWay& s : pair) left -= s.share;
    const auto less = [](const SharedWay& a, const SharedWay& b) { return a.share < b.share; };
    std::max_element(pair.begin(), pair.end(), less)->share += left;
  }

  const WayRules& rules_;
  const std::vector<RouterId>& ends_;
  const PathSet& paths_;  // how many there are to be
  const OnProgress& progress_;
  std::size_t round_ = 0;
  std::exception_ptr thrown_;  // by who was told of progress, out of the solver
  ClpSimplex clp_;
  std::vector<CheapestWays> trees_;  // [column - 1]
  double bound_ = 0.0;
};

}  // namespace

LinkBalance balance_links(const WayRules& rules, const std::vector<RouterId>& ends, const PathSet& paths,
                          const OnProgress& progress) {
  if (ends.size() < 2) return {std::vector<std::vector<SharedWay>>(rules.routers * rules.routers), 0.0, 0.0};
  return TreeProgram(rules, ends, paths, progress).solve();
}

}  // namespace braid::routing
