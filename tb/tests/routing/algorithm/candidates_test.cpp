// What routing algorithms are told and give, and the parts that they share, by themselves: small numbers by hand.
#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

#include "routing/algorithm/dragonfly_ways.h"
#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/intermediate.h"
#include "routing/algorithm/minimal_ports.h"
#include "routing/algorithm/port_table.h"
#include "routing/algorithm/rows_on_demand.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::candidates_test {
namespace {

using namespace routing;

TEST(Candidates, StandInTheOrderInWhichTheyWereAdded) {
  CandidateList list;
  EXPECT_EQ(list.size(), 0U);
  list.add(PortId{7}, 5, 3);
  list.add(PortId{2}, 6);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].port, PortId{7});
  EXPECT_EQ(list[0].vcs, 5U);
  EXPECT_EQ(list[0].priority, 3U);
  EXPECT_EQ(list[1].port, PortId{2});
  EXPECT_EQ(list[1].vcs, 6U);
  EXPECT_EQ(list[1].priority, 0U) << "unless it is said";
  EXPECT_EQ(list.end() - list.begin(), 2);
  list.clear();
  EXPECT_EQ(list.size(), 0U);
  list.add(PortId{9}, 1);
  EXPECT_EQ(list.begin()->port, PortId{9}) << "from the begin again";
}

/// A candidate for each port, and one more.
TEST(Candidates, AreUpToOneMoreThanThePorts) {
  CandidateList list;
  for (std::size_t p = 0; p <= kMaxPorts; ++p) list.add(PortId{p}, 1);
  EXPECT_EQ(list.size(), 65U);
  EXPECT_EQ(list[64].port, PortId{64});
}

TEST(Candidates, OfARouterStandInItsRegisters) {
  std::array<Candidate, 2> registers{};
  CandidateList list(registers.data());
  list.add(PortId{4}, 8, 1);
  list.add(PortId{5}, 9);
  EXPECT_EQ(registers[0].port, PortId{4});
  EXPECT_EQ(registers[1].vcs, 9U);
}

TEST(Candidates, AllNameVcsThatAreSoManyHigher) {
  CandidateList list;
  list.add(PortId{0}, 1);
  list.add(PortId{1}, 6);
  list.add(PortId{2}, 3);
  list.shift_vcs(2);
  EXPECT_EQ(list[0].vcs, 4U);
  EXPECT_EQ(list[1].vcs, 24U);
  EXPECT_EQ(list[2].vcs, 12U);
  list.shift_vcs(0);
  EXPECT_EQ(list[1].vcs, 24U);
}

TEST(Candidates, AreOfNoVcAndNotPreferredUnlessItIsSaid) {
  const Candidate none{};
  EXPECT_EQ(none.vcs, 0U);
  EXPECT_EQ(none.priority, 0U);
  EXPECT_EQ(none.port, PortId{0});
}

TEST(RouteQueries, AreOfNoStreamAndOfTheFirstKindUnlessItIsSaid) {
  const RouteQuery q{RouterId{1}, PortId{2}, VcId{3}, NodeId{4}, NodeId{5}};
  EXPECT_EQ(q.route, kNoRoute);
  EXPECT_EQ(q.draw, 0U);
  EXPECT_EQ(q.traffic_class, 0U);
}

/// As the class says of itself: whoever overrides nothing claims nothing.
TEST(RoutingAlgorithms, ClaimNothingByThemselves) {
  class Plain final : public RoutingAlgorithm {
   public:
    Plain() : RoutingAlgorithm(3) {}
    std::size_t max_candidates() const override { return 1; }
    void route(const RouteQuery& /*q*/, CandidateList& out) const override { out.clear(); }
  };
  const Plain plain;
  EXPECT_EQ(plain.injection_vcs(), 7U) << "all three";
  EXPECT_EQ(plain.injection_vcs_of(1), 7U);
  EXPECT_FALSE(plain.injection_by_class());
  EXPECT_EQ(plain.escape_vcs(), 0U);
  EXPECT_FALSE(plain.depends_on_source());
  EXPECT_EQ(plain.draws(), 1U);
  EXPECT_FALSE(plain.relies_on_bubble());
  EXPECT_FALSE(plain.acyclic_by_construction());
  EXPECT_FALSE(plain.follows_one_way_links());
  EXPECT_EQ(plain.routes(), nullptr);
  EXPECT_EQ(plain.routes_streams(), nullptr);
}

