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
