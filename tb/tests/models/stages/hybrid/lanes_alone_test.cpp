// Units of a router alone that have several circuit lanes a port, or several of a node's ports: each lane and port by
// its own wires (docs/router.md, docs/setup.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/network_interface.h"
#include "models/stages/hybrid/output_unit.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/setup_bench.h"

namespace braid::test::lanes_alone_test {
namespace {

using namespace models::stages::hybrid;
using setup_bench::Kind;

/// Two lanes a port: a row is 2 * port + lane, of 3 bits.
RouterShape two_lanes() {
  RouterShape shape = setup_bench::four_ports();
  shape.circuit_lanes = 2;
  return shape;
}

// ---------------------------------------------------------------- circuit unit

constexpr unsigned kPacketAt = 32, kTailAt = 64, kHeadAt = 65;  // of a flit's bits

struct CircuitBench : PortBench<CircuitUnit> {
  CircuitBench() : PortBench(two_lanes()) {
    set("network_ports_i", 4, 0b0111);
    set("local_ports_i", 4, 0b1000);
    set("avoid_ports_i", 4);
    set("arrives_i", 8);
    set("flit_i", 4 * kFlitBits);
    set("credit_i", 8);
    set("setup_directions_i", 4, 0b0010);
    set("control_valid_i", 4);
    set("control_kind_i", 8);
    set("control_search_i", 64);
    set("control_destination_i", 64);
    set("request_valid_i", 1);
    set("request_port_i", 2, 3);
    set("request_lane_i", 1);
    set("request_kind_i", 2);
    set("request_search_i", 16);
    set("request_destination_i", 16, 5);
  }
  /// The node's search from a lane of its port 3: its circuit goes out on port 1.
  void set_up(std::uint64_t lane) {
    set("request_valid_i", 1, 1);
    set("request_lane_i", 1, lane);
    set("request_search_i", 16, lane + 1);
    edge();
    set("request_valid_i", 1, 0);
  }
  /// A packet of one flit on the link to a row of port 3.
  void arrives(unsigned row, std::uint64_t packet) {
    set("arrives_i", 8, std::uint64_t{1} << row);
    wires.set("flit_i", 3 * kFlitBits + kPacketAt, 32, packet);
    wires.set("flit_i", 3 * kFlitBits + kTailAt);
    wires.set("flit_i", 3 * kFlitBits + kHeadAt);
    edge();
    set("arrives_i", 8, 0);
  }
  std::uint64_t packet() const { return field("flit_o", 3 * kFlitBits + kPacketAt, 32); }
};

/// The node's rows 6 and 7 go out on rows 2 and 0: a link between routers has one lane, so the second search takes
/// another port. Neither has credit until both have a flit.
TEST(CircuitUnitLanes, HoldTheirFlitsUntilTheyHaveCredit) {
  CircuitBench bench;
  bench.set_up(0);
  bench.set_up(1);
  EXPECT_EQ(bench.read("table_valid_o"), 0b11000000U);
  EXPECT_EQ(bench.read("table_row_o"), std::uint64_t{2} << 18 | std::uint64_t{0} << 21);
  bench.arrives(6, 66);
  bench.arrives(7, 77);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U);
  EXPECT_EQ(bench.read("held_o"), 0b0011U);
  bench.set("credit_i", 8, 0b0001);  // row 0's
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b1000U);
  EXPECT_EQ(bench.read("takes_o"), std::uint64_t{0b0001} << 12);
  EXPECT_EQ(bench.read("in_lane_o"), 0b1000U);
  EXPECT_EQ(bench.read("out_port_o"), 0U);
  EXPECT_EQ(bench.packet(), 77U);
  EXPECT_EQ(bench.field("flit_o", 3 * kFlitBits + kTailAt, 2), 0b11U);
  bench.set("credit_i", 8, 0b0101);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b1000U);
  EXPECT_EQ(bench.read("takes_o"), std::uint64_t{0b0010} << 12);
  EXPECT_EQ(bench.read("in_lane_o"), 0U);
  EXPECT_EQ(bench.read("out_port_o"), std::uint64_t{1} << 6);
  EXPECT_EQ(bench.packet(), 66U);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0U) << "both are gone";
}

