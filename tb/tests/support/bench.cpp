// In no header: every test would compile it.
#include "tb/tests/support/bench.h"

#include "models/engine/cycle_runner.h"
#include "models/workload/synthetic/virtual_networks.h"

namespace braid::test {

Bench::Bench(models::Experiment e, std::size_t slices) : experiment(std::move(e)) {
  topology = routing::make_topology(experiment);
  routing = models::make_routing_by_class(topology, experiment);
  network = std::make_unique<models::Network>(experiment, topology, *routing, slices);
}

Bench::~Bench() = default;

/// On the threads that the experiment asks for, where the network has several slices.
void Bench::run(std::uint64_t cycles) { models::make_loop_runner(*network)->run(cycles); }

models::Experiment uniform_mesh(double rate, std::uint32_t width, std::uint32_t height) {
  models::Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", rate);
  return e;
}

void add_traffic(models::Experiment& e, double rate) {
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", rate);
}

models::Experiment stream_mesh(const std::string& graph, std::uint32_t width, std::uint32_t height) {
  models::Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.set("topology.local_ports", 4);
  e.open("stream");
  e.set("stream.graph", source_file("traffic/graphs/" + graph));
  e.set("interface.switching", "circuit");
  return e;
}

}  // namespace braid::test
