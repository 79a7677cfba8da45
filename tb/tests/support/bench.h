// A network on the bench: an experiment's topology, routing and network, stepped by hand without SystemC.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "models/engine/network.h"
#include "models/experiment/experiment.h"
#include "models/families/hybrid/fabric.h"
#include "models/workload/statistics.h"
#include "models/workload/stream_workload.h"
#include "models/workload/synthetic_sources.h"

namespace braid::test {

inline std::string source_file(const std::string& name) { return std::string(BRAID_SOURCE_DIR) + "/" + name; }

struct Bench {
  models::Experiment experiment;
  routing::Topology topology;
  std::unique_ptr<routing::RoutingAlgorithm> routing;
  std::unique_ptr<models::Network> network;

  explicit Bench(models::Experiment e, std::size_t slices = 1) : experiment(std::move(e)) {
    topology = routing::make_topology(experiment);
    routing = routing::make_routing(topology, experiment);
    network = std::make_unique<models::Network>(experiment, topology, *routing, slices);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) network->cycle();
  }
  std::uint64_t delivered() const { return network->conservation().packets_delivered; }
};

/// The stream program, the synthetic sources of a bench that has them.
inline models::StreamProgram& program_of(const Bench& bench) {
  return bench.network->workload<models::StreamWorkload>()->program();
}
inline models::SyntheticSources& sources_of(const Bench& bench) {
  return *bench.network->workload<models::SyntheticSources>();
}

/// A message made in the cycle that has just ended.
inline void send_message(const Bench& bench, NodeId from, NodeId to, std::uint32_t packets, bool priority = false) {
  const std::uint64_t now = bench.network->now();
  sources_of(bench).send_message(now == 0 ? 0 : now - 1, from, to, packets, priority);
}

/// A file of this process alone: cases run side by side.
inline std::string temporary_file(const std::string& name) {
  return testing::TempDir() + std::to_string(getpid()) + "_" + name;
}

/// An 8x8 mesh with uniform traffic at `rate` flits/node/cycle.
inline models::Experiment uniform_mesh(double rate, std::uint32_t width = 8, std::uint32_t height = 8) {
  models::Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", rate);
  return e;
}

/// A section [traffic] at that rate.
inline void add_traffic(models::Experiment& e, double rate) {
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", rate);
}

/// A stream graph of the repository on circuits (or packets), 4 local ports a node.
inline models::Experiment stream_mesh(const std::string& graph, std::uint32_t width, std::uint32_t height) {
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
