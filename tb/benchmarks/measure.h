// What every benchmark of a network measures: whole cycles of one thread, without SystemC's kernel, once it has warmed
// up.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

#include "models/engine/network.h"
#include "models/experiment/experiment.h"

namespace braid::models {

/// Counters are rates: `cycles`, and `flit_hops`, flits that pass a router.
inline void measure_cycles(benchmark::State& state, const Experiment& experiment, int warm_up_cycles) {
  const routing::Topology topology = routing::make_topology(experiment);
  const auto algorithm = routing::make_routing(topology, experiment);
  Network network(experiment, topology, *algorithm, 1);
  for (int i = 0; i < warm_up_cycles; ++i) network.cycle();
  const std::uint64_t before = network.flit_hops();
  for (auto _ : state) network.cycle();
  state.counters["cycles"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["flit_hops"] =
      benchmark::Counter(static_cast<double>(network.flit_hops() - before), benchmark::Counter::kIsRate);
}

}  // namespace braid::models
