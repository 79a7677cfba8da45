// Speed of virtual cut-through routers on k-ary n-trees at full load, one thread, without the SystemC kernel. Counter
// `flit_hops` is a rate: flits that pass a router, per second. The figures stand in docs/performance.md.
#include "tb/benchmarks/measure.h"

namespace {

using namespace braid;
using namespace braid::models;

/// 16-flit packets, 4-packet queues, uniform, adaptive. Arguments: levels of a 4-ary tree; SAT over the spanning tree
/// with l = k of so many packets, 0: none.
void full_tree(benchmark::State& state) {
  Experiment e;
  e.set("topology.kind", "k_ary_n_tree");
  e.set("topology.levels", static_cast<std::uint32_t>(state.range(0)));
  e.set("router.architecture", "virtual_cut_through");
  e.set("router.vcs", 1);
  e.set("router.credit_delay_cycles", 1);
  e.set("routing.algorithm", "tree_adaptive");
  e.set("interface.source_queue_packets", 8);
  e.set("interface.fairness", state.range(1) > 0 ? "sat" : "none");
  e.set("sat.carrier", "spanning_tree");
  e.set("sat.l", static_cast<std::uint32_t>(state.range(1)));
  e.set("sat.k", static_cast<std::uint32_t>(state.range(1)));
  e.open("traffic");
  e.set("traffic.rate_flits_per_node_cycle", 1.0);
  e.set("traffic.flits", 16);
  measure_cycles(state, e, 5000);
}
BENCHMARK(full_tree)->Args({3, 0})->Args({4, 0})->Args({5, 0})->Args({5, 2})->Args({6, 0});

}  // namespace
