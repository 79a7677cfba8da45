// Every finder's paths are disjoint; the exact one's answer is that of trying everything.
#include "routing/paths/disjoint/disjoint_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "tb/tests/support/disjoint.h"

namespace braid::test::disjoint_finder_test {
namespace {

using namespace routing;

/// Tries all simple paths of all demands, except where those so far with the distances of the others are no better.
class Everything {
 public:
  Everything(const Topology& t, const std::vector<Demand>& demands)
      : channels_(t), demands_(demands), routers_(t.router_count()), taken_(channels_.count()) {
    left_.resize(demands.size() + 1);
    for (std::size_t d = demands.size(); d-- > 0;) {
      left_[d] = left_[d + 1] + t.distances_to(demands[d].to)[demands[d].from.value];
    }
    next_demand(0, 0);
  }
  std::optional<std::size_t> fewest() const { return fewest_; }

 private:
  void next_demand(std::size_t d, std::size_t links) {
    if (fewest_ && links + left_[d] >= *fewest_) return;
    if (d == demands_.size()) {
      fewest_ = links;
      return;
    }
    std::vector<bool> visited(routers_);
    step(d, demands_[d].from, links, visited);
  }
  void step(std::size_t d, RouterId here, std::size_t links, std::vector<bool>& visited) {
    if (here == demands_[d].to) {
      next_demand(d + 1, links);
      return;
    }
    visited[here.value] = true;
    for (std::size_t c = 0; c < channels_.count(); ++c) {
      if (channels_[c].from != here || taken_[c] || visited[channels_[c].to.value]) continue;
      taken_[c] = true;
      step(d, channels_[c].to, links + 1, visited);
      taken_[c] = false;
    }
    visited[here.value] = false;
  }

