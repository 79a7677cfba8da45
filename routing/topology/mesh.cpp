#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

class Mesh final : public TopologyBuilder {
 public:
  Topology build(const TopologyOptions& options) const override { return build_grid(options, false); }
};

const bool registered = TopologyRegistry::instance().add("mesh", "width x height routers, links to four neighbours",
                                                         [] { return std::make_unique<Mesh>(); });

}  // namespace
}  // namespace braid::routing
