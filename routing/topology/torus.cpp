#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

class Torus final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    return build_grid(grid_options(true).read(configuration), true);
  }
};

const bool torus_registered =
    TopologyRegistry::instance().add("torus", "a mesh whose rows and columns are rings", grid_options(true).list(),
                                     [] { return std::make_unique<Torus>(); });

}  // namespace
}  // namespace braid::routing
