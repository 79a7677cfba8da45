// VA and SA of a router whose packets fork (fork_allocation.h), with registers set by hand: the middle one of a mesh of
// 3x3, two VCs. As the separable allocators with round robin, but that a packet asks for a VC for each of its branches
// and offers its flit to all outputs whose branch is ready; docs/router.md, "A packet that forks".
#include "models/families/hybrid/fork_allocation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::test::fork_allocation_test {
namespace {

using namespace models;
using namespace models::hybrid;

constexpr std::uint32_t kFlits = 3;
/// Ports in the order of their numbers, with which a turn begins.
constexpr std::uint32_t kEast = 0, kWest = 1, kLocal = 4;
// Nodes.
constexpr std::size_t kToEast = 5, kToWest = 3, kToHere = 4;

struct Middle {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 3);
    c.set("router.vcs", 2);
    return c;
  }
  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.vcs = 2;
    return o;
  }
  Middle() { requesting.resize(bank.router_port_count()); }

  PortIndex port(std::uint32_t p) const { return bank.port_index(RouterId{4}, PortId{p}); }
  VcIndex vc(std::uint32_t p, std::uint32_t lane) const { return bank.vc_index(port(p), lane); }

  /// A packet to these nodes has come in, all of it. With VC `out_lane` of each output, if given.
  VcIndex fork(std::uint32_t p, std::uint32_t lane, const std::vector<std::size_t>& to,
               std::uint32_t out_lane = kNone) {
    std::vector<PacketSlot> slots;
    for (const std::size_t node : to) {
      slots.push_back(pool.take());
      store[slots.back()] = {};
      store[slots.back()].source = NodeId{3};
      store[slots.back()].destination = NodeId{node};
      store[slots.back()].length_flits = kFlits;
    }
    forks.join(slots);
    const VcIndex in = vc(p, lane);
    for (std::uint32_t i = 0; i < kFlits; ++i) bank.push(in, Flit(slots.front(), i, kFlits, lane));
    forks.open(in);
    for (std::uint32_t b = 0; out_lane != kNone && b < to.size(); ++b) {
      forks.take_vc({in, b}, bank.vc_index(forks.fork(in).branches[b].out_port, out_lane));
    }
    return in;
  }
  /// A flit of a packet with one destination, which has its VC.
  void plain(std::uint32_t p, std::uint32_t lane, std::uint32_t out) {
    bank.input_vcs[vc(p, lane)].state = VcState::kActive;
    bank.input_vcs[vc(p, lane)].count = 1;
    bank.input_vcs[vc(p, lane)].out_vc = vc(out, 1);
    bank.switch_requests[port(p)] |= VcMask{1} << lane;
    requesting.insert(port(p));
  }
  void nothing_plain() {
    for (std::uint32_t p = 0; p < 5; ++p) {
      bank.switch_requests[port(p)] = 0;
      requesting.erase(port(p));
    }
  }
  void credits(std::uint32_t out, std::uint32_t lane, std::uint16_t c) { bank.output_vcs[vc(out, lane)].credits = c; }
  std::string name(VcIndex in) const {
    return std::to_string(bank.port_of(bank.port_of_vc(in))) + "." + std::to_string(bank.lane_of(in));
  }
  /// What SA grants: "PORT.LANE ", of branches "PORT.LANE/BRANCH ", by port.
  std::string switched() {
    WorkList<VcIndex> grants;
    grants.reserve(64);
    allocation.branch_flits().clear();
    allocation.allocate_switch(requesting, grants);
    std::set<std::string> names;
    for (const VcIndex in : grants) names.insert(name(in) + " ");
    for (const PacketForks::Grant& g : allocation.branch_flits()) {
      names.insert(name(g.in_vc) + "/" + std::to_string(g.branch) + " ");
    }
    return together(names);
  }
  /// A head that waits for these VCs of an output.
  VcIndex wait(std::uint32_t p, std::uint32_t lane, std::uint32_t out, VcMask vcs) {
    const VcIndex in = vc(p, lane);
    bank.input_vcs[in].state = VcState::kWaitsForVc;
    bank.ways[in] = 1;
    *bank.candidates(in) = {PortId{out}, 0, vcs};
    return in;
  }
  /// What VA grants, as switched() and ">PORT.LANE".
  std::string given(const std::vector<VcIndex>& heads = {}) {
    WorkList<VcIndex> waiting;
    waiting.reserve(16);
    for (const VcIndex in : heads) waiting.push(in);
    WorkList<VcGrant> grants;
    grants.reserve(256);
    allocation.branch_vcs().clear();
    allocation.allocate_vcs({bank, waiting}, grants);
    std::set<std::string> names;
    for (const VcGrant& g : grants) names.insert(name(g.in_vc) + ">" + name(g.out_vc) + " ");
    for (const ForkAllocation::VcGranted& g : allocation.branch_vcs()) {
      names.insert(name(g.to.in_vc) + "/" + std::to_string(g.to.branch) + ">" + name(g.out_vc) + " ");
    }
    return together(names);
  }
  static std::string together(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& n : names) text += n;
    return text;
  }

  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank{topology, options(), 1};
  PacketStore store;
  PacketStore::Pool pool{store};
  std::unique_ptr<routing::RoutingAlgorithm> routing = routing::make_routing(topology, mesh());
  PacketForks forks{bank, store, *routing, 8};
  std::vector<std::uint16_t> lanes = std::vector<std::uint16_t>(bank.router_port_count());
  std::vector<std::uint16_t> ports = std::vector<std::uint16_t>(bank.router_port_count());
  SeparableVcArbitration<RoundRobinArbiters> arbitration{{&bank, {0, 9}, "round_robin"}};
  ForkAllocation allocation{bank, forks, {lanes.data(), ports.data()}, arbitration};
  WakeSet requesting;
};

