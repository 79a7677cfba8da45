// Networks of several dimensions: n-dimensional meshes and tori, whose links may have a latency and a speed of their
// own in each dimension (stacked chips), and flattened butterflies (Kim, Dally, Abts, ISCA 2007). Several nodes may
// share a router: a concentrated mesh is one of two dimensions with `concentration` above 1 (Balfour and Dally, ICS
// 2006). Stacked chips may have vertical links in some places only, the elevators (routing/topology/elevators.h).
#include <algorithm>
#include <numeric>
#include <string>

#include "routing/topology/elevators.h"
#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

constexpr std::size_t kMostDimensions = 8;
constexpr std::uint32_t kLongestRow = 1024;
constexpr std::uint64_t kMostCubeRouters = std::uint64_t{1} << 20;

struct CubeOptions : LinkOptions {
  std::vector<std::uint32_t> sizes{4, 4, 4};
  std::vector<std::uint32_t> link_latencies, link_speeds, elevators;
  std::uint32_t concentration = 1;
  bool wrap = false, latency_by_distance = false;
};

OptionTable<CubeOptions> cube_options(bool complete) {
  OptionTable<CubeOptions> table("topology");
  table.integers("sizes", &CubeOptions::sizes, "routers in a row of each dimension, 1 to 8 of them")
      .integers("link_latencies", &CubeOptions::link_latencies,
                "LT of the links in each dimension, in cycles; empty: topology.link_latency_cycles in all")
      .integers("link_speeds", &CubeOptions::link_speeds,
                "flits/cycle of the links in each dimension; empty: topology.link_flits_per_cycle in all")
      .integer("concentration", &CubeOptions::concentration, 1, kMaxPorts, "nodes on each router");
  if (complete) {
    table.boolean("latency_by_distance", &CubeOptions::latency_by_distance,
                  "a link's LT is that of its dimension, times how many positions its routers are apart in the row");
  } else {
    table.boolean("wrap", &CubeOptions::wrap, "rows are rings: a torus")
        .integers("elevators", &CubeOptions::elevators,
                  "x, y, x, y ...: of a mesh of three dimensions, the positions that have vertical links; empty: all");
  }
  return add_link_options(table, 0);
}
const OptionTable<CubeOptions> kCubeTable = cube_options(false), kButterflyTable = cube_options(true);

std::string cube_name(const Cube& cube) {
  std::string name = cube.row == Cube::Row::kComplete ? "flattened butterfly "
                     : cube.row == Cube::Row::kRing   ? "torus "
                                                      : "mesh ";
  for (std::size_t d = 0; d < cube.sizes.size(); ++d) name += (d == 0 ? "" : "x") + std::to_string(cube.sizes[d]);
  return name;
}

[[noreturn]] void refuse_cube(const std::string& key, const std::string& why) {
  throw InputError("topology." + key + why);
}

/// What links have in each dimension, where it is said.
void check_by_dimension(const std::string& key, const std::vector<std::uint32_t>& numbers, std::size_t dimensions,
                        std::uint32_t most) {
  if (!numbers.empty() && numbers.size() != dimensions) {
    refuse_cube(key, " has " + std::to_string(numbers.size()) + " numbers, topology.sizes " +
                         std::to_string(dimensions) + ": expected as many, or none");
  }
  for (const std::uint32_t number : numbers) {
    if (number >= 1 && number <= most) continue;
    refuse_cube(key, " has " + std::to_string(number) + ": expected 1 to " + std::to_string(most));
  }
}

/// LT of a link of a dimension to a neighbour.
std::uint32_t latency_of(const CubeOptions& o, std::size_t d) {
  return o.link_latencies.empty() ? o.link_latency_cycles : o.link_latencies[d];
}

/// Where links are as long as their ends stand apart: is the longest one of a row too long?
void check_distances(const CubeOptions& o) {
  for (std::size_t d = 0; o.latency_by_distance && d < o.sizes.size(); ++d) {
    const std::uint32_t longest = latency_of(o, d) * (o.sizes[d] - 1);
    if (longest <= kMostLinkLatency) continue;
    refuse_cube("latency_by_distance", ": the longest link of dimension " + std::to_string(d) + " takes " +
                                           std::to_string(longest) + " cycles, " + std::to_string(latency_of(o, d)) +
                                           " for each position: expected at most " + std::to_string(kMostLinkLatency));
  }
}

