// The allocators, the circuits' units and the input unit with the write bypass, each and its shadow.
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/input_unit.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/shadow.h"

namespace braid::test::shadows {
namespace {

/// What asks for the switch from the latch is known when SA looks.
TEST(ShadowOfAUnit, InputWithTheWriteBypassWritesWhatItHas) {
  Experiment e = busy_mesh();
  e.set("router.buffer_bypass", true);
  NetworkOfModules network("network", e);
  Shadow<InputUnit> shadow(kRouter + "input_unit", network.clocks()[kBufferWrite], "",
                           std::make_shared<const AlonePlace>(e, "1,1"));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(2000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kSwitchAllocation && cycle > 0) shadow.compare({"request_o", "ready_o"}, cycle);
      if (step != kBufferWrite + 1) return;
      shadow.compare({"heads_o", "destination_o", "out_port_o", "out_vc_o", "st_grant_o", "st_in_lane_o",
                      "st_out_port_o", "st_out_lane_o", "st_flit_o"},
                     cycle);
    });
  }
  shadow.expect_seen(500);
}

TEST(ShadowOfAUnit, VcAllocatorWritesWhatItHas) {
  NetworkOfModules network("network", busy_mesh());
  const AlonePlace place(busy_mesh(), "1,1");
  Shadow<VcAllocator> shadow(kRouter + "vc_allocator", network.clocks()[kTraversal], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(2000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kTraversal + 1) shadow.compare({"grant_o", "port_o", "vc_o", "granted_o"}, cycle);
    });
  }
  shadow.expect_seen(500);
}

TEST(ShadowOfAUnit, SwitchAllocatorWritesWhatItHasUnderPacketsAndCircuits) {
  NetworkOfModules network("network", circuits());
  const AlonePlace place(circuits(), "1,1");
  Shadow<SwitchAllocator> shadow(kRouter + "switch_allocator", network.clocks()[kSwitchAllocation], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(4000); cycle < end && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kSwitchAllocation + 1) shadow.compare({"grant_o"}, cycle);
    });
  }
  shadow.expect_seen(300);
}

/// That the circuit unit of a router writes what it has, and that each of its ports but one has moved.
void expect_circuit_unit(const std::string& router, const std::string& place, const std::string& but) {
  NetworkOfModules network("network", circuits());
  const AlonePlace at(circuits(), place);
  Shadow<CircuitUnit> shadow(router + ".circuit_unit", network.clocks()[kTraversal], "", at.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0, end = cycles(4000); cycle < end && !testing::Test::HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kTraversal + 1) {
        shadow.compare({"grant_o", "takes_o", "flit_o", "in_lane_o", "out_port_o", "out_lane_o"}, cycle);
      }
      if (step == network.clocks().size()) shadow.compare({"table_valid_o", "table_row_o"}, cycle);
    });
  }
  shadow.expect_seen(500, but);
}

TEST(ShadowOfAUnit, CircuitUnitGrantsWhatItHasAndHoldsItsTable) {
  expect_circuit_unit("network.router_2_1", "2,1", "in_lane_o");
}

TEST(ShadowOfAUnit, CircuitUnitWhoseFlitsComeOnSeveralLanes) {
  expect_circuit_unit("network.router_1_2", "1,2", "out_lane_o");
}

/// Two lanes are too few for all streams: searches go back.
TEST(ShadowOfAUnit, SetupUnitSearchesAsItDoes) {
  NetworkOfModules network("network", circuits(2));
  const AlonePlace place(circuits(2), "1,1");
  Shadow<SetupUnit> shadow(kRouter + "setup_unit", network.clocks()[kRoute], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0; cycle < 4000 && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step != kRoute + 1) return;
      shadow.compare({"release_o", "release_in_o", "release_out_o", "reserve_o", "reserve_in_o", "reserve_out_o",
                      "send_o", "send_kind_o", "send_search_o", "send_destination_o", "done_o", "success_o"},
                     cycle);
    });
  }
  shadow.expect_seen(15);
}

}  // namespace
}  // namespace braid::test::shadows
