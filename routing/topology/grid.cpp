#include "routing/topology/grid.h"

namespace braid::routing {
namespace {

void connect(Topology& t, RouterId from, PortId out, RouterId to, PortId in, std::uint32_t latency) {
  const auto set = [&](RouterId a, PortId p, RouterId b, PortId q) {
    Port& port = t.routers[a.value][p.value];
    port.kind = PortKind::kNetwork;
    port.peer_router = b;
    port.peer_port = q;
    port.latency_cycles = latency;
  };
  set(from, out, to, in);
  set(to, in, from, out);
}

void check_options(const TopologyOptions& o, bool wrap) {
  const std::uint32_t least = wrap ? 3 : 1;
  const std::string kind = wrap ? "torus" : "mesh";
  if (o.width < least || o.height < least || o.width > 1024 || o.height > 1024) {
    throw InputError("a " + kind + " of " + std::to_string(o.width) + "x" + std::to_string(o.height) +
                     " is out of range: expected " + std::to_string(least) + " to 1024 each way");
  }
  if (o.local_ports < 1 || o.local_ports > kMaxPorts - 4) {
    throw InputError("topology.local_ports = " + std::to_string(o.local_ports) + " is out of range: expected 1 to " +
                     std::to_string(kMaxPorts - 4));
  }
  if (o.link_latency_cycles < 1 || o.link_latency_cycles > 64) {
    throw InputError("topology.link_latency_cycles = " + std::to_string(o.link_latency_cycles) +
                     " is out of range: expected 1 to 64");
  }
}

}  // namespace

Topology build_grid(const TopologyOptions& options, bool wrap) {
  check_options(options, wrap);
  static constexpr const char* kNames[] = {"east", "west", "north", "south"};
  const Grid grid{options.width, options.height, wrap};
  Topology t;
  t.name = (wrap ? "torus " : "mesh ") + std::to_string(grid.width) + "x" + std::to_string(grid.height);
  t.grid = grid;
  const std::size_t routers = std::size_t{grid.width} * grid.height;
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
        connect(t, grid.at(x, y), kEast, grid.at((x + 1) % grid.width, y), kWest, options.link_latency_cycles);
      }
      if (y + 1 < grid.height || wrap) {
        connect(t, grid.at(x, y), kNorth, grid.at(x, (y + 1) % grid.height), kSouth, options.link_latency_cycles);
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
