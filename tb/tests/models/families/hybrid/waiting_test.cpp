// What a report of a deadlock says that packets wait for (deadlock.h), with the registers of two routers set by hand: A
// comes into router 4, in the middle of a mesh of 3x3, from the west, and B into router 5 behind it, where B waits for
// an output VC that A has. If A waits for B, too, there is a cycle.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/deadlock.h"
#include "models/families/hybrid/packet_forks.h"
#include "tb/tests/support/by_hand.h"

namespace braid::test::waiting_test {
namespace {

using models::PacketSlot;
using models::hybrid::CircuitForks;
using models::hybrid::kNone;
using models::hybrid::PacketForks;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::VcIndex;
using models::hybrid::VcState;

struct Two {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 3);
    return c;
  }
  static models::hybrid::Options options(std::uint32_t circuits) {
    models::hybrid::Options o;
    o.vcs = 2;
    o.buffer_depth = 4;
    o.circuits = circuits != 0;
    o.circuit_lanes = circuits;
    return o;
  }
  /// On a VC, or from number 2 on a circuit's lane.
  explicit Two(std::uint32_t circuits = 0, std::uint32_t lane = 0) : bank(topology, options(circuits), 2) {
    a = vc(4, routing::kWest, lane);
    b = vc(5, routing::kWest, lane);
    const PacketSlot first = packet(3, 7, 2, 11), second = packet(4, 0, 8, 5);
    for (std::uint32_t i = 0; i < 2; ++i) bank.push(a, models::Flit(first, i, 3, lane));
    bank.push(b, models::Flit(second, 0, 3, lane));
    wait(b, {{routing::kNorth, 0, 1}});
    bank.output_vcs[vc(5, routing::kNorth, 0)].owner = a;
  }
  VcIndex vc(std::size_t router, PortId port, std::uint32_t lane) const {
    return bank.vc_index(bank.port_index(RouterId{router}, port), lane);
  }
  void wait(VcIndex v, const std::vector<routing::Candidate>& ways) {
    bank.input_vcs[v].state = VcState::kWaitsForVc;
    bank.ways[v] = static_cast<std::uint8_t>(ways.size());
    std::copy(ways.begin(), ways.end(), bank.candidates(v));
  }
  /// A has this output VC, behind which is room for so many flits.
  void leave(VcIndex out, std::uint16_t credits) {
    bank.reserve(a, out);
    bank.output_vcs[out].credits = credits;
  }
  std::string told() const {
    return models::hybrid::describe_waiting(bank, store, topology, circuit_forks.get(), packet_forks.get());
  }
  bool cycle() const { return told().rfind("\ncycle of 2 waiting channels", 0) == 0; }

  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank;
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  std::unique_ptr<routing::RoutingAlgorithm> routing = routing::make_routing(topology, mesh());
  std::unique_ptr<CircuitForks> circuit_forks;
  std::unique_ptr<PacketForks> packet_forks;
  VcIndex a = kNone, b = kNone;

 private:
  PacketSlot packet(std::uint32_t number, std::size_t from, std::size_t to, std::uint64_t created) {
    const PacketSlot slot = pool.take();
    store[slot] = {};
    store[slot].sequence = number;
    store[slot].source = NodeId{from};
    store[slot].destination = NodeId{to};
    store[slot].created = created;
    store[slot].length_flits = 3;
    return slot;
  }
};

const std::string kCycle = "\ncycle of 2 waiting channels, each needs what the next one holds:";
const std::string kNoCycle = "\nno cycle among channels; these wait:";
std::string line_of_a(const std::string& lane, const std::string& need) {
  return "\n  router 1,1 port west " + lane +
         ": packet 3 of node 7 to node 2 (2 flits buffered, created in cycle 11) needs " + need;
}
std::string line_of_b(const std::string& lane = "vc 0") {
  return "\n  router 2,1 port west " + lane +
         ": packet 4 of node 0 to node 8 (1 flits buffered, created in cycle 5) needs an output VC";
}

TEST(Waiting, WithAnOutputVcIsForACredit) {
  Two two;
  two.leave(two.vc(4, routing::kEast, 0), 0);
  EXPECT_EQ(two.told(), kCycle + line_of_a("vc 0", "a credit") + line_of_b());
  two.bank.output_vcs[two.vc(4, routing::kEast, 0)].credits = 1;
  EXPECT_EQ(two.told(), kNoCycle + line_of_a("vc 0", "a credit") + line_of_b()) << "it has one";
  Two other;
  other.leave(other.vc(4, routing::kEast, 1), 0);
  EXPECT_FALSE(other.cycle()) << "B is in the other VC";
  Two to_node;
  to_node.leave(to_node.vc(4, routing::kFirstGridLocalPort, 0), 0);
  EXPECT_FALSE(to_node.cycle()) << "a node takes what comes";
}

