// What registers of the nodes' interfaces are held to when a checkpoint brings them: each by itself, with the last
// value that is taken and the first that is not.
#include <gtest/gtest.h>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/by_hand.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::restored_interface_test {
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
  models::PacketQueue packets;
  VcIndex out_vc = kNone;
  std::uint16_t next_flit = 0;
  std::uint8_t vc_pointer = 0, send_turn = 0, take_turn = 0;
  models::hybrid::CircuitBurst burst;
  std::uint32_t sending = 0, holding = 0;
  std::vector<Circuit> circuits = std::vector<Circuit>(2);
  void checkpoint(Checkpoint& c) {
    c(packets, out_vc, next_flit, vc_pointer, send_turn, take_turn, burst, sending, holding);
    c.each(circuits);
  }
};
struct Interfaces {
  Interfaces() : ports(2) {
    busy.resize(2);
    holding.resize(2);
  }
  std::vector<Port> ports;
  models::WakeSet busy, holding;
  std::uint64_t injected = 0, delivered = 0;
  void checkpoint(Checkpoint& c) {
    c.each(ports);
    c(busy, holding, injected, delivered);
  }
};

/// Two nodes with two local ports each, of two lanes, and a slice each; the second one's interface. Nothing is sent
/// before cycle 1000.
struct Second {
  static constexpr std::uint32_t kPackets = 1000, kFirst = 2;  // its first local port

  static models::Experiment experiment() {
    models::Experiment e = tile_streams(2, 1, 2, {{1, 0}});
    e.set("router.circuit_lanes", 2);
    return e;
  }
  Second() {
    bench.run(50);
    hand = std::make_unique<ByHand<NetworkInterfaces, Interfaces>>(interfaces());
    hand->packets = kPackets;
    hand->also = [this](const Checkpoint& c) { interfaces().check_restored(c); };
  }
  models::hybrid::Fabric& fabric() { return models::hybrid::of(bench.network->fabric()); }
  NetworkInterfaces& interfaces() { return fabric().slice(1).interfaces(); }
  VcIndex injection_vc(std::uint32_t port, std::uint32_t lane) {
    const RouterBank& bank = fabric().bank();
    return bank.vc_index(bank.injection_port(kFirst + port), lane);
  }
  /// What it says to this at one of the two ports, which has something to send.
  template <class Change>
  std::string busy(std::size_t port, Change change) {
    return hand->refusal([&](Interfaces& all) {
      all.busy.insert(port);
      change(all.ports[port]);
    });
  }
  /// ... which has nothing to send.
  template <class Change>
  std::string idle(std::size_t port, Change change) {
    return hand->refusal([&](Interfaces& all) { change(all.ports[port]); });
  }
  Bench bench{experiment(), 2};
  std::unique_ptr<ByHand<NetworkInterfaces, Interfaces>> hand;
};

TEST(RestoredInterface, InjectsAPacketOnAVcOfItsLink) {
  Second second;
  const std::string elsewhere = no_such_state("a node that injects nothing, or elsewhere");
  for (std::uint32_t q = 0; q < 2; ++q) {
    const auto injects = [&](VcIndex out_vc) {
      return second.busy(q, [&](Port& p) {
        p.packets.push(0);
        p.out_vc = out_vc;
      });
    };
    EXPECT_EQ(injects(kNone), "") << "its packet waits for one";
    EXPECT_EQ(injects(second.injection_vc(q, 0)), "");
    EXPECT_EQ(injects(second.injection_vc(q, 3)), "");
    EXPECT_EQ(injects(second.injection_vc(q, 4)), elsewhere) << "a lane of circuits";
    EXPECT_EQ(injects(second.injection_vc(1 - q, 0)), elsewhere) << "of another port";
    EXPECT_EQ(second.idle(q, [&](Port& p) { p.out_vc = second.injection_vc(q, 0); }), elsewhere) << "and no packet";
    EXPECT_EQ(second.idle(q, [](Port& p) { p.vc_pointer = 3; }), "");
    EXPECT_EQ(second.idle(q, [](Port& p) { p.vc_pointer = 4; }), here("VC", 4, 4));
    EXPECT_EQ(second.busy(q, [](Port& p) { p.packets.push(Second::kPackets); }),
              here("packet", Second::kPackets, Second::kPackets));
  }
}

TEST(RestoredInterface, IsBusyWhenItHasSomethingToSend) {
  Second second;
  const std::string forgets = no_such_state("a node that is to send nothing, or forgets what it has");
  for (std::size_t q = 0; q < 2; ++q) {
    EXPECT_EQ(second.idle(q, [](Port&) {}), "");
    EXPECT_EQ(second.busy(q, [](Port&) {}), forgets);
    EXPECT_EQ(second.idle(q, [](Port& p) { p.packets.push(0); }), forgets);
    EXPECT_EQ(second.busy(q, [](Port& p) { p.packets.push(0); }), "");
    const auto on_a_circuit = [](Port& p) {
      p.sending = 1;
      p.circuits[0].packets.push(0);
    };
    EXPECT_EQ(second.idle(q, on_a_circuit), forgets);
    EXPECT_EQ(second.busy(q, on_a_circuit), "");
  }
}

TEST(RestoredInterface, SendsAndTakesOnCircuitsThatHaveSomething) {
  Second second;
  const std::string no_send = no_such_state("a circuit with nothing to send"),
                    no_take = no_such_state("a circuit with nothing to take");
  for (std::size_t q = 0; q < 2; ++q) {
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
      const std::uint32_t bit = 1U << lane;
      EXPECT_EQ(second.busy(q, [&](Port& p) { p.sending = bit; }), no_send);
      EXPECT_EQ(second.idle(q, [&](Port& p) { p.circuits[lane].packets.push(0); }), no_send);
      EXPECT_EQ(second.busy(q,
                            [&](Port& p) {
                              p.sending = bit;
                              p.circuits[1 - lane].packets.push(0);
                            }),
                no_send);
      const auto holds = [&](std::uint32_t circuits, std::size_t flits, std::uint32_t packet) {
        return second.idle(q, [&](Port& p) {
          p.holding = circuits;
          p.circuits[lane].held.assign(flits, Flit(packet, 0, 9, 4 + lane));
        });
      };
      EXPECT_EQ(holds(bit, 0, 0), no_take);
      EXPECT_EQ(holds(0, 1, 0), no_take);
      EXPECT_EQ(holds(3 - bit, 1, 0), no_take);
      EXPECT_EQ(holds(bit, 1, 0), "");
      EXPECT_EQ(holds(bit, 5, Second::kPackets - 1), "") << "router.circuit_buffer_depth";
      EXPECT_EQ(holds(bit, 6, 0), here("number of held flits", 6, 6));
      EXPECT_EQ(holds(bit, 1, Second::kPackets), here("packet", Second::kPackets, Second::kPackets));
    }
    EXPECT_EQ(second.busy(q, [](Port& p) { p.sending = 4; }), here("set of circuits", 4, 4));
    EXPECT_EQ(second.idle(q, [](Port& p) { p.holding = 4; }), here("set of circuits", 4, 4));
    EXPECT_EQ(second.idle(q, [](Port& p) { p.send_turn = p.take_turn = 1; }), "");
    EXPECT_EQ(second.idle(q, [](Port& p) { p.send_turn = 3; }), here("circuit", 3, 3));
    EXPECT_EQ(second.idle(q, [](Port& p) { p.take_turn = 3; }), here("circuit", 3, 3));
  }
}

}  // namespace
}  // namespace braid::test::restored_interface_test
