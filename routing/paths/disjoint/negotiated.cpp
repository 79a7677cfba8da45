// Negotiated congestion (L. McMurchie and C. Ebeling, "PathFinder: a negotiation-based performance-driven router for
// FPGAs", FPGA 1995). Every demand takes its cheapest path, shared channels allowed, again and again in rounds. A
// channel costs (1 + history) * present: `present` grows with the paths that share the channel now, and from round to
// round; `history` with every round that ends with the channel shared. So whoever has an alternative leaves.
#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <utility>

#include "routing/paths/disjoint/free_channels.h"

namespace braid::routing {
namespace {

struct NegotiatedOptions {
  std::uint32_t rounds = 200;
  double present_growth = 1.3;
  double history_gain = 1.0;
};
const OptionTable<NegotiatedOptions> kNegotiatedTable =
    OptionTable<NegotiatedOptions>("disjoint")
        .integer("negotiated_rounds", &NegotiatedOptions::rounds, 1, 1000000000, "in which every demand is routed")
        .number("present_growth", &NegotiatedOptions::present_growth, 1.0, 1000.0,
                "of what sharing a channel costs, from round to round")
        .number("history_gain", &NegotiatedOptions::history_gain, 0.0, 1000.0,
                "of a channel's cost in links, by each round that ends with it shared");

constexpr double kFirstPresent = 0.5;
constexpr double kMostPresent = 1e6;  // beyond it only history counts

class Negotiation {
 public:
  Negotiation(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands)
      : channels_(channels),
        demands_(demands),
        out_of_(channels_out_of(topology, channels)),
        users_(channels.count()),
        history_(channels.count()),
        paths_(demands.size()) {}

  /// Are all paths disjoint now?
  bool round(double present, double history_gain) {
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      for (const std::uint32_t c : paths_[d]) --users_[c];
      paths_[d] = cheapest(demands_[d], present);
      for (const std::uint32_t c : paths_[d]) ++users_[c];
    }
    bool disjoint = true;
    for (std::size_t c = 0; c < users_.size(); ++c) {
      if (users_[c] < 2) continue;
      history_[c] += history_gain * (users_[c] - 1);
      disjoint = false;
    }
    return disjoint;
  }

  std::vector<std::vector<std::uint32_t>> paths() && { return std::move(paths_); }

 private:
  /// Dijkstra's algorithm; of equal costs the lower router, then the lower port.
  std::vector<std::uint32_t> cheapest(const Demand& demand, double present) {
    using Reached = std::pair<double, std::uint32_t>;  // cost, router
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> frontier;
    cost_.assign(out_of_.size(), -1.0);
    came_by_.assign(out_of_.size(), 0);
    cost_[demand.from.value] = 0.0;
    frontier.emplace(0.0, demand.from.value);
    while (!frontier.empty() && frontier.top().second != demand.to.value) {
      const auto [cost, here] = frontier.top();
      frontier.pop();
      if (cost > cost_[here]) continue;
      for (const std::uint32_t c : out_of_[here]) {
        const std::uint32_t next = channels_[c].to.value;
        const double there = cost + (1.0 + history_[c]) * (1.0 + present * users_[c]);
        if (cost_[next] >= 0.0 && cost_[next] <= there) continue;
        cost_[next] = there;
        came_by_[next] = c;
        frontier.emplace(there, next);
      }
    }
    std::vector<std::uint32_t> path;
    for (RouterId r = demand.to; r != demand.from; r = channels_[path.back()].from) path.push_back(came_by_[r.value]);
    std::reverse(path.begin(), path.end());
    return path;
  }

  const Channels& channels_;
  const std::vector<Demand>& demands_;
  std::vector<std::vector<std::uint32_t>> out_of_;  // [router]
  std::vector<std::uint32_t> users_;                // [channel] paths
  std::vector<double> history_;                     // [channel] links
  std::vector<std::vector<std::uint32_t>> paths_;   // [demand]
  // Scratch:
  std::vector<double> cost_;            // [router]; below 0: not reached
  std::vector<std::uint32_t> came_by_;  // [router] channel
};

class Negotiated final : public DisjointFinder {
 public:
  explicit Negotiated(const Configuration& c) : options_(kNegotiatedTable.read(c)) {}

  DisjointPaths find(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                     const OnProgress& progress) const override {
    Negotiation negotiation(topology, channels, demands);
    DisjointPaths found;
    double present = kFirstPresent;
    for (found.tries = 1; found.tries <= options_.rounds; ++found.tries) {
      tell(progress, "round", found.tries, options_.rounds);
      if (negotiation.round(present, options_.history_gain)) {
        found.answer = DisjointAnswer::kFound;
        found.paths = std::move(negotiation).paths();
        return found;
      }
      present = std::min(kMostPresent, present * options_.present_growth);
    }
    --found.tries;
    return found;
  }

 private:
  NegotiatedOptions options_;
};

const bool negotiated_registered = DisjointRegistry::instance().add(
    "negotiated", "all at once, sharing channels at a price that rises until nobody does (PathFinder)",
    kNegotiatedTable.list(), [](const DisjointContext& c) { return std::make_unique<Negotiated>(c.configuration); });

}  // namespace
}  // namespace braid::routing
