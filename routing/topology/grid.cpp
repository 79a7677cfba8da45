#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

void connect(Topology& t, RouterId from, PortId out, RouterId to, PortId in, const LinkOptions& o) {
  const auto set = [&](RouterId a, PortId p, RouterId b, PortId q) {
    Port& port = t.routers[a.value][p.value];
    port.kind = PortKind::kNetwork;
    port.peer_router = b;
    port.peer_port = q;
    port.latency_cycles = o.link_latency_cycles;
    port.flits_per_cycle = o.link_flits_per_cycle;
  };
  set(from, out, to, in);
  set(to, in, from, out);
}

OptionTable<GridOptions> make_options(bool wrap) {
  const std::int64_t least = wrap ? 3 : 1;
  OptionTable<GridOptions> table("topology");
  table.integer("width", &GridOptions::width, least, 1024, "routers in x")
      .integer("height", &GridOptions::height, least, 1024, "routers in y");
  return add_link_options(table, kMaxPorts - 4);
}

}  // namespace

const OptionTable<GridOptions>& grid_options(bool wrap) {
  static const OptionTable<GridOptions> mesh = make_options(false), torus = make_options(true);
  return wrap ? torus : mesh;
}

Topology build_grid(const GridOptions& options, bool wrap) {
  static constexpr const char* kNames[] = {"east", "west", "north", "south"};
  const Grid grid{options.width, options.height, wrap};
  Topology t;
  t.name = (wrap ? "torus " : "mesh ") + std::to_string(grid.width) + "x" + std::to_string(grid.height);
  t.grid = grid;
  const std::size_t routers = std::size_t{grid.width} * grid.height;
  check_topology_room(t.name, routers, routers * (4 + options.local_ports), routers);
  t.routers.resize(routers, std::vector<Port>(4 + options.local_ports));
  for (std::size_t r = 0; r < routers; ++r) {
    std::vector<Port>& ports = t.routers[r];
    for (std::size_t p = 0; p < 4; ++p) ports[p].name = kNames[p];
    std::vector<Attachment> attachments;
    for (std::uint32_t l = 0; l < options.local_ports; ++l) {
      const PortId local{std::size_t{kFirstGridLocalPort.value} + l};
      ports[local.value].kind = PortKind::kLocal;
      ports[local.value].node = NodeId{r};
      ports[local.value].name = "local" + std::to_string(l);
      attachments.push_back({RouterId{r}, local});
    }
    t.nodes.push_back(attachments);
    t.router_names.push_back(std::to_string(grid.x(RouterId{r})) + "," + std::to_string(grid.y(RouterId{r})));
  }
  for (std::uint32_t y = 0; y < grid.height; ++y) {
    for (std::uint32_t x = 0; x < grid.width; ++x) {
      if (x + 1 < grid.width || wrap) {
        connect(t, grid.at(x, y), kEast, grid.at((x + 1) % grid.width, y), kWest, options);
      }
      if (y + 1 < grid.height || wrap) {
        connect(t, grid.at(x, y), kNorth, grid.at(x, (y + 1) % grid.height), kSouth, options);
      }
    }
  }
  return t;
}

const Grid& require_grid(const Topology& topology, const char* algorithm) {
  if (topology.grid) return *topology.grid;
  throw InputError("routing algorithm \"" + std::string(algorithm) + "\" needs a mesh or torus; topology is " +
                   topology.name);
}

}  // namespace braid::routing
