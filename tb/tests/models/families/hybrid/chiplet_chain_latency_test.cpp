// Zero-load latency over a chain of chiplets, exact to the cycle: each joint costs its own latency.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/bench.h"

namespace braid::test::chiplet_chain_latency_test {
namespace {

using models::Experiment;

/// Three chiplets of 3x4; router x + 9 y.
Experiment chain(const std::vector<std::uint32_t>& rows, std::uint32_t joint) {
  Experiment e = uniform_mesh(0.0);
  e.set("topology.kind", "chiplet_chain");
  e.set("topology.chiplets", 3);
  e.set("topology.width", 3);
  e.set("topology.height", 4);
  e.set("topology.joined_rows", rows);
  e.set("topology.joint_latency_cycles", joint);
  if (!rows.empty()) e.set("routing.algorithm", "chiplet_order");
  return e;
}
std::size_t router(std::uint32_t x, std::uint32_t y) { return x + 9 * y; }

struct Case {
  std::vector<std::uint32_t> rows;
  std::uint32_t joint;
  std::size_t from, to;
  std::uint32_t links, joints;  // counted by hand
};
class ChainLatency : public testing::TestWithParam<Case> {};

/// 5 cycles a router and 3 at the interfaces, as on a mesh, and what a joint takes beyond a link's cycle.
TEST_P(ChainLatency, IsThatOfAMeshAndTheJoints) {
  const Case& c = GetParam();
  for (const std::uint32_t flits : {1U, 4U}) {
    Bench bench(chain(c.rows, c.joint));
    bench.run(10);
    bench.network->send_packet(NodeId{c.from}, NodeId{c.to}, flits);
    const std::uint32_t latency = 3 + 5 * (c.links + 1) + c.joints * (c.joint - 1) + flits - 1;
    bench.run(latency - 1);
    EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << latency;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Pairs, ChainLatency,
    testing::Values(Case{{}, 6, router(0, 0), router(2, 3), 5, 0},       // within a chiplet
                    Case{{}, 6, router(2, 1), router(3, 1), 1, 1},       // over one joint
                    Case{{}, 6, router(0, 0), router(8, 3), 11, 2},      // corner to corner
                    Case{{}, 1, router(8, 3), router(0, 0), 11, 2},      // joints like links
                    Case{{}, 64, router(1, 2), router(4, 0), 5, 1},      // the slowest
                    Case{{0, 2}, 6, router(0, 3), router(8, 0), 11, 2},  // down to row 2, along, down
                    Case{{0, 2}, 6, router(2, 3), router(3, 3), 3, 1},   // a detour of two links
                    Case{{0, 2}, 9, router(3, 1), router(2, 1), 3, 1},   // ... to the west
                    Case{{0, 2}, 9, router(0, 1), router(2, 3), 4, 0},   // none within a chiplet
                    Case{{1}, 5, router(1, 3), router(7, 3), 10, 2}));   // one joint a border

/// A packet of 60,000 flits holds the joint; the credit loop of the joint bounds what it carries: buffers over 3 + 2 LT
/// + the credit's delay.
TEST(ChainRate, OfAJointIsBuffersOverItsCreditLoop) {
  for (const std::uint32_t joint : {1U, 4U, 12U}) {
    Experiment e = chain({}, joint);
    e.set("router.buffer_depth", 8);
    e.set("router.credit_delay_cycles", 2);
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{router(0, 0)}, NodeId{router(5, 0)}, 60000);
    bench.run(500);
    const std::uint64_t loop = 3 + 2 * joint + 2;
    const auto carried = [&] {
      return bench.network->fabric().link_use(RouterId{router(2, 0)}, PortId{0}).packet_flits;
    };
    const std::uint64_t before = carried();
    bench.run(20 * loop);
    EXPECT_EQ(carried() - before, 20 * std::min<std::uint64_t>(8, loop)) << "a joint of " << joint << " cycles";
  }
}

}  // namespace
}  // namespace braid::test::chiplet_chain_latency_test