// ---------------------------------------------------------------- SA

TEST(ForkedFlits, AreOfferedToAllOutputsAtOnce) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere}, 0);
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
  EXPECT_EQ(m.ports[m.port(kEast)], 2) << "the input port behind the one that had it";
  EXPECT_EQ(m.ports[m.port(kLocal)], 2);
  EXPECT_EQ(m.lanes[m.port(kWest)], 0) << "of two VCs the next one, round";
}

/// Each output decides by itself, in turn, between the flit that is offered to two and one of another input.
TEST(ForkedFlits, TakeTurnsAtEachOutput) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere}, 0);
  m.plain(kLocal, 0, kEast);
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
  EXPECT_EQ(m.switched(), "1.1/1 4.0 ");
  EXPECT_EQ(m.ports[m.port(kEast)], 5);
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ") << "5 to 7 are nobody's: the turn goes round";
  m.ports[m.port(kLocal)] = 7;
  EXPECT_EQ(m.switched(), "1.1/1 4.0 ");
  m.ports[m.port(kEast)] = 7;
  m.plain(kEast, 0, kEast);  // a U-turn: the lowest port comes first behind the highest
  EXPECT_EQ(m.switched(), "0.0 1.1/1 ");
}

TEST(ForkedFlits, TakeTurnsWithTheOtherVcsOfTheirPort) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere}, 0);
  m.plain(kWest, 0, 2);
  EXPECT_EQ(m.switched(), "1.0 ");
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
  EXPECT_EQ(m.switched(), "1.0 ");
  m.nothing_plain();
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
  EXPECT_EQ(m.lanes[m.port(kWest)], 0);
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ") << "nobody else is there";
}

/// Two VCs of a port fork: they take turns as well.
TEST(ForkedFlits, OfTwoVcsOfAPortGoInTurn) {
  Middle m;
  m.fork(kWest, 0, {kToEast, kToHere}, 0);
  m.fork(kWest, 1, {kToEast, kToHere}, 1);
  EXPECT_EQ(m.switched(), "1.0/0 1.0/1 ");
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
  EXPECT_EQ(m.switched(), "1.0/0 1.0/1 ");
}

/// The input's turn passes if one branch is granted, and stays if none is.
TEST(ForkedFlits, HaveHadTheirTurnWithOneGrant) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere}, 0);
  m.lanes[m.port(kWest)] = 1;
  m.plain(kWest, 0, 2);
  m.plain(kLocal, 0, kEast);
  m.plain(3, 0, kLocal);
  m.ports[m.port(kEast)] = m.ports[m.port(kLocal)] = 2;
  EXPECT_EQ(m.switched(), "3.0 4.0 ");
  EXPECT_EQ(m.lanes[m.port(kWest)], 1);
  m.ports[m.port(kEast)] = 2;
  EXPECT_EQ(m.switched(), "1.1/1 4.0 ");
  EXPECT_EQ(m.lanes[m.port(kWest)], 0);
  EXPECT_EQ(m.switched(), "1.0 3.0 4.0 ") << "at port 4 nobody was before 3 this time";
}

/// Without a credit for the packet, or when it has been and gone, a branch offers nothing; nor is its VC chosen.
TEST(ForkedFlits, WithoutAReadyBranchLeaveTheTurnToOthers) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere}, 0);
  m.plain(kWest, 0, 2);
  m.lanes[m.port(kWest)] = 1;
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
  m.lanes[m.port(kWest)] = 1;
  m.credits(kLocal, 0, kFlits - 1);
  EXPECT_EQ(m.switched(), "1.1/0 ") << "the head wants room for three";
  m.lanes[m.port(kWest)] = 1;
  m.credits(kEast, 0, kFlits - 1);
  EXPECT_EQ(m.switched(), "1.0 ") << "the VC that was asked before is not";
  m.credits(kEast, 0, kFlits);
  m.lanes[m.port(kWest)] = 1;
  EXPECT_EQ(m.switched(), "1.1/0 ");
}

