// Circuits that fork, to the cycle: their set-up (docs/setup.md, "Circuits with the same items"), and their flits
// (docs/router.md, "A circuit that forks").
#include <gtest/gtest.h>

#include "tb/tests/support/forks.h"

namespace braid::test::circuit_forks_test {
namespace {

using models::hybrid::kNone;

/// On a 3x3 mesh, node 4 in the middle: 3 -> 4 -> 5, and two that leave that one at router 4.
const std::vector<ForkWay> kTree{{3, 5, 0}, {3, 1, 0}, {3, 7, 0}};
/// All fork at the source's router.
const std::vector<ForkWay> kStar{{4, 5, 0}, {4, 3, 0}, {4, 7, 0}, {4, 1, 0}};

std::vector<std::size_t> routers(const models::CircuitResult& circuit) {
  std::vector<std::size_t> all;
  for (const auto& step : circuit.path) all.push_back(step.router.value);
  return all;
}

/// The figure of docs/setup.md: 9 cycles for 3 -> 5, the token, and 9 for the branch, whose first link stands already.
TEST(SetUpOfATree, TakesABranchAsLongAsACircuit) {
  ForkRig rig(kTree);
  rig.run(19);
  EXPECT_EQ(rig.fabric().setup_results().circuits.size(), 1U) << "at cycle N - 1";
  rig.run(1);
  const models::SetupResults setup = rig.fabric().setup_results();
  ASSERT_EQ(setup.circuits.size(), 2U);
  EXPECT_EQ(setup.circuits[0].setup_cycles, 9U);
  EXPECT_FALSE(setup.circuits[0].shared_links);
  EXPECT_EQ(setup.circuits[1].setup_cycles, 9U);
  EXPECT_EQ(setup.circuits[1].shared_links, std::optional<std::uint64_t>(1));
  EXPECT_EQ(routers(setup.circuits[1]), (std::vector<std::size_t>{3, 4, 1}));
  rig.run(9);
  EXPECT_FALSE(rig.stands) << "at cycle N - 1";
  rig.run(2);
  EXPECT_TRUE(rig.stands);
  EXPECT_EQ(rig.tree_of(1), 0U);
  EXPECT_EQ(rig.tree_of(2), 0U);
}

/// To a router that the tree passes: all links are there, one ejection link is new.
TEST(SetUpOfATree, EndsABranchWhereTheTreeGoesOn) {
  ForkRig rig({{3, 5, 0}, {3, 4, 0}});
  rig.ready();
  const models::SetupResults setup = rig.fabric().setup_results();
  ASSERT_EQ(setup.circuits.size(), 2U);
  EXPECT_EQ(setup.circuits[1].setup_cycles, 5U);
  EXPECT_EQ(setup.circuits[1].shared_links, std::optional<std::uint64_t>(1));
}

/// Routers 0 1 2 above 3 4 5. Node 4's own streams hold the links from 4 to 3 and to 1. The branch 5 -> 3 follows the
/// tree to 4, finds no way on, goes back over the tree's link, which stays, and leaves the tree at 5: by 2, 1 and 0.
/// From 1 it does not come to 4 again, where the tree is.
TEST(SetUpOfATree, GoesBackAlongTheTreeAndLeavesItStanding) {
  ForkRig rig({{4, 3, {}}, {4, 1, {}}, {5, 4, 0}, {5, 3, 0}}, {3, 2});
  ASSERT_TRUE(rig.ready().stands) << rig.fabric().setup_results().failed_stream;
  const models::CircuitResult branch = rig.fabric().setup_results().circuits[3];
  EXPECT_EQ(rig.tree_of(3), 2U);
  EXPECT_EQ(routers(branch), (std::vector<std::size_t>{5, 2, 1, 0, 3}));
  EXPECT_EQ(branch.shared_links, std::optional<std::uint64_t>(0));
  EXPECT_GE(branch.backtracks, 1U);
  EXPECT_EQ(branch.setup_cycles, 17U + 4 * branch.backtracks);
  rig.send(2, 1);
  rig.run(50);
  EXPECT_EQ(rig.arrivals(2).size(), 1U) << "the tree's link has been released";
  EXPECT_EQ(rig.arrivals(3).size(), 1U);
}

/// An order that fails tears the whole tree down, with one message that forks, and everything is free.
TEST(SetUpOfATree, IsTornDownWithAllItsBranches) {
  std::vector<ForkWay> ways = kTree;
  for (int i = 0; i < 5; ++i) ways.push_back({8, 3, {}});  // router 8 has two links
  ForkRig rig(ways, ForkRig::Shape(), 2);
  rig.ready();
  EXPECT_FALSE(rig.stands);
  EXPECT_EQ(rig.fabric().setup_results().orders_tried, 3U);
  const models::hybrid::RouterBank& bank = rig.fabric().bank();
  for (models::hybrid::PortIndex p = 0; p < bank.input_port_count(); ++p) {
    EXPECT_EQ(bank.circuit_out(bank.circuit_vc(p)), kNone) << "a link is still reserved";
    EXPECT_EQ(bank.circuit_in(bank.circuit_vc(p)), kNone) << "a link is still reserved";
    EXPECT_EQ(rig.fabric().forks()->tree(bank.circuit_vc(p)), 0U) << "a link is still a tree's";
  }
}

/// A fork costs no cycle: 3 + 2 R + (L - 1), as on a circuit of its own; and the node sends each item once.
TEST(Fork, TakesNoLongerThanACircuit) {
  for (const auto& [ways, hops] : {std::pair(kTree, 3U), std::pair(kStar, 2U)}) {
    for (const std::uint32_t flits : {1U, 4U}) {
      ForkRig rig(ways);
      ASSERT_TRUE(rig.ready().stands);
      const std::uint64_t made = rig.made(), latency = 3 + 2 * hops + flits - 1;
      rig.send(0, flits);
      rig.run(latency - 1);
      EXPECT_TRUE(rig.arrived.empty()) << "at cycle N - 1";
      rig.run(1);
      for (std::uint32_t c = 0; c < ways.size(); ++c) {
        EXPECT_EQ(rig.arrivals(c), std::vector<std::uint64_t>{made + latency}) << c;
        EXPECT_EQ(rig.injected[c], std::vector<std::uint64_t>{made + 2}) << c;
      }
      const auto counters = rig.fabric().counters();
      EXPECT_EQ(counters.flits_injected, flits);
      EXPECT_EQ(counters.flits_copied, flits * (ways.size() - 1));
      EXPECT_EQ(counters.flits_delivered, flits * ways.size());
      EXPECT_EQ(rig.left, ways.size());
    }
  }
}

/// A flit a cycle, without a gap.
TEST(Fork, CarriesAFlitACycle) {
  ForkRig rig(kTree);
  ASSERT_TRUE(rig.ready().stands);
  const std::uint64_t made = rig.made();
  rig.send(0, 40);
  rig.run(3 + 2 * 3 + 39);
  for (std::uint32_t c = 0; c < 3; ++c) EXPECT_EQ(rig.arrivals(c), std::vector<std::uint64_t>{made + 3 + 2 * 3 + 39});
}

/// The receiver of 3 -> 5 has no room. Ten flits pass router 4: five that its node holds, five in router 5. The other
/// two have those ten and not one more, until the receiver takes one in cycle t: its credit is at router 5 in t + 2,
/// the flit it lets go crosses in t + 3, that one's credit is at router 4 in t + 5, and 3 + 2 later the eleventh is
/// there.
TEST(Fork, HoldsBackAllBranchesForOne) {
  ForkRig rig(kTree);
  ASSERT_TRUE(rig.ready().stands);
  rig.shut = {0};
  for (int i = 0; i < 30; ++i) rig.send(0, 1);
  rig.run(100);
  EXPECT_TRUE(rig.arrivals(0).empty());
  EXPECT_EQ(rig.arrivals(1).size(), 10U);
  EXPECT_EQ(rig.arrivals(2).size(), 10U);
  EXPECT_EQ(rig.fabric().census().flits, 10U + 5 + 5) << "behind the fork, in router 4, in router 3";
  EXPECT_EQ(rig.fabric().census().packets, 30U + 20 + 20) << "of each destination those that it has not taken";
  rig.shut.clear();
  const std::uint64_t t = rig.made() + 1;
  rig.run(10);
  EXPECT_EQ(rig.arrivals(0).front(), t);
  EXPECT_EQ(rig.arrivals(1).size(), 10U) << "at cycle N - 1";
  rig.run(1);
  ASSERT_EQ(rig.arrivals(1).size(), 11U);
  EXPECT_EQ(rig.arrivals(1).back(), t + 10);
  EXPECT_EQ(rig.arrivals(2).back(), t + 10);
  rig.run(100);
  for (std::uint32_t c = 0; c < 3; ++c) EXPECT_EQ(rig.arrivals(c).size(), 30U);
  EXPECT_EQ(rig.fabric().census().flits, 0U);
  EXPECT_EQ(rig.fabric().census().packets, 0U);
}

/// Packets cross in the cycles in which no branch takes their port, and never beside a copy. The copies have SA at
/// router 4 in cycles 4 to 9, the packet would have it in 5 and has it in 10.
TEST(Fork, LetsPacketsGoInIdleCycles) {
  for (const std::uint32_t flits : {0U, 6U}) {
    ForkRig rig(kTree);
    ASSERT_TRUE(rig.ready().stands);
    const std::uint64_t made = rig.made();
    if (flits != 0) rig.send(0, flits);
    rig.send_packet(4, 1);  // over the link of the branch
    rig.run(100);
    const std::uint64_t alone = made + 3 + 5 * 2;
    ASSERT_EQ(rig.arrivals(ForkRig::kPacket).size(), 1U);
    EXPECT_EQ(rig.arrivals(ForkRig::kPacket)[0], alone + (flits == 0 ? 0 : flits - 1)) << "the copies go first";
    if (flits != 0) {
      EXPECT_EQ(rig.arrivals(1), std::vector<std::uint64_t>{made + 3 + 2 * 3 + flits - 1});
    }
  }
}

/// From the source's queue on, on whichever lane of its local port: 3 -> 5 and 1 on the first, 3 -> 7 and 8, by router
/// 6, on the second.
TEST(Fork, IsCountedOnceForEachDestination) {
  ForkRig rig({{3, 5, 0}, {3, 1, 0}, {3, 7, 1}, {3, 8, 1}}, {3, 3, 1, 2});
  ASSERT_TRUE(rig.ready().stands);
  ASSERT_EQ(rig.tree_of(3), 2U);
  for (int i = 0; i < 3; ++i) rig.send(0, 2);
  for (int i = 0; i < 4; ++i) rig.send(2, 5);
  std::uint64_t left = 2 * (3 + 4);
  for (int cycle = 0; left != 0 && cycle < 200; ++cycle) {
    EXPECT_EQ(rig.fabric().census().packets, left) << "cycle " << cycle;
    rig.run(1);
    left = 2 * (3 + 4);
    for (std::uint32_t circuit = 0; circuit < 4; ++circuit) left -= rig.arrivals(circuit).size();
  }
  EXPECT_EQ(left, 0U);
  EXPECT_EQ(rig.fabric().census().packets, 0U);
}

/// What stands without trees says nothing of them, so nobody says how many lanes would do.
TEST(SetUpOfATree, HasNoForecastOfLanes) {
  const std::vector<ForkWay> alone{{4, 1, {}}, {4, 3, {}}, {4, 5, {}}};
  ForkRig rig(alone, {3, 3, 1, 1});
  EXPECT_FALSE(rig.ready().stands);
  EXPECT_EQ(rig.fabric().lanes_that_would_do(rig.circuits()), 0U);
  EXPECT_EQ(rig.fabric().setup_results().lanes_that_would_do, 0U);
}

/// Where circuits share a local port, two destinations at one router are not of one tree.
TEST(SetUpOfATree, EndsOnceAtARouterWhereCircuitsShareItsPorts) {
  const std::vector<ForkWay> twice{{0, 2, 0}, {0, 2, 0}};
  ForkRig own(twice, {3, 3, 2, 1});
  ASSERT_TRUE(own.ready().stands);
  EXPECT_EQ(own.tree_of(1), 0U);
  ForkRig shared(twice, {3, 3, 2, 2});
  ASSERT_TRUE(shared.ready().stands);
  EXPECT_EQ(shared.tree_of(1), 1U);
}

}  // namespace
}  // namespace braid::test::circuit_forks_test