  const Channels channels_;
  const std::vector<Demand>& demands_;
  std::size_t routers_;
  std::vector<bool> taken_;
  std::vector<std::size_t> left_;  // [demand] links that it and those behind it take at least
  std::optional<std::size_t> fewest_;
};

/// Which finders found paths.
std::map<std::string, bool> ask_all(const Topology& t, const std::vector<Demand>& demands, const std::string& where) {
  std::map<std::string, bool> found;
  const DisjointPaths best = found_by("exact", t, demands);
  EXPECT_NE(best.answer, DisjointAnswer::kUnknown) << where;
  for (const std::string& name : searches()) {
    const DisjointPaths paths = found_by(name, t, demands);
    found[name] = paths.answer == DisjointAnswer::kFound;
    if (found[name]) expect_disjoint(t, demands, paths, where + ", " + name);
    EXPECT_LE(found[name], best.answer == DisjointAnswer::kFound) << where << ", " << name;
    if (found[name]) {
      EXPECT_GE(links_of(paths), links_of(best)) << where << ", " << name;
    }
  }
  return found;
}

struct Sample {
  std::uint32_t width, height;
  std::size_t most_demands;
  std::uint32_t sets;
};

class SmallMeshes : public testing::TestWithParam<Sample> {};

TEST_P(SmallMeshes, TheExactAnswerIsThatOfTryingEverything) {
  const Sample s = GetParam();
  const Topology t = grid_of("mesh", s.width, s.height);
  Random random(1, "demands");
  std::uint32_t possible = 0;
  std::map<std::string, std::uint32_t> proofs;
  for (std::uint32_t i = 0; i < s.sets; ++i) {
    const auto demands = random_demands(t.router_count(), 1 + random.below(s.most_demands), random);
    const std::optional<std::size_t> fewest = Everything(t, demands).fewest();
    const DisjointPaths exact = found_by("exact", t, demands);
    const std::string where = t.name + ", set " + std::to_string(i);
    ASSERT_EQ(exact.answer, fewest ? DisjointAnswer::kFound : DisjointAnswer::kNone) << where;
    EXPECT_FALSE(exact.proof.empty()) << where;
    ++proofs[exact.proof];
    EXPECT_EQ(exact.shortest, fewest.has_value()) << where;
    if (fewest) {
      EXPECT_EQ(links_of(exact), *fewest) << where;
    }
    possible += fewest ? 1 : 0;
    ask_all(t, demands, where);
  }
  EXPECT_GT(possible, s.sets / 5) << "the sample says too little";
  EXPECT_LT(possible, s.sets * 4 / 5) << "the sample says too little";
  EXPECT_GT(proofs["cut"], 0U);
  EXPECT_GT(proofs["distance"], 0U);
  EXPECT_GT(proofs["linear program"] + proofs["branch and bound"], 0U);
}
INSTANTIATE_TEST_SUITE_P(Meshes, SmallMeshes,
                         testing::Values(Sample{2, 2, 6, 200}, Sample{3, 2, 8, 200}, Sample{3, 3, 12, 150}));

TEST(DisjointFinders, OfTheSameDemandsBetterOnesFindMoreAndTheExactAll) {
  const Topology t = grid_of("mesh", 5, 5);
  Random random(2, "demands");
  std::map<std::string, std::uint32_t> found;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const auto demands = random_demands(t.router_count(), 8 + random.below(10), random);
    for (const auto& [name, yes] : ask_all(t, demands, "set " + std::to_string(i))) found[name] += yes ? 1 : 0;
  }
  // Nothing but the last of these holds of every set.
  EXPECT_LT(found["tentacle"], found["sequential"]);
  EXPECT_LT(found["sequential"], found["negotiated"]);
  EXPECT_LE(found["negotiated"], found["exact"]);
}

TEST(DisjointFinders, FindOnGraphsToriAndDoubledLinks) {
  Random random(3, "demands");
  const Topology doubled = graph_of(4, {{0, 1}, {0, 1}, {1, 2}, {2, 3}, {2, 3}, {3, 0}});
  for (const Topology& t : {grid_of("torus", 4, 3), doubled, ring_of(5)}) {
    for (std::size_t i = 0; i < 30; ++i) {
      ask_all(t, random_demands(t.router_count(), 1 + i / 5, random), t.name + ", set " + std::to_string(i));
    }
  }
}

/// Fractions of paths would do, paths do not. From a search over random graphs.
TEST(DisjointFinders, TheExactOneBranchesWhereTheLinearProgramDoesNotTell) {
  std::vector<std::pair<std::size_t, std::size_t>> links{{8, 1}, {5, 8}, {7, 8}, {4, 9}, {8, 7}};
  for (std::size_t r = 0; r < 12; ++r) links.emplace_back(r, (r + 1) % 12);
  const Topology t = graph_of(12, links);
  std::vector<Demand> demands;
  for (const auto& [from, to] : std::vector<std::pair<std::size_t, std::size_t>>{
           {3, 5}, {5, 6}, {7, 11}, {7, 5}, {10, 8}, {4, 8}, {5, 2}, {0, 4}}) {
    demands.push_back({RouterId{from}, RouterId{to}});
  }
  const DisjointPaths none = found_by("exact", t, demands);
  EXPECT_EQ(none.answer, DisjointAnswer::kNone);
  EXPECT_EQ(none.proof, "branch and bound");
  EXPECT_FALSE(Everything(t, demands).fewest());
  demands.pop_back();
  const DisjointPaths found = found_by("exact", t, demands);
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(links_of(found), Everything(t, demands).fewest());
}

TEST(DisjointFinders, PathsWithinARouterTakeNoChannel) {
  const Topology t = grid_of("mesh", 2, 2);
  const std::vector<Demand> demands{{RouterId{1}, RouterId{1}}, {RouterId{0}, RouterId{3}}, {RouterId{1}, RouterId{1}}};
  for (const std::string& name : searches()) {
    const DisjointPaths found = found_by(name, t, demands);
    ASSERT_EQ(found.answer, DisjointAnswer::kFound) << name;
    EXPECT_TRUE(found.paths[0].empty() && found.paths[2].empty()) << name;
    EXPECT_EQ(found.paths[1].size(), 2U) << name;
  }
}

TEST(DisjointFinders, FindNothingToDoForNoDemands) {
  const Topology t = grid_of("mesh", 2, 2);
  for (const std::string& name : searches()) {
    EXPECT_EQ(found_by(name, t, {}).answer, DisjointAnswer::kFound) << name;
  }
}

/// 0 -> 3 has two shortest ways and takes the one over 1; then nothing is left for 0 -> 1, as 3 -> 1 has its link.
TEST(DisjointFinders, ASecondOrderFindsWhatTheFirstBarred) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const std::vector<Demand> demands{{RouterId{3}, RouterId{1}}, {RouterId{0}, RouterId{3}}, {RouterId{0}, RouterId{1}}};
  const DisjointPaths found = found_by("sequential", t, demands);
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(links_of(found), 4U);
  EXPECT_EQ(found.tries, 2U) << "the shorter first";
  const DisjointPaths negotiated = found_by("negotiated", t, demands);
  EXPECT_EQ(negotiated.answer, DisjointAnswer::kFound);
  EXPECT_EQ(negotiated.tries, 2U) << "the first round ends with 0 -> 1 shared";
  Configuration one_order;
  one_order.set("disjoint.sequential_orders", 1);
  one_order.set("disjoint.tentacle_orders", 1);
  one_order.set("disjoint.negotiated_rounds", 1);
  for (const char* name : {"sequential", "negotiated", "tentacle"}) {
    const DisjointPaths once = found_by(name, t, demands, one_order);
    EXPECT_EQ(once.answer, DisjointAnswer::kUnknown) << name;
    EXPECT_EQ(once.tries, 1U) << name;
    EXPECT_TRUE(once.paths.empty()) << name;
  }
}

