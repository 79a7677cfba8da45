// The optimum: disjoint paths of fewest channels together, or the proof that there are none. In order of what it costs:
// routers with more demands than channels; paths that another finder has found and that are as short as the distances;
// regions with more demands than channels; the integer program, which looks only for what is better than those paths.
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include "routing/paths/disjoint/demand_cuts.h"
#include "routing/paths/disjoint/flow_program.h"
#include "routing/paths/disjoint/free_channels.h"

namespace braid::routing {
namespace {

struct ExactOptions {
  double seconds = 60.0;
};
const OptionTable<ExactOptions> kExactTable = OptionTable<ExactOptions>("disjoint")
                                                  .number("exact_seconds", &ExactOptions::seconds, 0.001, 1e9,
                                                          "for the integer program; then the answer is unknown");

std::size_t total(const std::vector<std::vector<std::uint32_t>>& paths) {
  std::size_t all = 0;
  for (const auto& path : paths) all += path.size();
  return all;
}

DisjointPaths none_by(DemandCut cut) {
  DisjointPaths none;
  none.answer = DisjointAnswer::kNone;
  none.cut = std::move(cut);
  none.proof = "cut";
  return none;
}

class Exact final : public DisjointFinder {
 public:
  explicit Exact(const DisjointContext& context)
      : context_(context), options_(kExactTable.read(context.configuration)) {}

  DisjointPaths find(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                     const OnProgress& progress) const override {
    if (auto cut = overfull_router(topology, channels, demands)) return none_by(std::move(*cut));
    DisjointPaths best = found_by_others(topology, channels, demands, progress);
    const bool found = best.answer == DisjointAnswer::kFound;
    const std::vector<std::uint32_t> links = demand_distances(topology, demands);
    if (found && total(best.paths) == std::accumulate(links.begin(), links.end(), std::size_t{0})) {
      best.shortest = true;
      best.proof = "distance";
      return best;
    }
    if (!found) {
      if (auto cut = overfull_region(topology, channels, demands, progress)) return none_by(std::move(*cut));
    }
    return improved(std::move(best), topology, channels, demands, progress);
  }

 private:
  /// The shorter of what they find.
  DisjointPaths found_by_others(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                                const OnProgress& progress) const {
    DisjointPaths best;
    for (const char* other : {"negotiated", "sequential"}) {
      DisjointPaths paths =
          DisjointRegistry::instance().make(other, context_)->find(topology, channels, demands, progress);
      if (paths.answer != DisjointAnswer::kFound) continue;
      if (best.answer == DisjointAnswer::kFound && total(best.paths) <= total(paths.paths)) continue;
      best = std::move(paths);
    }
    best.tries = best.backtracks = 0;
    return best;
  }

  DisjointPaths improved(DisjointPaths best, const Topology& topology, const Channels& channels,
                         const std::vector<Demand>& demands, const OnProgress& progress) const {
    std::vector<Demand> apart;  // their ends
    for (const Demand& d : demands) {
      if (d.from != d.to) apart.push_back(d);
    }
    const bool found = best.answer == DisjointAnswer::kFound;
    FlowAnswer flow =
        solve_flow_program(topology, channels, apart, {options_.seconds, found ? total(best.paths) : 0}, progress);
    best.tries = flow.nodes;
    if (!flow.paths.empty()) {
      best.answer = DisjointAnswer::kFound;
      best.paths.assign(demands.size(), {});
      std::size_t next = 0;
      for (std::size_t d = 0; d < demands.size(); ++d) {
        if (demands[d].from != demands[d].to) best.paths[d] = std::move(flow.paths[next++]);
      }
    }
    if (!flow.finished) return best;
    best.proof = flow.by_relaxation ? "linear program" : "branch and bound";
    best.shortest = best.answer == DisjointAnswer::kFound;
    if (!best.shortest) best.answer = DisjointAnswer::kNone;
    return best;
  }

  DisjointContext context_;
  ExactOptions options_;
};

const bool exact_registered = DisjointRegistry::instance().add(
    "exact", "the fewest channels of all, or the proof that there are no paths (integer program)", kExactTable.list(),
    [](const DisjointContext& c) { return std::make_unique<Exact>(c); });

}  // namespace
}  // namespace braid::routing
