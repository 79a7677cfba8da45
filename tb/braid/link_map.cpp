#include "tb/braid/link_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "tb/braid/layout.h"

namespace braid::tb {
namespace {

namespace json = boost::json;

/// The grid on which routers stand, on a chain of chiplets with links missing.
std::optional<routing::Grid> grid_of(const routing::Topology& topology) {
  if (!topology.chain) return topology.grid;
  return routing::Grid{topology.chain->length(), topology.chain->height, false};
}

/// The texts of a map, and how wide a router with its link to the east is.
struct Map {
  const routing::Topology& topology;
  const routing::Grid grid;
  const Loads& loads;
  std::string load(std::uint32_t x, std::uint32_t y, PortId port) const {
    return fmt::format("{:.3g}", loads[grid.at(x, y).value][port.value]);
  }
  std::string router(std::uint32_t x, std::uint32_t y) const {
    std::string name = fmt::format("({},{})", x, y);
    if (x + 1 == grid.width) return name;
    return name + to_the_east(x, y, std::max(width, name.size()) - name.size());
  }
  /// Links between chiplets are drawn double; where none joins them there is room alone.
  std::string to_the_east(std::uint32_t x, std::uint32_t y, std::size_t columns) const {
    const RouterId here = grid.at(x, y), there = grid.at(x + 1, y);
    if (topology.port(here, routing::kEast).kind != routing::PortKind::kNetwork) return std::string(columns, ' ');
    const bool joint = topology.chain && topology.chain->chiplet(here) != topology.chain->chiplet(there);
    const std::string link = " " + load(x, y, routing::kEast) + ">" + load(x + 1, y, routing::kWest) + "< ";
    std::string all(std::max(columns, link.size()), joint ? '=' : '-');
    return all.replace((all.size() - link.size()) / 2, link.size(), link);
  }
  std::string below(std::uint32_t x, std::uint32_t y) const {
    return fmt::format("{:<{}}", " " + load(x, y - 1, routing::kNorth) + "^" + load(x, y, routing::kSouth) + "v",
                       width);
  }
  std::size_t width = 16;
};

/// Columns x0 to x1 - 1 of the network.
void print_block(const Map& map, std::uint32_t x0, std::uint32_t x1) {
  for (std::uint32_t y = map.grid.height; y-- > 0;) {
    std::string routers, between;
    for (std::uint32_t x = x0; x < x1; ++x) {
      routers += map.router(x, y);
      if (y > 0) between += map.below(x, y);
    }
    fmt::print("{}\n", routers);
    if (y > 0) fmt::print("{}\n", between);
  }
}

/// A line for each direction of each link that carries anything.
void print_links(const routing::Topology& topology, const Loads& loads) {
  for (std::size_t r = 0; r < loads.size(); ++r) {
    for (std::size_t p = 0; p < loads[r].size(); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork || loads[r][p] == 0.0) continue;
      fmt::print("  {:<16} -> {:<16} {:<16} {:.3g}\n", topology.router_names[r],
                 topology.router_names[port.peer_router.value], port.name, loads[r][p]);
    }
  }
}

/// One number for each direction of each link: east/west on the way to the right, north/south upwards. What is wider
/// than the output comes in blocks of columns.
void print_map(const routing::Topology& topology, const routing::Grid& grid, const Loads& loads) {
  Map map{topology, grid, loads};
  std::size_t width = map.width;
  for (std::uint32_t y = 0; y < grid.height; ++y) {
    for (std::uint32_t x = 0; x < grid.width; ++x) {
      width = std::max(width, map.router(x, y).size());
      if (y > 0) width = std::max(width, map.below(x, y).size());
    }
  }
  map.width = width;
  const auto each = static_cast<std::uint32_t>(std::max<std::size_t>(1, output_columns() / map.width));
  for (std::uint32_t x = 0; x < grid.width; x += each) {
    if (x > 0) fmt::print("\n");
    print_block(map, x, std::min(x + each, grid.width));
  }
}

}  // namespace

Loads circuit_loads(const routing::Topology& topology, const std::vector<models::CircuitResult>& circuits) {
  Loads loads;
  for (const auto& ports : topology.routers) loads.emplace_back(ports.size());
  for (const models::CircuitResult& c : circuits) {
    for (const models::CircuitResult::Step& step : c.path) loads[step.router.value][step.port.value] += 1.0;
  }
  return loads;
}

json::array loads_json(const routing::Topology& topology, const Loads& loads) {
  json::array all;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) continue;
      all.push_back(json::object{{"router", topology.router_names[r]},
                                 {"port", port.name},
                                 {"to", topology.router_names[port.peer_router.value]},
                                 {"load", loads[r][p]}});
    }
  }
  return all;
}

void print_loads(const routing::Topology& topology, const std::string& title, const Loads& loads) {
  double most = 0.0;
  for (std::size_t r = 0; r < loads.size(); ++r) {
    for (std::size_t p = 0; p < loads[r].size(); ++p) {
      if (topology.port(RouterId{r}, PortId{p}).kind == routing::PortKind::kNetwork) most = std::max(most, loads[r][p]);
    }
  }
  fmt::print("\n{}\n", wrapped("", words_of(fmt::format("{} (most on a link: {:.3g})", title, most)), 2));
  const std::optional<routing::Grid> grid = grid_of(topology);
  grid ? print_map(topology, *grid, loads) : print_links(topology, loads);
}

}  // namespace braid::tb