void check_sizes(const CubeOptions& o, Cube::Row row) {
  const std::uint32_t least = row == Cube::Row::kRing ? 3 : 1;
  if (o.sizes.empty() || o.sizes.size() > kMostDimensions) {
    refuse_cube("sizes", " has " + std::to_string(o.sizes.size()) + " dimensions: expected 1 to 8");
  }
  std::uint64_t routers = 1;
  for (const std::uint32_t size : o.sizes) {
    if (size < least || size > kLongestRow) {
      refuse_cube("sizes", " has a row of " + std::to_string(size) + " routers: expected " + std::to_string(least) +
                               " to " + std::to_string(kLongestRow) + (least == 3 ? " in a torus" : ""));
    }
    routers *= size;
    if (routers > kMostCubeRouters)
      refuse_cube("sizes", ": expected at most " + std::to_string(kMostCubeRouters) + " routers");
  }
  check_by_dimension("link_latencies", o.link_latencies, o.sizes.size(), kMostLinkLatency);
  check_by_dimension("link_speeds", o.link_speeds, o.sizes.size(), kMostLinkSpeed);
  check_distances(o);
}

/// Of each position of the plane, whether vertical links are there; empty: they are everywhere.
std::vector<bool> elevators(const CubeOptions& o, Cube::Row row) {
  if (o.elevators.empty()) return {};
  if (o.sizes.size() != 3 || row != Cube::Row::kLine || o.sizes[2] < 2) {
    refuse_cube("elevators",
                " needs a mesh of three dimensions and two planes or more; topology is " + cube_name({row, o.sizes}));
  }
  if (o.elevators.size() % 2 != 0) {
    refuse_cube("elevators",
                " has " + std::to_string(o.elevators.size()) + " numbers: expected x, y, x, y ..., so an even number");
  }
  const std::uint32_t width = o.sizes[0], height = o.sizes[1];
  std::vector<bool> there(std::size_t{width} * height);
  for (std::size_t i = 0; i < o.elevators.size(); i += 2) {
    const std::uint32_t x = o.elevators[i], y = o.elevators[i + 1];
    const bool inside = x < width && y < height;
    if (inside && !there[std::size_t{y} * width + x]) {
      there[std::size_t{y} * width + x] = true;
      continue;
    }
    refuse_cube("elevators", " has x, y = " + std::to_string(x) + ", " + std::to_string(y) + (inside ? " twice" : "") +
                                 ": expected x of 0 to " + std::to_string(width - 1) + " and y of 0 to " +
                                 std::to_string(height - 1) + ", each position once");
  }
  return there;
}

/// Takes the vertical links away where no elevator is. The ports stay, unconnected.
void leave_elevators(Topology& t, const std::vector<bool>& there) {
  const auto count = std::count(there.begin(), there.end(), true);
  if (count == static_cast<std::ptrdiff_t>(there.size())) return;
  t.name += " with " + std::to_string(count) + (count == 1 ? " elevator" : " elevators");
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    if (there[r % there.size()]) continue;
    for (const PortId vertical : {kUpwards, kDownwards}) {
      Port& port = t.routers[r][vertical.value];
      port = Port(PortKind::kUnconnected, RouterId{}, PortId{}, NodeId{}, 1, port.name);
    }
  }
}

/// "x", "y", "z", then "d3" and so on.
std::string dimension_name(std::size_t d) { return d < 3 ? std::string(1, "xyz"[d]) : "d" + std::to_string(d); }

