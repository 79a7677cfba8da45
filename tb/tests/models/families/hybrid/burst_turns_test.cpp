// Packets' turns beside circuits (packet_turns.h), by hand: of several lanes of a port and several circuits, of routers
// that are not the first, from one cycle to the next. To the cycle, and in networks: packet_turns_test.cpp.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/families/hybrid/packet_turns.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/saved.h"

namespace braid::test::burst_turns_test {
namespace {

using namespace models;
using namespace models::hybrid;

TEST(CircuitBurst, CountsUpToItsBound) {
  for (const std::uint32_t bound : {1U, 2U, 255U, 256U, kLongestBurst}) {
    CircuitBurst burst;
    for (std::uint32_t i = 0; i < bound; ++i) {
      EXPECT_FALSE(burst.reached(bound)) << i << " of " << bound;
      burst.circuit_flit(bound);
    }
    EXPECT_TRUE(burst.reached(bound)) << bound;
    for (int i = 0; i < 3; ++i) burst.circuit_flit(bound);
    EXPECT_TRUE(burst.reached(bound)) << bound << ": it stays there";
    EXPECT_EQ(burst.reached(bound + 1), false) << "and counts no further";
    burst.packet_flit();
    EXPECT_FALSE(burst.reached(bound)) << bound;
  }
}

/// Routers 3, 4 and 5 of a 3x3 mesh with two circuits a local port; router 5 is asked. Two packet VCs are lanes 0 and
/// 1, circuits' lanes 2 and 3.
class Routers {
 public:
  static constexpr std::uint32_t kBound = 2, kFirst = 3, kAsked = 5, kCircuit = 2;
  Routers()
      : topology_(routing::make_topology(uniform_mesh(0.0, 3, 3))),
        bank_(topology_, options(), 1),
        turns_(bank_, bank_.port_index(RouterId{kFirst}, PortId{0U}), 3 * bank_.port_stride(), kBound) {
    requesting_.resize(3 * bank_.port_stride());
  }
  void ask(std::uint32_t in, std::uint32_t lane, std::uint32_t out, std::uint32_t out_lane = 0) {
    const VcIndex v = vc(in, lane);
    bank_.input_vcs[v].out_vc = vc(out, out_lane);
    bank_.switch_requests[bank_.port_of_vc(v)] |= VcMask{1} << lane;
    requesting_.insert(bank_.port_of_vc(v) - first_port());
  }
  void circuit(std::uint32_t in, std::uint32_t out, std::uint32_t number = 0, std::uint32_t out_number = 0) {
    ask(in, kCircuit + number, out, kCircuit + out_number);
  }
  /// It asks no longer.
  void hush(std::uint32_t in, std::uint32_t lane) {
    VcMask& up = bank_.switch_requests[bank_.port_of_vc(vc(in, lane))];
    up &= ~(VcMask{1} << lane);
    if (up == 0) requesting_.erase(bank_.port_of_vc(vc(in, lane)) - first_port());
  }
  void pass(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& port_and_lane, std::uint32_t times = 1) {
    WorkList<VcIndex> grants;
    grants.reserve(8);
    for (const auto& [in, lane] : port_and_lane) grants.push(vc(in, lane));
    for (std::uint32_t i = 0; i < times; ++i) turns_.count(grants);
  }
  void close(std::uint32_t out) { bank_.closed_outputs[bank_.port_of_vc(vc(out, 0))] = true; }
  /// Lanes that go first, as "PORT.LANE ".
  std::string first() {
    std::string text;
    const bool any = turns_.find(requesting_);
    for (std::uint32_t in = 0; in < 5; ++in) {
      const PortIndex port = bank_.port_of_vc(vc(in, 0));
      if (bank_.switch_requests[port] == 0) continue;
      const VcMask lanes = turns_.lanes()[port - first_port()];
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1) != 0) text += std::to_string(in) + "." + std::to_string(lane) + " ";
      }
    }
    EXPECT_EQ(any, !text.empty());
    return text;
  }
  PacketTurns& turns() { return turns_; }

 private:
  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.vcs = 2;
    o.circuits = true;
    o.circuit_lanes = 2;
    return o;
  }
  PortIndex first_port() const { return bank_.port_index(RouterId{kFirst}, PortId{0U}); }
  VcIndex vc(std::uint32_t port, std::uint32_t lane) const {
    return bank_.vc_index(bank_.port_index(RouterId{kAsked}, PortId{port}), lane);
  }
  routing::Topology topology_;
  RouterBank bank_;
  PacketTurns turns_;
  WakeSet requesting_;
};

