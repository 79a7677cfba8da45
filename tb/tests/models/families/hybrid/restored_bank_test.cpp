// What the registers of routers are held to when a checkpoint has brought them (RouterBank::check_restored), one by
// one, at the first port and at the last: the last value that is taken and the first that is not.
#include <gtest/gtest.h>

#include <vector>

#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/router_bank.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::restored_bank_test {
namespace {

using namespace models::hybrid;
using models::Flit;

/// A 3x2 mesh, whose routers have eight port numbers; three VCs of five flits, so that there are four lanes with eight
/// places each. The last router's ports lead west, north or south, and to its node.
struct Bank {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 2);
    return c;
  }
  static Options options(std::uint32_t circuits) {
    Options o;
    o.vcs = 3;
    o.buffer_depth = 5;
    o.circuits = circuits != 0;
    o.circuit_lanes = circuits;
    return o;
  }
  explicit Bank(std::uint32_t circuits = 0) : bank(topology, options(circuits), 2) {}
  VcIndex vc(std::size_t router, PortId port, std::uint32_t lane) const {
    return bank.vc_index(bank.port_index(RouterId{router}, port), lane);
  }
  std::string said(const CircuitForks* forks = nullptr) const {
    return complaint<CheckpointError>([&] {
      Checkpoint c;
      c.set_packets(100);
      bank.check_restored(c, forks);
    });
  }
  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank;
};
const PortId kEast = routing::kEast, kWest = routing::kWest, kNode = routing::kFirstGridLocalPort;

TEST(RestoredBank, IsAsElaborationHasMadeIt) {
  EXPECT_EQ(Bank().said(), "");
  EXPECT_EQ(Bank(1).said(), "");
  EXPECT_EQ(Bank(4).said(), "");
}

TEST(RestoredBank, HasOutputVcsOfItsInputs) {
  Bank b;
  const RouterBank& bank = b.bank;
  const std::size_t inputs = bank.input_vc_count();
  for (const models::PortIndex port : {models::PortIndex{0}, bank.injection_port(5)}) {
    bank.free_vcs[port] = 8;
    EXPECT_EQ(b.said(), here("set of free VCs", 8, 8)) << port;
    bank.free_vcs[port] = 7;
    EXPECT_EQ(b.said(), "");
    for (const std::uint32_t lane : {0U, 3U}) {
      OutputVc& out = bank.output_vcs[bank.vc_index(port, lane)];
      out.credits = 9;
      EXPECT_EQ(b.said(), here("number of credits", 9, 9)) << port << ", " << lane;
      out.credits = 8;
      EXPECT_EQ(b.said(), "") << "as many as places";
      out.owner = static_cast<VcIndex>(inputs);
      EXPECT_EQ(b.said(), here("owner of an output VC", inputs, inputs)) << port << ", " << lane;
      out.owner = static_cast<VcIndex>(inputs - 1);
      EXPECT_EQ(b.said(), no_such_state("an output VC whose owner has another one")) << port << ", " << lane;
      bank.input_vcs[inputs - 1].state = VcState::kForked;
      EXPECT_EQ(b.said(), "") << "of a packet that forks";
      bank.input_vcs[inputs - 1].state = VcState::kIdle;
      out.owner = kNone;
      EXPECT_EQ(b.said(), "");
    }
  }
}

/// A circuit's input lane may have several outputs where circuits fork; a packet's VC has one.
TEST(RestoredBank, HasSeveralOutputsOfCircuitsThatFork) {
  Bank b(1);
  const CircuitForks forks(b.bank);
  const VcIndex in = b.vc(1, kWest, 3), first = b.vc(1, kEast, 3), second = b.vc(1, kNode, 3);
  b.bank.reserve(in, first);
  EXPECT_EQ(b.said(), "");
  b.bank.output_vcs[second].owner = in;
  EXPECT_EQ(b.said(), no_such_state("an output VC whose owner has another one"));
  EXPECT_EQ(b.said(&forks), "");
  b.bank.output_vcs[second].owner = kNone;
  b.bank.output_vcs[b.vc(1, kNode, 2)].owner = in;
  EXPECT_EQ(b.said(&forks), no_such_state("an output VC whose owner has another one")) << "a packet's VC";
}

/// At the first router and at the last: an input VC that is in no state, place or number.
TEST(RestoredBank, HasInputVcsThatAre) {
  Bank b;
  VcIndex last = static_cast<VcIndex>(b.bank.input_vc_count() - 1);
  while (b.bank.wiring().upstream[b.bank.port_of_vc(last)] == kNone) --last;  // of a port that something feeds
  for (const VcIndex v : {VcIndex{0}, last}) {
    InputVc& vc = b.bank.input_vcs[v];
    vc.state = static_cast<VcState>(5);
    EXPECT_EQ(b.said(), here("state of a VC", 5, 5)) << v;
    vc.state = VcState::kForked;
    EXPECT_EQ(b.said(), "") << v;
    vc.state = VcState::kIdle;
    vc.first = 8;
    EXPECT_EQ(b.said(), here("place in a buffer", 8, 8)) << v;
    vc.first = 7;
    EXPECT_EQ(b.said(), "") << v;
    vc.count = 9;
    EXPECT_EQ(b.said(), here("number of flits in a buffer", 9, 9)) << v;
    vc.count = 8;
    EXPECT_EQ(b.said(), "") << v << ": all places";
    for (const std::uint32_t place : {7U, 0U, 6U}) {  // the first, the second, the last
      b.bank.buffer(v)[place] = Flit(100, 0, 1, 0);
      EXPECT_EQ(b.said(), here("packet", 100, 100)) << place;
      b.bank.buffer(v)[place] = Flit(99, 0, 1, 0);
      EXPECT_EQ(b.said(), "");
    }
    b.bank.buffer(v)[0] = Flit(100, 0, 1, 0);
    vc.count = 1;
    EXPECT_EQ(b.said(), "") << "a flit that has left";
    b.bank.buffer(v)[0] = Flit(0, 0, 1, 0);
    vc.count = 0;
    vc.first = 0;
  }
}

