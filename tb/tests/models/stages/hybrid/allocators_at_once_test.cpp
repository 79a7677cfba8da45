// The allocators of a router alone where several inputs and outputs meet in one cycle: each row of their wires is its
// own (docs/router.md: separable, input first, round robin). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "models/stages/hybrid/route_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/port_bench.h"

namespace braid::test::allocators_at_once_test {
namespace {

using namespace models::stages::hybrid;

/// 5 ports, 3 VCs, buffers of 6 flits: 15 input VCs; a port takes 3 bits, credits 3.
RouterShape five() {
  RouterShape shape;
  shape.ports = 5;
  shape.vcs = 3;
  shape.depth = 6;
  return shape;
}

struct SwitchBench : PortBench<SwitchAllocator> {
  SwitchBench() : PortBench(five()) {
    set("request_i", 15);
    set("out_port_i", 45);
    set("taken_inputs_i", 5);
    set("taken_outputs_i", 5);
  }
  void ask(unsigned port, unsigned vc, std::uint64_t out) {
    put("request_i", port * 3 + vc, 1, 1);
    put("out_port_i", (port * 3 + vc) * 3, 3, out);
  }
};

/// Each input goes to the output that comes after it, on another VC each: nobody is in anybody's way.
TEST(SwitchAllocatorAtOnce, GrantsAllThatDoNotMeet) {
  SwitchBench bench;
  std::uint64_t all = 0;
  for (unsigned port = 0; port < 5; ++port) {
    bench.ask(port, port % 3, (port + 1) % 5);
    all |= std::uint64_t{1} << (port * 3 + port % 3);
  }
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), all);
  bench.put("taken_outputs_i", 0, 5, 0b10000);  // that of port 3
  bench.put("taken_inputs_i", 0, 5, 0b00010);   // port 1
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), all & ~(std::uint64_t{1} << 9) & ~(std::uint64_t{1} << 4));
  bench.put("request_i", 0, 15, 0);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "of requests that are no more";
}

/// An input's VCs take turns where all of them ask.
TEST(SwitchAllocatorAtOnce, LetsTheVcsOfAnInputTakeTurns) {
  SwitchBench bench;
  for (unsigned vc = 0; vc < 3; ++vc) bench.ask(4, vc, vc);
  std::uint64_t seen = 0;
  for (int cycle = 0; cycle < 3; ++cycle) {
    bench.edge();
    const std::uint64_t grant = bench.read("grant_o");
    EXPECT_EQ(__builtin_popcountll(grant), 1) << cycle;
    EXPECT_EQ(grant & seen, 0U) << "none twice";
    seen |= grant;
  }
  EXPECT_EQ(seen, std::uint64_t{0b111} << 12);
}

struct VcBench : PortBench<VcAllocator> {
  VcBench() : PortBench(five()) {
    set("waiting_i", 15);
    set("candidates_i", 75);
    set("last_port_i", 45);
    set("escape_ports_i", 5);
    set("free_i", 15, 0x7fff);
    set("credits_i", 45);
  }
};

/// A head at each port, for the port after it: each gets a VC there.
TEST(VcAllocatorAtOnce, GrantsAllThatDoNotMeet) {
  VcBench bench;
  for (unsigned port = 0; port < 5; ++port) {
    const unsigned head = port * 3 + 2, out = (port + 1) % 5;
    bench.put("waiting_i", head, 1, 1);
    bench.wires.set("candidates_i", head * 5 + out);
    bench.put("free_i", out * 3, 3, 0b010);
  }
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b100100100100100U);
  EXPECT_EQ(bench.read("granted_o"), 0b010010010010010U);
  for (unsigned port = 0; port < 5; ++port) {
    const unsigned head = port * 3 + 2;
    EXPECT_EQ(bench.field("port_o", head * 5, 5), 1U << (port + 1) % 5) << port;
    EXPECT_EQ(bench.field("vc_o", head * 3, 3), 0b010U) << port;
  }
  bench.put("waiting_i", 0, 15, 0);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o") | bench.read("granted_o") | bench.read("vc_o"), 0U) << "nobody waits";
  EXPECT_FALSE(bench.any("port_o"));
}

/// A head that has no way on waits for nothing: it is granted nothing.
TEST(VcAllocatorAtOnce, GrantsNothingToAHeadWithoutAWay) {
  VcBench bench;
  bench.put("waiting_i", 0, 15, 0x7fff);
  bench.wires.set("candidates_i", 7 * 5 + 3);  // VC 1 of port 2
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 1U << 7);
}

/// Heads on all VCs of a port, each with its own destination; a way is forgotten with the grant, for the next head.
TEST(RouteUnitAtOnce, RoutesEachHeadByItsOwnDestination) {
  models::Experiment e;
  e.set("topology.width", 4).set("topology.height", 4);
  StageBench<RouteUnit> bench(std::make_shared<const AlonePlace>(e, "1,1"));  // 5 ports, 4 VCs; node 5
  const unsigned destinations[] = {7, 4, 13, 1}, ports[] = {0, 1, 2, 3};      // east, west, north, south
  for (unsigned vc = 0; vc < 4; ++vc) {
    bench.wires.set("heads_i", 16 + vc);
    bench.wires.set("destination_i", (16 + vc) * 16, 16, destinations[vc]);
  }
  bench.edge();
  bench.wires.clear("heads_i");
  EXPECT_EQ(bench.field("waiting_o", 0, 20), 0xf0000U);
  for (unsigned vc = 0; vc < 4; ++vc) EXPECT_EQ(bench.field("candidates_o", (16 + vc) * 5, 5), 1U << ports[vc]) << vc;
  bench.wires.set("vc_grant_i", 17);
  bench.wires.set("heads_i", 17);  // the next packet's
  bench.wires.set("destination_i", 17 * 16, 16, 5);
  bench.edge();
  EXPECT_EQ(bench.field("waiting_o", 0, 20), 0xf0000U);
  EXPECT_EQ(bench.field("candidates_o", 17 * 5, 5), 1U << 4) << "the node's port";
  EXPECT_EQ(bench.field("candidates_o", 18 * 5, 5), 1U << 2) << "the others' stay";
}

}  // namespace
}  // namespace braid::test::allocators_at_once_test
