// Registers of the nodes' interfaces while they work: turns name lanes and VCs that there are, a set of circuits those
// that have something; and what an interface says of itself to whoever sends.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::interface_registers_test {
namespace {

using models::Flit;
using models::hybrid::kNone;
using models::hybrid::NetworkInterfaces;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;

struct Circuit {
  models::PacketQueue packets;
  std::uint16_t next_flit = 0;
  std::vector<Flit> held;
  void checkpoint(Checkpoint& c) { c(packets, next_flit, held); }
};
struct Port {
  explicit Port(std::size_t lanes) : circuits(lanes) {}
  models::PacketQueue packets;
  VcIndex out_vc = kNone;
  std::uint16_t next_flit = 0;
  std::uint8_t vc_pointer = 0, send_turn = 0, take_turn = 0;
  models::hybrid::CircuitBurst burst;
  std::uint32_t sending = 0, holding = 0;
  std::vector<Circuit> circuits;
  void checkpoint(Checkpoint& c) {
    c(packets, out_vc, next_flit, vc_pointer, send_turn, take_turn, burst, sending, holding);
    c.each(circuits);
  }
};
/// As the checkpoint has them.
struct Interfaces {
  Interfaces(std::size_t ports, std::size_t lanes) : all(ports, Port(lanes)) {
    busy.resize(ports);
    holding.resize(ports);
  }
  std::vector<Port> all;
  models::WakeSet busy, holding;
  std::uint64_t injected = 0, delivered = 0;
  void checkpoint(Checkpoint& c) {
    c.each(all);
    c(busy, holding, injected, delivered);
  }
};

models::hybrid::Fabric& fabric_of(const Bench& bench) { return models::hybrid::of(bench.network->fabric()); }
Interfaces registers(const Bench& bench, std::size_t ports, std::size_t lanes) {
  Interfaces mirror(ports, lanes);
  restore(mirror, saved(fabric_of(bench).slice(0).interfaces()));
  return mirror;
}

/// Four streams of node 6 and four to node 18 by one local port each: of the lanes in turn, to send and to take; after
/// the last the first.
TEST(InterfaceTurns, NameLanesThatThereAre) {
  constexpr std::size_t kLanes = 4, kNodes = 25, kSource = 6, kSink = 18;
  models::Experiment e =
      tile_streams(5, 5, 1, {{6, 5}, {6, 7}, {6, 1}, {6, 11}, {17, 18}, {19, 18}, {13, 18}, {23, 18}}, 4);
  e.set("router.circuit_lanes", kLanes);
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  ASSERT_FALSE(bench.network->setup_results().fell_back_to_packets);
  std::vector<bool> send_turns(kLanes), take_turns(kLanes);
  for (int cycle = 0; cycle < 200; ++cycle) {
    bench.run(1);
    const Interfaces now = registers(bench, kNodes, kLanes);
    for (const std::size_t node : {kSource, kSink}) {
      const Port& port = now.all[node];
      ASSERT_LT(port.send_turn, kLanes) << cycle;
      ASSERT_LT(port.take_turn, kLanes) << cycle;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        ASSERT_EQ((port.sending >> lane & 1) != 0, !port.circuits[lane].packets.empty()) << cycle;
        ASSERT_EQ((port.holding >> lane & 1) != 0, !port.circuits[lane].held.empty()) << cycle;
      }
      ASSERT_EQ(now.busy.contains(node), port.sending != 0) << cycle;
      ASSERT_EQ(now.holding.contains(node), port.holding != 0) << cycle;
    }
    send_turns[now.all[kSource].send_turn] = take_turns[now.all[kSink].take_turn] = true;
  }
  EXPECT_EQ(std::count(send_turns.begin(), send_turns.end(), true), static_cast<std::ptrdiff_t>(kLanes));
  EXPECT_EQ(std::count(take_turns.begin(), take_turns.end(), true), static_cast<std::ptrdiff_t>(kLanes));
}

/// The VC behind the one that was taken last, after the last the first.
TEST(InterfaceTurns, GoRoundTheVcsOfTheInjectionLink) {
  for (const std::uint32_t vcs : {1U, 3U, 4U}) {
    models::Experiment e = uniform_mesh(0.0, 2, 1);
    e.set("router.vcs", vcs);
    e.set("simulation.engine", "lists");
    Bench bench(e);
    bench.run(1);
    EXPECT_EQ(registers(bench, 2, 0).all[0].vc_pointer, 0);
    for (std::uint32_t packet = 1; packet <= 2 * vcs; ++packet) {
      bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
      bench.run(30);
      const Interfaces now = registers(bench, 2, 0);
      EXPECT_EQ(now.all[0].vc_pointer, packet % vcs) << vcs;
      EXPECT_EQ(now.all[1].vc_pointer, 0) << vcs;
      EXPECT_EQ(now.all[0].out_vc, kNone) << vcs;
      EXPECT_EQ(now.injected, packet);
      EXPECT_EQ(now.delivered, packet);
      EXPECT_EQ(bench.delivered(), packet);
    }
  }
}

