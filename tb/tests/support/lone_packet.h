// A packet alone in an idle network.
#pragma once

#include "tb/tests/support/bench.h"

namespace braid::test {

/// Cycles from its creation to its delivery.
inline std::uint64_t cycles_alone(Bench& bench, NodeId from, NodeId to, std::uint32_t flits) {
  bench.run(400);  // links that are held are free
  const std::uint64_t before = bench.delivered();
  bench.network->send_packet(from, to, flits);
  std::uint64_t cycles = 0;
  for (; bench.delivered() == before && cycles < 5000; ++cycles) bench.run(1);
  return cycles;
}

/// On a mesh of 8x8 it goes from (0, 0) to the router `links` further on in x (and y beyond the row), and is not yet
/// there at N - 1, there at N = 3 + `a_hop` R + (L - 1) cycles after the one of its creation (docs/router.md).
inline void expect_lone_packet(const models::Experiment& e, std::uint32_t a_hop, std::uint32_t links,
                               std::uint32_t flits) {
  Bench bench(e);
  bench.run(10);
  const std::uint32_t latency = 3 + a_hop * (links + 1) + flits - 1;
  bench.network->send_packet(NodeId{0}, NodeId{links < 8 ? links : 7 + 8 * (links - 7)}, flits);
  bench.run(latency - 1);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1, " << flits << " flits";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << latency << ", " << flits << " flits";
}

}  // namespace braid::test
