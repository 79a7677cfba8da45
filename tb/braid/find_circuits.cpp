#include "tb/braid/find_circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

#include "routing/base/random.h"

namespace braid::tb {

StreamDemands stream_demands(const traffic::StreamGraph& graph, const std::vector<NodeId>& layout,
                             const routing::Topology& topology) {
  StreamDemands all;
  all.edges.resize(graph.edges.size());
  std::iota(all.edges.begin(), all.edges.end(), 0U);
  std::stable_sort(all.edges.begin(), all.edges.end(),
                   [&](auto a, auto b) { return layout[graph.edges[a].from] < layout[graph.edges[b].from]; });
  for (const std::uint32_t e : all.edges) {
    all.demands.push_back(
        {topology.router_of(layout[graph.edges[e].from]), topology.router_of(layout[graph.edges[e].to])});
  }
  return all;
}

std::vector<NodeId> random_layout(std::size_t actors, std::size_t nodes, std::uint64_t seed, std::uint32_t index) {
  Random random(seed, fmt::format("disjoint.layout[{}]", index));
  std::vector<NodeId> layout;
  for (std::size_t n = 0; n < nodes; ++n) layout.push_back(NodeId{n});
  for (std::size_t a = 0; a < actors; ++a) std::swap(layout[a], layout[a + random.below(nodes - a)]);
  layout.resize(actors);
  return layout;
}

std::size_t FinderAnswer::links() const {
  std::size_t all = 0;
  for (const auto& path : found.paths) all += path.size();
  return all;
}

std::size_t FinderAnswer::longest() const {
  std::size_t most = 0;
  for (const auto& path : found.paths) most = std::max(most, path.size());
  return most;
}

std::vector<FinderAnswer> ask_finders(const Configuration& configuration, const routing::Topology& topology,
                                      const routing::Channels& channels, const std::vector<routing::Demand>& demands,
                                      const routing::OnProgress& progress) {
  const std::string chosen = routing::disjoint_options().read(configuration).finder;
  std::vector<FinderAnswer> answers;
  for (const std::string& name : routing::DisjointRegistry::instance().names()) {
    if (chosen != "all" && chosen != name) continue;
    const auto finder = routing::DisjointRegistry::instance().make(name, {configuration});
    if (chosen != name && !finder->knows_any()) continue;
    const std::clock_t begin = std::clock();
    FinderAnswer answer{name, finder->find(topology, channels, demands, progress), 0.0};
    answer.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    answers.push_back(std::move(answer));
  }
  return answers;
}

void FinderCounts::count(const FinderAnswer& answer, std::optional<std::size_t> fewest_links) {
  using Answer = routing::DisjointAnswer;
  finder = answer.finder;
  cpu_seconds += answer.cpu_seconds;
  ++(answer.found.answer == Answer::kFound ? found : answer.found.answer == Answer::kNone ? none : unknown);
  if (answer.found.cut && answer.found.cut->routers.size() == 1) ++one_router;
  if (answer.found.answer != Answer::kFound) return;
  links += answer.links();
  if (!fewest_links) return;
  ++compared;
  excess += answer.links() - *fewest_links;
}

std::pair<double, double> wilson_95(std::uint32_t hits, std::uint32_t all) {
  constexpr double kZ = 1.959963984540054;  // 97.5 % of the normal distribution lie below
  const double n = all, share = hits / n;
  const double middle = share + kZ * kZ / (2.0 * n);
  const double half = kZ * std::sqrt(share * (1.0 - share) / n + kZ * kZ / (4.0 * n * n));
  const double scale = 1.0 + kZ * kZ / n;
  return {std::max(0.0, (middle - half) / scale), std::min(1.0, (middle + half) / scale)};
}

}  // namespace braid::tb
