// What a circuit unit has in registers, message and outcome, and its shadow's (tb/tests/support/shadow.h): written at
// one edge, they are on the wires in the cycle after.
#include "models/stages/hybrid/circuit_unit.h"
#include "tb/tests/support/shadow.h"

namespace braid::test::shadows {
namespace {

/// Two lanes are too few for all streams: searches go back.
TEST(ShadowOfRegisters, CircuitUnitSendsAndEndsSearchesAsItDoes) {
  NetworkOfModules network("network", circuits(2));
  const AlonePlace place(circuits(2), "1,1");
  Shadow<CircuitUnit> shadow(kRouter + "circuit_unit", network.clocks()[kTraversal], "", place.shape());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (std::uint64_t cycle = 0; cycle < 3000 && !HasFatalFailure(); ++cycle) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == kTraversal && cycle > 0) {
        shadow.compare({"control_valid_o", "control_kind_o", "control_search_o", "control_destination_o",
                        "outcome_valid_o", "outcome_success_o"},
                       cycle);
      }
      if (step == kTraversal + 1) shadow.compare({"held_o"}, cycle);
    });
  }
  shadow.expect_seen(1);
}

}  // namespace
}  // namespace braid::test::shadows
