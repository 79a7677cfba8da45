// RANDOM (paper: in-transit-buffers, section 4.2.1): for each pair any of its minimal paths, each as likely. Which
// cycles that closes, in-transit buffers must break.
#include <memory>

#include "routing/base/random.h"
#include "routing/paths/minimal_paths.h"
#include "routing/paths/path_computation.h"

namespace braid::routing {
namespace {

class RandomPaths final : public PathComputation {
 public:
  explicit RandomPaths(const PathContext& context)
      : per_(context.per), random_(read_seed(context.configuration), "routing.random") {}
  bool minimal() const override { return true; }
  bool acyclic() const override { return false; }

  PathSet compute(const Topology& topology, const OnProgress& progress) const override {
    Random random = random_;
    PathSet paths(topology, per_);
    const std::vector<RouterId> ends = routers_with_nodes(topology);
    for (const RouterId to : ends) {
      tell(progress, "destination", to.value, topology.router_count());
      const MinimalPaths minimal(topology, to);
      for (const RouterId from : ends) {
        for (std::size_t i = 0; i < paths.count(from, to); ++i) {
          paths.at(from, to, i).ports = minimal.path(from, minimal.draw(from, 1, random).front());
        }
      }
    }
    return paths;
  }

 private:
  PathsPer per_;
  Random random_;
};

const bool random_paths_registered = PathComputationRegistry::instance().add(
    "random", "any minimal path", [](const PathContext& c) { return std::make_unique<RandomPaths>(c); });

}  // namespace
}  // namespace braid::routing
