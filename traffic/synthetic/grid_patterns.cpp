// Patterns of coordinates on a mesh or torus: transpose, tornado, neighbour; the last two on networks of any number of
// dimensions, from a node of a router to that of the same number. Fixed points send to themselves.
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

using routing::Grid;
using Move = RouterId (*)(const Grid& grid, std::uint32_t x, std::uint32_t y);

RouterId transpose(const Grid& grid, std::uint32_t x, std::uint32_t y) { return grid.at(y, x); }

/// In a row of so many routers, links on.
using Stride = std::uint32_t (*)(std::uint32_t size);
/// Nearly half-way round: ceil(k/2) - 1 links.
std::uint32_t half_way(std::uint32_t size) { return (size + 1) / 2 - 1; }
std::uint32_t one(std::uint32_t) { return 1; }

class GridPattern final : public FixedPattern {
 public:
  GridPattern(const char* name, Move move, const routing::Topology& topology) {
    if (!topology.grid) {
      throw InputError("traffic pattern \"" + std::string(name) + "\" needs a mesh or torus; topology is " +
                       topology.name);
    }
    const Grid& grid = *topology.grid;
    if (grid.width != grid.height) {
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

/// Routers in a row of each dimension; on a chain of chiplets in a row of all of them.
std::vector<std::uint32_t> row_sizes(const char* name, const routing::Topology& topology) {
  if (topology.grid) return {topology.grid->width, topology.grid->height};
  if (topology.chain) return {topology.chain->length(), topology.chain->height};
  if (topology.cube) return topology.cube->sizes;
  throw InputError("traffic pattern \"" + std::string(name) + "\" needs a mesh or torus; topology is " + topology.name);
}

/// The same way on in every dimension.
class RowPattern final : public FixedPattern {
 public:
  RowPattern(const char* name, Stride links, const routing::Topology& topology) {
    const std::vector<std::uint32_t> sizes = row_sizes(name, topology);
    const std::size_t on_a_router = topology.node_count() / topology.router_count();
    for (std::size_t n = 0; n < topology.node_count(); ++n) {  // nodes of a router follow each other
      std::size_t router = 0, stride = 1, rest = n / on_a_router;
      for (const std::uint32_t size : sizes) {
        router += (rest % size + links(size)) % size * stride;
        rest /= size;
        stride *= size;
      }
      destinations_.push_back(NodeId{router * on_a_router + n % on_a_router});
    }
  }
  Destination only_destination(NodeId source) const override { return destinations_[source.value]; }

 private:
  std::vector<NodeId> destinations_;
};

template <class Pattern, class Rule>
bool add(const char* name, const char* summary, Rule rule) {
  return PatternRegistry::instance().add(name, summary, [name, rule](const routing::Topology& t, const Configuration&) {
    return std::make_unique<Pattern>(name, rule, t);
  });
}
const bool grid_patterns_registered =
    add<GridPattern, Move>("transpose", "(x, y) to (y, x)", transpose) &&
    add<RowPattern, Stride>("tornado", "nearly half-way round in each dimension", half_way) &&
    add<RowPattern, Stride>("neighbour", "(x, y) to (x + 1, y + 1)", one);

}  // namespace
}  // namespace braid::traffic
