// up*/down* (Autonet; paper: in-transit-buffers, section 1): links point up to the root of a breadth-first spanning
// tree, and no path goes up after it went down. The paper leaves open which of the shortest legal paths a pair takes:
// here any, at random, so that the root is no hotter than it must be.
#include <memory>

#include "routing/base/random.h"
#include "routing/paths/legal_paths.h"
#include "routing/paths/path_computation.h"
#include "routing/paths/up_down_ranks.h"

namespace braid::routing {
namespace {

constexpr const char* kUpDownRoot = "root";
const OptionTable<UpDownOptions> kUpDownRootTable = up_down_options(kUpDownRoot);

class UpDown final : public PathComputation {
 public:
  explicit UpDown(const PathContext& context)
      : options_(kUpDownRootTable.read(context.configuration)),
        per_(context.per),
        random_(read_seed(context.configuration), "routing.up_down") {}
  bool minimal() const override { return false; }
  bool acyclic() const override { return true; }
  PathSet compute(const Topology& topology, const OnProgress& progress) const override {
    return shortest_legal_paths(topology, up_down_ranks(topology, options_, kUpDownRoot), per_, random_, progress);
  }

 private:
  UpDownOptions options_;
  PathsPer per_;
  Random random_;
};

const bool up_down_registered = PathComputationRegistry::instance().add(
    "up_down", "up*/down*: over a breadth-first tree, never up after down", kUpDownRootTable.list(),
    [](const PathContext& c) { return std::make_unique<UpDown>(c); });

}  // namespace
}  // namespace braid::routing
