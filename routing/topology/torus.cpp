#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

class Torus final : public TopologyBuilder {
 public:
  Topology build(const TopologyOptions& options) const override { return build_grid(options, true); }
};

const bool registered = TopologyRegistry::instance().add("torus", "a mesh whose rows and columns are rings",
                                                         [] { return std::make_unique<Torus>(); });

}  // namespace
}  // namespace braid::routing