/// Rounds that negotiation takes for 40 sets of demands on a 4x4 mesh.
std::uint64_t rounds_with(const std::string& key, double value) {
  const Topology t = grid_of("mesh", 4, 4);
  Random random(7, "negotiation");
  Configuration c;
  c.set("disjoint.negotiated_rounds", 30);
  c.set(key, value);
  std::uint64_t rounds = 0;
  for (int i = 0; i < 40; ++i) rounds += found_by("negotiated", t, random_demands(16, 12, random), c).tries;
  return rounds;
}

TEST(DisjointFinders, WithoutMemoryOfWhatWasSharedNegotiationGoesOnForLonger) {
  EXPECT_GT(rounds_with("disjoint.history_gain", 0.0), rounds_with("disjoint.history_gain", 1.0));
}

TEST(DisjointFinders, ADearerSharedChannelChangesNegotiation) {
  EXPECT_NE(rounds_with("disjoint.present_growth", 1.0), rounds_with("disjoint.present_growth", 8.0));
}

TEST(DisjointFinders, AProgramWithoutTimeProvesNothing) {
  const Topology t = grid_of("mesh", 12, 12);
  Random random(1, "deadline");
  Configuration c;
  const std::vector<Demand> demands = random_demands(144, 20, random);
  EXPECT_TRUE(found_by("exact", t, demands, c).shortest);
  c.set("disjoint.exact_seconds", 0.001);
  const DisjointPaths hurried = found_by("exact", t, demands, c);
  EXPECT_EQ(hurried.answer, DisjointAnswer::kFound) << "by the others";
  EXPECT_FALSE(hurried.shortest);
}

/// docs/setup.md: a and b lie between s and d, too, but others have their links into d.
TEST(DisjointFinders, ATentacleBacktracksTwiceWhereTheRoutersDo) {
  const std::size_t a = 0, b = 1, c = 2, s = 3, d = 4;
  const Topology t = graph_of(5, {{a, s}, {b, s}, {c, s}, {a, d}, {b, d}, {c, d}});
  const DisjointPaths found =
      found_by("tentacle", t, {{RouterId{a}, RouterId{d}}, {RouterId{b}, RouterId{d}}, {RouterId{s}, RouterId{d}}});
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.backtracks, 2U);
  EXPECT_EQ(found.paths[2].size(), 2U);
  EXPECT_EQ(Channels(t)[found.paths[2].front()].to, RouterId{c});
}

TEST(DisjointFinders, ATentacleTakesMinimalDirectionsBeforeDetours) {
  const Topology t = grid_of("mesh", 3, 1);
  const DisjointPaths found = found_by("tentacle", t, {{RouterId{1}, RouterId{0}}});  // east is the lower port
  EXPECT_EQ(links_of(found), 1U);
  EXPECT_EQ(found.backtracks, 0U);
}

/// Two ways of equal length: the second demand sees the first's.
TEST(DisjointFinders, NegotiatedPaysForChannelsInUseInTheFirstRoundAlready) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const DisjointPaths found = found_by("negotiated", t, {{RouterId{0}, RouterId{3}}, {RouterId{0}, RouterId{3}}});
  EXPECT_EQ(found.answer, DisjointAnswer::kFound);
  EXPECT_EQ(found.tries, 1U);
  EXPECT_EQ(links_of(found), 4U);
}

TEST(DisjointFinders, GiveTheSameAnswerToTheSameSeed) {
  const Topology t = grid_of("mesh", 5, 5);
  Random random(4, "demands");
  const auto demands = random_demands(25, 20, random);
  for (const std::string& name : searches()) {
    const DisjointPaths one = found_by(name, t, demands), two = found_by(name, t, demands);
    EXPECT_EQ(one.paths, two.paths) << name;
    EXPECT_EQ(one.tries, two.tries) << name;
  }
}

TEST(DisjointFinders, TellAndAreBrokenOff) {
  const Topology t = grid_of("mesh", 6, 6);
  Random random(5, "demands");
  const auto demands = random_demands(36, 20, random);
  for (const std::string& name : searches()) {
    std::size_t told = 0;
    const auto count = [&](const char*, std::size_t, std::size_t) { ++told; };
    (void)found_by(name, t, demands, {}, count);
    ASSERT_GT(told, 0U) << name;
    for (const std::size_t bears : {std::size_t{1}, told}) {
      std::size_t left = bears;
      const auto stop = [&](const char*, std::size_t, std::size_t) {
        if (--left == 0) throw std::runtime_error("broken off");
      };
      EXPECT_THROW(found_by(name, t, demands, {}, stop), std::runtime_error) << name << ", " << bears;
    }
  }
}

}  // namespace
}  // namespace braid::test::disjoint_finder_test
