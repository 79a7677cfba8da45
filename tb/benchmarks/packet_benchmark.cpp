// Speed of the packet pipeline on one thread, without and with the SystemC kernel's overhead. Counter `flit_hops` is a
// rate: flits that pass a router, per second. The figures stand in docs/performance.md.
#include "tb/benchmarks/measure.h"

namespace {

using namespace braid;
using namespace braid::models;

/// 4 VCs x 8 flits, 4-flit packets, uniform, X first. Arguments: width (= height), load in 1/1000 flits/node/cycle.
void uniform_mesh(benchmark::State& state) {
  Experiment e;
  e.set("topology.width", static_cast<std::uint32_t>(state.range(0)));
  e.set("topology.height", static_cast<std::uint32_t>(state.range(0)));
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", static_cast<double>(state.range(1)) / 1000.0);
  measure_cycles(state, e, 2000);
}
// Equal flit-hops a router and cycle: mean distance grows with the width, so the load falls.
BENCHMARK(uniform_mesh)->Args({8, 100})->Args({8, 300})->Args({16, 54})->Args({32, 28})->Args({64, 14});

}  // namespace

BENCHMARK_MAIN();
