#include "tb/braid/program_files.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "models/experiment/json_file.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/input_error.h"
#include "tb/braid/draw_layout.h"
#include "tb/braid/stream_graph_files.h"

namespace braid::tb {
namespace {

/// The graph with the tile of every actor, and the remedy that made it so.
traffic::StreamGraph placed_graph(const models::StreamWorkload& workload) {
  const models::StreamProgram& program = workload.program();
  traffic::StreamGraph graph = program.graph();
  graph.plan = workload.plan();
  for (std::size_t a = 0; a < graph.actors.size(); ++a) {
    graph.actors[a].placement = RouterId{program.actors()[a].node.value};
  }
  return graph;
}

std::string picture(const models::Simulation& simulation, const models::StreamProgram& program,
                    const models::SetupResults& setup) {
  const routing::Topology& topology = simulation.topology();
  const auto routing_name = simulation.experiment().get<std::string>("routing.algorithm");
  std::vector<NodeId> place;
  std::vector<routing::Flow> flows;
  for (const auto& actor : program.actors()) place.push_back(actor.node);
  for (const auto& edge : program.edges()) flows.push_back({edge.source, edge.destination, 1.0});
  const Loads loads = routing::link_loads(topology, simulation.routing(), flows);
  const std::string lines =
      setup.circuits.empty() ? fmt::format("streams on each link under {}", routing_name) : std::string("circuits");
  const std::string title = fmt::format("{} on {}: {} actors, {} {}", program.graph().name, topology.name, place.size(),
                                        program.edges().size(), lines);
  return layout_svg({topology, program.graph(), place, setup.circuits, loads, title});
}

}  // namespace

void check_program_files(const models::Simulation& simulation, const Options& options) {
  if (options.toml.empty() && options.dot.empty()) return;
  if (simulation.network().workload<models::StreamWorkload>() != nullptr) return;
  throw InputError({options.experiment, 0, 0}, "--toml and --dot are of stream programs: expected a section [stream]");
}

bool draws_layout(const models::Simulation& simulation) {
  return simulation.network().workload<models::StreamWorkload>() != nullptr && simulation.topology().grid.has_value();
}

void write_program_files(const models::Simulation& simulation, const models::SetupResults& setup,
                         const Options& options) {
  const auto* workload = simulation.network().workload<models::StreamWorkload>();
  if (workload == nullptr) return;
  const models::StreamProgram& program = workload->program();
  if (!options.toml.empty()) models::write_file(options.toml, traffic::to_toml(placed_graph(*workload)));
  if (!options.dot.empty()) models::write_file(options.dot, partition_dot(placed_graph(*workload)));
  if (!options.draw.empty() && draws_layout(simulation)) {
    models::write_file(options.draw, picture(simulation, program, setup));
  }
}

}  // namespace braid::tb
