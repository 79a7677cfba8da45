// Small parts of the hybrid router by themselves: which lanes may ask for the switch, what is around a set-up unit,
// what the queues behind outputs hold, and what an experiment's keys make of its routers.
#include <gtest/gtest.h>

#include <vector>

#include "models/families/hybrid/output_queues.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/shared_buffers.h"
#include "models/families/hybrid/stand_in.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::router_parts_test {
namespace {

using namespace models;
using namespace models::hybrid;

Configuration mesh(std::uint32_t width, std::uint32_t height, std::uint32_t local_ports) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  c.set("topology.local_ports", local_ports);
  return c;
}
hybrid::Options with_circuits(std::uint32_t vcs, std::uint32_t lanes) {
  hybrid::Options o;
  o.vcs = vcs;
  o.circuits = lanes != 0;
  o.circuit_lanes = lanes;
  return o;
}

// ---------------------------------------------------------------- requests for the switch

/// Router 2 of a row of three; two packet VCs, so that circuits have lanes 2 and 3.
TEST(SwitchRequest, IsOfPacketLanesWhereCircuitsGoFirst) {
  const routing::Topology topology = routing::make_topology(mesh(3, 1, 1));
  const RouterBank bank(topology, with_circuits(2, 2), 1);
  const PortIndex first = bank.port_index(RouterId{2}, PortId{0U}), port = first + 4;
  WakeSet ports;
  ports.resize(8);
  bool inputs[8] = {}, outputs[8] = {};
  VcMask turns[8] = {};
  bank.switch_requests[port] = 0b1111;
  const SwitchRequests all{bank, ports, nullptr, nullptr};
  EXPECT_EQ(all.lanes(bank, port, first), 0b1111U) << "no circuits: all that are up";
  EXPECT_TRUE(all.open(bank, port, first));
  const SwitchRequests beside{bank, ports, inputs, outputs};
  EXPECT_EQ(beside.lanes(bank, port, first), 0b0011U);
  bank.switch_requests[port] = 0b1110;
  EXPECT_EQ(beside.lanes(bank, port, first), 0b0010U);
  bank.switch_requests[port] = 0b1100;
  EXPECT_EQ(beside.lanes(bank, port, first), 0U);
  bank.switch_requests[port] = 0b1111;
  inputs[4] = true;
  EXPECT_EQ(beside.lanes(bank, port, first), 0U) << "a circuit's flit leaves it";
  EXPECT_EQ(beside.lanes(bank, port - 1, first), bank.switch_requests[port - 1]) << "another port";
  EXPECT_EQ(all.lanes(bank, port, first), 0b1111U);
  turns[4] = 0b0001;
  const SwitchRequests in_turn{bank, ports, inputs, outputs, turns};
  EXPECT_EQ(in_turn.lanes(bank, port, first), 0b0001U) << "those whose turn it is";
  EXPECT_EQ(in_turn.lanes(bank, port - 1, first), 0U);
  EXPECT_EQ(in_turn.cycle, 0U);
  outputs[3] = true;
  EXPECT_FALSE(beside.open(bank, first + 3, first)) << "a circuit's flit crosses to it";
  EXPECT_TRUE(beside.open(bank, first + 2, first));
  bank.closed_outputs[first + 2] = true;
  EXPECT_FALSE(beside.open(bank, first + 2, first));
  EXPECT_TRUE(all.open(bank, first + 2, first)) << "nobody closes it without circuits";
}

TEST(FreeCandidateVcs, AreThoseOfItsPortAtTheHeadsRouter) {
  const routing::Topology topology = routing::make_topology(mesh(3, 1, 1));
  const RouterBank bank(topology, with_circuits(4, 0), 1);
  const VcIndex head = bank.vc_index(bank.port_index(RouterId{1}, routing::kWest), 3);
  const PortIndex east = bank.port_index(RouterId{1}, routing::kEast);
  EXPECT_EQ(free_candidate_vcs(bank, head, {routing::kEast, 0, 0b0110}), 0b0110U);
  bank.free_vcs[east] = 0b1010;
  EXPECT_EQ(free_candidate_vcs(bank, head, {routing::kEast, 0, 0b0110}), 0b0010U);
  EXPECT_EQ(free_candidate_vcs(bank, head, {routing::kEast, 0, 0b0101}), 0U);
  bank.free_vcs[bank.port_index(RouterId{0}, routing::kWest)] = 0;
  EXPECT_EQ(free_candidate_vcs(bank, head, {routing::kWest, 0, 0b0001}), 0b0001U) << "of router 1";
}

// ---------------------------------------------------------------- set-up units

