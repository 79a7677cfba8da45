// The asymmetric tree that tells everybody soonest in the LogP model (Karp, Sahay, Santos, Schauser, "Optimal broadcast
// and summation in the LogP model", 1993; diamond-rings names it in sections 1 and 2): a position that knows of the
// event in cycle t has told its i-th child, i = 0, 1, …, in t + L + 2 o + i max(g, o). Positions are numbered in the
// order in which they know. Acknowledgements come up as in a balanced tree.
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {
namespace {

struct LogPOptions {
  std::uint64_t latency = 1, overhead = 1, gap = 1;
};
constexpr std::int64_t kMostCycles = 1000000000;
const OptionTable<LogPOptions> kLogPTable =
    OptionTable<LogPOptions>("broadcast")
        .integer("logp_latency_cycles", &LogPOptions::latency, 0, kMostCycles, "L: a message is under way")
        .integer("logp_overhead_cycles", &LogPOptions::overhead, 0, kMostCycles,
                 "o: a position is at work for a message that it sends, and for one that it receives")
        .integer("logp_gap_cycles", &LogPOptions::gap, 0, kMostCycles,
                 "g: from a position's message to its next one, at least (and at least o)");

class LogPTree final : public BroadcastScheme {
 public:
  LogPTree(std::uint32_t positions, const LogPOptions& options) : BroadcastScheme(parts_of(positions, options)) {}

 private:
  /// Who can tell another position soonest does; of several the one that knew first.
  static std::vector<BroadcastPart> parts_of(std::uint32_t positions, const LogPOptions& options) {
    using Next = std::pair<std::uint64_t, std::uint32_t>;  // cycle in which another one knows, who tells it
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    const std::uint64_t told = options.latency + 2 * options.overhead;
    const std::uint64_t again = std::max(options.gap, options.overhead);
    std::vector<BroadcastPart> parts(positions);
    next.emplace(told, 0);
    for (std::uint32_t p = 1; p < positions; ++p) {
      const auto [cycle, from] = next.top();
      next.pop();
      next.emplace(cycle + again, from);
      next.emplace(cycle + told, p);
      parts[from].told_at_once.push_back(p);
      parts[p].told_when_done = {from};
    }
    for (BroadcastPart& part : parts) part.role = part.told_at_once.empty() ? "leaf" : "inner";
    parts[0].role = "root";
    return parts;
  }
};

const bool logp_tree_registered = BroadcastSchemeRegistry::instance().add(
    "logp_tree", "the asymmetric tree that tells everybody soonest in the LogP model; acknowledgements up",
    kLogPTable.list(),
    [](const SchemeContext& c) { return std::make_unique<LogPTree>(c.positions, kLogPTable.read(c.configuration)); });

}  // namespace
}  // namespace braid::traffic
