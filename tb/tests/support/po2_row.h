// PO2 routers with numbers small enough to count on fingers.
#pragma once

#include "models/families/po2/fabric.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// Inject 3, header 2, eject 1, acknowledge 2 cycles. A packet of L flits over d links of an idle network takes
/// 3 + 2 (d + 1) + 1 + L cycles; it is on link i (from 0) from 5 + 2 i until L + 2 later.
inline models::Experiment small_po2(std::uint32_t width, std::uint32_t height) {
  models::Experiment e = uniform_mesh(0.0, width, height);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "best_paths");
  e.set("routing.allow_deadlock", true);
  e.set("po2.inject_overhead_cycles", 3);
  e.set("po2.header_cycles", 2);
  e.set("po2.eject_overhead_cycles", 1);
  e.set("po2.acknowledge_cycles", 2);
  return e;
}

inline const models::po2::Fabric& po2_fabric(const Bench& bench) {
  return dynamic_cast<const models::po2::Fabric&>(std::as_const(*bench.network).fabric());
}

/// Source of the packet that a port sends or receives; none: nothing is under way.
inline std::optional<std::size_t> source_at(const Bench& bench, std::size_t router, std::size_t port) {
  const models::po2::Router& r = po2_fabric(bench).routers()[router];
  if (r.ports[port].use == models::po2::Port::Use::kIdle) return std::nullopt;
  return po2_fabric(bench).store()[r.buffers[r.ports[port].buffer].packet].source.value;
}

inline double po2_figure(const Bench& bench, const std::string& name) {
  return bench.network->fabric().report().get<RawCount>(name).mean();
}

/// Not `packets` delivered at cycle - 1, but at `cycle`.
inline void expect_delivery(Bench& bench, std::uint64_t cycle, std::uint64_t packets) {
  ASSERT_LT(bench.network->now(), cycle);
  bench.run(cycle - 1 - bench.network->now());
  EXPECT_EQ(bench.delivered(), packets - 1) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), packets) << "at cycle N = " << cycle;
}

}  // namespace braid::test
