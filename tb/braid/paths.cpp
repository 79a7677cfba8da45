// braid paths: where streams and packets go, as a map and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "models/workload/streams/stream_workload.h"
#include "models/workload/synthetic/synthetic_sources.h"
#include "routing/analysis/link_loads.h"
#include "tb/braid/commands.h"
#include "tb/braid/draw_loads.h"
#include "tb/braid/layout.h"
#include "tb/braid/link_map.h"
#include "tb/braid/program_files.h"
#include "tb/braid/progress_bar.h"
#include "tb/braid/route_paths.h"

namespace braid::tb {
namespace {

namespace json = boost::json;

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

/// "remedy: at most 4 streams an actor"
std::string sentence(const traffic::StreamRemedy& remedy) {
  std::string text = "remedy: " + remedy.taken + (remedy.why.empty() ? "" : ": " + remedy.why);
  text += fmt::format("; predicted {:.4g} steady states a kilocycle", 1000.0 / remedy.least_cycles);
  if (remedy.packets_least_cycles && remedy.taken != "packets") {
    text += fmt::format(", packets {:.4g}", 1000.0 / *remedy.packets_least_cycles);
  }
  return text;
}

json::array actors_json(const models::StreamProgram& program) {
  json::array all;
  for (std::size_t a = 0; a < program.actors().size(); ++a) {
    const traffic::Actor& actor = program.graph().actors[a];
    all.push_back(
        json::object{{"name", actor.name}, {"node", program.actors()[a].node.value}, {"work", actor.work_cycles}});
  }
  return all;
}

void print_actors(const routing::Topology& topology, const models::StreamProgram& program) {
  for (std::size_t a = 0; a < program.actors().size(); ++a) {
    const NodeId node = program.actors()[a].node;
    fmt::print("{:24} node {:3} router {}\n", program.graph().actors[a].name, node.value,
               topology.router_names[topology.entry_router(node).value]);
  }
}

void print_circuits(const routing::Topology& topology, const models::SetupResults& setup,
                    const std::optional<traffic::StreamRemedy>& remedy) {
  if (remedy) fmt::print("\n{}\n", wrapped("", words_of(sentence(*remedy)), 2));
  if (setup.fell_back_to_packets) {
    fmt::print("\nno disjoint circuits were found: {}\n", setup.failed_stream);
  } else {
    print_loads(topology, "circuits on each link", circuit_loads(topology, setup.circuits));
  }
}

/// As if every node sent a flit a cycle; of several classes at their rates.
std::vector<routing::Flow> packet_flows(const models::Simulation& simulation) {
  const auto& workloads = simulation.network().workloads();
  if (simulation.experiment().classes() == 1) {
    return simulation.network().workload<models::SyntheticSources>()->pattern_flows(1.0);
  }
  std::vector<routing::Flow> all;
  for (const auto& workload : workloads) {
    if (dynamic_cast<const models::SyntheticSources*>(workload.get()) == nullptr) continue;
    for (routing::Flow& flow : workload->flows(1)) all.push_back(std::move(flow));
  }
  return all;
}

/// Of all classes: where they are not, loads are as near as so many draws come.
bool flows_are_known(const models::Simulation& simulation) {
  const auto& workloads = simulation.network().workloads();
  return std::all_of(workloads.begin(), workloads.end(), [](const auto& workload) {
    const auto* sources = dynamic_cast<const models::SyntheticSources*>(workload.get());
    return sources == nullptr || sources->knows_flows();
  });
}

/// Loads that are computed, where those of a run would stand.
std::vector<models::LinkResult> as_links(const routing::Topology& topology, const Loads& loads) {
  std::vector<models::LinkResult> links;
  for (std::size_t r = 0; r < loads.size(); ++r) {
    for (std::size_t p = 0; p < loads[r].size(); ++p) {
      if (topology.port(RouterId{r}, PortId{p}).kind != routing::PortKind::kNetwork) continue;
      links.push_back({RouterId{r}, PortId{p}, loads[r][p], 0.0});
    }
  }
  return links;
}

/// Actors, streams, circuits; writes the files of the program that were asked for.
void show_streams(models::Simulation& simulation, const models::StreamWorkload& workload, const Options& options,
                  json::object& document) {
  const models::Experiment& e = simulation.experiment();
  const routing::Topology& topology = simulation.topology();
  const models::StreamProgram& program = workload.program();
  const bool text = options.prints();
  std::vector<routing::Flow> flows;
  for (const auto& edge : program.edges()) flows.push_back({edge.source, edge.destination, 1.0});
  if (text) print_actors(topology, program);
  const Loads loads = routing::link_loads(topology, simulation.routing(), flows);
  if (text) print_loads(topology, "streams on each link under " + e.get<std::string>("routing.algorithm"), loads);
  document["actors"] = actors_json(program);
  document["streams"] = streams_json(program.graph());
  document["stream_loads"] = loads_json(topology, loads);
  models::SetupResults setup;
  if (text && !workload.wants_circuits() && workload.remedy()) {
    fmt::print("\n{}\n", wrapped("", words_of(sentence(*workload.remedy())), 2));
  }
  if (workload.wants_circuits()) {
    setup = simulation.set_up_only().setup;
    document["setup"] = models::setup_json(setup, topology);
    document["circuit_loads"] = loads_json(topology, circuit_loads(topology, setup.circuits));
    if (text) print_circuits(topology, setup, workload.remedy());
  }
  write_program_files(simulation, setup, options);
  if (options.draw.empty() || draws_layout(simulation)) return;
  models::write_file(options.draw, loads_svg(topology, as_links(topology, loads), {},
                                             topology.name + ": streams on each link under " +
                                                 e.get<std::string>("routing.algorithm")));
}

}  // namespace

int show_paths(const Options& options) {
  ProgressBar bar(options.quiet);
  const auto elaboration = elaborated(options, bar);
  models::Simulation& simulation = *elaboration;
  simulation.on_progress({});  // what is printed is not to meet a bar
  const models::Experiment& e = simulation.experiment();
  const routing::Topology& topology = simulation.topology();
  const bool text = options.prints();
  check_program_files(simulation, options);
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
    show_streams(simulation, *workload, options, document);
  }
  if (simulation.network().workload<models::SyntheticSources>() != nullptr && !options.check) {
    const bool known = flows_are_known(simulation);
    const std::string under =
        ", under " + e.get<std::string>("routing.algorithm") + (known ? "" : ", by sampled destinations");
    const bool classes = e.classes() > 1;
    const std::string title =
        (classes ? "flits/cycle at the rates of the classes" : "flits/cycle if every node sends one") + under;
    const Loads loads = routing::link_loads(topology, simulation.routing(), packet_flows(simulation));
    if (text) print_loads(topology, title, loads);
    document["packet_loads"] = loads_json(topology, loads);
    document["packet_loads_sampled"] = !known;
    if (!options.draw.empty() && !draws_layout(simulation)) {
      models::write_file(options.draw,
                         loads_svg(topology, as_links(topology, loads), {}, topology.name + ": " + title));
    }
  }
  if (!options.json.empty()) models::write_file(options.json, models::pretty(document));
  return status;
}

}  // namespace braid::tb