/// The links of a router in one dimension, which its neighbours find by the same rule.
void add_row_ports(std::vector<Port>& ports, const Cube& cube, RouterId here, std::size_t d, const CubeOptions& o) {
  const std::uint32_t latency = latency_of(o, d);
  const std::uint32_t speed = o.link_speeds.empty() ? o.link_flits_per_cycle : o.link_speeds[d];
  const std::uint32_t size = cube.sizes[d], at = cube.coordinate(here, d);
  const auto peer = [&](std::uint32_t to) {
    return RouterId{here.value + (std::size_t{to} - at) * cube.stride(d)};  // modulo 2^64
  };
  const std::size_t first = cube.first_port(d);
  if (cube.row == Cube::Row::kComplete) {
    for (std::uint32_t to = 0; to < size; ++to) {
      if (to == at) continue;
      const std::uint32_t apart = o.latency_by_distance ? std::max(to, at) - std::min(to, at) : 1;
      ports.push_back({PortKind::kNetwork, peer(to), PortId{first + at - (at > to ? 1 : 0)}, NodeId{}, latency * apart,
                       dimension_name(d) + "_to_" + std::to_string(to), speed});
    }
    return;
  }
  const bool ring = cube.row == Cube::Row::kRing;
  for (const bool up : {true, false}) {
    Port port;
    port.name = dimension_name(d) + (up ? "_up" : "_down");
    if (ring || (up ? at + 1 < size : at > 0)) {
      port.kind = PortKind::kNetwork;
      port.peer_router = peer((at + (up ? 1 : size - 1)) % size);
      port.peer_port = PortId{first + (up ? 1 : 0)};
      port.latency_cycles = latency;
      port.flits_per_cycle = speed;
    }
    ports.push_back(port);
  }
}

/// Planes of two dimensions side by side, and rows of planes for a fourth dimension and so on.
Position place_of(const Cube& cube, RouterId r) {
  Position at;
  double wide = 1, high = 1;
  for (std::size_t d = 0; d < cube.sizes.size(); ++d) {
    double& along = d % 2 == 0 ? at.x : at.y;
    double& extent = d % 2 == 0 ? wide : high;
    along += extent * cube.coordinate(r, d);
    extent = extent * cube.sizes[d] + 1;
  }
  return at;
}

Topology build_cube(const CubeOptions& o, Cube::Row row) {
  check_sizes(o, row);
  const std::vector<bool> verticals = elevators(o, row);
  const Cube cube{row, o.sizes};
  const std::size_t dimensions = cube.sizes.size(), routers = cube.stride(dimensions);
  const std::size_t links = cube.first_port(dimensions), ports = links + o.concentration;
  Topology t;
  t.name = cube_name(cube);
  if (ports > kMaxPorts) {
    throw InputError("a router of a " + t.name + " with " + std::to_string(o.concentration) + " nodes has " +
                     std::to_string(ports) + " ports: expected at most " + std::to_string(kMaxPorts));
  }
  check_topology_room(t.name, routers, routers * ports, routers * o.concentration);
  t.cube = cube;
  for (std::size_t i = 0; i < routers; ++i) {
    const RouterId r{i};
    std::string name;
    std::vector<Port> all;
    for (std::size_t d = 0; d < dimensions; ++d) {
      name += (d == 0 ? "" : ",") + std::to_string(cube.coordinate(r, d));
      add_row_ports(all, cube, r, d, o);
    }
    for (std::uint32_t n = 0; n < o.concentration; ++n) {
      t.nodes.push_back({{r, PortId{all.size()}}});
      all.push_back(
          {PortKind::kLocal, RouterId{}, PortId{}, NodeId{t.nodes.size() - 1}, 1, "local" + std::to_string(n)});
    }
    t.router_names.push_back(std::move(name));
    t.positions.push_back(place_of(cube, r));
    t.routers.push_back(std::move(all));
  }
  leave_elevators(t, verticals);
  return t;
}

class CubeBuilder final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const CubeOptions options = kCubeTable.read(configuration);
    return build_cube(options, options.wrap ? Cube::Row::kRing : Cube::Row::kLine);
  }
};
class FlattenedButterfly final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    return build_cube(kButterflyTable.read(configuration), Cube::Row::kComplete);
  }
};

const bool cube_registered =
    TopologyRegistry::instance().add("cube", "mesh or torus of any number of dimensions, with several nodes a router",
                                     kCubeTable.list(), [] { return std::make_unique<CubeBuilder>(); });
const bool flattened_butterfly_registered = TopologyRegistry::instance().add(
    "flattened_butterfly", "routers in rows of several dimensions, all of a row joined to each other",
    kButterflyTable.list(), [] { return std::make_unique<FlattenedButterfly>(); });

}  // namespace
}  // namespace braid::routing
