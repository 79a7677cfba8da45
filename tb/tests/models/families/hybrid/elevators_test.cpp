// A mesh of three dimensions with elevators under load: zero-load latency exact to the cycle, and nothing stands still
// beyond saturation.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::hybrid_elevators_test {
namespace {

using models::Experiment;
using Numbers = std::vector<std::uint32_t>;

/// 4x4x4; router x + 4 y + 16 z.
Experiment stack(const Numbers& elevators, std::uint32_t vertical, const char* rule, double rate = 0.0) {
  Experiment e;
  e.set("topology.kind", "cube");
  e.set("topology.sizes", Numbers{4, 4, 4});
  e.set("topology.elevators", elevators);
  e.set("topology.link_latencies", Numbers{1, 1, vertical});
  e.set("routing.algorithm", "elevator_first");
  e.set("routing.elevator", rule);
  add_traffic(e, rate);
  return e;
}
std::size_t router(std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x + 4 * y + 16 * z; }

struct Case {
  Numbers elevators;
  std::uint32_t vertical;
  const char* rule;
  std::size_t from, to;
  std::uint32_t in_planes, verticals;  // links, counted by hand
};
class ElevatorLatency : public testing::TestWithParam<Case> {};

/// 5 cycles a router and 3 at the interfaces, as on any mesh, and what a vertical link takes beyond a cycle.
TEST_P(ElevatorLatency, IsThatOfTheWayByTheElevator) {
  const Case& c = GetParam();
  for (const std::uint32_t flits : {1U, 4U}) {
    Bench bench(stack(c.elevators, c.vertical, c.rule));
    bench.run(10);
    bench.network->send_packet(NodeId{c.from}, NodeId{c.to}, flits);
    const std::uint32_t latency = 3 + 5 * (c.in_planes + c.verticals + 1) + c.verticals * (c.vertical - 1) + flits - 1;
    bench.run(latency - 1);
    EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << latency;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Pairs, ElevatorLatency,
    testing::Values(Case{{1, 0, 2, 3}, 1, "nearest", router(0, 0, 0), router(3, 3, 0), 6, 0},     // within a plane
                    Case{{1, 0, 2, 3}, 1, "nearest", router(1, 0, 0), router(1, 0, 3), 0, 3},     // up an elevator
                    Case{{1, 0, 2, 3}, 1, "nearest", router(3, 1, 0), router(0, 2, 3), 6, 3},     // by that at 1,0
                    Case{{1, 0, 2, 3}, 6, "nearest", router(2, 2, 2), router(0, 0, 1), 6, 1},     // by that at 2,3
                    Case{{1, 0, 2, 3}, 6, "on_the_way", router(2, 2, 2), router(0, 0, 1), 4, 1},  // by that at 1,0
                    Case{{3, 3}, 9, "nearest", router(0, 0, 3), router(0, 0, 0), 12, 3},          // there and back
                    Case{{}, 4, "nearest", router(3, 0, 3), router(0, 2, 1), 5, 2}));             // one everywhere

/// The fewest VCs, buffers of two flits, sources that always have a packet: in every 500 cycles packets arrive.
class Saturated : public testing::TestWithParam<std::tuple<Numbers, std::uint32_t, const char*>> {};

TEST_P(Saturated, NeverStandsStill) {
  const auto& [elevators, vcs, rule] = GetParam();
  Experiment e = stack(elevators, 1, rule);
  e.set("router.vcs", vcs);
  e.set("router.buffer_depth", 2);
  e.set("traffic.process", "saturated");
  e.set("interface.source_queue_packets", 4);
  Bench bench(e);
  for (std::uint64_t delivered = 0, span = 0; span < briefly(40); ++span) {
    bench.run(500);
    ASSERT_GT(bench.delivered(), delivered + 50) << "after " << bench.network->now() << " cycles";
    delivered = bench.delivered();
  }
  EXPECT_TRUE(bench.network->conservation().holds());
}
INSTANTIATE_TEST_SUITE_P(Stacks, Saturated,
                         testing::Values(std::tuple{Numbers{1, 1}, 1U, "nearest"},
                                         std::tuple{Numbers{0, 0, 3, 3}, 2U, "nearest"},
                                         std::tuple{Numbers{0, 0, 3, 3}, 3U, "on_the_way"},
                                         std::tuple{Numbers{0, 1, 1, 3, 2, 0, 3, 2}, 2U, "on_the_way"},
                                         std::tuple{Numbers{}, 1U, "nearest"}));

/// Offered eight times what it can carry, the one elevator is busy in three cycles of four at least.
TEST(ElevatorRate, IsNearlyThatOfItsLink) {
  Experiment e = stack({1, 2}, 1, "nearest", 0.5);
  Bench bench(e);
  bench.run(3000);
  const auto carried = [&] {
    return bench.network->fabric().link_use(RouterId{router(1, 2, 1)}, PortId{4}).packet_flits;
  };
  const std::uint64_t before = carried();
  bench.run(2000);
  EXPECT_LE(carried() - before, 2000U);
  EXPECT_GE(carried() - before, 1500U);
}

}  // namespace
}  // namespace braid::test::hybrid_elevators_test