/// The smaller one of an odd number, from the lowest that there is.
TEST(LowerHalf, IsOfTheVcsThatAreGiven) {
  for (const auto& [vcs, lower] : std::vector<std::pair<VcMask, VcMask>>{{0b1, 0},
                                                                         {0b11, 0b1},
                                                                         {0b111, 0b1},
                                                                         {0b1111, 0b11},
                                                                         {0b11111, 0b11},
                                                                         {0b1100, 0b0100},
                                                                         {0b11100, 0b00100},
                                                                         {0b111100, 0b001100},
                                                                         {0xffff, 0x00ff}}) {
    EXPECT_EQ(lower_half(vcs), lower) << vcs;
  }
}

TEST(Vcs, AreEnoughWhereThereAreAsManyAsAreNeeded) {
  EXPECT_EQ(complaint([] { require_vcs("x", "ring", 3, 3); }), "");
  EXPECT_EQ(complaint([] { require_vcs("x", "ring", 4, 3); }), "");
  EXPECT_EQ(complaint([] { require_vcs("x", "ring", 2, 3); }),
            "routing algorithm \"x\" on a ring needs router.vcs >= 3; it is 2");
}

/// Two routers a group with two links each, five groups: links 0 and 1 of a group are at its first router, 2 and 3 at
/// the second, and as a palm tree link j of group g leads to group g + j + 1 (topology.h).
TEST(DragonflyWays, AreThoseOfThePalmTree) {
  const Dragonfly dragonfly{2, 2, Dragonfly::GlobalLinks::kPalmTree};
  const DragonflyWays ways(dragonfly);
  EXPECT_EQ(ways.groups(), 5U);
  EXPECT_EQ(ways.group(RouterId{5}), 2U);
  for (const auto& [from, to, port] : std::vector<std::array<std::uint32_t, 3>>{{0, 1, 1},
                                                                                {0, 2, 2},
                                                                                {0, 3, 0},
                                                                                {0, 4, 0},
                                                                                {1, 1, 0},
                                                                                {1, 2, 0},
                                                                                {1, 3, 1},
                                                                                {1, 4, 2},
                                                                                {8, 0, 1},
                                                                                {9, 3, 2}}) {
    EXPECT_EQ(ways.out(RouterId{from}, to), PortId{port}) << "router " << from << " to group " << to;
  }
  EXPECT_EQ(ways.entry(0, 1), RouterId{3});
  EXPECT_EQ(ways.entry(0, 2), RouterId{5});
  EXPECT_EQ(ways.entry(0, 3), RouterId{6});
  EXPECT_EQ(ways.entry(0, 4), RouterId{8});
  EXPECT_EQ(ways.entry(4, 0), RouterId{1});
}

/// Ports of the same: one to the other router, two to other groups, then nodes.
TEST(DragonflyWays, TellPortsByWhereTheyLead) {
  const Dragonfly dragonfly{2, 2, Dragonfly::GlobalLinks::kPalmTree};
  const DragonflyWays ways(dragonfly);
  const std::array<std::array<bool, 2>, 5> expected{
      {{false, false}, {true, false}, {true, false}, {true, true}, {true, true}}};
  for (std::size_t p = 0; p < expected.size(); ++p) {
    EXPECT_EQ(ways.leaves_group(PortId{p}), expected[p][0]) << p;
    EXPECT_EQ(ways.leads_to_node(PortId{p}), expected[p][1]) << p;
  }
  const Dragonfly wide{4, 1, Dragonfly::GlobalLinks::kPalmTree};
  const DragonflyWays of_four(wide);
  EXPECT_EQ(of_four.within(RouterId{5}, RouterId{4}), PortId{0});
  EXPECT_EQ(of_four.within(RouterId{5}, RouterId{6}), PortId{1});
  EXPECT_EQ(of_four.within(RouterId{5}, RouterId{7}), PortId{2});
}

TEST(DragonflyWays, HaveUpToThreeLinks) {
  const Dragonfly dragonfly{2, 2, Dragonfly::GlobalLinks::kPalmTree};
  const DragonflyWays ways(dragonfly);
  const auto links = [&](std::size_t from, std::size_t to) { return ways.links(RouterId{from}, RouterId{to}); };
  EXPECT_EQ(links(0, 0), 0U);
  EXPECT_EQ(links(0, 1), 1U) << "within the group";
  EXPECT_EQ(links(0, 3), 1U) << "the link between the groups alone";
  EXPECT_EQ(links(0, 2), 2U) << "and one behind it";
  EXPECT_EQ(links(1, 3), 2U) << "and one before it";
  EXPECT_EQ(links(1, 2), 3U) << "both";
  EXPECT_EQ(ways.links_out(RouterId{0}, 1), 1U);
  EXPECT_EQ(ways.links_out(RouterId{1}, 1), 2U);
}

