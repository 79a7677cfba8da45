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
#include "models/workload/streams/stream_workload.h"
#include "models/workload/synthetic/synthetic_sources.h"
#include "tb/tests/support/places.h"

namespace braid::test {

inline std::string source_file(const std::string& name) { return std::string(kSourceFolder) + "/" + name; }

struct Bench {
  models::Experiment experiment;
  routing::Topology topology;
  std::unique_ptr<routing::RoutingAlgorithm> routing;
  std::unique_ptr<models::Network> network;

  explicit Bench(models::Experiment e, std::size_t slices = 1);
  ~Bench();
  void run(std::uint64_t cycles);
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
models::Experiment uniform_mesh(double rate, std::uint32_t width = 8, std::uint32_t height = 8);

/// A section [traffic] at that rate.
void add_traffic(models::Experiment& e, double rate);

/// A stream graph of the repository on circuits (or packets), 4 local ports a node.
models::Experiment stream_mesh(const std::string& graph, std::uint32_t width, std::uint32_t height);

}  // namespace braid::test
