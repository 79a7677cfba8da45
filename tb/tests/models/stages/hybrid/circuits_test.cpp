// The set-up unit and the circuit unit of a router, each alone with its ports on signals (docs/setup.md): one cycle a
// message, minimal directions first, lowest port first, and back where nothing is left.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/stages/hybrid/circuit_unit.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/setup_bench.h"

namespace braid::test::circuits_test {
namespace {

using namespace models::stages::hybrid;
using namespace setup_bench;

TEST(SetupUnitAlone, SendsAProbeOnInItsCycleByTheMinimalDirection) {
  SetupBench bench;
  bench.edge();
  EXPECT_EQ(bench.read("send_o"), 0U) << "at N - 1";
  bench.message(kProbe, 3, 1, 0b0110);
  EXPECT_EQ(bench.read("reserve_o"), 1U) << "at N";
  EXPECT_EQ(bench.read("reserve_in_o"), 3U);
  EXPECT_EQ(bench.read("reserve_out_o"), 1U) << "the lowest port that leads closer";
  EXPECT_EQ(bench.read("send_o"), 0b0010U);
  EXPECT_EQ(bench.read("send_kind_o"), kProbe);
  EXPECT_EQ(bench.read("send_destination_o"), 5U);
  bench.edge();
  EXPECT_EQ(bench.read("send_o"), 0U) << "one message, one cycle";
}

TEST(SetupUnitAlone, TriesADetourAfterABacktrackAndGoesBackWhenNothingIsLeft) {
  SetupBench bench;
  bench.message(kProbe, 0, 1, 0b0100);
  EXPECT_EQ(bench.read("send_o"), 0b0100U);
  bench.set("held_i", 4, 0b0100);
  bench.set("circuit_in_i", 8, 0);
  bench.message(kBacktrack, 2, 1, 0b0100);
  EXPECT_EQ(bench.read("release_o"), 1U);
  EXPECT_EQ(bench.read("release_out_o"), 2U);
  EXPECT_EQ(bench.read("reserve_out_o"), 1U) << "port 0 it came in by, port 2 it has tried";
  bench.set("held_i", 4, 0b0010);
  bench.message(kBacktrack, 1, 1, 0b0100);
  EXPECT_EQ(bench.read("reserve_o"), 0U);
  EXPECT_EQ(bench.read("send_o"), 0b0001U) << "back";
  EXPECT_EQ(bench.read("send_kind_o"), kBacktrack);
}

TEST(SetupUnitAlone, HoldsATearDownUntilTheBufferOfItsCircuitIsEmpty) {
  SetupBench bench;
  bench.set("circuit_out_i", 8, 0b00000001);  // row 0 goes out on row 1
  bench.set("held_i", 4, 0b0010);
  bench.set("holds_flits_i", 4, 0b0001);
  bench.message(kTearDown, 0, 1, 0);
  bench.edge();
  bench.edge();
  EXPECT_EQ(bench.read("release_o"), 0U) << "at N - 1";
  bench.set("holds_flits_i", 4, 0);
  bench.edge();
  EXPECT_EQ(bench.read("release_o"), 1U) << "at N";
  EXPECT_EQ(bench.read("release_in_o"), 0U);
  EXPECT_EQ(bench.read("release_out_o"), 1U);
  EXPECT_EQ(bench.read("send_o"), 0b0010U);
}

/// The node's search may go on by port 1 or 2, both nearer: by the lower one, unless a circuit goes out there.
TEST(SetupUnitAlone, PassesAnOutputThatAnyRowHolds) {
  SetupBench bench;
  std::uint64_t search = 0;
  for (const std::uint64_t held : {1, 2, 0}) {
    bench.set("held_i", 4, std::uint64_t{1} << held);
    bench.set("circuit_in_i", 8, (held + 1) % 3 << 2 * held);
    bench.message(kProbe, 3, ++search, 0b0110);
    EXPECT_EQ(bench.read("reserve_o"), 1U) << held;
    EXPECT_EQ(bench.read("reserve_out_o"), held == 1 ? 2U : 1U) << held;
  }
}

/// Each row has a circuit, two rows on; row 3 is the node's, where a tear-down ends.
TEST(SetupUnitAlone, TearsDownTheCircuitOfWhicheverRow) {
  SetupBench bench;
  for (std::uint64_t in = 0; in < 4; ++in) {
    const std::uint64_t out = (in + 2) % 4;
    bench.set("circuit_out_i", 8, 0b01'00'11'10);
    bench.set("circuit_in_i", 8, 0b01'00'11'10);
    bench.set("held_i", 4, 0b1111);
    bench.message(kTearDown, in, 1, 0);
    EXPECT_EQ(bench.read("release_o"), 1U) << in;
    EXPECT_EQ(bench.read("release_in_o"), in);
    EXPECT_EQ(bench.read("release_out_o"), out) << in;
    EXPECT_EQ(bench.read("send_o"), out == 3 ? 0U : std::uint64_t{1} << out) << in;
    EXPECT_EQ(bench.read("done_o"), out == 3 ? 1U : 0U) << in;
  }
}

struct CircuitBench : PortBench<CircuitUnit> {
  CircuitBench() : PortBench(four_ports()) {
    set("network_ports_i", 4, 0b0111);
    set("local_ports_i", 4, 0b1000);
    set("avoid_ports_i", 4);
    set("arrives_i", 4);
    set("flit_i", 4 * kFlitBits);
    set("credit_i", 4, 0b1111);
    set("setup_directions_i", 4, 0b0010);
    set("control_valid_i", 4);
    set("control_kind_i", 8);
    set("control_search_i", 64);
    set("control_destination_i", 64);
    set("request_valid_i", 1);
    set("request_port_i", 2, 3);
    set("request_lane_i", 1);
    set("request_kind_i", 2);
    set("request_search_i", 16, 1);
    set("request_destination_i", 16, 5);
  }
  /// The node's search: its circuit goes out on port 1.
  void set_up() {
    set("request_valid_i", 1, 1);
    edge();
    set("request_valid_i", 1, 0);
  }
};

TEST(CircuitUnitAlone, LetsAFlitCrossInTheCycleInWhichItIsOnTheLinkIfThereIsCredit) {
  CircuitBench bench;
  bench.set_up();
  EXPECT_EQ(bench.read("control_valid_o"), 0b0010U);
  EXPECT_EQ(bench.read("table_valid_o"), 0b1000U);
  bench.set("credit_i", 4, 0b1101);
  bench.set("arrives_i", 4, 0b1000);
  bench.edge();
  bench.set("arrives_i", 4, 0);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "at N - 1: no credit";
  bench.set("credit_i", 4, 0b1111);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b1000U) << "at N";
  EXPECT_EQ(bench.read("takes_o"), std::uint64_t{0b0010} << 12);
  EXPECT_EQ(bench.read("held_o"), 0b0010U);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "the buffer is empty";
  bench.set("arrives_i", 4, 0b1000);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b1000U) << "through an empty buffer in the same cycle";
}

TEST(CircuitUnitAlone, LatchesAMessageOfAControlChannelForACycle) {
  CircuitBench bench;
  bench.put("control_valid_i", 0, 4, 0b0001);
  bench.put("control_search_i", 0, 16, 1);
  bench.put("control_destination_i", 0, 16, 5);
  bench.edge();
  EXPECT_EQ(bench.read("control_valid_o"), 0U) << "at N - 1";
  bench.put("control_valid_i", 0, 4, 0);
  bench.edge();
  EXPECT_EQ(bench.read("control_valid_o"), 0b0010U) << "at N";
  EXPECT_EQ(bench.read("control_kind_o"), kProbe);
}

/// What it tells its neighbour of the node's search, and its node when the answer is there: once.
TEST(CircuitUnitAlone, TellsOfASearchAndOfItsEnd) {
  CircuitBench bench;
  bench.set("request_search_i", 16, 0x1234);
  bench.set_up();
  EXPECT_EQ(bench.read("control_kind_o"), kProbe);
  EXPECT_EQ(bench.read("control_search_o"), 0x1234U);
  EXPECT_EQ(bench.read("control_destination_o"), 5U);
  EXPECT_EQ(bench.read("setup_destination_o"), 5U);
  EXPECT_EQ(bench.read("table_row_o"), 1U << 6) << "row 3 goes out on row 1";
  EXPECT_EQ(bench.read("held_o"), 0U) << "in the cycle before";
  bench.edge();
  EXPECT_EQ(bench.read("held_o"), 0b0010U);
  EXPECT_EQ(bench.read("control_valid_o"), 0U) << "once";
  EXPECT_EQ(bench.read("control_search_o") | bench.read("control_destination_o"), 0U);
  EXPECT_EQ(bench.read("setup_destination_o"), 0U);
  bench.put("control_valid_i", 0, 4, 0b0010);
  bench.put("control_kind_i", 2, 2, kAcknowledge);
  bench.put("control_search_i", 16, 16, 0x1234);
  bench.put("control_destination_i", 16, 16, 5);
  bench.edge();
  bench.put("control_valid_i", 0, 4, 0);
  EXPECT_EQ(bench.read("outcome_valid_o"), 0U) << "at N - 1";
  bench.edge();
  EXPECT_EQ(bench.read("outcome_valid_o"), 1U) << "at N";
  EXPECT_EQ(bench.read("outcome_success_o"), 1U);
  EXPECT_EQ(bench.read("control_valid_o"), 0U);
  bench.edge();
  EXPECT_EQ(bench.read("outcome_valid_o"), 0U);
  EXPECT_EQ(bench.read("outcome_success_o"), 0U);
}

TEST(CircuitUnitAlone, IsSeenInAWaveform) {
  const std::string file = temporary_file("circuit_unit");
  sc_core::sc_trace_file* trace = sc_core::sc_create_vcd_trace_file(file.c_str());
  CircuitBench bench;
  sc_core::sc_trace(trace, bench.wires["control_valid_o"], "control_valid_o");
  bench.set_up();
  bench.edge();
  sc_core::sc_close_vcd_trace_file(trace);
  std::ifstream stream(file + ".vcd");
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_NE(text.str().find("control_valid_o"), std::string::npos);
  EXPECT_NE(text.str().find("b10 "), std::string::npos) << "port 1, one hot";
}

}  // namespace
}  // namespace braid::test::circuits_test
