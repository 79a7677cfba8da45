// What lies beyond a router's last port or row on wires that are wider says nothing to a unit alone: ports of
// allocators and of circuits' units take what they are bound to (docs/hardware-view.md). One case a process (SystemC
// elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/setup_bench.h"

namespace braid::test::beyond_last_port_test {
namespace {

using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)
using setup_bench::Kind;

/// 3 ports of 2 VCs: 6 input VCs.
RouterShape three_ports() {
  RouterShape shape;
  shape.ports = 3;
  shape.vcs = 2;
  shape.depth = 4;
  return shape;
}

/// A fourth port's VCs ask for port 1.
TEST(BeyondTheLastPortOfARouter, NothingIsGrantedTheSwitch) {
  PortBench<SwitchAllocator> bench(three_ports());
  bench.set("request_i", 10, 0b11'11'000000);
  bench.set("out_port_i", 20, 0b01'01'01'01ULL << 12);
  bench.set("taken_inputs_i", 5);
  bench.set("taken_outputs_i", 5, 0b11000);
  for (int cycle = 0; cycle < 4; ++cycle) {
    bench.edge();
    EXPECT_EQ(bench.read("grant_o"), 0U) << cycle;
  }
  bench.put("request_i", 0, 6, 0b000100);
  bench.put("out_port_i", 4, 2, 1);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b000100U) << "port 1's own";
}

/// A fourth port's heads wait for port 1, and its VCs are free.
TEST(BeyondTheLastPortOfARouter, NoHeadIsGrantedAVc) {
  PortBench<VcAllocator> bench(three_ports());
  bench.set("waiting_i", 10, 0b11'11'000000);
  bench.set("candidates_i", 30, 0b010'010'010'010ULL << 18);
  bench.set("last_port_i", 20);
  bench.set("escape_ports_i", 5, 0b11111);
  bench.set("free_i", 10, 0b11'11'111111);
  bench.set("credits_i", 30, 0x3fffffff);
  for (int cycle = 0; cycle < 4; ++cycle) {
    bench.edge();
    for (const char* port : {"grant_o", "port_o", "vc_o", "granted_o"}) EXPECT_FALSE(bench.any(port)) << port << cycle;
  }
  bench.put("waiting_i", 0, 6, 0b100000);
  bench.wires.set("candidates_i", 5 * 3 + 1);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b100000U);
  EXPECT_EQ(__builtin_popcountll(bench.read("granted_o")), 1);
}

/// A fifth port has flits, credits and messages.
TEST(BeyondTheLastPortOfARouter, NoCircuitHasAFlitOrAMessage) {
  PortBench<CircuitUnit> bench(setup_bench::four_ports());
  bench.set("network_ports_i", 6, 0b100111);
  bench.set("local_ports_i", 6, 0b011000);
  bench.set("avoid_ports_i", 6);
  bench.set("arrives_i", 6, 0b110000);
  bench.set("flit_i", 6 * kFlitBits);
  bench.set("credit_i", 6, 0b111111);
  bench.set("setup_directions_i", 6, 0b110000);
  bench.set("control_valid_i", 6, 0b110000);
  bench.set("control_kind_i", 12);
  bench.set("control_search_i", 96);
  bench.wires.set("control_search_i", 64, 16, 3);
  bench.set("control_destination_i", 96);
  for (const char* port : {"request_valid_i", "request_lane_i"}) bench.set(port, 1);
  for (const char* port : {"request_port_i", "request_kind_i"}) bench.set(port, 2);
  for (const char* port : {"request_search_i", "request_destination_i"}) bench.set(port, 16);
  for (int cycle = 0; cycle < 6; ++cycle) {
    bench.edge();
    for (const char* port : {"grant_o", "takes_o", "flit_o", "held_o", "control_valid_o", "control_search_o",
                             "outcome_valid_o", "table_valid_o", "table_row_o"}) {
      EXPECT_FALSE(bench.any(port)) << port << ", " << cycle;
    }
  }
}

/// Rows beyond the last hold circuits and flits; a probe goes its way past them.
TEST(BeyondTheLastPortOfARouter, NoRowIsInTheTable) {
  setup_bench::SetupBench bench;
  bench.set("held_i", 6, 0b110000);
  bench.set("circuit_in_i", 12, 0b11'11'00000000);
  bench.set("circuit_out_i", 12, 0b01'01'00000000);
  bench.set("holds_flits_i", 6, 0b110000);
  bench.message(Kind::kProbe, 3, 1, 0b0100);
  EXPECT_EQ(bench.read("reserve_o"), 1U);
  EXPECT_EQ(bench.read("reserve_in_o"), 3U);
  EXPECT_EQ(bench.read("reserve_out_o"), 2U);
  EXPECT_EQ(bench.read("send_o"), 0b0100U);
  EXPECT_EQ(bench.read("release_o"), 0U);
}

}  // namespace
}  // namespace braid::test::beyond_last_port_test
