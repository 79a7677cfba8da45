#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

class Mesh final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    return build_grid(grid_options(false).read(configuration), false);
  }
};

const bool mesh_registered =
    TopologyRegistry::instance().add("mesh", "width x height routers, links to four neighbours",
                                     grid_options(false).list(), [] { return std::make_unique<Mesh>(); });

}  // namespace
}  // namespace braid::routing
