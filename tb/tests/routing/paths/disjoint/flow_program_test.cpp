// The integer program: ends that several demands share, a bound from outside, and time that is over.
#include "routing/paths/disjoint/flow_program.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tb/tests/support/disjoint.h"

namespace braid::test::flow_program_test {
namespace {

using namespace routing;

DisjointPaths as_found(const FlowAnswer& answer) {
  DisjointPaths found;
  found.paths = answer.paths;
  return found;
}

FlowAnswer solved(const Topology& t, const std::vector<Demand>& demands, const FlowLimits& limits = {},
                  const OnProgress& progress = {}) {
  return solve_flow_program(t, Channels(t), demands, limits, progress);
}

TEST(FlowProgram, PathsFromOneRouterAndToOneRouterEndWhereTheyShould) {
  const Topology t = grid_of("mesh", 3, 3);
  const RouterId middle{4};
  std::vector<Demand> out, in;
  for (const std::size_t corner : {8, 0, 2, 6}) {
    out.push_back({middle, RouterId{corner}});
    in.push_back({RouterId{corner}, middle});
  }
  for (const auto& demands : {out, in}) {
    const FlowAnswer answer = solved(t, demands);
    EXPECT_TRUE(answer.finished);
    expect_disjoint(t, demands, as_found(answer), "a star");
    EXPECT_EQ(links_of(as_found(answer)), 8U);
  }
}

TEST(FlowProgram, FindsOnlyWhatIsBelowTheBound) {
  // 0 -> 2 twice on a square: 2 links each way round.
  const Topology t = ring_of(4);
  const std::vector<Demand> demands{{RouterId{0}, RouterId{1}}, {RouterId{0}, RouterId{1}}};
  for (const std::size_t bound : {std::size_t{0}, std::size_t{5}, std::size_t{6}}) {
    const FlowAnswer answer = solved(t, demands, {60.0, bound});
    EXPECT_TRUE(answer.finished);
    EXPECT_EQ(links_of(as_found(answer)), 4U) << bound;
  }
  const FlowAnswer none = solved(t, demands, {60.0, 4});
  EXPECT_TRUE(none.finished);
  EXPECT_TRUE(none.paths.empty());
}

TEST(FlowProgram, ProvesByItsRelaxationThatThereAreNoPaths) {
  const FlowAnswer none = solved(ring_of(4), std::vector<Demand>(3, {RouterId{0}, RouterId{1}}));
  EXPECT_TRUE(none.finished);
  EXPECT_TRUE(none.by_relaxation);
  EXPECT_TRUE(none.paths.empty());
  EXPECT_EQ(none.nodes, 0U);
}

/// From 0 to 5 there are two ways of 5 links, and the only one of 3 links from 1 to 9 takes a channel of each; beside
/// it r1 - r10 - ... - r9 has 5. Every cycle has an even length, so that 9 channels are too few, half of each way
/// together has 9 none the less, and a bound of 10 leaves the relaxation only the shortest ways, which do not fit.
Topology two_ways_and_one_across() {
  return graph_of(14, {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {0, 6},
                       {6, 7},
                       {7, 8},
                       {8, 9},
                       {9, 5},
                       {2, 8},
                       {1, 10},
                       {10, 11},
                       {11, 12},
                       {12, 13},
                       {13, 9}});
}

TEST(FlowProgram, LeavesOutWaysThatNoAnswerBelowTheBoundCanTake) {
  const Topology t = two_ways_and_one_across();
  const Demand longer{RouterId{0}, RouterId{5}}, shorter{RouterId{1}, RouterId{9}};
  for (const std::vector<Demand>& demands : {std::vector{longer, shorter}, std::vector{shorter, longer}}) {
    const FlowAnswer none = solved(t, demands, {60.0, 10});
    EXPECT_TRUE(none.finished);
    EXPECT_TRUE(none.by_relaxation);
    EXPECT_TRUE(none.paths.empty());
    for (const std::size_t bound : {std::size_t{0}, std::size_t{11}}) {
      const FlowAnswer answer = solved(t, demands, {60.0, bound});
      EXPECT_TRUE(answer.finished);
      expect_disjoint(t, demands, as_found(answer), "a detour of two");
      EXPECT_EQ(links_of(as_found(answer)), 10U) << bound;
    }
  }
}

/// Two of these side by side: 10 channels each, and by halves of paths 9, so that bounds of 19 and 20 leave the search
/// something to look for that is not there.
TEST(FlowProgram, SearchesForNothingAtTheBoundOrBeyond) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  const Topology one = two_ways_and_one_across();
  for (const std::size_t first : {0U, 14U}) {
    for (std::size_t r = 0; r < 14; ++r) {
      for (const Port& p : one.routers[r]) {
        if (p.kind == PortKind::kNetwork && p.peer_router.value > r) {
          links.emplace_back(first + r, first + p.peer_router.value);
        }
      }
    }
  }
  links.emplace_back(13, 14);
  const Topology t = graph_of(28, links);
  const std::vector<Demand> demands{{RouterId{0}, RouterId{5}},
                                    {RouterId{1}, RouterId{9}},
                                    {RouterId{14}, RouterId{19}},
                                    {RouterId{15}, RouterId{23}}};
  for (const std::size_t bound : {std::size_t{19}, std::size_t{20}}) {
    const FlowAnswer none = solved(t, demands, {60.0, bound});
    EXPECT_TRUE(none.finished) << bound;
    EXPECT_FALSE(none.by_relaxation) << bound;
    EXPECT_TRUE(none.paths.empty()) << bound;
  }
  EXPECT_EQ(links_of(as_found(solved(t, demands, {60.0, 21}))), 20U);
}

/// Standard output is for results: `--json -` is to be JSON and nothing else.
TEST(FlowProgram, IsSolvedInSilence) {
  const Topology t = two_ways_and_one_across();
  testing::internal::CaptureStdout();
  const FlowAnswer answer = solved(t, {{RouterId{0}, RouterId{5}}, {RouterId{1}, RouterId{9}}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_FALSE(answer.by_relaxation) << "what searches could print, too";
}

TEST(FlowProgram, IsUnfinishedWhenItsTimeIsOver) {
  const Topology t = grid_of("mesh", 8, 8);
  Random random(1, "demands");
  const FlowAnswer answer = solved(t, random_demands(64, 60, random), {1e-6, 0});
  EXPECT_FALSE(answer.finished);
  EXPECT_TRUE(answer.paths.empty());
}

TEST(FlowProgram, WhatProgressThrowsComesOutOfTheSolver) {
  const Topology t = grid_of("mesh", 8, 8);
  Random random(1, "demands");
  std::size_t told = 0;
  const auto stop = [&](const char*, std::size_t, std::size_t) {
    if (++told == 100) throw std::runtime_error("broken off");
  };
  EXPECT_THROW(solved(t, random_demands(64, 60, random), {}, stop), std::runtime_error);
  EXPECT_EQ(told, 100U) << "nothing is told after that";
}

}  // namespace
}  // namespace braid::test::flow_program_test
