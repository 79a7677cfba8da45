// The set-up unit alone, message by message (docs/setup.md): what it answers, and whom.
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/setup_bench.h"

namespace braid::test::setup_unit_test {
namespace {

using namespace setup_bench;

/// It is told where the message is to go, and looks that up for whoever knows the directions.
TEST(SetupUnitMessage, IsLookedUpByItsDestination) {
  SetupBench bench;
  for (const std::uint64_t destination : {9U, 0U, 0xffffU}) {
    bench.set("destination_i", 16, destination);
    bench.edge();
    EXPECT_EQ(bench.read("lookup_o"), destination);
    EXPECT_EQ(bench.read("send_o") | bench.read("reserve_o") | bench.read("done_o"), 0U) << "there is no message";
  }
}

/// All that is said of a probe is said once.
TEST(SetupUnitMessage, IsPassedOnWithItsSearchAndItsDestination) {
  SetupBench bench;
  bench.set("destination_i", 16, 0xabcd);
  bench.message(kProbe, 3, 0x7654, 0b0100);
  EXPECT_EQ(bench.read("send_o"), 0b0100U);
  EXPECT_EQ(bench.read("send_kind_o"), kProbe);
  EXPECT_EQ(bench.read("send_search_o"), 0x7654U);
  EXPECT_EQ(bench.read("send_destination_o"), 0xabcdU);
  EXPECT_EQ(bench.read("done_o"), 0U);
  bench.edge();
  for (const char* port : {"release_o", "release_in_o", "release_out_o", "reserve_o", "reserve_in_o", "reserve_out_o",
                           "send_o", "send_kind_o", "send_search_o", "send_destination_o", "done_o", "success_o"}) {
    EXPECT_EQ(bench.read(port), 0U) << port;
  }
}

/// The node's search went out by port 0. Its answer comes back there: the circuit stands.
TEST(SetupUnitMessage, EndsTheSearchOfItsNodeThatIsAcknowledged) {
  SetupBench bench;
  bench.message(kProbe, 3, 6, 0b0001);
  bench.set("held_i", 4, 0b0001);
  bench.set("circuit_in_i", 8, 3);
  bench.message(kAcknowledge, 0, 6, 0b0001);
  EXPECT_EQ(bench.read("done_o"), 1U);
  EXPECT_EQ(bench.read("success_o"), 1U);
  EXPECT_EQ(bench.read("send_o") | bench.read("release_o") | bench.read("reserve_o"), 0U);
}

/// It comes back in vain, and no other port leads to a router: the circuit's beginning is given up.
TEST(SetupUnitMessage, EndsTheSearchOfItsNodeThatHasNoWay) {
  SetupBench bench;
  bench.set("network_ports_i", 4, 0b0001);
  bench.message(kProbe, 3, 6, 0b0001);
  bench.set("held_i", 4, 0b0001);
  bench.set("circuit_in_i", 8, 3);
  bench.message(kBacktrack, 0, 6, 0b0001);
  EXPECT_EQ(bench.read("done_o"), 1U);
  EXPECT_EQ(bench.read("success_o"), 0U);
  EXPECT_EQ(bench.read("release_o"), 1U);
  EXPECT_EQ(bench.read("release_in_o"), 3U);
  EXPECT_EQ(bench.read("release_out_o"), 0U);
  EXPECT_EQ(bench.read("send_o") | bench.read("reserve_o"), 0U);
}

/// A probe for this router's node takes the node's port and is acknowledged where it came from.
TEST(SetupUnitMessage, IsAcknowledgedWhereItsNodeIs) {
  SetupBench bench;
  bench.message(kProbe, 2, 11, 0b1000);
  EXPECT_EQ(bench.read("reserve_o"), 1U);
  EXPECT_EQ(bench.read("reserve_in_o"), 2U);
  EXPECT_EQ(bench.read("reserve_out_o"), 3U);
  EXPECT_EQ(bench.read("send_o"), 0b0100U);
  EXPECT_EQ(bench.read("send_kind_o"), kAcknowledge);
  EXPECT_EQ(bench.read("send_search_o"), 11U);
  EXPECT_EQ(bench.read("done_o"), 0U) << "its source is elsewhere";
}

/// ... unless the node's port has a circuit.
TEST(SetupUnitMessage, GoesBackWhereItsNodesPortIsTaken) {
  SetupBench bench;
  bench.set("held_i", 4, 0b1000);
  bench.set("circuit_in_i", 8, 1U << 6);
  bench.message(kProbe, 2, 11, 0b1000);
  EXPECT_EQ(bench.read("reserve_o"), 0U);
  EXPECT_EQ(bench.read("send_o"), 0b0100U);
  EXPECT_EQ(bench.read("send_kind_o"), kBacktrack);
}

/// A search comes to a router once: a second way through it would be a loop.
TEST(SetupUnitMessage, GoesBackFromARouterThatItsSearchHasSeen) {
  SetupBench bench;
  bench.message(kProbe, 3, 7, 0b0001);
  bench.message(kProbe, 1, 7, 0b0001);
  EXPECT_EQ(bench.read("reserve_o"), 0U);
  EXPECT_EQ(bench.read("send_o"), 0b0010U) << "to where it came from";
  EXPECT_EQ(bench.read("send_kind_o"), kBacktrack);
  EXPECT_EQ(bench.read("send_search_o"), 7U);
  bench.message(kProbe, 1, 8, 0b0001);
  EXPECT_EQ(bench.read("send_o"), 0b0001U) << "another search";
}

/// Numbers of searches begin anew with an acknowledgement of none: what has been seen is forgotten.
TEST(SetupUnitMessage, OfNoSearchForgetsThem) {
  SetupBench bench;
  bench.message(kProbe, 3, 7, 0b0001);
  bench.message(kAcknowledge, 0, 0, 0);
  EXPECT_EQ(bench.read("send_o") | bench.read("done_o") | bench.read("release_o"), 0U);
  bench.message(kProbe, 1, 7, 0b0001);
  EXPECT_EQ(bench.read("reserve_o"), 1U);
  EXPECT_EQ(bench.read("send_o"), 0b0001U);
  EXPECT_EQ(bench.read("send_kind_o"), kProbe);
}

/// Searches whose number has its highest bit set keep off the ports that are to be avoided; others do not.
TEST(SetupUnitMessage, KeepsOffPortsThatItIsToAvoid) {
  SetupBench bench;
  bench.set("avoid_ports_i", 4, 0b0001);
  bench.message(kProbe, 3, 1, 0b0011);
  EXPECT_EQ(bench.read("send_o"), 0b0001U);
  bench.message(kProbe, 3, 0x8002, 0b0011);
  EXPECT_EQ(bench.read("send_o"), 0b0010U);
  EXPECT_EQ(bench.read("send_search_o"), 0x8002U);
  bench.message(kProbe, 3, 0x7fff, 0b0001);
  EXPECT_EQ(bench.read("send_o"), 0b0001U) << "the highest of the others";
}

/// What sits in a seat of the network is asked whether it is the model.
TEST(SetupUnitModule, IsTheModel) {
  const models::stages::hybrid::SetupUnit unit("unit", four_ports());
  EXPECT_TRUE(unit.is_modelled());
}

}  // namespace
}  // namespace braid::test::setup_unit_test
