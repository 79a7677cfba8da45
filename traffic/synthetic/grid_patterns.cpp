// Patterns of coordinates on a mesh or torus: transpose, tornado, neighbour. Fixed points send to themselves.
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

using routing::Grid;
using Move = RouterId (*)(const Grid& grid, std::uint32_t x, std::uint32_t y);

RouterId transpose(const Grid& grid, std::uint32_t x, std::uint32_t y) { return grid.at(y, x); }
/// Nearly half-way round in x and in y: ceil(k/2) - 1 links.
RouterId tornado(const Grid& grid, std::uint32_t x, std::uint32_t y) {
  return grid.at((x + (grid.width + 1) / 2 - 1) % grid.width, (y + (grid.height + 1) / 2 - 1) % grid.height);
}
RouterId neighbour(const Grid& grid, std::uint32_t x, std::uint32_t y) {
  return grid.at((x + 1) % grid.width, (y + 1) % grid.height);
}

class GridPattern final : public FixedPattern {
 public:
  GridPattern(const char* name, Move move, bool needs_square, const routing::Topology& topology) {
    if (!topology.grid) {
      throw InputError("traffic pattern \"" + std::string(name) + "\" needs a mesh or torus; topology is " +
                       topology.name);
    }
    const Grid& grid = *topology.grid;
    if (needs_square && grid.width != grid.height) {
      throw InputError("traffic pattern \"" + std::string(name) + "\" needs a square grid; topology is " +
                       topology.name);
    }
    for (std::size_t n = 0; n < topology.node_count(); ++n) {  // on a grid, node i hangs on router i
      destinations_.push_back(NodeId{move(grid, grid.x(RouterId{n}), grid.y(RouterId{n})).value});
    }
  }
  Destination only_destination(NodeId source) const override { return destinations_[source.value]; }

 private:
  std::vector<NodeId> destinations_;
};

bool add(const char* name, const char* summary, Move move, bool needs_square) {
  return PatternRegistry::instance().add(name, summary,
                                         [name, move, needs_square](const routing::Topology& t, const Configuration&) {
                                           return std::make_unique<GridPattern>(name, move, needs_square, t);
                                         });
}
const bool grid_patterns_registered = add("transpose", "(x, y) to (y, x)", transpose, true) &&
                                      add("tornado", "nearly half-way round in each dimension", tornado, false) &&
                                      add("neighbour", "(x, y) to (x + 1, y + 1)", neighbour, false);

}  // namespace
}  // namespace braid::traffic
