// Which outputs of a set-up or circuit unit mean something, and when: lockstep with the RTL compares no others
// (docs/hardware-view/replaced.md). And how often the token asks before the numbers of searches are used up.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/setup_sequencer.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test::qualified_test {
namespace {

using namespace models::stages::hybrid;
using models::hybrid::ControlKind;

std::vector<std::string> text(const std::vector<Qualified>& all) {
  std::vector<std::string> lines;
  for (const Qualified& q : all) lines.push_back(std::string(q.output) + (q.any ? " if " : " by ") + q.by);
  return lines;
}

/// A number of which there is one counts where any bit of the other is set; a row that has an entry for each of the
/// other's bits counts entry by entry. What is looked up never counts.
TEST(QualifiedOutputs, CountWhereAnotherSaysSo) {
  const std::vector<std::string> of_setup{"lookup_o if ",
                                          "release_in_o if release_o",
                                          "release_out_o if release_o",
                                          "reserve_in_o if reserve_o",
                                          "reserve_out_o if reserve_o",
                                          "send_kind_o if send_o",
                                          "send_search_o if send_o",
                                          "send_destination_o if send_o",
                                          "success_o if done_o"};
  EXPECT_EQ(text(SetupUnitPorts::qualified()), of_setup);
  const std::vector<std::string> of_circuits{"setup_destination_o if ",
                                             "takes_o by grant_o",
                                             "flit_o by grant_o",
                                             "in_lane_o by grant_o",
                                             "out_port_o by grant_o",
                                             "out_lane_o by grant_o",
                                             "control_kind_o if control_valid_o",
                                             "control_search_o if control_valid_o",
                                             "control_destination_o if control_valid_o",
                                             "outcome_success_o if outcome_valid_o",
                                             "table_row_o by table_valid_o"};
  EXPECT_EQ(text(CircuitUnitPorts::qualified()), of_circuits);
  EXPECT_TRUE(SwitchAllocatorPorts::qualified().empty());
}

/// The circuit unit's registers hold until the next edge, when they are compared; the others' are not looked at again.
TEST(QualifiedOutputs, AreRegistersThatCountLateInTheCircuitUnitAlone) {
  EXPECT_TRUE(CircuitUnitPorts::kRegistersLate);
  EXPECT_FALSE(SetupUnitPorts::kRegistersLate);
  EXPECT_FALSE(SwitchAllocatorPorts::kRegistersLate);
}

/// 15 bits number 2^15 - 1 searches; then all units are told to forget them, and the next search follows.
TEST(SetupSequencerNumbers, BeginAnewWhenAllAreUsed) {
  models::hybrid::Options options;
  options.setup_retries = 40000;
  StageBench<SetupSequencer> bench(std::vector<models::CircuitRequest>{{"a", NodeId{0U}, NodeId{5U}}}, options, 1);
  const auto kind = [&] { return static_cast<ControlKind>(bench.whole("request_kind_o")); };
  unsigned searches = 0;
  bench.wires.set("outcome_valid_i", 0);  // each fails in the cycle in which it is looked at
  for (int cycle = 0; cycle < 100000; ++cycle) {
    bench.edge();
    if (!bench.bit("request_valid_o", 0)) continue;
    if (kind() != ControlKind::kProbe) break;
    ++searches;
  }
  EXPECT_EQ(searches, (1U << 15) - 1);
  EXPECT_EQ(kind(), ControlKind::kAcknowledge);
  bench.edge();
  EXPECT_TRUE(bench.bit("request_valid_o", 0));
  EXPECT_EQ(kind(), ControlKind::kProbe);
}

}  // namespace
}  // namespace braid::test::qualified_test
