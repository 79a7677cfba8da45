// Irregular networks of Myrinet-like switches, without the SystemC kernel. Flit-hops are bytes that pass a switch.
#include <benchmark/benchmark.h>

#include "models/engine/network.h"
#include "models/experiment/experiment.h"

namespace braid::models {
namespace {

/// 512-byte messages, uniform, balanced minimal paths with an in-transit buffer at half the switches. Arguments:
/// switches (4 hosts each); load in flits/node/kilocycle.
void irregular(benchmark::State& state) {
  Experiment e;
  e.set("topology.kind", "irregular");
  e.set("topology.switches", static_cast<std::uint32_t>(state.range(0)));
  e.set("topology.link_latency_cycles", 8);
  e.set("router.architecture", "myrinet");
  e.set("router.vcs", 1);
  e.set("routing.algorithm", "source_routed");
  e.set("routing.paths", "balanced");
  e.set("routing.in_transit", "numbered");
  e.open("traffic");
  e.set("traffic.process", "constant");
  e.set("traffic.rate_flits_per_node_cycle", static_cast<double>(state.range(1)) / 1000.0);
  e.set("traffic.flits", 512);
  const routing::Topology topology = routing::make_topology(e);
  const auto algorithm = routing::make_routing(topology, e);
  Network network(e, topology, *algorithm, 1);
  for (int i = 0; i < 20000; ++i) network.cycle();
  const std::uint64_t before = network.flit_hops();
  for (auto _ : state) network.cycle();
  state.counters["cycles"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["flit_hops"] =
      benchmark::Counter(static_cast<double>(network.flit_hops() - before), benchmark::Counter::kIsRate);
}
BENCHMARK(irregular)->Args({16, 100})->Args({32, 100})->Args({64, 20})->Args({64, 100})->Args({64, 1000});

}  // namespace
}  // namespace braid::models