/// Searches from ports 0 and 1 end at the node, each on a lane of its own: rows 0 and 2 go out on rows 6 and 7.
TEST(CircuitUnitLanes, LeadToTheNodesLanes) {
  CircuitBench bench;
  bench.set("setup_directions_i", 4, 0b1000);
  bench.set("credit_i", 8, 0b11000000);
  for (unsigned port = 0; port < 2; ++port) {
    bench.set("control_valid_i", 4, std::uint64_t{1} << port);
    bench.put("control_search_i", port * 16, 16, port + 1);
    bench.edge();
    bench.set("control_valid_i", 4);
    bench.edge();
    EXPECT_EQ(bench.read("control_valid_o"), std::uint64_t{1} << port) << "the answer";
    EXPECT_EQ(bench.read("control_kind_o"), Kind::kAcknowledge);
  }
  EXPECT_EQ(bench.read("table_valid_o"), 0b00000101U);
  EXPECT_EQ(bench.read("table_row_o"), 6U | 7U << 6);
  bench.set("arrives_i", 8, 0b00000101);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b0001U) << "the node's port takes one";
  EXPECT_EQ(bench.read("takes_o"), 0b1000U);
  EXPECT_EQ(bench.read("out_lane_o"), 0U);
  EXPECT_EQ(bench.read("out_port_o"), 3U);
  bench.set("arrives_i", 8);
  bench.edge();
  EXPECT_EQ(bench.read("grant_o"), 0b0010U) << "then the other";
  EXPECT_EQ(bench.read("takes_o"), 0b1000U << 4);
  EXPECT_EQ(bench.read("in_lane_o"), 0U);
  EXPECT_EQ(bench.read("out_lane_o"), 0b0010U);
  EXPECT_EQ(bench.read("out_port_o"), 3U << 2);
}

TEST(SetupUnitLanes, TearDownTheCircuitOfTheirRow) {
  PortBench<SetupUnit> bench(two_lanes());
  for (const char* port : {"avoid_ports_i", "directions_i"}) bench.set(port, 4);
  bench.set("network_ports_i", 4, 0b0111);
  bench.set("local_ports_i", 4, 0b1000);
  bench.set("circuit_out_i", 24, std::uint64_t{3} << 3 * 5 | std::uint64_t{0} << 3 * 4);  // row 5 to 3, row 4 to 0
  bench.set("circuit_in_i", 24, std::uint64_t{5} << 3 * 3 | std::uint64_t{4} << 3 * 0);
  bench.set("held_i", 8, 0b00001001);
  bench.set("holds_flits_i", 8, 0b00010000);  // row 4's
  bench.set("valid_i", 1, 1);
  bench.set("row_i", 3, 5);
  bench.set("kind_i", 2, Kind::kTearDown);
  bench.set("search_i", 16, 1);
  bench.set("destination_i", 16, 5);
  bench.edge();
  EXPECT_EQ(bench.read("release_o"), 1U);
  EXPECT_EQ(bench.read("release_in_o"), 5U);
  EXPECT_EQ(bench.read("release_out_o"), 3U);
  EXPECT_EQ(bench.read("send_o"), 0b0010U);
}

// ---------------------------------------------------------------- output unit

/// Five ports of four VCs and two circuit lanes: a flit on each, then a credit of each in one cycle.
TEST(OutputUnitLanes, TakeAllCreditsOfACycle) {
  RouterShape shape;
  shape.depth = 3;
  shape.circuit_lanes = 2;
  StageBench<OutputUnit> bench(shape);
  for (unsigned vc = 0; vc < 4; ++vc) {
    bench.wires.clear("send_i");
    for (unsigned port = 0; port < 5; ++port) bench.wires.set("send_i", port * 4 + vc);
    bench.edge();
  }
  bench.wires.clear("send_i");
  EXPECT_EQ(bench.field("credits_o", 0, 40), 0xaaaaaaaaaaU) << "two of three places, of 2 bits each";
  for (unsigned lane = 0; lane < 2; ++lane) {
    bench.wires.clear("send_circuit_i");
    for (unsigned port = 0; port < 5; ++port) bench.wires.set("send_circuit_i", port * 2 + lane);
    bench.edges(5);
    EXPECT_EQ(bench.field("circuit_credit_o", 0, 10), lane == 0 ? 0b1010101010U : 0U) << "five places a lane";
  }
  bench.wires.clear("send_circuit_i");
  for (unsigned i = 0; i < 30; ++i) bench.wires.set("credit_i", i);
  bench.edge();
  EXPECT_EQ(bench.field("credits_o", 0, 40), 0xffffffffffU);
  EXPECT_EQ(bench.field("circuit_credit_o", 0, 10), 0b1111111111U);
}

// ---------------------------------------------------------------- network interface

constexpr unsigned kLocal = 4;  // the first of the node's ports

struct Interface : StageBench<NetworkInterface> {
  Interface(const models::Experiment& e, const std::string& router)
      : Interface(std::make_shared<const AlonePlace>(e, router)) {}
  explicit Interface(const std::shared_ptr<const AlonePlace>& place) : StageBench(place), shape(place->shape()) {}
  void send(unsigned port, unsigned lane, unsigned length, unsigned destination) {
    const unsigned w = shape.lane_bits();
    wires.clear("send_i");
    wires.set("send_i", port);
    wires.set("send_lane_i", port * w, w, lane);
    wires.set("send_length_i", port * 16, 16, length);
    wires.set("send_destination_i", port * 16, 16, destination);
    edge();
    wires.clear("send_i");
  }
  std::uint64_t valid() const { return whole("link_valid_o"); }
  std::uint64_t lane(unsigned port) const { return field("link_lane_o", port * shape.lane_bits(), shape.lane_bits()); }
  std::uint64_t destination(unsigned port) const { return field("link_flit_o", port * kFlitBits, 16); }
  /// Tail in bit 0, head in bit 1.
  std::uint64_t ends(unsigned port) const { return field("link_flit_o", port * kFlitBits + 64, 2); }
  const RouterShape shape;
};