/// A branch that is ahead waits until the others have sent the flit as well, but where they cannot.
TEST(ForkedFlits, AreOfferedByThoseThatHaveSentLeast) {
  Middle m;
  const VcIndex in = m.fork(kWest, 1, {kToEast, kToHere}, 0);
  m.forks.send({in, 0});
  EXPECT_EQ(m.switched(), "1.1/1 ") << "flit 0, which the way east has had";
  m.credits(kLocal, 0, kFlits - 1);
  EXPECT_EQ(m.switched(), "1.1/0 ") << "flit 1";
  m.credits(kLocal, 0, kFlits);
  m.forks.send({in, 1});
  EXPECT_EQ(m.switched(), "1.1/0 1.1/1 ");
}

// ---------------------------------------------------------------- VA

/// With VC 0 of its output each; the turn among an output's VCs is the input VC's, as with one destination.
TEST(Branches, AskForAVcEach) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere});
  EXPECT_EQ(m.given(), "1.1/0>0.0 1.1/1>4.0 ");
  EXPECT_EQ(m.given(), "1.1/0>0.1 1.1/1>4.1 ");
  EXPECT_EQ(m.given(), "1.1/0>0.0 1.1/1>4.0 ");
}

TEST(Branches, ThatHaveAVcAskForNone) {
  Middle m;
  const VcIndex in = m.fork(kWest, 1, {kToEast, kToHere, kToWest});
  m.forks.take_vc({in, 1}, m.vc(kLocal, 1));
  EXPECT_EQ(m.given(), "1.1/0>0.0 1.1/2>1.0 ");
  m.forks.take_vc({in, 0}, m.vc(kEast, 0));
  EXPECT_EQ(m.given(), "1.1/2>1.1 ");
  m.bank.free_vcs[m.port(kWest)] = 1;
  EXPECT_EQ(m.given(), "1.1/2>1.0 ");
  m.bank.free_vcs[m.port(kWest)] = 0;
  EXPECT_EQ(m.given(), "");
  m.bank.free_vcs[m.port(kWest)] = 3;
  m.forks.take_vc({in, 2}, m.vc(kWest, 0));
  EXPECT_EQ(m.given(), "");
}

/// One VC to the east, which a branch, a branch of another packet with another number, and a head ask for.
TEST(Branches, TakeTurnsWithHeads) {
  Middle m;
  m.fork(kWest, 1, {kToEast, kToHere});
  m.fork(kLocal, 0, {kToWest, kToEast});
  const VcIndex head = m.wait(kLocal, 1, kEast, 2);
  m.bank.free_vcs[m.port(kEast)] = 2;
  m.bank.free_vcs[m.port(kLocal)] = m.bank.free_vcs[m.port(kWest)] = 1;
  EXPECT_EQ(m.given({head}), "1.1/0>0.1 1.1/1>4.0 4.0/0>1.0 ");
  EXPECT_EQ(m.given({head}), "1.1/1>4.0 4.0/0>1.0 4.0/1>0.1 ");
  EXPECT_EQ(m.given({head}), "1.1/1>4.0 4.0/0>1.0 4.1>0.1 ");
  EXPECT_EQ(m.given({head}), "1.1/0>0.1 1.1/1>4.0 4.0/0>1.0 ");
}

TEST(Branches, DoNotTakeTheGrantsOfHeads) {
  Middle m;
  m.fork(kWest, 0, {kToEast, kToHere});
  const std::vector<VcIndex> heads{m.wait(kLocal, 0, 2, 1), m.wait(kLocal, 1, 3, 3), m.wait(2, 0, kEast, 2)};
  EXPECT_EQ(m.given(heads), "1.0/0>0.0 1.0/1>4.0 2.0>0.1 4.0>2.0 4.1>3.0 ");
  const VcIndex blocked = m.wait(kLocal, 0, 2, 2);
  m.bank.free_vcs[m.port(2)] = 1;
  EXPECT_EQ(m.given({blocked}), "1.0/0>0.1 1.0/1>4.1 ") << "the VC it may take is not free";
  Middle quiet;
  EXPECT_EQ(quiet.given(), "");
  EXPECT_EQ(quiet.given({quiet.wait(3, 1, 2, 2)}), "3.1>2.1 ");
}

}  // namespace
}  // namespace braid::test::fork_allocation_test
