// Irregular networks of Myrinet-like switches, without the SystemC kernel. Flit-hops are bytes that pass a switch.
#include "tb/benchmarks/measure.h"

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
  measure_cycles(state, e, 20000);
}
BENCHMARK(irregular)->Args({16, 100})->Args({32, 100})->Args({64, 20})->Args({64, 100})->Args({64, 1000});

}  // namespace
}  // namespace braid::models