/// A row is what was made first, and each has its own.
TEST(RowsOnDemand, AreMadeOnceEach) {
  const Topology ring = ring_of(3);
  const RowsOnDemand<int> rows(ring, 2);
  int made = 0;
  const auto row = [&](std::size_t i) {
    return rows.row(i, [&] {
      ++made;
      return std::vector<int>{static_cast<int>(10 * i), made};
    });
  };
  EXPECT_EQ(row(2)[0], 20);
  EXPECT_EQ(row(0)[0], 0);
  EXPECT_EQ(row(2)[1], 1) << "as it was made";
  EXPECT_EQ(row(0)[1], 2);
  EXPECT_EQ(made, 2);
}

/// A triangle r0, r1, r3 and r2 behind r3; nodes at r0 and r1.
TEST(MinimalPorts, TellWhatIsLeftBehindEachLink) {
  const Topology t = graph_of(4, {{0, 1}, {1, 3}, {0, 3}, {3, 2}}, 2);
  const MinimalPorts ports(t);
  EXPECT_EQ(ports.distance(RouterId{2}, NodeId{0}), 2U);
  EXPECT_EQ(ports.distance(RouterId{0}, NodeId{0}), 0U);
  EXPECT_EQ(ports.distance(RouterId{0}, NodeId{1}), 1U);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
  ports.for_each_port(RouterId{3}, NodeId{0}, [&](PortId p, std::uint32_t left) { seen.emplace_back(p.value, left); });
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {1, 0}, {2, 2}}));
  seen.clear();
  ports.for_each_port(RouterId{1}, NodeId{0}, [&](PortId p, std::uint32_t left) { seen.emplace_back(p.value, left); });
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {1, 1}})) << "not the node's port";
  CandidateList out;
  ports.eject(NodeId{1}, 6, out);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].port, PortId{2});
  EXPECT_EQ(out[0].vcs, 6U);
}

/// 16 bits of what the pair and the draw scatter to; the pair is one number, source before destination.
TEST(TieBits, AreOfThePairAndTheDraw) {
  const auto query = [](std::size_t from, std::size_t to, std::uint8_t draw) {
    return RouteQuery{RouterId{0}, PortId{0}, VcId{0}, NodeId{from}, NodeId{to}, kNoRoute, draw};
  };
  EXPECT_NE(bits_of_pair(query(1, 2, 0)), bits_of_pair(query(2, 1, 0)));
  EXPECT_EQ(bits_of_pair(query(1, 2, 0)), bits_of_pair(query(1, 2, 9)));
  EXPECT_EQ(bits_of_pair(query(0, 0, 0)), mix64(1));
  EXPECT_EQ(bits_of_pair(query(1, 2, 0)), mix64(0x1'0000'0003));
  std::uint32_t ones = 0, all = 0xffff;
  for (std::uint8_t draw = 0; draw < 200; ++draw) {
    const std::uint32_t bits = tie_bits(query(3, 4, draw));
    EXPECT_EQ(bits, mix64(bits_of_pair(query(3, 4, 0)) + draw) % 65536);
    ones |= bits;
    all &= bits;
  }
  EXPECT_EQ(ones, 0xffffU);
  EXPECT_EQ(all, 0U);
}

/// Of one place there is nothing to choose; of four each kind of 64 draws; of 256 all.
TEST(Intermediates, AreDealtOutEvenly) {
  for (const std::uint32_t places : {1U, 4U, 256U}) {
    std::vector<std::uint32_t> packets(places);
    for (std::uint32_t draw = 0; draw < 256; ++draw) {
      const RouteQuery q{
          RouterId{0}, PortId{0}, VcId{0}, NodeId{7}, NodeId{5}, kNoRoute, static_cast<std::uint8_t>(draw)};
      const std::uint64_t place = intermediate_of(q, places);
      ASSERT_LT(place, places);
      ++packets[place];
    }
    EXPECT_EQ(packets, std::vector<std::uint32_t>(places, 256 / places));
  }
}

TEST(HybridRouters, AreThoseWhereNothingElseIsSaid) {
  Configuration c;
  EXPECT_EQ(complaint([&] { require_hybrid_routers("x", c); }), "");
  c.set("router.architecture", std::string("hybrid"));
  EXPECT_EQ(complaint([&] { require_hybrid_routers("x", c); }), "");
  c.set("router.architecture", std::string("po2"));
  EXPECT_EQ(complaint([&] { require_hybrid_routers("x", c); }),
            "routing algorithm \"x\" needs router.architecture = \"hybrid\"");
}

}  // namespace
}  // namespace braid::test::candidates_test
