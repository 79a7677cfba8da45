// The allocators of a router, each alone with its ports on signals (docs/hardware-view/replaced.md): separable, input
// first, round robin.
#include <gtest/gtest.h>

#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/port_bench.h"

namespace braid::test::allocators_test {
namespace {

using namespace models::stages::hybrid;

RouterShape small() {
  RouterShape shape;
  shape.ports = 3;
  shape.vcs = 2;
  shape.depth = 4;
  return shape;
}

/// 3 ports, 2 VCs: 6 input VCs, VC v of port p is bit 2 p + v; an output port takes 2 bits.
struct SwitchBench : PortBench<SwitchAllocator> {
  SwitchBench() : PortBench(small()) {
    set("request_i", 6);
    set("out_port_i", 12);
    set("taken_inputs_i", 3);
    set("taken_outputs_i", 3);
  }
};

TEST(SwitchAllocatorAlone, GrantsNothingThatIsNotAskedForAndARequestInItsCycle) {
  SwitchBench bench;
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "at N - 1";
  bench.put("request_i", 0, 6, 0b000010);  // VC 1 of port 0 to port 2
  bench.put("out_port_i", 2, 2, 2);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b000010U) << "at N";
}

TEST(SwitchAllocatorAlone, GivesAnOutputToTwoInputsInTurn) {
  SwitchBench bench;
  bench.put("request_i", 0, 6, 0b000101);  // VC 0 of ports 0 and 1, both to port 2
  bench.put("out_port_i", 0, 2, 2);
  bench.put("out_port_i", 4, 2, 2);
  for (const std::uint64_t winner : {0b000001U, 0b000100U, 0b000001U}) {
    bench.edge();
    EXPECT_EQ(bench.read("grant_o"), winner);
  }
}

TEST(SwitchAllocatorAlone, LosesTheCycleOfAnInputWhoseChoiceMeetsATakenOutput) {
  SwitchBench bench;
  bench.put("request_i", 0, 6, 0b000011);  // port 0: VC 0 to port 1, which is taken, VC 1 to port 2, which is not
  bench.put("out_port_i", 0, 2, 1);
  bench.put("out_port_i", 2, 2, 2);
  bench.put("taken_outputs_i", 0, 3, 0b010);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U);
  bench.put("taken_outputs_i", 0, 3, 0);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b000001U);
  bench.put("taken_inputs_i", 0, 3, 0b001);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "a circuit's flit leaves the input";
}

/// Candidates: 3 bits an input VC; credits: 3 bits an output VC.
struct VcBench : PortBench<VcAllocator> {
  VcBench() : PortBench(small()) {
    set("waiting_i", 6);
    set("candidates_i", 18);
    set("last_port_i", 12);
    set("escape_ports_i", 3);
    set("free_i", 6, 0b111111);
    set("credits_i", 18, 0);
  }
};

TEST(VcAllocatorAlone, GrantsInTheCycleInWhichAVcIsFreeAndNotBefore) {
  VcBench bench;
  bench.put("waiting_i", 0, 6, 0b000001);
  bench.put("candidates_i", 0, 3, 0b100);  // port 2
  bench.put("free_i", 0, 6, 0b001111);     // none of port 2
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "at N - 1";
  bench.put("free_i", 0, 6, 0b101111);  // VC 1 of port 2
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b000001U) << "at N";
  EXPECT_EQ(bench.read("port_o"), 0b100U);
  EXPECT_EQ(bench.read("vc_o"), 0b10U);
  EXPECT_EQ(bench.read("granted_o"), 0b100000U);
}

TEST(VcAllocatorAlone, TakesThePortWithMostCreditsThenTheOneAfterTheLast) {
  VcBench bench;
  bench.put("waiting_i", 0, 6, 0b000001);
  bench.put("candidates_i", 0, 3, 0b110);
  bench.put("credits_i", 6, 3, 1);   // VC 0 of port 1
  bench.put("credits_i", 12, 3, 2);  // VC 0 of port 2
  bench.edge();
  EXPECT_EQ(bench.read("port_o") & 7U, 0b100U) << "most credits";
  bench.put("credits_i", 6, 3, 2);
  bench.put("last_port_i", 0, 2, 1);
  bench.edge();
  EXPECT_EQ(bench.read("port_o") & 7U, 0b100U) << "a tie: after port 1 comes port 2";
  bench.put("last_port_i", 0, 2, 2);
  bench.edge();
  EXPECT_EQ(bench.read("port_o") & 7U, 0b010U) << "after port 2 comes port 1 before it";
}

TEST(VcAllocatorAlone, GivesAVcToTwoHeadsInTurn) {
  VcBench bench;
  bench.put("waiting_i", 0, 6, 0b000101);
  bench.put("candidates_i", 0, 3, 0b100);
  bench.put("candidates_i", 6, 3, 0b100);
  bench.put("free_i", 0, 6, 0b010000);
  for (const std::uint64_t winner : {0b000001U, 0b000100U, 0b000001U}) {
    bench.edge();
    EXPECT_EQ(bench.read("grant_o"), winner);
    EXPECT_EQ(bench.read("granted_o"), 0b010000U);
  }
}

}  // namespace
}  // namespace braid::test::allocators_test
