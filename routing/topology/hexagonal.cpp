// The continuous (wrapped) hexagonal mesh En: a hexagon of n routers an edge, 3n(n-1)+1 in all, whose opposite edges
// are joined so that every router sees the same network (po2-message-scheduling, section 2; Chen, Shin and Kandlur's
// C-wrapping). It is a circulant graph: router i is joined to i +- 1, i +- (3n-1) and i +- (3n-2) modulo 3n(n-1)+1.
#include "routing/topology/hexagonal.h"

#include <algorithm>
#include <array>

namespace braid::routing {
namespace {

constexpr std::uint32_t kLargestEdge = 200;
constexpr std::array<const char*, kHexagonalDirections> kNames = {"east", "north_east", "north_west",
                                                                  "west", "south_west", "south_east"};

struct HexagonalOptions : LinkOptions {
  std::uint32_t edge = 6;
};

OptionTable<HexagonalOptions> hexagonal_options() {
  OptionTable<HexagonalOptions> table("topology");
  table.integer("edge", &HexagonalOptions::edge, 2, kLargestEdge, "routers on each edge of the hexagon");
  return add_link_options(table, kMaxPorts - kHexagonalDirections);
}
const OptionTable<HexagonalOptions> kHexagonalTable = hexagonal_options();

/// Places on the flat hexagon around router 0, "q,r": q steps east and r steps north-west.
std::vector<std::string> names_of(std::uint32_t edge) {
  const int radius = static_cast<int>(edge) - 1;
  const int routers = static_cast<int>(hexagonal_router_count(edge));
  const int north_west = 3 * static_cast<int>(edge) - 2;
  std::vector<std::string> names(static_cast<std::size_t>(routers));
  for (int q = -radius; q <= radius; ++q) {
    for (int r = -radius; r <= radius; ++r) {
      if (std::abs(q - r) > radius) continue;
      const int router = ((q + r * north_west) % routers + routers) % routers;
      names[static_cast<std::size_t>(router)] = std::to_string(q) + "," + std::to_string(r);
    }
  }
  return names;
}

class Hexagonal final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const HexagonalOptions options = kHexagonalTable.read(configuration);
    const std::size_t routers = hexagonal_router_count(options.edge);
    Topology t;
    t.name = "hexagonal E" + std::to_string(options.edge);
    check_topology_room(t.name, routers, routers * (kHexagonalDirections + options.local_ports), routers);
    t.router_names = names_of(options.edge);
    for (std::size_t r = 0; r < routers; ++r) {
      std::vector<Port> ports;
      for (std::size_t d = 0; d < kHexagonalDirections; ++d) {
        const PortId back{(d + kHexagonalDirections / 2) % kHexagonalDirections};
        ports.push_back({PortKind::kNetwork, hexagonal_neighbour(options.edge, RouterId{r}, PortId{d}), back, NodeId{},
                         options.link_latency_cycles, kNames[d], options.link_flits_per_cycle});
      }
      std::vector<Attachment> attachments;
      for (std::uint32_t l = 0; l < options.local_ports; ++l) {
        attachments.push_back({RouterId{r}, PortId{ports.size()}});
        ports.push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{r}, 1, "local" + std::to_string(l)});
      }
      t.routers.push_back(std::move(ports));
      t.nodes.push_back(std::move(attachments));
    }
    return t;
  }
};

const bool hexagonal_registered = TopologyRegistry::instance().add(
    "hexagonal", "wrapped hexagonal mesh of 3n(n-1)+1 routers, n = topology.edge (PO2)", kHexagonalTable.list(),
    [] { return std::make_unique<Hexagonal>(); });

}  // namespace

std::size_t hexagonal_router_count(std::uint32_t edge) { return 3 * std::size_t{edge} * (edge - 1) + 1; }

RouterId hexagonal_neighbour(std::uint32_t edge, RouterId router, PortId direction) {
  const std::size_t routers = hexagonal_router_count(edge);
  const std::size_t steps[] = {1, 3 * std::size_t{edge} - 1, 3 * std::size_t{edge} - 2};
  const std::size_t step = steps[direction.value % 3];
  return RouterId{(router.value + (direction.value < 3 ? step : routers - step)) % routers};
}

}  // namespace braid::routing
