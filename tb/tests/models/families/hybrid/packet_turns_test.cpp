// Packets beside circuits that never pause (router.circuit_burst_flits, docs/router.md): when a packet's flit goes
// first, not yet at N - 1 and there at N, and what each of the two then has of a link.
#include "models/families/hybrid/packet_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tb/tests/support/loads.h"

namespace braid::test::packet_turns_test {
namespace {

using namespace models;
using namespace models::hybrid;

// ---------------------------------------------------------------- one router, by hand

/// Router 4 of a 3x3 mesh. Its packet lane 0 and its circuit of any input port ask for outputs by hand.
class Router {
 public:
  static constexpr std::uint32_t kBound = 3;
  Router()
      : topology_(routing::make_topology(uniform_mesh(0.0, 3, 3))),
        bank_(topology_, options(), 1),
        turns_(bank_, 0, bank_.router_port_count(), kBound) {
    requesting_.resize(bank_.router_port_count());
  }
  void packet(PortId in, PortId out) { ask(bank_.vc_index(port(in), 0), bank_.vc_index(port(out), 1)); }
  void circuit(PortId in, PortId out) { ask(bank_.circuit_vc(port(in)), bank_.circuit_vc(port(out))); }
  void close(PortId out) { bank_.closed_outputs[port(out)] = true; }
  /// Flits of the circuits that ask, all granted, one a cycle.
  void pass(std::uint32_t flits) {
    WorkList<VcIndex> grants;
    grants.reserve(circuits_.size());
    for (const VcIndex v : circuits_) grants.push(v);
    for (std::uint32_t i = 0; i < flits; ++i) turns_.count(grants);
  }
  void pass_packet(PortId in) {
    WorkList<VcIndex> grants;
    grants.reserve(1);
    grants.push(bank_.vc_index(port(in), 0));
    turns_.count(grants);
  }
  bool goes_first(PortId in) { return turns_.find(requesting_) && turns_.lanes()[port(in)] == 1; }

 private:
  static Options options() {
    Options o;
    o.circuits = true;
    return o;
  }
  PortIndex port(PortId p) const { return bank_.port_index(RouterId{4}, p); }
  void ask(VcIndex in_vc, VcIndex out_vc) {
    if (bank_.is_circuit_lane(bank_.lane_of(in_vc))) circuits_.push_back(in_vc);
    bank_.input_vcs[in_vc].state = VcState::kActive;
    bank_.input_vcs[in_vc].out_vc = out_vc;
    bank_.switch_requests[bank_.port_of_vc(in_vc)] |= VcMask{1} << bank_.lane_of(in_vc);
    requesting_.insert(bank_.port_of_vc(in_vc));
  }