TEST(RestoredBank, HasRequestsOfVcsThatMayGo) {
  Bank b;
  const std::string without = no_such_state("a switch request without a flit");
  for (const std::size_t router : {0U, 5U}) {
    const models::PortIndex port = b.bank.port_index(RouterId{router}, kNode);
    b.bank.switch_requests[port] = 8;
    EXPECT_EQ(b.said(), here("set of switch requests", 8, 8)) << "three lanes";
    for (const std::uint32_t lane : {0U, 2U}) {
      const VcIndex v = b.bank.vc_index(port, lane), out = b.vc(router, router == 0 ? kEast : kWest, 1);
      b.bank.switch_requests[port] = 1U << lane;
      EXPECT_EQ(b.said(), without) << router << ", " << lane;
      b.bank.reserve(v, out);
      EXPECT_EQ(b.said(), without) << "it has a way, and no flit";
      b.bank.input_vcs[v].count = 1;
      EXPECT_EQ(b.said(), "") << router << ", " << lane;
      b.bank.release(v, out);
      EXPECT_EQ(b.said(), without) << "it has a flit, and no way";
      b.bank.input_vcs[v].count = 0;
      b.bank.switch_requests[port] = 0;
      EXPECT_EQ(b.said(), "");
    }
  }
}

TEST(RestoredBank, HasActiveVcsWithAnOutputVcOfTheirs) {
  Bank b;
  const std::size_t outputs = b.bank.output_vc_count();
  const std::string neither = no_such_state("a VC that is active without an output VC"),
                    other = no_such_state("a VC whose output VC another one has"),
                    elsewhere = no_such_state("a packet that leaves another router");
  for (const std::size_t router : {0U, 5U}) {
    const PortId on = router == 0 ? kEast : kWest, rim = router == 0 ? kWest : kEast;
    const VcIndex v = b.vc(router, kNode, 2);
    InputVc& vc = b.bank.input_vcs[v];
    vc.state = VcState::kActive;
    EXPECT_EQ(b.said(), neither) << router;
    vc.out_vc = static_cast<VcIndex>(outputs);
    EXPECT_EQ(b.said(), here("output VC", outputs, outputs)) << router;
    vc.out_vc = b.vc(router, on, 0);
    EXPECT_EQ(b.said(), other) << router << ": nobody has it";
    vc.state = VcState::kIdle;
    EXPECT_EQ(b.said(), neither) << router << ": it is idle";
    vc.out_vc = kNone;
    const auto has = [&](VcIndex out) {
      b.bank.reserve(v, out);
      const std::string said = b.said();
      b.bank.release(v, out);
      return said;
    };
    EXPECT_EQ(has(b.vc(router, on, 0)), "") << router;
    EXPECT_EQ(has(b.vc(router, on, 2)), "") << router;
    EXPECT_EQ(has(b.vc(router, kNode, 0)), "") << router << ": to the node";
    EXPECT_EQ(has(b.vc(router, rim, 0)), elsewhere) << router << ": at the rim";
    EXPECT_EQ(has(b.vc(1, kEast, 0)), elsewhere) << router;
    EXPECT_EQ(has(b.bank.vc_index(b.bank.injection_port(router), 0)), elsewhere) << router << ": of the node";
  }
}

/// Of a head that waits: one way at least, as many as routing may give at most, and each leads somewhere.
TEST(RestoredBank, HasHeadsWithWaysOn) {
  Bank b;
  const std::string none = no_such_state("a head without a way on");
  for (const std::size_t router : {0U, 5U}) {
    const PortId on = router == 0 ? kEast : kWest, rim = router == 0 ? kWest : kEast;
    const VcIndex v = b.vc(router, kNode, 1);
    InputVc& vc = b.bank.input_vcs[v];
    vc.state = VcState::kWaitsForVc;
    vc.count = 1;
    const auto ways = [&](std::uint8_t count, const routing::Candidate& first, const routing::Candidate& second) {
      b.bank.ways[v] = count;
      b.bank.candidates(v)[0] = first;
      b.bank.candidates(v)[1] = second;
      return b.said();
    };
    const routing::Candidate good{on, 0, 7}, home{kNode, 0, 1};
    EXPECT_EQ(ways(0, good, home), none) << router;
    EXPECT_EQ(ways(1, good, home), "") << router;
    EXPECT_EQ(ways(2, good, home), "") << router;
    EXPECT_EQ(ways(3, good, home), none) << router << ": there are two at most";
    for (const bool second : {false, true}) {
      const auto with = [&](const routing::Candidate& way) {
        return ways(2, second ? good : way, second ? way : good);
      };
      EXPECT_EQ(with({PortId{8U}, 0, 1}), here("port", 8, 8)) << router << second;
      EXPECT_EQ(with({on, 0, 8}), here("set of VCs", 8, 8)) << router << second;
      EXPECT_EQ(with({rim, 0, 1}), no_such_state("a way that leads nowhere")) << router << second;
    }
    EXPECT_EQ(ways(1, good, {rim, 0, 1}), "") << "that one is not of this head";
    vc.count = 0;
    EXPECT_EQ(ways(1, good, home), none) << "there is no head";
    vc.state = VcState::kIdle;
    EXPECT_EQ(b.said(), "");
  }
}

}  // namespace
}  // namespace braid::test::restored_bank_test
