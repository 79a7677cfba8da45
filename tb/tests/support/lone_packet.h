// A packet alone on an idle mesh of 8x8.
#pragma once

#include "tb/tests/support/bench.h"

namespace braid::test {

/// It goes from (0, 0) to the router `links` further on in x (and y beyond the row), and is not yet there at N - 1,
/// there at N = 3 + `a_hop` R + (L - 1) cycles after the one of its creation (docs/router.md).
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