models::Experiment with_circuits() {
  models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("topology.local_ports", 1).set("router.circuit_lanes", 2);
  return e;
}

/// Lanes 4 and 5 are the circuits'. A lane of the router's has five places.
TEST(NetworkInterfaceLanes, SendOnTheCircuitThatStartsThere) {
  Interface bench(with_circuits(), "1,1");
  bench.send(kLocal, 5, 7, 9);
  for (int flit = 0; flit < 5; ++flit) {
    EXPECT_EQ(bench.valid(), 1U << kLocal) << flit;
    EXPECT_EQ(bench.lane(kLocal), 5U);
    EXPECT_EQ(bench.destination(kLocal), 9U);
    EXPECT_EQ(bench.ends(kLocal), flit == 0 ? 0b10U : 0U) << flit;
    bench.edge();
  }
  for (int cycle = 0; cycle < 3; ++cycle) {
    EXPECT_EQ(bench.valid(), 0U) << "its places are taken";
    bench.edge();
  }
  bench.send(kLocal, 4, 1, 3);
  EXPECT_EQ(bench.lane(kLocal), 4U) << "the other lane's are not";
  EXPECT_EQ(bench.ends(kLocal), 0b11U);
  bench.wires.set("credit_i", kLocal * 6 + 5);
  for (int flit = 5; flit < 7; ++flit) {
    bench.edge();
    EXPECT_EQ(bench.valid(), 1U << kLocal) << flit;
    EXPECT_EQ(bench.lane(kLocal), 5U);
    EXPECT_EQ(bench.ends(kLocal), flit == 6 ? 0b01U : 0U) << flit;
  }
  bench.edge();
  EXPECT_EQ(bench.valid(), 0U) << "once";
}

models::Experiment two_ports() {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3).set("topology.local_ports", 2);
  return e;
}

TEST(NetworkInterfacePorts, SendEachItsOwnPackets) {
  Interface bench(two_ports(), "1,1");
  bench.edge();
  EXPECT_EQ(bench.whole("ready_o"), 0b110000U);
  bench.send(kLocal + 1, 0, 2, 8);
  EXPECT_EQ(bench.valid(), 1U << (kLocal + 1));
  EXPECT_EQ(bench.destination(kLocal + 1), 8U);
  bench.send(kLocal, 0, 1, 2);
  EXPECT_EQ(bench.valid(), 0b110000U);
  EXPECT_EQ(bench.ends(kLocal), 0b11U);
  EXPECT_EQ(bench.ends(kLocal + 1), 0b01U);
  EXPECT_EQ(bench.destination(kLocal), 2U);
  EXPECT_EQ(bench.destination(kLocal + 1), 8U);
  bench.send(0, 0, 1, 2);
  EXPECT_EQ(bench.valid(), 0U) << "a port to another router has no node";
  bench.wires.set("link_valid_i", 0);
  bench.wires.set("link_valid_i", kLocal + 1);
  bench.edge();
  EXPECT_EQ(bench.whole("credit_o"), std::uint64_t{1} << (kLocal + 1) * 4) << "of VC 0, and of the node's alone";
}

/// Packets that wait behind one another keep their lengths and destinations, whatever was sent before them.
TEST(NetworkInterfacePorts, KeepPacketsApart) {
  Interface bench(two_ports(), "1,1");
  bench.send(kLocal, 0, 1, 0);
  bench.edges(5);
  bench.send(kLocal, 0, 5, 7);
  EXPECT_EQ(bench.destination(kLocal), 7U);
  const auto expect_flit = [&](std::uint64_t destination, std::uint64_t ends) {
    EXPECT_EQ(bench.valid(), 1U << kLocal);
    EXPECT_EQ(bench.destination(kLocal), destination);
    EXPECT_EQ(bench.ends(kLocal), ends);
  };
  bench.send(kLocal, 0, 2, 3);
  expect_flit(7, 0);
  bench.send(kLocal, 0, 1, 6);
  for (const std::uint64_t ends : {0U, 0U, 1U}) {
    expect_flit(7, ends);
    bench.edge();
  }
  expect_flit(3, 0b10);
  bench.edge();
  expect_flit(3, 0b01);
  bench.edge();
  expect_flit(6, 0b11);
  bench.edge();
  EXPECT_EQ(bench.valid(), 0U);
}

}  // namespace
}  // namespace braid::test::lanes_alone_test