TEST(Waiting, WithoutAnOutputVcIsForWhoHasOne) {
  for (const bool second_way : {false, true}) {
    for (const std::uint32_t lane : {0U, 1U}) {
      Two two;
      const PortId first = second_way ? routing::kSouth : routing::kEast;
      two.wait(two.a, {{first, 0, 3}, {second_way ? routing::kEast : routing::kSouth, 0, 3}});
      EXPECT_FALSE(two.cycle()) << "nobody has them";
      VcIndex& owner = two.bank.output_vcs[two.vc(4, routing::kEast, lane)].owner;
      owner = two.b;
      EXPECT_EQ(two.told(), kCycle + line_of_a("vc 0", "an output VC") + line_of_b()) << lane;
      two.wait(two.a, {{routing::kEast, 0, VcMask{2} >> lane}});
      EXPECT_FALSE(two.cycle()) << "it may take the other VC alone";
      two.wait(two.a, {{routing::kEast, 0, 3}});
      owner = two.a;
      EXPECT_EQ(two.told(), kNoCycle + line_of_a("vc 0", "an output VC") + line_of_b()) << "nobody waits for itself";
    }
  }
}

TEST(Waiting, IsOfVcsWithFlits) {
  Two two;
  two.leave(two.vc(4, routing::kEast, 0), 0);
  (void)two.bank.pop(two.b);
  EXPECT_EQ(two.told(), kNoCycle + line_of_a("vc 0", "a credit"));
}

/// One branch has room, the other one, which comes first or last, has none.
TEST(Waiting, OfACircuitThatForksIsForACreditOfEachBranch) {
  for (const std::uint32_t lanes : {1U, 3U}) {
    for (const bool first : {false, true}) {
      Two two(lanes, 2);
      two.circuit_forks = std::make_unique<CircuitForks>(two.bank);
      const VcIndex east = two.vc(4, routing::kEast, 2), south = two.vc(4, routing::kSouth, 2);
      for (const VcIndex out : first ? std::vector{east, south} : std::vector{south, east}) {
        two.circuit_forks->reserve(two.a, out, 1);
      }
      EXPECT_FALSE(two.cycle()) << "room on both";
      two.bank.output_vcs[east].credits = 0;
      const std::string name = lanes == 1 ? "circuit" : "circuit 0";
      EXPECT_EQ(two.told(), kCycle + line_of_a(name, "a credit") + line_of_b(name)) << first;
      two.circuit_forks.reset();
      EXPECT_EQ(two.cycle(), first) << "without forks there is one output";
    }
  }
}

/// As the checkpoint has it.
struct Forks {
  std::vector<PacketForks::Fork> forks;
  std::vector<VcIndex> forked;
  std::vector<std::uint32_t> group_of;
  std::vector<std::vector<PacketSlot>> groups;
  std::vector<std::uint32_t> free_groups;
  void checkpoint(Checkpoint& c) {
    c.part("packets that fork");
    c.each(forks);
    c(forked, group_of, groups, free_groups);
  }
};

/// A's packet of three flits forks, to the east and to its own node.
struct Forked : Two {
  /// The branch to the east: VC 0 or none yet, flits that it has sent; whether there is another one.
  Forked(bool has_vc, std::uint16_t sent, bool alone = false) {
    packet_forks = std::make_unique<PacketForks>(bank, store, *routing, 4);
    bank.input_vcs[a].state = VcState::kForked;
    Forks made;
    made.forks.resize(bank.input_vc_count());
    ByHand<PacketForks, Forks> hand(*packet_forks, made);
    const PortIndex east = bank.port_index(RouterId{4}, routing::kEast),
                    home = bank.port_index(RouterId{4}, routing::kFirstGridLocalPort);
    EXPECT_EQ(hand.put([&](Forks& f) {
      f.forked = {a};
      PacketForks::Fork& fork = f.forks[a];
      fork.packet = bank.front(a).packet();
      fork.flits = 3;
      fork.branches = {{east, 1, has_vc ? bank.vc_index(east, 0) : kNone, fork.packet, 1, sent}};
      if (!alone) fork.branches.push_back({home, 1, bank.vc_index(home, 0), fork.packet, 1, 0});
    }),
              "");
    bank.output_vcs[bank.vc_index(home, 0)].credits = 0;  // a node takes what comes
  }
  /// Does A wait, with room for so many flits behind its VC to the east?
  bool waits(std::uint16_t credits) {
    bank.output_vcs[vc(4, routing::kEast, 0)].credits = credits;
    return cycle();
  }
};

TEST(Waiting, OfAPacketThatForksIsForEachBranch) {
  Forked without(false, 0);
  EXPECT_FALSE(without.waits(0)) << "the VC is free";
  without.bank.output_vcs[without.vc(4, routing::kEast, 0)].owner = without.b;
  EXPECT_EQ(without.told(), kCycle + line_of_a("vc 0", "output VCs with room, one each way") + line_of_b());
  Forked head(true, 0);
  EXPECT_TRUE(head.waits(2)) << "a head that parts wants room for all three flits";
  EXPECT_FALSE(head.waits(3));
  Forked alone(true, 0, true);
  EXPECT_TRUE(alone.waits(0));
  EXPECT_FALSE(alone.waits(1)) << "one that does not part wants room for itself";
  Forked body(true, 1);
  EXPECT_TRUE(body.waits(0));
  EXPECT_FALSE(body.waits(1));
  Forked gone(true, 3);
  EXPECT_FALSE(gone.waits(0)) << "that branch has sent all";
}

}  // namespace
}  // namespace braid::test::waiting_test
