// The units of a Myrinet-like switch alone, on signals, by exact cycle (docs/in-transit-buffers.md, "The switch, cycle
// by cycle"; the paper's figure of the slack buffer: 80 flits, stop at 56, go at 40). The cycle of routing is 24.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/stages/myrinet/output_port.h"
#include "models/stages/myrinet/routing_control_unit.h"
#include "models/stages/myrinet/slack_buffer.h"
#include "tb/tests/support/lone_module.h"

namespace braid::test::switch_units_test {
namespace {

using models::myrinet::Options;
using models::myrinet::Timing;
using models::stages::myrinet::OutputPort;
using models::stages::myrinet::RoutingControlUnit;
using models::stages::myrinet::SlackBuffer;

constexpr std::uint64_t kStop = 56, kGo = 40, kRouting = 24;
constexpr unsigned kPorts = 8;
enum State : std::uint64_t { kIdle, kWaits, kRoutes, kOpen };

class LoneSlackBuffer : public testing::Test {
 protected:
  SlackBuffer unit{"slack_buffer", Options{}};
  LoneModule alone{unit};
};

/// A flit in each cycle from cycle 0 on: 56 are there in cycle 55.
TEST_F(LoneSlackBuffer, StopsItsSenderAtFiftySixFlits) {
  alone.set("arrive_i", 1);
  alone.run_through(kStop - 2);
  EXPECT_EQ(alone.get("flits_o"), kStop - 1);
  EXPECT_EQ(alone.get("stop_o"), 0U) << "at cycle N - 1";
  alone.run_through(kStop - 1);
  EXPECT_EQ(alone.get("flits_o"), kStop);
  EXPECT_EQ(alone.get("stop_o"), 1U) << "at cycle N";
}

/// Stopped at 56, flits that were under way make it 71; then one leaves in each cycle.
TEST_F(LoneSlackBuffer, LetsItsSenderGoOnAtFortyFlits) {
  constexpr std::uint64_t kMost = 71;
  alone.set("arrive_i", 1);
  alone.run_through(kMost - 1);
  EXPECT_EQ(alone.get("flits_o"), kMost);
  alone.set("arrive_i", 0);
  alone.set("leave_i", 1);  // in cycle 71 and later; a flit that leaves counts as there in its cycle
  const std::uint64_t forty = kMost + (kMost - kGo);
  alone.run_through(forty - 1);
  EXPECT_EQ(alone.get("flits_o"), kGo + 1);
  EXPECT_EQ(alone.get("stop_o"), 1U) << "at cycle N - 1";
  alone.run_through(forty);
  EXPECT_EQ(alone.get("flits_o"), kGo);
  EXPECT_EQ(alone.get("stop_o"), 0U) << "at cycle N";
}

TEST_F(LoneSlackBuffer, DoesNotCountAHeaderInTheCycleInWhichItIsTakenOut) {
  alone.set("arrive_i", 1);
  alone.run_through(0);
  EXPECT_EQ(alone.get("flits_o"), 1U);
  alone.set("taken_i", 1);
  alone.run_through(1);
  EXPECT_EQ(alone.get("flits_o"), 1U) << "one came, one was taken out";
  alone.set("taken_i", 0);
  alone.set("leave_i", 1);
  alone.run_through(2);
  EXPECT_EQ(alone.get("flits_o"), 2U) << "the one that leaves is still there";
}

/// Between stop and go nothing changes, whichever way the buffer comes there.
TEST_F(LoneSlackBuffer, KeepsWhatItSaidBetweenTheTwo) {
  alone.set("arrive_i", 1);
  alone.run_through(47);
  EXPECT_EQ(alone.get("flits_o"), 48U);
  EXPECT_EQ(alone.get("stop_o"), 0U) << "on the way up";
  alone.run_through(59);
  alone.set("arrive_i", 0);
  alone.set("leave_i", 1);
  alone.run_through(59 + 13);
  EXPECT_EQ(alone.get("flits_o"), 48U);
  EXPECT_EQ(alone.get("stop_o"), 1U) << "on the way down";
}

TEST_F(LoneSlackBuffer, IsTracedIntoAWaveform) {
  const std::string name = testing::TempDir() + std::to_string(getpid()) + "_slack_buffer";
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(name.c_str());
  sc_core::sc_trace(file, alone.wire("flits_o"), "flits_o");
  sc_core::sc_trace(file, alone.wire("stop_o"), "stop_o");
  alone.set("arrive_i", 1);
  alone.run_through(kStop);
  sc_core::sc_close_vcd_trace_file(file);
  std::ifstream in(name + ".vcd");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("flits_o"), std::string::npos);
  EXPECT_NE(text.str().find("b111000 "), std::string::npos) << "56 flits";
  EXPECT_EQ(text.str().find("b111010 "), std::string::npos) << "58 are there a cycle after the last one";
}

class LoneRoutingControlUnit : public testing::Test {
 protected:
  RoutingControlUnit unit{"routing_control_unit", kPorts, Timing{}};
  LoneModule alone{unit};
};

TEST_F(LoneRoutingControlUnit, TakesTheHeaderOutAndAsksForThePortThatItNames) {
  alone.set("port_i", 5);
  alone.run_through(9);
  EXPECT_EQ(alone.get("request_o"), 0U) << "no header is there";
  alone.set("header_i", 1);
  alone.run_through(10);
  EXPECT_EQ(alone.get("taken_o"), 1U);
  EXPECT_EQ(alone.get("request_o"), 1U << 5);
  EXPECT_EQ(alone.get("state_o"), kWaits);
  alone.set("header_i", 0);
  alone.set("port_i", 0);
  alone.run_through(30);
  EXPECT_EQ(alone.get("taken_o"), 0U) << "once";
  EXPECT_EQ(alone.get("request_o"), 1U << 5) << "it asks until it is granted";
}

/// A grant in cycle g is seen at the next edge; the flits may leave from g + 24 on.
TEST_F(LoneRoutingControlUnit, OpensTwentyFourCyclesAfterTheGrant) {
  constexpr std::uint64_t kGrant = 10;
  alone.set("header_i", 1);
  alone.set("port_i", 2);
  alone.run_through(kGrant);
  alone.set("granted_i", 1);
  alone.run_through(kGrant + 1);
  EXPECT_EQ(alone.get("request_o"), 0U);
  EXPECT_EQ(alone.get("state_o"), kRoutes);
  alone.run_through(kGrant + kRouting - 1);
  EXPECT_EQ(alone.get("state_o"), kRoutes) << "at cycle N - 1";
  alone.run_through(kGrant + kRouting);
  EXPECT_EQ(alone.get("state_o"), kOpen) << "at cycle N";
}

TEST_F(LoneRoutingControlUnit, LooksAtTheNextHeaderOnceThePortIsFree) {
  alone.set("header_i", 1);
  alone.set("port_i", 2);
  alone.run_through(0);
  alone.set("granted_i", 1);
  alone.run_through(99);
  EXPECT_EQ(alone.get("taken_o"), 0U) << "what stands at the front is of the packet that passes";
  alone.set("granted_i", 0);
  alone.set("port_i", 7);
  alone.run_through(100);
  EXPECT_EQ(alone.get("taken_o"), 1U);
  EXPECT_EQ(alone.get("request_o"), 1U << 7);
}

class LoneOutputPort : public testing::Test {
 protected:
  LoneOutputPort() { alone.set("go_i", 1); }
  OutputPort unit{"output_port", kPorts, Timing{}};
  LoneModule alone{unit};
};

/// The drawing of docs/in-transit-buffers.md, with h = g = 10 and n = 3.
TEST_F(LoneOutputPort, SendsTwentyFourCyclesAfterTheGrantAndIsFreeBehindTheTail) {
  constexpr std::uint64_t kGrant = 10;
  alone.set("flit_i", 1);
  alone.run_through(kGrant - 1);
  EXPECT_EQ(alone.get("grant_o"), 0U);
  alone.set("request_i", 1U << 3);
  alone.run_through(kGrant);
  EXPECT_EQ(alone.get("grant_o"), 1U << 3);
  alone.set("request_i", 0);
  alone.run_through(kGrant + kRouting - 1);
  EXPECT_EQ(alone.get("sends_o"), 0U) << "at cycle N - 1";
  alone.run_through(kGrant + kRouting);
  EXPECT_EQ(alone.get("sends_o"), 1U) << "at cycle N";
  alone.run_through(kGrant + kRouting + 1);
  alone.set("tail_i", 1);
  alone.set("request_i", 1U << 6);
  alone.run_through(kGrant + kRouting + 2);
  EXPECT_EQ(alone.get("sends_o"), 1U) << "the tail";
  EXPECT_EQ(alone.get("grant_o"), 1U << 3);
  alone.set("tail_i", 0);
  alone.run_through(kGrant + kRouting + 3);
  EXPECT_EQ(alone.get("grant_o"), 1U << 6) << "the next grant";
  EXPECT_EQ(alone.get("sends_o"), 0U);
}

TEST_F(LoneOutputPort, HoldsAFlitWhileStoppedOrWhileNoneIsThere) {
  alone.set("request_i", 1);
  alone.set("flit_i", 1);
  alone.run_through(kRouting);
  EXPECT_EQ(alone.get("sends_o"), 1U);
  alone.set("go_i", 0);
  alone.run_through(kRouting + 1);
  EXPECT_EQ(alone.get("sends_o"), 0U) << "bound by stop in the cycle in which it is there";
  alone.set("go_i", 1);
  alone.set("flit_i", 0);
  alone.run_through(kRouting + 2);
  EXPECT_EQ(alone.get("sends_o"), 0U);
  alone.set("flit_i", 1);
  alone.run_through(kRouting + 3);
  EXPECT_EQ(alone.get("sends_o"), 1U);
  EXPECT_EQ(alone.get("grant_o"), 1U) << "it keeps the port";
}

/// All ask all the time, for packets of one flit: port 0 first, then behind the one granted last.
TEST_F(LoneOutputPort, GrantsRoundRobin) {
  alone.set("request_i", 0b10010001);
  alone.set("flit_i", 1);
  alone.set("tail_i", 1);
  std::uint64_t cycle = 0;
  for (const unsigned port : {0U, 4U, 7U, 0U, 4U}) {
    alone.run_through(cycle);
    EXPECT_EQ(alone.get("grant_o"), 1U << port) << "in cycle " << cycle;
    cycle += kRouting + 1;
  }
}

}  // namespace
}  // namespace braid::test::switch_units_test
