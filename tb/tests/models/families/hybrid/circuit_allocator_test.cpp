// Circuits beside packets whose turn it is (router.circuit_burst_flits), and the one circuit of a port, by hand:
// requests set in the registers of one router, grants read off. (Turns among circuits: hybrid_allocator_test.cpp.)
#include "models/families/hybrid/circuit_allocator.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tb/tests/support/one_router.h"
#include "tb/tests/support/saved.h"

namespace braid::test::circuit_allocator_test {
namespace {

using models::WorkList;
using models::hybrid::CircuitAllocator;
using models::hybrid::VcIndex;
using one_router::kLocal;

/// Two packet VCs, so that circuits have lanes from 2 on. Ports that packets' flits have taken.
struct Rig {
  explicit Rig(std::uint32_t lanes) : router(2, true, lanes), circuits(*router.bank, router.range) {}
  /// Grants in their order, as "PORT.CIRCUIT ".
  std::string granted(bool beside_packets = true) {
    WorkList<VcIndex> grants;
    grants.reserve(router.bank->port_stride());
    circuits.allocate(
        router.ports,
        beside_packets ? CircuitAllocator::Taken{inputs.data(), outputs.data()} : CircuitAllocator::Taken{}, grants);
    std::string text;
    for (const VcIndex v : grants) {
      text += std::to_string(router.bank->port_of(router.bank->port_of_vc(v))) + "." +
              std::to_string(router.bank->circuit_of(v)) + " ";
    }
    return text;
  }
  one_router::Router router;
  CircuitAllocator circuits;
  std::array<bool, 8> inputs{}, outputs{};
};

/// Between routers nobody shares, so nobody has a turn that would pass: all go, in every cycle.
TEST(CircuitOfAPort, GoesWheneverItAsks) {
  Rig rig(1);
  const std::string before = saved(rig.circuits);
  rig.router.request({{0, 2, 1}, {1, 2, 0}, {kLocal, 2, 3}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rig.granted(false), "0.0 1.0 4.0 ");
  EXPECT_EQ(saved(rig.circuits), before);
}

TEST(CircuitOfAPort, LeavesPortsToPacketsThatHaveTakenThem) {
  Rig rig(1);
  rig.router.request({{0, 2, 1}, {1, 2, 0}, {kLocal, 2, 3}});
  EXPECT_EQ(rig.granted(), "0.0 1.0 4.0 ");
  rig.inputs[1] = true;
  EXPECT_EQ(rig.granted(), "0.0 4.0 ");
  rig.outputs[3] = true;
  EXPECT_EQ(rig.granted(), "0.0 ");
  rig.inputs[0] = true;
  EXPECT_EQ(rig.granted(), "");
  rig.inputs[0] = rig.inputs[1] = false;
  EXPECT_EQ(rig.granted(), "0.0 1.0 ");
}

/// Circuits 0, 1 and 3 of the node's port: where the output of the one whose turn it is is taken, the next one goes,
/// and the turn passes that one.
TEST(CircuitsOfAPort, TakeTheirTurnsAmongOutputsThatAreOpen) {
  Rig rig(4);
  rig.router.request({{kLocal, 2, 0}, {kLocal, 3, 1}, {kLocal, 5, 2}});
  rig.outputs[0] = true;
  EXPECT_EQ(rig.granted(), "4.1 ");
  rig.outputs[0] = false;
  EXPECT_EQ(rig.granted(), "4.3 ");
  EXPECT_EQ(rig.granted(), "4.0 ");
  rig.inputs[kLocal] = true;
  EXPECT_EQ(rig.granted(), "");
  rig.inputs[kLocal] = false;
  rig.outputs[1] = rig.outputs[2] = true;
  EXPECT_EQ(rig.granted(), "4.0 ") << "no turn has passed";
  rig.outputs[0] = true;
  EXPECT_EQ(rig.granted(), "");
}

}  // namespace
}  // namespace braid::test::circuit_allocator_test
