// What planes say to registers that no network has, when they take them over from lists: each made by hand in a 2x2
// mesh with nothing in it, in which a flit is on its way for three cycles and a credit for two.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "models/families/hybrid/planes/registers.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::planes_taken_over_test {
namespace {

using models::Flit;
using models::PacketSlot;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;
using models::hybrid::VcState;
using models::hybrid::planes::Registers;

/// A slot of a block of packets that there is.
constexpr PacketSlot kPacket = 7;

class Empty {
 public:
  Empty() {
    side_.bench.run(1);
    side_.bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    side_.bench.run(50);
    EXPECT_EQ(side_.bench.delivered(), 1U);
    const_cast<models::PacketStore&>(side_.bench.network->store())[kPacket].length_flits = 2;
  }
  RouterBank& bank() { return const_cast<RouterBank&>(side_.bank()); }
  Registers registers() {
    models::hybrid::Slice& slice = side_.fabric.slice(0);
    return {slice, bank(), const_cast<models::PacketStore&>(side_.bench.network->store()), slice.options()};
  }
  /// The cycle that has not been yet.
  std::uint64_t now() const { return side_.bench.network->now(); }
  PortIndex port(std::size_t router, PortId number) { return bank().port_index(RouterId{router}, number); }
  VcIndex vc(std::size_t router, PortId number) { return bank().vc_index(port(router, number), 0); }
  /// An input VC has an output VC.
  void hold(VcIndex in_vc, VcIndex out_vc) {
    RouterBank& b = bank();
    b.input_vcs[in_vc].state = VcState::kActive;
    b.input_vcs[in_vc].out_vc = out_vc;
    b.output_vcs[out_vc].owner = in_vc;
    b.free_vcs[b.port_of_vc(out_vc)] &= ~(1U << b.lane_of(out_vc));
  }
  std::string said() {
    side_.fabric.use_planes(true);
    return complaint<CheckpointError>([&] { side_.bench.network->cycle(); });
  }

 private:
  Side side_{uniform_mesh(0.0, 2, 2), false};
};

TEST(TakenOver, IsANetworkWithNothingInIt) { EXPECT_EQ(Empty().said(), ""); }

/// It takes the VC in the cycle in which its head leaves.
TEST(TakenOver, IsNoPacketThatHasAVcOfItsLinkAndHasSentNothing) {
  Empty empty;
  RouterBank& bank = empty.bank();
  auto& interface = empty.registers().local_port(3);
  const PortIndex link = bank.injection_port(3);
  interface.packets.push(kPacket);
  interface.out_vc = bank.vc_index(link, 0);
  bank.free_vcs[link] &= ~1U;
  EXPECT_EQ(empty.said(), no_such_state("a packet that holds a VC and has sent nothing"));
}

TEST(TakenOver, IsNoOutputVcOfAVcThroughWhichNothingComes) {
  Empty empty;
  empty.hold(empty.vc(0, routing::kFirstGridLocalPort), empty.vc(0, routing::kEast));
  EXPECT_EQ(empty.said(), no_such_state("a VC that is held by nobody"));
}

/// A tail in the buffer of a VC that waits for a head.
TEST(TakenOver, IsNoPacketWithoutItsHead) {
  Empty empty;
  RouterBank& bank = empty.bank();
  bank.push(empty.vc(0, routing::kFirstGridLocalPort), Flit(kPacket, 1, 2, 0));
  --bank.output_vcs[bank.vc_index(bank.injection_port(0), 0)].credits;
  EXPECT_EQ(empty.said(), no_such_state("a packet without its head"));
}

/// VCs without a flit, each of which has the output VC that leads to the next one, round the mesh: whose packet it is
/// nobody knows.
TEST(TakenOver, IsNoPacketWithoutAnEnd) {
  Empty empty;
  const std::array<std::pair<std::size_t, PortId>, 4> ring{{{0, routing::kEast},     // to router 1, of which
                                                            {1, routing::kNorth},    // ... to router 3
                                                            {3, routing::kWest},     // ... to router 2
                                                            {2, routing::kSouth}}};  // ... to router 0
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& [router, out] = ring[(i + 1) % ring.size()];
    const PortIndex in = empty.bank().links[empty.port(ring[i].first, ring[i].second)].target;
    ASSERT_EQ(empty.bank().router_of(in), RouterId{router});
    empty.hold(empty.bank().vc_index(in, 0), empty.vc(router, out));
  }
  EXPECT_EQ(empty.said(), no_such_state("a packet without an end"));
}

/// The farthest ahead that lists file something is its way, less the cycle in which it begins.
TEST(TakenOver, IsNothingThatHasNotBeenSentYet) {
  const std::string late = no_such_state("a flit or credit that comes too late");
  const auto filed = [](const auto& put) {
    Empty empty;
    Registers registers = empty.registers();
    put(empty, [&](std::uint64_t cycles) -> auto& { return registers.own_channel().at(empty.now() + cycles); });
    return empty.said();
  };
  const Flit flit(kPacket, 0, 2, 0);
  EXPECT_EQ(filed([&](Empty& empty, const auto& in) {
              in(2).packets.push({flit, empty.vc(0, routing::kFirstGridLocalPort)});
            }),
            no_such_state("a flit that comes too late"))
      << "from a node";
  EXPECT_EQ(filed([&](Empty& empty, const auto& in) { in(2).packets.push({flit, empty.vc(0, routing::kEast)}); }), late)
      << "from a router";
  EXPECT_EQ(filed([&](Empty&, const auto& in) { in(2).ejections.push({flit, 0}); }), late) << "to a node";
  EXPECT_EQ(filed([](Empty& empty, const auto& in) { in(1).credits.push(empty.vc(0, routing::kEast)); }), late);
  EXPECT_EQ(filed([](Empty& empty, const auto& in) { in(1).credits.push(empty.vc(0, routing::kFirstGridLocalPort)); }),
            no_such_state("a credit that comes too late"))
      << "a node's";
}

}  // namespace
}  // namespace braid::test::planes_taken_over_test