/// A packet's lane beside the circuit of its input, whichever it is; of several all go first.
TEST(BurstTurns, AreOfEachLaneThatACircuitIsInTheWayOf) {
  Routers r;
  r.circuit(0, 1);
  r.ask(0, 0, 2);
  r.ask(0, 1, 3);
  r.ask(2, 1, 1);  // to the circuit's output
  r.ask(3, 0, 3);  // nobody's
  EXPECT_EQ(r.first(), "");
  r.pass({{0, Routers::kCircuit}}, Routers::kBound - 1);
  EXPECT_EQ(r.first(), "");
  r.pass({{0, Routers::kCircuit}});
  EXPECT_EQ(r.first(), "0.0 0.1 2.1 ");
  r.pass({{2, 1}});
  EXPECT_EQ(r.first(), "0.0 0.1 ") << "the output has had a packet's flit, the input not";
  r.pass({{0, 1}});
  EXPECT_EQ(r.first(), "") << "now it has";
}

/// The second circuit of the local port is as much in the way as the first.
TEST(BurstTurns, AreBesideEachCircuitOfALocalPort) {
  for (const std::uint32_t number : {0U, 1U}) {
    Routers r;
    r.circuit(4, 1, number);
    r.ask(4, 0, 0);
    r.ask(0, 1, 1);
    r.pass({{4, Routers::kCircuit + number}}, Routers::kBound);
    EXPECT_EQ(r.first(), "0.1 4.0 ") << number;
  }
  Routers both;
  both.circuit(4, 1, 0);
  both.circuit(4, 2, 1);
  both.ask(0, 0, 1);
  both.ask(0, 1, 2);
  both.pass({{4, Routers::kCircuit}}, Routers::kBound);
  EXPECT_EQ(both.first(), "0.0 ") << "the output of the one that has had its flits";
  both.pass({{4, Routers::kCircuit + 1}}, Routers::kBound);
  EXPECT_EQ(both.first(), "0.0 0.1 ");
}

/// What a circuit wanted in the last cycle is nobody's in this one.
TEST(BurstTurns, AreOfThisCyclesRequests) {
  Routers r;
  r.circuit(0, 1);
  r.ask(2, 0, 1);
  r.pass({{0, Routers::kCircuit}}, Routers::kBound);
  EXPECT_EQ(r.first(), "2.0 ");
  EXPECT_EQ(r.first(), "2.0 ") << "no turn has passed";
  r.hush(0, Routers::kCircuit);
  EXPECT_EQ(r.first(), "") << "it has the switch anyway";
  r.circuit(0, 3);
  EXPECT_EQ(r.first(), "") << "and here, too";
  r.circuit(0, 1);
  EXPECT_EQ(r.first(), "2.0 ");
}

TEST(BurstTurns, AreNotOfOutputsThatAreClosed) {
  Routers r;
  r.circuit(0, 1);
  r.ask(0, 0, 1);
  r.ask(0, 1, 3);
  r.pass({{0, Routers::kCircuit}}, Routers::kBound);
  EXPECT_EQ(r.first(), "0.0 0.1 ");
  r.close(1);
  EXPECT_EQ(r.first(), "0.1 ");
  r.close(3);
  EXPECT_EQ(r.first(), "");
}

TEST(BurstTurns, AreNoneWithoutABound) {
  const routing::Topology topology = routing::make_topology(uniform_mesh(0.0, 3, 3));
  const RouterBank bank(topology, {}, 1);
  PacketTurns none(bank, 0, bank.router_port_count(), 0), some(bank, 0, bank.router_port_count(), 1);
  EXPECT_FALSE(none.bounded());
  EXPECT_TRUE(some.bounded());
}

/// Both counters of every port of the slice are saved.
TEST(BurstTurns, GoOnFromACheckpoint) {
  Routers before, after;
  for (Routers* r : {&before, &after}) {
    r->circuit(0, 1);
    r->ask(0, 0, 2);
    r->ask(2, 0, 1);
  }
  before.pass({{0, Routers::kCircuit}}, Routers::kBound);
  EXPECT_EQ(before.first(), "0.0 2.0 ");
  EXPECT_EQ(after.first(), "");
  restore(after.turns(), saved(before.turns()));
  EXPECT_EQ(after.first(), "0.0 2.0 ");
}

}  // namespace
}  // namespace braid::test::burst_turns_test