/// A 3x2 mesh, 0 1 2 / 3 4 5, two local ports a node: ports 0 to 3 are east, west, north, south, 4 and 5 the node's.
TEST(SetupStraps, AreThePortsAroundARouter) {
  const routing::Topology topology = routing::make_topology(mesh(3, 2, 2));
  RouterBank bank(topology, with_circuits(4, 1), 1);
  SetupUnits units(topology, bank, true);
  units.prepare(NodeId{2});
  units.prepare(NodeId{2});
  const std::uint64_t east = 1, west = 2, north = 4, south = 8, node = 16 + 32;
  struct Case {
    std::size_t router;
    std::uint64_t network, directions;
  };
  const auto at = [&](const Case& c) {
    const SetupUnits::Straps s = units.straps(RouterId{c.router}, NodeId{2});
    EXPECT_EQ(s.network_ports, c.network) << c.router;
    EXPECT_EQ(s.directions, c.directions) << c.router;
    EXPECT_EQ(s.local_ports, node) << c.router;
    return s.avoid_ports;
  };
  const std::uint64_t up =
      topology.port(RouterId{0}, routing::kNorth).kind == routing::PortKind::kNetwork ? north : south;
  const std::uint64_t down = up == north ? south : north;
  EXPECT_EQ(at({0, east | up, east}), 0U);
  EXPECT_EQ(at({1, east | west | up, east}), 0U);
  EXPECT_EQ(at({2, west | up, node}), 0U) << "it is there";
  EXPECT_EQ(at({3, east | down, east | down}), 0U);
  EXPECT_EQ(at({5, west | down, down}), 0U);
  EXPECT_FALSE(units.avoided(bank.port_index(RouterId{1}, routing::kEast)));
  units.avoid(bank.port_index(RouterId{1}, routing::kEast));
  EXPECT_TRUE(units.avoided(bank.port_index(RouterId{1}, routing::kEast)));
  EXPECT_EQ(at({1, east | west | up, east}), east);
  EXPECT_EQ(at({0, east | up, east}), 0U);
  SetupUnits::Straps told;
  told.network_ports = 7;
  told.directions = 4;
  units.tell(told);
  EXPECT_EQ(units.straps(RouterId{0}, NodeId{1}).network_ports, 7U) << "whoever is told needs no topology";
  EXPECT_EQ(units.straps(RouterId{0}, NodeId{1}).directions, 4U);
}

TEST(SetupUnits, KnowTheNodesThatTheyHavePreparedFor) {
  const routing::Topology topology = routing::make_topology(mesh(3, 2, 1));
  RouterBank bank(topology, with_circuits(4, 1), 1);
  SetupUnits units(topology, bank, true);
  const auto said = [&](std::size_t node) {
    return complaint<CheckpointError>([&] { units.check_destination(NodeId{node}); });
  };
  EXPECT_EQ(said(4), no_such_state("a search for a node that has no streams"));
  units.prepare(NodeId{4});
  EXPECT_EQ(said(4), "");
  EXPECT_EQ(said(3), no_such_state("a search for a node that has no streams"));
}

// ---------------------------------------------------------------- queues behind outputs

/// Flits whose credits are out: of a port's VCs together; as it was at the last cycle's end for those who ask for it.
TEST(OutputQueues, AreTheCreditsThatAreOut) {
  const routing::Topology topology = routing::make_topology(mesh(3, 1, 1));
  hybrid::Options o;
  o.vcs = 3;
  o.buffer_depth = 5;
  const RouterBank bank(topology, o, 1);
  OutputQueues queues(bank, o.buffer_depth, true);
  const RouterId r{1};
  const PortIndex east = bank.port_index(r, routing::kEast), last = bank.port_index(RouterId{2}, routing::kWest);
  EXPECT_EQ(queues.waiting_flits(r, routing::kEast), 0U);
  bank.output_vcs[bank.vc_index(east, 0)].credits = 3;
  bank.output_vcs[bank.vc_index(east, 2)].credits = 0;
  bank.output_vcs[bank.vc_index(last, 2)].credits = 4;
  EXPECT_EQ(queues.waiting_flits(r, routing::kEast), 7U);
  EXPECT_EQ(queues.waiting_flits(r, routing::kWest), 0U);
  EXPECT_EQ(queues.waiting_flits(RouterId{2}, routing::kWest), 1U);
  EXPECT_EQ(queues.waited_flits(r, routing::kEast), 0U) << "the cycle has not ended";
  queues.end_cycle();
  bank.output_vcs[bank.vc_index(east, 2)].credits = 5;
  EXPECT_EQ(queues.waited_flits(r, routing::kEast), 7U);
  EXPECT_EQ(queues.waited_flits(RouterId{2}, routing::kWest), 1U);
  EXPECT_EQ(queues.waiting_flits(r, routing::kEast), 2U);
  queues.end_cycle();
  EXPECT_EQ(queues.waited_flits(r, routing::kEast), 2U);
}

