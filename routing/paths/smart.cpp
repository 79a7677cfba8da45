// Smart-routing (Cherkasova, Kotov and Rokicki; paper: in-transit-buffers, section 1): every path between every pair
// may be taken at first; then dependencies between channels go, one after the other, until they close no cycle; a
// linear program balances what is left. No in-transit buffers, some paths longer than the shortest.
#include <memory>
#include <utility>

#include "routing/paths/dependency_removal.h"
#include "routing/paths/path_computation.h"
#include "routing/paths/single_paths.h"

namespace braid::routing {
namespace {

class Smart final : public PathComputation {
 public:
  explicit Smart(const PathContext& context) : per_(context.per) {}
  PathSet compute(const Topology& topology, const OnProgress& progress) const override {
    const Channels channels(topology);
    const std::vector<RouterId> ends = routers_with_nodes(topology);
    const AcyclicDependencies dependencies = acyclic_dependencies(topology, channels, progress);
    WayRules rules(topology, channels, dependencies.after);
    rules.tree = dependencies.tree;
    PathSet paths(topology, per_);
    const LinkBalance balance = balance_links(rules, ends, paths, progress);
    return single_paths(rules, ends, balance, std::move(paths), progress);
  }
  bool minimal() const override { return false; }
  bool acyclic() const override { return true; }

 private:
  PathsPer per_;
};

const bool smart_registered = PathComputationRegistry::instance().add(
    "smart", "dependencies removed until no cycle is left, then balanced by a linear program",
    [](const PathContext& c) { return std::make_unique<Smart>(c); });

}  // namespace
}  // namespace braid::routing
