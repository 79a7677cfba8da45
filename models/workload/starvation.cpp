#include "models/workload/starvation.h"

#include <algorithm>

namespace braid::models {
namespace {

constexpr double kStarvedShare = 0.1;
constexpr std::uint64_t kFewest = 10;  // packets made: of fewer the last ones made weigh too much

}  // namespace

StarvationVerdict starvation(const std::vector<std::uint64_t>& made, const std::vector<std::uint64_t>& sent) {
  StarvationVerdict v;
  for (std::size_t n = 0; n < made.size(); ++n) {
    if (made[n] < kFewest) continue;
    const double share = static_cast<double>(n < sent.size() ? sent[n] : 0) / static_cast<double>(made[n]);
    if (share < kStarvedShare) ++v.nodes;
    if (share >= v.least_share) continue;  // not of the first, where nothing compares with none
    v.least_share = share;
    v.worst_node = n;
  }
  return v;
}

const FigureTable<StarvationVerdict>& starvation_figures() {
  using S = StarvationVerdict;
  static const FigureTable<S> table =
      FigureTable<S>()
          .add("nodes", "",
               "that sent less than a tenth of the packets that they made while measuring, if they made ten", &S::nodes)
          .add("least_share", "", "sent over made, where it is least", &S::least_share)
          .add("worst_node", "", "the node there; 0 if none made as many", &S::worst_node)
          .add("oldest_age_cycles", "cycles",
               "since the oldest packet was made of those that wait or travel when the window ends",
               &S::oldest_age_cycles)
          .add("oldest_source", "", "the node that made it; 0 if nothing waits or travels", &S::oldest_source);
  return table;
}

}  // namespace braid::models