/// Places of a port whose VCs share them: own ones and the pool's.
TEST(OutputQueues, AreThePlacesInUseWhereVcsShareThem) {
  const routing::Topology topology = routing::make_topology(mesh(3, 1, 1));
  hybrid::Options o;
  o.vcs = 2;
  o.buffers = Buffers::kShared;
  o.reserved_depth = 1;
  o.shared_depth = 3;
  o.buffer_depth = 4;
  const RouterBank bank(topology, o, 1);
  const OutputQueues queues(bank, o.buffer_depth, false);
  SharedBuffers& buffers = *bank.shared_buffers();
  const PortIndex east = bank.port_index(RouterId{1}, routing::kEast);
  EXPECT_EQ(buffers.places_of_port(), 2U * 1 + 3);
  EXPECT_EQ(buffers.left_in_pool(east), 3U);
  const auto none = [](VcIndex) {};
  for (std::uint32_t flit = 1; flit <= 3; ++flit) {
    buffers.send(bank.vc_index(east, 0), none);
    EXPECT_EQ(buffers.used(bank.vc_index(east, 0)), flit);
    EXPECT_EQ(buffers.left_in_pool(east), 3U - (flit - 1)) << "the first is in its own place";
    EXPECT_EQ(queues.waiting_flits(RouterId{1}, routing::kEast), flit);
  }
  buffers.send(bank.vc_index(east, 1), none);
  EXPECT_EQ(buffers.left_in_pool(east), 1U);
  EXPECT_EQ(buffers.used_of_port(east), 4U);
  EXPECT_EQ(queues.waiting_flits(RouterId{1}, routing::kEast), 4U);
  EXPECT_EQ(queues.waiting_flits(RouterId{1}, routing::kWest), 0U);
  buffers.take_credit(bank.vc_index(east, 1), none);
  EXPECT_EQ(buffers.left_in_pool(east), 1U) << "it was its own place";
  buffers.take_credit(bank.vc_index(east, 0), none);
  EXPECT_EQ(buffers.left_in_pool(east), 2U);
  EXPECT_EQ(buffers.used_of_port(east), 2U);
}

// ---------------------------------------------------------------- keys

/// Circuits of streams and of stream writes; a network has one kind or the other.
TEST(CircuitsOfAnExperiment, AreOfStreamsOrOfPairs) {
  Configuration none;
  EXPECT_FALSE(has_circuits(none));
  Configuration switching;
  switching.set("interface.switching", "circuit");
  EXPECT_FALSE(has_stream_circuits(switching)) << "there is no stream";
  Configuration packets = switching;
  packets.open("stream");
  packets.set("interface.switching", "packet");
  EXPECT_FALSE(has_stream_circuits(packets));
  Configuration streams = switching;
  streams.open("stream");
  EXPECT_TRUE(has_stream_circuits(streams));
  EXPECT_TRUE(has_circuits(streams));
  EXPECT_FALSE(has_listed_circuits(streams));
  Configuration pairs;
  pairs.set("tlm.circuits", std::vector<std::uint32_t>{0, 1});
  EXPECT_TRUE(has_listed_circuits(pairs));
  EXPECT_TRUE(has_circuits(pairs));
  EXPECT_FALSE(has_stream_circuits(pairs));
  Configuration empty;
  empty.set("tlm.circuits", std::vector<std::uint32_t>{});
  EXPECT_FALSE(has_listed_circuits(empty));
  EXPECT_FALSE(has_circuits(empty));
  streams.set("tlm.circuits", std::vector<std::uint32_t>{0, 1});
  EXPECT_FALSE(has_listed_circuits(streams)) << "streams have them";
  EXPECT_TRUE(has_circuits(streams));
}

/// Copies of items are of streams on circuits.
TEST(CircuitsOfAnExperiment, ForkIfTheStreamsSaySo) {
  for (const bool circuits : {false, true}) {
    for (const char* multicast : {"none", "routers"}) {
      models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
      e.set("interface.switching", circuits ? "circuit" : "packet");
      if (circuits) e.set("stream.multicast", multicast);
      const hybrid::Options o = read_options(e);
      EXPECT_EQ(o.circuits, circuits);
      EXPECT_EQ(o.multicast, circuits && std::string(multicast) == "routers") << multicast;
    }
  }
}

TEST(StandIns, AreOfAnotherImplementationOrASection) {
  hybrid::Options o;
  Configuration none, staged;
  staged.open("stage");
  EXPECT_FALSE(has_stand_ins(none, o));
  EXPECT_TRUE(has_stand_ins(staged, o));
  EXPECT_TRUE(may_share_mailboxes(o));
  o.implementation = "pins";
  EXPECT_TRUE(has_stand_ins(none, o));
  EXPECT_TRUE(has_stand_ins(staged, o));
  EXPECT_FALSE(may_share_mailboxes(o)) << "pins tell by the mailbox who has sent";
  threaded_stand_ins().insert("of_the_tests");
  o.implementation = "of_the_tests";
  EXPECT_TRUE(may_share_mailboxes(o));
  threaded_stand_ins().erase("of_the_tests");
  EXPECT_FALSE(may_share_mailboxes(o));
}

}  // namespace
}  // namespace braid::test::router_parts_test
