// braid paths: where streams and packets go, as a map and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "models/workload/stream_workload.h"
#include "models/workload/synthetic_sources.h"
#include "routing/analysis/link_loads.h"
#include "tb/braid/commands.h"
#include "tb/braid/layout.h"
#include "tb/braid/progress_bar.h"
#include "tb/braid/route_paths.h"

namespace braid::tb {
namespace {

namespace json = boost::json;
using Loads = std::vector<std::vector<double>>;  // [router][port]

Loads circuit_loads(const routing::Topology& topology, const std::vector<models::CircuitResult>& circuits) {
  Loads loads;
  for (const auto& ports : topology.routers) loads.emplace_back(ports.size());
  for (const models::CircuitResult& c : circuits) {
    for (const models::CircuitResult::Step& step : c.path) loads[step.router.value][step.port.value] += 1.0;
  }
  return loads;
}

/// The texts of a map, and how wide a router with its link to the east is.
struct Map {
  const routing::Grid& grid;
  const Loads& loads;
  std::string load(std::uint32_t x, std::uint32_t y, PortId port) const {
    return fmt::format("{:.3g}", loads[grid.at(x, y).value][port.value]);
  }
  std::string router(std::uint32_t x, std::uint32_t y) const {
    std::string name = fmt::format("({},{})", x, y);
    if (x + 1 == grid.width) return name;
    const std::string link = " " + load(x, y, routing::kEast) + ">" + load(x + 1, y, routing::kWest) + "< ";
    return name + fmt::format("{:-^{}}", link, std::max(width, name.size()) - name.size());
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
void print_map(const routing::Topology& topology, const Loads& loads) {
  const routing::Grid& grid = *topology.grid;
  Map map{grid, loads};
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

/// The edges with the keys of docs/stream-graphs.md: of a graph with stream.degree those that it runs with.
json::array streams_json(const traffic::StreamGraph& graph) {
  json::array all;
  for (const traffic::StreamEdge& e : graph.edges) {
    json::object stream{{"from", graph.actors[e.from].name},
                        {"to", graph.actors[e.to].name},
                        {"push", e.push},
                        {"pop", e.pop},
                        {"peek", e.peek}};
    if (e.group) stream["group"] = *e.group;
    all.push_back(stream);
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
  topology.grid ? print_map(topology, loads) : print_links(topology, loads);
}

}  // namespace

int show_paths(const Options& options) {
  ProgressBar bar(options.quiet);
  const auto elaboration = elaborated(options, bar);
  models::Simulation& simulation = *elaboration;
  simulation.on_progress({});  // what is printed is not to meet a bar
  const models::Experiment& e = simulation.experiment();
  const routing::Topology& topology = simulation.topology();
  const bool text = !options.quiet && options.json != "-";
  json::object document{{"program", "braid"}, {"version", BRAID_VERSION}, {"topology", topology.name}};
  int status = kSuccess;
  const routing::RouteTable* routes = simulation.routing().routes();
  const bool fails = routes != nullptr && routes->epochs() > 1;
  if (routes != nullptr && !options.json.empty()) {
    document["paths"] = paths_json(topology, routes->paths());
    if (fails) document["paths_after_failure"] = paths_json(topology, routes->paths(1));
  }
  if (options.check) {
    const routing::PathCheck check = check_routes(topology, simulation.routing(), e);
    if (text) print_check(check);
    document["path_check"] = check_json(check);
    if (!check.good()) status = kFailure;
    if (fails) {
      const routing::PathCheck after = check_routes_after_failure(topology, simulation.routing(), e);
      if (text) fmt::print("\nafter the failure\n");
      if (text) print_check(after);
      document["path_check_after_failure"] = check_json(after);
      if (!after.good()) status = kFailure;
    }
  }
  if (const auto* workload = simulation.network().workload<models::StreamWorkload>(); workload && !options.check) {
    const models::StreamProgram& program = workload->program();
    std::vector<routing::Flow> flows;
    json::array actors;
    for (const auto& edge : program.edges()) flows.push_back({edge.source, edge.destination, 1.0});
    for (std::size_t a = 0; a < program.actors().size(); ++a) {
      const std::string& name = program.graph().actors[a].name;
      const NodeId node = program.actors()[a].node;
      const std::uint64_t work = program.graph().actors[a].work_cycles;
      actors.push_back(json::object{{"name", name}, {"node", node.value}, {"work", work}});
      if (text) {
        fmt::print("{:24} node {:3} router {}\n", name, node.value,
                   topology.router_names[topology.router_of(node).value]);
      }
    }
    const Loads loads = routing::link_loads(topology, simulation.routing(), flows);
    if (text) print_loads(topology, "streams on each link under " + e.get<std::string>("routing.algorithm"), loads);
    document["actors"] = actors;
    document["streams"] = streams_json(program.graph());
    document["stream_loads"] = loads_json(topology, loads);
    if (e.get<std::string>("interface.switching") == "circuit") {
      const models::SetupResults setup = simulation.set_up_only().setup;
      document["setup"] = models::setup_json(setup, topology);
      document["circuit_loads"] = loads_json(topology, circuit_loads(topology, setup.circuits));
      if (text && setup.fell_back_to_packets)
        fmt::print("\nno disjoint circuits were found: {}\n", setup.failed_stream);
      if (text && !setup.fell_back_to_packets) {
        print_loads(topology, "circuits on each link", circuit_loads(topology, setup.circuits));
      }
    }
  }
  if (const auto* sources = simulation.network().workload<models::SyntheticSources>(); sources && !options.check) {
    const Loads loads = routing::link_loads(topology, simulation.routing(), sources->drawn_flows(1.0));
    if (text)
      print_loads(topology, "flits/cycle if every node sends one, under " + e.get<std::string>("routing.algorithm"),
                  loads);
    document["packet_loads"] = loads_json(topology, loads);
  }
  if (!options.json.empty()) models::write_file(options.json, models::pretty(document));
  return status;
}

}  // namespace braid::tb
