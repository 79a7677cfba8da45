// Feedback arcs of graphs so small that all is known: what is searched at all, what is told, and what stays.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "routing/paths/feedback_arcs.h"
#include "routing/paths/fewest_arcs.h"

namespace braid::test::small_arc_sets_test {
namespace {

using routing::Arc;
using Told = std::vector<std::tuple<std::string, std::size_t, std::size_t>>;

struct Answer {
  routing::FeedbackArcs arcs;
  Told arcs_told;
  std::size_t sweeps = 0;
};
Answer answer(std::size_t vertices, const std::vector<Arc>& arcs) {
  Answer a;
  a.arcs = routing::feedback_arcs(vertices, arcs, [&](const char* counts, std::size_t done, std::size_t all) {
    if (std::string(counts) == "order") {
      ++a.sweeps;
    } else {
      a.arcs_told.emplace_back(counts, done, all);
    }
  });
  return a;
}

/// Two vertices have two orders, and moving one to its best place finds the better.
TEST(SmallArcSets, OfTwoVerticesAreNotAnnealed) {
  const Answer one = answer(2, {{0, 1, 2}, {1, 0, 3}}), other = answer(2, {{0, 1, 3}, {1, 0, 2}});
  EXPECT_EQ(one.arcs.removed, (std::vector<bool>{true, false}));
  EXPECT_EQ(other.arcs.removed, (std::vector<bool>{false, true}));
  EXPECT_EQ(one.sweeps, 0U);
  EXPECT_EQ(one.arcs_told, (Told{{"arc", 0, 1}}));
}

TEST(SmallArcSets, WithoutArcsAreNotSearched) {
  for (const std::size_t vertices : {0U, 1U, 2U, 3U, 10U}) {
    const Answer none = answer(vertices, {});
    EXPECT_TRUE(none.arcs.removed.empty());
    EXPECT_TRUE(none.arcs.stuck.empty());
    EXPECT_EQ(none.sweeps, 0U) << vertices;
    EXPECT_TRUE(none.arcs_told.empty());
  }
}

/// The lighter of each of three pairs goes, and each that leads back is told.
TEST(SmallArcSets, EachArcThatLeadsBackIsTold) {
  const Answer three = answer(6, {{0, 1, 1}, {1, 0, 2}, {2, 3, 4}, {3, 2, 3}, {5, 4, 7}, {4, 5, 9}});
  EXPECT_EQ(three.arcs.removed, (std::vector<bool>{true, false, false, true, true, false}));
  EXPECT_EQ(three.sweeps, 10000U);
  EXPECT_EQ(three.arcs_told, (Told{{"arc", 0, 3}, {"arc", 1, 3}, {"arc", 2, 3}}));
}

/// Of two arcs both ways the fixed one stays, whatever it weighs and whichever is first.
TEST(SmallArcSets, AFixedArcOutweighsAllOthers) {
  EXPECT_EQ(answer(2, {{0, 1, 1, true}, {1, 0, 2147483647}}).arcs.removed, (std::vector<bool>{false, true}));
  EXPECT_EQ(answer(2, {{1, 0, 2147483647}, {0, 1, 1, true}}).arcs.removed, (std::vector<bool>{true, false}));
  EXPECT_EQ(answer(3, {{2, 0, 1, true}, {0, 1, 2147483647}, {1, 2, 2147483646}}).arcs.removed,
            (std::vector<bool>{false, false, true}));
}

/// Two fixed arcs each way: nothing is searched, nothing goes.
TEST(SmallArcSets, ACycleOfTwoFixedArcsIsStuck) {
  const Answer stuck = answer(4, {{2, 3, 1, true}, {3, 2, 1, true}, {0, 1, 1}, {1, 0, 2}});
  EXPECT_EQ(stuck.arcs.stuck.size(), 2U);
  EXPECT_EQ(stuck.arcs.removed, std::vector<bool>(4, false));
  EXPECT_EQ(stuck.sweeps, 0U);
  EXPECT_TRUE(stuck.arcs_told.empty());
}

/// Of three arcs that weigh the same any may go: the one that is known to do.
TEST(SmallArcSets, TheKnownSetStaysWhereNoneIsLighter) {
  const std::vector<Arc> ring{{0, 1, 2}, {1, 2, 2}, {2, 0, 2}};
  for (std::size_t known = 0; known < 3; ++known) {
    std::vector<bool> removed(3);
    removed[known] = true;
    const routing::FewestArcs fewest = routing::fewest_arcs(3, ring, removed, 60.0);
    EXPECT_TRUE(fewest.proven);
    EXPECT_EQ(fewest.bound, 2U);
    EXPECT_EQ(fewest.removed, removed);
  }
}

/// A set that is lighter by one is found, of two rings as of one.
TEST(SmallArcSets, ASetLighterByOneIsFound) {
  const std::vector<Arc> rings{{0, 1, 3}, {1, 2, 2}, {2, 0, 3}, {3, 4, 8}, {4, 3, 9}};
  std::size_t told = 0;
  const routing::FewestArcs fewest = routing::fewest_arcs(5, rings, {true, false, false, true, false}, 60.0,
                                                          [&](const char* counts, std::size_t done, std::size_t) {
                                                            EXPECT_STREQ(counts, "cycle");
                                                            EXPECT_LE(done, 2U) << "there are no more cycles";
                                                            ++told;
                                                          });
  EXPECT_TRUE(fewest.proven);
  EXPECT_EQ(fewest.bound, 10U);
  EXPECT_EQ(fewest.removed, (std::vector<bool>{false, true, false, true, false}));
  EXPECT_GT(told, 0U);
}

/// Without time the known set is no answer, and no proof is claimed.
TEST(SmallArcSets, WithoutTimeNothingIsProven) {
  const routing::FewestArcs fewest =
      routing::fewest_arcs(3, {{0, 1, 3}, {1, 2, 2}, {2, 0, 3}}, {true, false, false}, 0.0);
  EXPECT_FALSE(fewest.proven);
  EXPECT_LE(fewest.bound, 2U);
}

}  // namespace
}  // namespace braid::test::small_arc_sets_test
