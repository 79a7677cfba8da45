// Units of Myrinet-like hosts and switches alone, where a second packet must not be taken for the first, and where they
// begin in the middle of something (docs/in-transit-buffers.md; docs/hardware-view/myrinet.md). One case a process
// (SystemC elaborates once).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/stages/base/heap.h"
#include "models/stages/myrinet/host_interface.h"
#include "models/stages/myrinet/in_transit_host.h"
#include "models/stages/myrinet/output_port.h"
#include "models/stages/myrinet/routing_control_unit.h"
#include "models/stages/myrinet/slack_buffer.h"
#include "tb/tests/support/lone_module.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/network_of_modules.h"

namespace braid::test::hosts_in_the_long_run_test {
namespace {

using namespace models::stages::myrinet;  // NOLINT(google-build-using-namespace)
using models::TransitTimes;

// ---------------------------------------------------------------- in-transit host

/// Detection 4 cycles, programming 3.
struct Host {
  explicit Host(bool counts_bytes = false) : unit("unit", TransitTimes{4, 3, counts_bytes}) {}
  void edge_with_mark() {
    alone.set("mark_i", 1);
    alone.edge();
    alone.set("mark_i", 0);
  }
  InTransitHost unit;
  LoneModule alone{unit};
};

/// An interface that has nothing from it, and is not ready yet, has none of the node's own packets either.
TEST(InTransitHostAlone, HasSentNothingBeforeItsInterfaceIsReady) {
  Host host;
  host.alone.set("own_i", 1);
  for (int cycle = 0; cycle < 3; ++cycle) {
    host.alone.edge();
    EXPECT_EQ(host.alone.get("sends_own_o"), 0U) << cycle;
    EXPECT_EQ(host.alone.get("sends_on_o"), 0U) << cycle;
    EXPECT_EQ(host.alone.get("state_o"), 0U);
  }
}

/// The node's own packet is with the interface until that is ready again; then comes the next, or nothing.
TEST(InTransitHostAlone, LetsTheNodesOwnPacketGoUntilItsTail) {
  Host host;
  host.alone.set("own_i", 1);
  host.alone.set("ready_i", 1);
  host.alone.edge();
  EXPECT_EQ(host.alone.get("sends_own_o"), 1U);
  host.alone.set("ready_i", 0);
  host.alone.set("own_i", 0);
  for (int cycle = 0; cycle < 5; ++cycle) {
    host.alone.edge();
    EXPECT_EQ(host.alone.get("sends_own_o"), 1U) << cycle;
  }
  host.alone.set("own_i", 1);
  host.alone.set("ready_i", 1);
  host.alone.edge();
  EXPECT_EQ(host.alone.get("sends_own_o"), 1U) << "the next one";
  host.alone.set("own_i", 0);
  host.alone.edge();
  EXPECT_EQ(host.alone.get("sends_own_o"), 0U);
}

/// The first packet is here whole, the mark of a second comes behind it: bytes that are missing are the second's.
TEST(InTransitHostAlone, CountsBytesOfThePacketThatComesIn) {
  Host host(true);
  host.alone.set("ready_i", 1);
  host.alone.set("tail_i", 1);
  host.edge_with_mark();  // cycle 0
  host.alone.edge();
  host.alone.set("tail_i", 0);
  host.alone.set("here_i", 1);
  host.edge_with_mark();  // cycle 2: one byte of the second, for as long as one looks
  EXPECT_EQ(host.alone.get("packets_o"), 2U);
  host.alone.run_through(4);
  EXPECT_EQ(host.alone.get("state_o"), 2U) << "detected 4 cycles after its mark";
  host.alone.run_through(5);
  EXPECT_EQ(host.alone.get("sends_on_o"), 0U) << "at cycle N - 1";
  host.alone.run_through(6);
  EXPECT_EQ(host.alone.get("sends_on_o"), 1U) << "at cycle N: it leaves from 7 on";
  host.alone.run_through(7);  // its tail
  EXPECT_EQ(host.alone.get("packets_o"), 1U);
  host.alone.run_through(30);
  EXPECT_EQ(host.alone.get("state_o"), 1U) << "the second has one byte here";
}

// ---------------------------------------------------------------- host interface

/// Packets of any length, one behind the other: the interface keeps none of them.
TEST(HostInterfaceInTheLongRun, KeepsNoPackets) {
  if (models::stages::heap_bytes() == 0) GTEST_SKIP() << "nobody counts";
  HostInterface unit("unit");
  LoneModule alone(unit);
  for (const char* port : {"go_i", "flit_i", "packet_i", "length_i"}) alone.set(port, 1);
  alone.edges(200);
  const std::uint64_t before = models::stages::heap_bytes();
  for (int cycle = 0; cycle < 6000; ++cycle) {
    alone.edge();
    ASSERT_EQ(alone.get("sends_o"), 1U);
    ASSERT_EQ(alone.get("ready_o"), 1U) << "a packet of one flit";
  }
  EXPECT_LT(models::stages::heap_bytes(), before + (48 << 10));
}

/// Each packet has its own length, whatever is on the port while it is sent.
TEST(HostInterfaceInTheLongRun, SendsEachPacketToItsEnd) {
  HostInterface unit("unit");
  LoneModule alone(unit);
  for (const char* port : {"go_i", "flit_i", "packet_i"}) alone.set(port, 1);
  for (const std::uint64_t flits : {3U, 1U, 1U, 6U, 2U}) {
    for (std::uint64_t flit = 1; flit <= flits; ++flit) {
      alone.set("length_i", flit == 1 ? flits : 9);
      alone.edge();
      EXPECT_EQ(alone.get("sends_o"), 1U) << flit << " of " << flits;
      EXPECT_EQ(alone.get("ready_o"), flit == flits ? 1U : 0U) << flit << " of " << flits;
    }
  }
  alone.set("packet_i", 0);
  alone.edge();
  EXPECT_EQ(alone.get("sends_o"), 0U);
  EXPECT_EQ(alone.get("ready_o"), 1U);
}

// ---------------------------------------------------------------- switch

/// A tail that stop holds is not gone: the port is its packet's until it is.
TEST(OutputPortAlone, BelongsToItsPacketWhileTheTailIsStopped) {
  models::myrinet::Timing timing;
  timing.routing_cycles = 2;
  OutputPort unit("unit", 4, timing);
  LoneModule alone(unit);
  for (const char* port : {"flit_i", "tail_i"}) alone.set(port, 1);
  alone.set("request_i", 0b0100);
  alone.run_through(2);
  alone.set("request_i", 0b0011);
  for (std::uint64_t cycle = 3; cycle < 7; ++cycle) {
    EXPECT_EQ(alone.get("grant_o"), 0b0100U) << cycle;
    EXPECT_EQ(alone.get("sends_o"), 0U);
    alone.run_through(cycle);
  }
  alone.set("go_i", 1);
  alone.run_through(7);
  EXPECT_EQ(alone.get("sends_o"), 1U);
  EXPECT_EQ(alone.get("grant_o"), 0b0100U);
  alone.run_through(8);
  EXPECT_EQ(alone.get("grant_o"), 0b0001U) << "round robin, behind port 2";
  EXPECT_EQ(alone.get("sends_o"), 0U) << "the switch has yet to turn";
  alone.run_through(10);
  EXPECT_EQ(alone.get("sends_o"), 1U);
}

/// The last of the ports that a header can name, and the first.
TEST(RoutingControlUnitAlone, AsksForWhicheverPortIsNamed) {
  models::myrinet::Timing timing;
  timing.routing_cycles = 3;
  RoutingControlUnit unit("unit", 64, timing);
  LoneModule alone(unit);
  for (const std::uint64_t port : {63U, 0U, 32U, 31U}) {
    alone.set("header_i", 1);
    alone.set("port_i", port);
    alone.edge();
    EXPECT_EQ(alone.get("taken_o"), 1U);
    EXPECT_EQ(alone.get("request_o"), std::uint64_t{1} << port);
    alone.set("header_i", 0);
    alone.set("granted_i", 1);
    alone.edges(2);
    EXPECT_EQ(alone.get("state_o"), 2U) << "the switch turns: 3 cycles from the grant on";
    alone.edge();
    EXPECT_EQ(alone.get("state_o"), 3U);
    EXPECT_EQ(alone.get("request_o"), 0U);
    alone.set("granted_i", 0);
    alone.edge();
    EXPECT_EQ(alone.get("state_o"), 0U);
  }
}

/// A buffer that nothing leaves says how much is there, and one that is empty says nothing.
TEST(SlackBufferAlone, CountsWhatComesAndGoesInOneCycle) {
  SlackBuffer unit("unit", models::myrinet::Options{});
  LoneModule alone(unit);
  const struct {
    bool arrives, taken, leaves;
    std::uint64_t flits;
  } cycles[] = {{true, false, false, 1}, {true, false, true, 2},  {false, false, false, 1}, {true, true, false, 1},
                {true, true, true, 1},   {true, false, false, 1}, {false, false, true, 1},  {false, false, false, 0}};
  for (const auto& c : cycles) {
    alone.set("arrive_i", c.arrives ? 1 : 0);
    alone.set("taken_i", c.taken ? 1 : 0);
    alone.set("leave_i", c.leaves ? 1 : 0);
    alone.edge();
    EXPECT_EQ(alone.get("flits_o"), c.flits);
    EXPECT_EQ(alone.get("stop_o"), 0U);
  }
}

// ---------------------------------------------------------------- names

/// A host by its node, whatever its switch is called.
TEST(HostsOfSwitches, AreNamedByTheirNodes) {
  const NetworkOfModules network("network", irregular_myrinet(3, 0.0, "up_down", "none"));
  std::size_t hosts = 0;
  for (const sc_core::sc_object* child : network.get_child_objects()) {
    hosts += std::string(child->basename()).rfind("host_", 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(hosts, 12U) << "four a switch";
  for (std::size_t node = 0; node < hosts; ++node) {
    const std::string name = "network.host_" + std::to_string(node);
    EXPECT_NE(sc_core::sc_find_object((name + ".host_interface").c_str()), nullptr) << node;
    EXPECT_EQ(sc_core::sc_find_object((name + ".in_transit_host").c_str()), nullptr) << "no packet rests there";
  }
}

}  // namespace
}  // namespace braid::test::hosts_in_the_long_run_test
