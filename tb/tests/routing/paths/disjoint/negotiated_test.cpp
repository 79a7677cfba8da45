// Negotiation by hand: what sharing a channel costs in each round, and what the exact finder says of whose paths it
// took.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/disjoint.h"

namespace braid::test::negotiated_test {
namespace {

using namespace routing;

/// r0 and r1, joined by a link and by ways of so many links each.
Topology link_and_ways(const std::vector<std::size_t>& ways) {
  std::vector<std::pair<std::size_t, std::size_t>> links{{0, 1}};
  std::size_t routers = 2;
  for (const std::size_t length : ways) {
    std::size_t last = 0;
    for (std::size_t i = 1; i < length; ++i) {
      links.emplace_back(last, routers);
      last = routers++;
    }
    links.emplace_back(last, 1);
  }
  return graph_of(routers, links, 2);
}

std::uint64_t rounds(const std::vector<std::size_t>& ways, double growth, double gain) {
  const Topology t = link_and_ways(ways);
  Configuration c;
  c.set("disjoint.present_growth", growth);
  c.set("disjoint.history_gain", gain);
  const std::vector<Demand> demands(ways.size() + 1, {RouterId{0}, RouterId{1}});
  const DisjointPaths found = found_by("negotiated", t, demands, c);
  EXPECT_EQ(found.answer, DisjointAnswer::kFound);
  expect_disjoint(t, demands, found, "a link and ways");
  return found.tries;
}

/// Two demands on the link: in round k it costs the first one (1 + gain (k - 1)) (1 + 0.5 growth^(k-1)), for the other
/// is there and has been in each round before. It leaves once that is more than the other way has links. With the
/// default prices: 1.5, 3.3, 5.5, 8.4, 12.1, 17.1.
TEST(Negotiated, LeavesASharedLinkWhenItCostsMoreThanTheWayRound) {
  EXPECT_EQ(rounds({2}, 1.3, 1.0), 2U);
  EXPECT_EQ(rounds({3}, 1.3, 1.0), 2U);
  EXPECT_EQ(rounds({4}, 1.3, 1.0), 3U);
  EXPECT_EQ(rounds({5}, 1.3, 1.0), 3U);
  EXPECT_EQ(rounds({6}, 1.3, 1.0), 4U);
  EXPECT_EQ(rounds({8}, 1.3, 1.0), 4U);
  EXPECT_EQ(rounds({9}, 1.3, 1.0), 5U);
  EXPECT_EQ(rounds({12}, 1.3, 1.0), 5U);
  EXPECT_EQ(rounds({13}, 1.3, 1.0), 6U);
  EXPECT_EQ(rounds({17}, 1.3, 1.0), 6U);
}

/// Without growth 1.5 (1 + gain (k - 1)); without history 1 + 0.5 growth^(k-1).
TEST(Negotiated, RaisesThePriceByItsTwoKeys) {
  EXPECT_EQ(rounds({4}, 1.0, 1.0), 3U) << "1.5, 3, 4.5";
  EXPECT_EQ(rounds({8}, 1.0, 1.0), 6U) << "7.5, 9";
  EXPECT_EQ(rounds({2}, 1.0, 0.5), 2U) << "1.5, 2.25";
  EXPECT_EQ(rounds({4}, 1.0, 0.5), 5U) << "3.75, 4.5";
  EXPECT_EQ(rounds({2}, 1.3, 0.0), 4U) << "1.5, 1.65, 1.845, 2.0985";
  EXPECT_EQ(rounds({4}, 2.0, 0.0), 4U) << "1.5, 2, 3, 5";
}

/// Three on the link: history grows by two, for two are too many. In the second round the first one sees two others at
/// (1 + 2) (1 + 2 * 0.65) = 6.9, the second one other at 3 * 1.65 = 4.95; the ways have 4 links.
TEST(Negotiated, CountsAllThatAreTooMany) { EXPECT_EQ(rounds({4, 4}, 1.3, 1.0), 2U); }

/// Rounds are told, and no more of them are tried than may be.
TEST(Negotiated, GivesUpAfterItsRounds) {
  const Topology t = link_and_ways({9});  // five rounds, see above
  const std::vector<Demand> demands(2, {RouterId{0}, RouterId{1}});
  for (const std::uint32_t most : {4U, 5U}) {
    Configuration c;
    c.set("disjoint.negotiated_rounds", most);
    std::vector<std::size_t> told;
    const DisjointPaths found =
        found_by("negotiated", t, demands, c, [&](const char* counts, std::size_t done, std::size_t all) {
          EXPECT_STREQ(counts, "round");
          EXPECT_EQ(all, most);
          told.push_back(done);
        });
    EXPECT_EQ(found.answer, most == 5 ? DisjointAnswer::kFound : DisjointAnswer::kUnknown);
    EXPECT_EQ(found.tries, most);
    EXPECT_EQ(found.paths.size(), most == 5 ? 2U : 0U);
    EXPECT_EQ(told.size(), most);
    EXPECT_EQ(told.front(), 1U);
    EXPECT_EQ(told.back(), most);
  }
}

/// Paths of another finder that are as short as the distances are proven so without a program, in no try of its own.
TEST(Exact, SaysWhatItsProofIs) {
  const Topology t = link_and_ways({3});
  const DisjointPaths alone = found_by("exact", t, {{RouterId{0}, RouterId{1}}});
  EXPECT_EQ(alone.answer, DisjointAnswer::kFound);
  EXPECT_EQ(alone.proof, "distance");
  EXPECT_TRUE(alone.shortest);
  EXPECT_EQ(alone.tries, 0U);
  EXPECT_EQ(alone.backtracks, 0U);
  const DisjointPaths both = found_by("exact", t, {{RouterId{0}, RouterId{1}}, {RouterId{0}, RouterId{1}}});
  EXPECT_EQ(both.answer, DisjointAnswer::kFound);
  EXPECT_EQ(both.proof, "linear program") << "no fewer than 4, and whole numbers";
  EXPECT_TRUE(both.shortest);
  EXPECT_EQ(links_of(both), 4U);
  EXPECT_EQ(both.tries, 0U);
  EXPECT_FALSE(both.cut);
  const DisjointPaths none = found_by("exact", t, std::vector<Demand>(3, {RouterId{0}, RouterId{1}}));
  EXPECT_EQ(none.answer, DisjointAnswer::kNone);
  EXPECT_EQ(none.proof, "cut");
  EXPECT_FALSE(none.shortest);
  ASSERT_TRUE(none.cut);
  EXPECT_EQ(none.cut->routers, std::vector<RouterId>{RouterId{0}});
  EXPECT_EQ(none.cut->demands, 3U);
  EXPECT_EQ(none.cut->channels, 2U);
  EXPECT_TRUE(none.paths.empty());
}

/// Where the others may try once only, and fail, it is the program that finds paths; demands within a router have none,
/// and stand between the others.
TEST(Exact, FindsWhatTheOthersDoNot) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const std::vector<Demand> demands{{RouterId{1}, RouterId{1}},
                                    {RouterId{3}, RouterId{1}},
                                    {RouterId{2}, RouterId{2}},
                                    {RouterId{0}, RouterId{3}},
                                    {RouterId{0}, RouterId{1}}};
  Configuration c;
  c.set("disjoint.sequential_orders", 1);
  c.set("disjoint.negotiated_rounds", 1);
  const DisjointPaths found = found_by("exact", t, demands, c);
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  expect_disjoint(t, demands, found, "with demands within routers");
  EXPECT_EQ(links_of(found), 4U) << "1, 2 and 1";
  EXPECT_EQ(found.paths[3].size(), 2U);
  EXPECT_TRUE(found.shortest);
  EXPECT_TRUE(found.proof == "linear program" || found.proof == "branch and bound") << found.proof;
}

/// Three demands over two links find no way in any order; each that is begun is told of.
TEST(Sequential, TellsOfEachOrder) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const std::vector<Demand> barred{{RouterId{3}, RouterId{1}}, {RouterId{0}, RouterId{3}}, {RouterId{0}, RouterId{1}}};
  const std::vector<Demand> impossible(3, {RouterId{0}, RouterId{3}});
  for (const std::uint32_t most : {1U, 2U, 3U}) {
    Configuration c;
    c.set("disjoint.sequential_orders", most);
    c.set("disjoint.tentacle_orders", most);
    for (const char* name : {"sequential", "tentacle"}) {
      std::vector<std::pair<std::size_t, std::size_t>> told;
      const DisjointPaths found = found_by(name, t, impossible, c, [&](const char*, std::size_t done, std::size_t all) {
        told.emplace_back(done, all);
      });
      EXPECT_EQ(found.answer, DisjointAnswer::kUnknown) << name;
      EXPECT_EQ(found.tries, most) << name;
      EXPECT_TRUE(found.paths.empty()) << name;
      ASSERT_EQ(told.size(), most) << name;
      for (std::size_t i = 0; i < most; ++i) EXPECT_EQ(told[i], std::pair(i + 1, std::size_t{most})) << name;
    }
    EXPECT_EQ(found_by("sequential", t, barred, c).answer,
              most == 1 ? DisjointAnswer::kUnknown : DisjointAnswer::kFound);
  }
}

}  // namespace
}  // namespace braid::test::negotiated_test