  routing::Topology topology_;
  RouterBank bank_;
  PacketTurns turns_;
  WakeSet requesting_;
  std::vector<VcIndex> circuits_;
};
const PortId kEast = routing::kEast, kWest = routing::kWest, kNorth = routing::kNorth, kSouth = routing::kSouth;

TEST(PacketTurn, ComesAfterSoManyFlitsOfTheInput) {
  Router r;
  r.packet(kWest, kNorth);
  r.circuit(kWest, kEast);
  r.pass(Router::kBound - 1);
  EXPECT_FALSE(r.goes_first(kWest)) << "after N - 1";
  r.pass(1);
  EXPECT_TRUE(r.goes_first(kWest)) << "after N";
  r.pass(100);
  EXPECT_TRUE(r.goes_first(kWest)) << "the counter stays";
  r.pass_packet(kWest);
  r.pass(Router::kBound - 1);
  EXPECT_FALSE(r.goes_first(kWest)) << "N - 1 after a packet's";
  r.pass(1);
  EXPECT_TRUE(r.goes_first(kWest));
}

TEST(PacketTurn, ComesAfterSoManyFlitsOfTheOutput) {
  Router r;
  r.packet(kNorth, kEast);
  r.circuit(kWest, kEast);
  r.pass(Router::kBound - 1);
  EXPECT_FALSE(r.goes_first(kNorth)) << "after N - 1";
  r.pass(1);
  EXPECT_TRUE(r.goes_first(kNorth)) << "after N";
  r.pass_packet(kNorth);
  EXPECT_FALSE(r.goes_first(kNorth));
}

/// Another packet has used the output of late, so that the input's counter alone has come to N.
TEST(PacketTurn, WaitsForBothOfItsPorts) {
  Router r;
  r.packet(kWest, kSouth);
  r.packet(kEast, kSouth);
  r.circuit(kWest, kEast);
  r.circuit(kNorth, kSouth);
  r.pass(Router::kBound);
  EXPECT_TRUE(r.goes_first(kWest));
  r.pass_packet(kEast);
  EXPECT_FALSE(r.goes_first(kWest)) << "the circuit to its output has had no flit since";
  r.pass(Router::kBound - 1);
  EXPECT_FALSE(r.goes_first(kWest));
  r.pass(1);
  EXPECT_TRUE(r.goes_first(kWest));
}

TEST(PacketTurn, IsNotForPacketsThatNoCircuitIsInTheWayOf) {
  Router r;
  r.packet(kNorth, kSouth);
  r.circuit(kWest, kEast);
  r.pass(Router::kBound);
  EXPECT_FALSE(r.goes_first(kNorth)) << "it has the switch anyway";
}

TEST(PacketTurn, IsNotForClosedLinks) {
  Router r;
  r.packet(kNorth, kEast);
  r.circuit(kWest, kEast);
  r.close(kEast);
  r.pass(Router::kBound);
  EXPECT_FALSE(r.goes_first(kNorth));
}

// ---------------------------------------------------------------- in a network

/// A circuit that is never without a flit, from one node of a row to another; a local port a node.
Experiment full_circuit(std::uint32_t width, std::uint32_t from, std::uint32_t to, std::uint32_t bound) {
  const std::string file = temporary_file("full.toml");
  std::ofstream(file) << "name = \"full\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = " << from
                      << "\n[[actor]]\nname = \"b\"\nwork = 1\ntile = " << to
                      << "\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 16\npop = 16\n";
  Experiment e = stream_mesh("", width, 1);
  e.set("stream.graph", file);
  e.set("topology.local_ports", 1);
  e.set("router.circuit_burst_flits", bound);
  add_traffic(e, 0.0);
  return e;
}

models::Fabric::LinkUse use_of(const Bench& bench, std::size_t router) {
  return bench.network->fabric().link_use(RouterId{router}, routing::kEast);
}

class Share : public testing::TestWithParam<std::tuple<std::uint32_t, std::string, std::string>> {
 protected:
  std::uint32_t bound() const { return std::get<0>(GetParam()); }
  void choose(Experiment& e) const {
    e.set("router.switch_allocator", std::get<1>(GetParam()));
    e.set("router.arbiter", std::get<2>(GetParam()));
  }
  /// In 1000 turns packets have one flit each, circuits N.
  void expect_shares(Bench& bench, std::size_t router) const {
    const auto before = use_of(bench, router);
    bench.run(1000 * std::uint64_t{bound() + 1});
    const auto after = use_of(bench, router);
    EXPECT_EQ(after.packet_flits - before.packet_flits, 1000U);
    EXPECT_EQ(after.circuit_flits - before.circuit_flits, 1000 * std::uint64_t{bound()});
    EXPECT_TRUE(bench.network->conservation().holds());
  }
};

/// Circuit and packets from node 0 to node 1: over the injection link, the switch of both routers and their link.
TEST_P(Share, OfALinkIsOneFlitInNAndOneForPackets) {
  Experiment e = full_circuit(2, 0, 1, bound());
  choose(e);
  Bench bench(e);
  bench.run(500);
  for (int i = 0; i < 400; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(500);
  expect_shares(bench, 0);
}

/// The circuit starts at router 1, where packets come in from router 0: they meet at an output only.
TEST_P(Share, OfAnOutputIsOneFlitInNAndOneForPackets) {
  Experiment e = full_circuit(3, 1, 2, bound());
  choose(e);
  Bench bench(e);
  bench.run(500);
  for (int i = 0; i < 400; ++i) bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
  bench.run(500);
  expect_shares(bench, 1);
}
INSTANTIATE_TEST_SUITE_P(Bounds, Share,
                         testing::Combine(testing::Values(1, 2, 3, 9),
                                          testing::Values("separable_input_first", "islip", "wavefront", "pim",
                                                          "maximum_size"),
                                          testing::Values("round_robin", "matrix")));

/// A packet's head is in ST of the first router 6 cycles after it was made, if alone, and so is the first one here:
/// counters have come to N before it. Each flit after it comes N flits of the circuit later.
TEST(PacketTurns, BringEachFlitAfterNFlitsOfTheCircuit) {
  for (const char* allocator : {"separable_input_first", "islip"}) {
    for (const std::uint32_t bound : {1U, 2U, 6U}) {
      SCOPED_TRACE(std::string(allocator) + ", bound " + std::to_string(bound));
      Experiment e = full_circuit(2, 0, 1, bound);
      e.set("router.switch_allocator", allocator);
      Bench bench(e);
      bench.run(500);
      for (int p = 0; p < 3; ++p) bench.network->send_packet(NodeId{0}, NodeId{1}, 2);
      std::uint64_t cycle = 0;
      for (std::uint64_t flit = 0; flit < 6; ++flit) {
        const std::uint64_t there = 6 + flit * (bound + 1);
        bench.run(there - 1 - cycle);
        EXPECT_EQ(use_of(bench, 0).packet_flits, flit) << "at cycle N - 1";
        bench.run(1);
        EXPECT_EQ(use_of(bench, 0).packet_flits, flit + 1) << "at cycle N";
        cycle = there;
      }
    }
  }
}

/// Two circuits of node 4 share its port with packets to node 3, which leave them 3 flits of 4. Packets of node 3 have
/// turns on the link of one of them: then the other one goes.
TEST(PacketTurns, LetTheOtherCircuitOfAPortGo) {
  const std::string file = temporary_file("two.toml");
  std::ofstream graph(file);
  graph << "name = \"two\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 4\n";
  for (const auto& [name, tile] : {std::pair{"b", 5}, {"c", 7}}) {
    graph << "[[actor]]\nname = \"" << name << "\"\nwork = 1\ntile = " << tile << "\n[[edge]]\nfrom = \"a\"\nto = \""
          << name << "\"\npush = 16\npop = 16\n";
  }
  graph.close();
  Experiment e = stream_mesh("", 3, 3);
  e.set("stream.graph", file);
  e.set("topology.local_ports", 1);
  e.set("router.circuit_lanes", 2);
  e.set("router.circuit_burst_flits", 3);
  add_traffic(e, 0.0);
  Bench bench(e);
  bench.run(1000);
  ASSERT_TRUE(bench.network->setup_done());
  for (int i = 0; i < 2000; ++i) {
    bench.network->send_packet(NodeId{3}, NodeId{5}, 4);
    bench.network->send_packet(NodeId{4}, NodeId{3}, 4);
  }
  bench.run(500);
  const auto circuits = [&] {
    std::uint64_t flits = 0;
    for (const PortId p : {routing::kWest, routing::kEast, routing::kSouth, routing::kNorth})
      flits += bench.network->fabric().link_use(RouterId{4}, p).circuit_flits;
    return flits;
  };
  const std::uint64_t before = circuits(), packets = use_of(bench, 4).packet_flits;
  bench.run(4000);
  EXPECT_EQ(circuits() - before, 3000U);
  EXPECT_GE(use_of(bench, 4).packet_flits - packets, 2000U);
}

/// Without a bound none leaves, whatever the time; without packets a bound takes nothing from the circuit.
TEST(PacketTurns, AreNoneWithoutABoundAndCostNothingWithoutPackets) {
  Bench starved(full_circuit(2, 0, 1, 0));
  starved.run(500);
  starved.network->send_packet(NodeId{0}, NodeId{1}, 1);
  starved.run(20000);
  EXPECT_EQ(use_of(starved, 0).packet_flits, 0U);
  Bench lonely(full_circuit(2, 0, 1, 1)), free(full_circuit(2, 0, 1, 0));
  for (Bench* bench : {&lonely, &free}) bench->run(5000);
  EXPECT_GT(free.delivered(), 0U);
  EXPECT_EQ(lonely.network->merged_statistics().packet_hash(), free.network->merged_statistics().packet_hash());
}

/// Circuits that share a local port, beside packets: 12 of 13 flits are theirs, each has a third of them.
TEST(PacketTurns, LeaveCircuitsThatShareAPortTheirTurns) {
  const std::string file = temporary_file("three.toml");
  std::ofstream graph(file);
  graph << "name = \"three\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 4\n";
  for (const auto& [name, tile] : {std::pair{"b", 3}, {"c", 5}, {"d", 7}}) {
    graph << "[[actor]]\nname = \"" << name << "\"\nwork = 1\ntile = " << tile << "\n[[edge]]\nfrom = \"a\"\nto = \""
          << name << "\"\npush = 16\npop = 16\n";
  }
  graph.close();
  Experiment e = stream_mesh("", 3, 3);
  e.set("stream.graph", file);
  e.set("topology.local_ports", 1);
  e.set("router.circuit_lanes", 4);
  e.set("router.circuit_burst_flits", 12);
  add_traffic(e, 0.0);
  Bench bench(e);
  bench.run(1000);
  ASSERT_TRUE(bench.network->setup_done());
  for (int i = 0; i < 400; ++i) bench.network->send_packet(NodeId{4}, NodeId{1}, 4);
  bench.run(500);
  const auto sent = [&](PortId port) { return bench.network->fabric().link_use(RouterId{4}, port); };
  const std::vector<PortId> out{routing::kWest, routing::kEast, routing::kSouth, routing::kNorth};
  std::uint64_t packets = 0;
  std::vector<std::uint64_t> circuits;
  for (const PortId p : out) {
    packets -= sent(p).packet_flits;
    circuits.push_back(sent(p).circuit_flits);
  }
  bench.run(13 * 90);
  for (std::size_t i = 0; i < out.size(); ++i) {
    packets += sent(out[i]).packet_flits;
    circuits[i] = sent(out[i]).circuit_flits - circuits[i];
  }
  std::sort(circuits.begin(), circuits.end());
  EXPECT_EQ(packets, 90U);
  EXPECT_EQ(circuits, (std::vector<std::uint64_t>{0, 360, 360, 360}));
}

TEST(PacketTurns, AreOfTheModelsRoutersOnly) {
  Experiment e = full_circuit(2, 0, 1, 7);
  e.set("router.implementation", "pins");
  try {
    Bench bench(e);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "router.circuit_burst_flits = 7: packets' turns are of routers that are the model's; expected 0 beside "
              "router.implementation = \"pins\"");
  }
}

/// FM radio beside packets: however the routers are shared out, each packet is delivered in the same cycle.
TEST(PacketTurns, AreTheSameInAnyNumberOfSlices) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.computation_scaling", 0.001);
  e.set("topology.local_ports", 2);
  e.set("router.circuit_lanes", 4);
  e.set("router.circuit_burst_flits", 3);
  add_traffic(e, 0.3);
  Bench one(e);
  one.run(4000);
  EXPECT_GT(one.delivered(), 1000U);
  for (const std::size_t slices : {2U, 5U, 16U}) {
    Bench several(e, slices);
    several.run(4000);
    EXPECT_EQ(several.network->merged_statistics().packet_hash(), one.network->merged_statistics().packet_hash())
        << slices << " slices";
  }
}

}  // namespace
}  // namespace braid::test::packet_turns_test