/// A packet on its way out has a VC, and names its next flit.
TEST(InterfaceRegisters, AreThoseOfThePacketThatLeaves) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("simulation.engine", "lists");
  Bench bench(e);
  bench.run(1);
  const RouterBank& bank = fabric_of(bench).bank();
  bench.network->send_packet(NodeId{0}, NodeId{1}, 3);
  for (std::uint16_t flit = 1; flit <= 3; ++flit) {
    bench.run(1);
    const Interfaces now = registers(bench, 2, 0);
    const Port& port = now.all[0];
    EXPECT_EQ(port.next_flit, flit == 3 ? 0 : flit);
    EXPECT_EQ(port.out_vc, flit == 3 ? kNone : bank.vc_index(bank.injection_port(0), 0));
    EXPECT_EQ(bank.free_vcs[bank.injection_port(0)], flit == 3 ? 0b1111U : 0b1110U);
    EXPECT_EQ(bank.output_vcs[bank.vc_index(bank.injection_port(0), 0)].credits, 8U - flit);
  }
}

/// They are looked at when a network has been restored, those of every slice.
TEST(InterfaceRegisters, AreLookedAtInEverySlice) {
  const models::Experiment e = uniform_mesh(0.0, 3, 1);
  for (std::size_t s = 0; s < 3; ++s) {
    Bench bench(e, 3), other(e, 3);
    bench.run(5);
    NetworkInterfaces& interfaces = fabric_of(bench).slice(s).interfaces();
    Interfaces mirror(1, 0);
    restore(mirror, saved(interfaces));
    mirror.all[0].vc_pointer = 3;
    restore(interfaces, saved(mirror));
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(*other.network, saved(*bench.network)); }), "");
    mirror.all[0].vc_pointer = 4;
    restore(interfaces, saved(mirror));
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(*other.network, saved(*bench.network)); }), here("VC", 4, 4))
        << s;
  }
}

/// A sender may ask whether a head would leave in the next cycle: no packet is before it, and a VC of the injection
/// link is free that has a credit.
TEST(Interface, IsReadyWithAFreeVcThatHasACredit) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("router.vcs", 2);
  e.set("simulation.engine", "lists");
  Bench bench(e);
  bench.run(1);
  auto& transport = fabric_of(bench).transport(0);
  const RouterBank& bank = fabric_of(bench).bank();
  const models::PortIndex link = bank.injection_port(0);
  EXPECT_TRUE(transport.ready(0));
  EXPECT_TRUE(transport.ready(1));
  for (const auto& [free, first, second, ready] :
       {std::tuple(3U, 1, 1, true), std::tuple(3U, 0, 1, true), std::tuple(3U, 1, 0, true), std::tuple(3U, 0, 0, false),
        std::tuple(1U, 1, 0, true), std::tuple(1U, 0, 1, false), std::tuple(2U, 0, 1, true),
        std::tuple(2U, 1, 0, false), std::tuple(0U, 1, 1, false)}) {
    bank.free_vcs[link] = free;
    bank.output_vcs[bank.vc_index(link, 0)].credits = static_cast<std::uint16_t>(first);
    bank.output_vcs[bank.vc_index(link, 1)].credits = static_cast<std::uint16_t>(second);
    EXPECT_EQ(transport.ready(0), ready) << free << first << second;
    EXPECT_TRUE(transport.ready(1)) << "another port";
  }
  bank.free_vcs[link] = 3;
  bank.output_vcs[bank.vc_index(link, 0)].credits = 8;
  bank.output_vcs[bank.vc_index(link, 1)].credits = 8;
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  EXPECT_FALSE(transport.ready(0)) << "one is before it";
  EXPECT_EQ(transport.queued(0), 1U);
  EXPECT_EQ(transport.queued(1), 0U);
  bench.run(1);
  EXPECT_TRUE(transport.ready(0));
  EXPECT_EQ(transport.queued(0), 0U);
}

}  // namespace
}  // namespace braid::test::interface_registers_test
