// The structure of diamond rings: the paper's statements and closed forms for every number of positions and arity.
#include "traffic/broadcast/diamond_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/sanitized.h"
#include "traffic/broadcast/broadcast_scheme.h"
#include "traffic/broadcast/broadcast_station.h"

namespace braid::test::diamond_ring_test {
namespace {

using namespace traffic;
using Ints = std::vector<std::uint32_t>;
using Role = DiamondRing::Role;

std::unique_ptr<BroadcastScheme> scheme(const char* name, std::uint32_t positions, std::uint32_t arity,
                                        bool companion = false, bool merge = false, const char* how = nullptr) {
  Configuration c;
  c.set("broadcast.arity", arity);
  if (std::string(name) == "diamond_ring") {
    c.set("broadcast.companion", companion);
    c.set("broadcast.merge_parallel", merge);
    if (how != nullptr) c.set("broadcast.contamination", std::string(how));
  }
  return BroadcastSchemeRegistry::instance().make(name, {positions, routing::Topology{}, NodeId{0}, c});
}

TEST(DiamondRing, OfNinePositionsIsThePureOneOfFigure1) {
  const DiamondRing ring(9, 2);
  EXPECT_EQ(ring.level(), 2U);
  EXPECT_EQ(ring.contamination(), 0);
  EXPECT_EQ(ring.successors(0), (Ints{8, 7}));
  EXPECT_EQ(ring.successors(8), (Ints{6, 5}));
  EXPECT_EQ(ring.successors(7), (Ints{4, 3}));
  for (const std::uint32_t centre : {3U, 4U, 5U, 6U}) {
    EXPECT_EQ(ring.role(centre), Role::kCentre);
    EXPECT_EQ(ring.successors(centre), (Ints{(centre - 1) / 2}));
  }
  EXPECT_EQ(ring.successors(2), (Ints{0}));
  EXPECT_EQ(ring.successors(1), (Ints{0}));
}

TEST(DiamondRing, OneMoreMakesAChainOfTwo) {
  const DiamondRing ring(10, 2);
  EXPECT_EQ(ring.contamination(), 1);
  EXPECT_EQ(ring.successors(9), (Ints{7, 6}));
  EXPECT_EQ(ring.successors(8), (Ints{5, 4}));
  EXPECT_EQ(ring.successors(4), (Ints{3}));  // the one that the root reaches last
  EXPECT_EQ(ring.successors(3), (Ints{1}));
  EXPECT_EQ(ring.successors(5), (Ints{1}));
  EXPECT_EQ(ring.successors(6), (Ints{2}));
  EXPECT_EQ(ring.successors(7), (Ints{2}));
}

/// As drawn in docs/diamond-rings.md: the chains that the root reaches last are those of two.
TEST(DiamondRing, OfTwelvePositionsTheThreeLastChainsHaveTwo) {
  const DiamondRing ring(12, 2);
  EXPECT_EQ(ring.contamination(), 3);
  const std::vector<Ints> drawn{{11, 10}, {0}, {0}, {1}, {1}, {2}, {3}, {4}, {5}, {2}, {7, 6}, {9, 8}};
  for (std::uint32_t p = 0; p < 12; ++p) EXPECT_EQ(ring.successors(p), drawn[p]) << p;
}

TEST(DiamondRing, TwoFewerLinkAScatterPositionTwiceToAGatherPosition) {
  const DiamondRing ring(7, 2);
  EXPECT_EQ(ring.contamination(), -2);
  EXPECT_EQ(ring.successors(6), (Ints{4, 3}));
  EXPECT_EQ(ring.successors(5), (Ints{1, 1}));
  EXPECT_EQ(scheme("diamond_ring", 7, 2)->parts()[1].heard, (Ints{5, 5}));
  EXPECT_EQ(scheme("diamond_ring", 7, 2, false, true)->parts()[1].heard, (Ints{5}));
}

TEST(DiamondRing, ThirteenPositionsFillLevelTwoAndFourteenJumpToLevelThree) {
  EXPECT_EQ(DiamondRing(13, 2).level(), 2U);
  EXPECT_EQ(DiamondRing(13, 2).contamination(), 4);
  EXPECT_EQ(DiamondRing(14, 2).level(), 3U);
  EXPECT_EQ(DiamondRing(14, 2).contamination(), -7);
}

TEST(DiamondRing, EightyOfArityThreeHaveOnePositionInTheCentre) {
  const DiamondRing ring(80, 3);
  EXPECT_EQ(ring.level(), 4U);
  EXPECT_EQ(ring.contamination(), -80);
  std::uint32_t centres = 0;
  for (std::uint32_t p = 0; p < 80; ++p) centres += ring.role(p) == Role::kCentre ? 1 : 0;
  EXPECT_EQ(centres, 1U);
}

TEST(DiamondRing, OfArityOneIsARing) {
  for (const std::uint32_t n : {2U, 3U, 4U, 5U, 100U, 101U}) {
    const DiamondRing ring(n, 1);
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(ring.successors(at).size(), 1U);
      at = ring.successors(at)[0];
      EXPECT_EQ(at == 0, i + 1 == n) << n;
    }
  }
}

/// Section 3 for every number of positions. What one broadcast does is followed message by message.
class EveryDiamondRing : public testing::TestWithParam<std::uint32_t> {};

std::uint32_t most_positions() { return kSanitized ? 256 : 4096; }

/// What the positions' own statements add up to.
struct Shape {
  std::vector<std::uint32_t> in, out, first, last;  // [position]; messages since the start
  std::uint64_t messages = 0;
  bool closed = true;  // every position was reached, once all it hears had told it
};

Shape shape_of(const DiamondRing& ring) {
  const std::uint32_t n = ring.positions();
  Shape s{Ints(n), Ints(n), Ints(n), Ints(n)};
  std::vector<Ints> told(n);
  for (std::uint32_t p = 0; p < n; ++p) {
    told[p] = ring.successors(p);
    for (const std::uint32_t to : told[p]) {
      if (to == p) continue;  // the root's link to itself
      ++s.in[to];
      ++s.out[p];
      ++s.messages;
    }
  }
  Ints missing = s.in, order{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t p = order[i];
    for (const std::uint32_t to : told[p]) {
      if (to == p) continue;
      const std::uint32_t at = (p == 0 ? 0 : s.last[p]) + 1;
      s.last[to] = std::max(s.last[to], at);
      if (--missing[to] == 0 && to != 0) order.push_back(to);
    }
  }
  s.closed = order.size() == n && (n == 1 || missing[0] == 0);
  return s;
}

/// In and out, parallel links counted.
std::pair<std::uint32_t, std::uint32_t> degrees_of(Role role, std::uint32_t k) {
  return {role == Role::kGather ? k : 1, role == Role::kScatter ? k : 1};
}

TEST_P(EveryDiamondRing, ReachesAllAndComesBackInThePathAndMessagesOfItsClosedForms) {
  const std::uint32_t k = GetParam();
  for (std::uint32_t n = 2; n <= most_positions(); ++n) {
    const DiamondRing ring(n, k);
    std::uint64_t side = 0, chains = 1;
    for (std::uint32_t l = 0; l < ring.level(); ++l) {
      if (l > 0) side += chains;
      chains *= k;
    }
    const auto c = ring.contamination();
    ASSERT_EQ(static_cast<std::int64_t>(n), static_cast<std::int64_t>(1 + 2 * side + chains) + c);
    ASSERT_LE(c, static_cast<std::int64_t>(chains));
    ASSERT_GT(c, -static_cast<std::int64_t>(chains));
    const Shape s = shape_of(ring);
    ASSERT_TRUE(s.closed) << n;
    const bool self = ring.level() == 1 && c < 0;
    ASSERT_EQ(s.messages, self ? 2 * (n - 1) : n - 1 + chains) << n;
    ASSERT_EQ(s.last[0], 2 * ring.level() + (c > 0 ? 1 : 0)) << n;
    for (std::uint32_t p = 1; p < n; ++p) {
      ASSERT_LE(s.in[p] + s.out[p], k + 1) << n << " " << p;
      ASSERT_EQ(std::make_pair(s.in[p], s.out[p]), degrees_of(ring.role(p), k)) << n << " " << p;
    }
    if (!self) {
      ASSERT_TRUE(s.in[0] == k && s.out[0] == k) << n;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Arities, EveryDiamondRing, testing::Range(1U, 9U));

// ---------------------------------------------------------------- further positions only

const auto kAdd = DiamondRing::Contamination::kAdd;

/// By hand: V(2) = 9, so 20 are 11 too many (level 3 begins at 21): two rows of four, and three chains with a fourth
/// position. Chain 1, side + 1, is the one that the root reaches last.
TEST(AddingDiamondRing, OfTwentyPositionsHasChainsOfFourAndThree) {
  const DiamondRing ring(20, 2, kAdd);
  EXPECT_EQ(ring.level(), 2U);
  EXPECT_EQ(ring.contamination(), 11);
  EXPECT_EQ(ring.successors(0), (Ints{19, 18}));
  EXPECT_EQ(ring.successors(19), (Ints{17, 16}));
  EXPECT_EQ(ring.successors(18), (Ints{15, 14}));
  const std::vector<Ints> chains{{17, 13, 9, 2}, {16, 12, 8, 5, 2}, {15, 11, 7, 4, 1}, {14, 10, 6, 3, 1}};
  for (const Ints& chain : chains) {
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) EXPECT_EQ(ring.successors(chain[i]), (Ints{chain[i + 1]}));
  }
}

TEST(AddingDiamondRing, IsTheOtherOneWhereThatAddsToo) {
  for (std::uint32_t k = 1; k <= 5; ++k) {
    for (std::uint32_t n = 1; n <= 300; ++n) {
      const DiamondRing other(n, k), adding(n, k, kAdd);
      const bool same = other.contamination() >= 0 || other.level() <= 1;
      EXPECT_EQ(adding.level(), same ? other.level() : other.level() - 1) << n << " " << k;
      for (std::uint32_t p = 0; same && p < n; ++p)
        EXPECT_EQ(adding.successors(p), other.successors(p)) << n << " " << k;
    }
  }
}

/// No parallel edges, n - 1 + k^l messages, and a path longer by the rows that were added.
TEST_P(EveryDiamondRing, ThatOnlyAddsHasNoParallelEdgesAndThePathOfItsRows) {
  const std::uint32_t k = GetParam();
  for (std::uint32_t n = k + 1; n <= most_positions(); ++n) {
    const DiamondRing ring(n, k, kAdd);
    std::int64_t chains = 1;
    for (std::uint32_t l = 0; l < ring.level(); ++l) chains *= k;
    ASSERT_GE(ring.contamination(), 0) << n;
    ASSERT_LT(ring.contamination(), chains + chains * k) << n;  // else the next level would fit
    const Shape s = shape_of(ring);
    ASSERT_TRUE(s.closed) << n;
    ASSERT_EQ(s.messages, n - 1 + static_cast<std::uint64_t>(chains)) << n;
    ASSERT_EQ(s.last[0], 2 * ring.level() + (ring.contamination() + chains - 1) / chains) << n;
    for (std::uint32_t p = 0; p < n; ++p) {
      Ints told = ring.successors(p);
      std::sort(told.begin(), told.end());
      ASSERT_TRUE(std::adjacent_find(told.begin(), told.end()) == told.end()) << n << " " << p;
      if (p > 0) {
        ASSERT_EQ(std::make_pair(s.in[p], s.out[p]), degrees_of(ring.role(p), k)) << n << " " << p;
      }
    }
  }
}

TEST(AddingDiamondRing, IsChosenByItsKey) {
  EXPECT_EQ(message_count(scheme("diamond_ring", 72, 2)->parts()), 103U);
  EXPECT_EQ(message_count(scheme("diamond_ring", 72, 2, false, false, "add")->parts()), 87U);
  EXPECT_EQ(longest_path(scheme("diamond_ring", 72, 2, false, false, "add")->parts()), 10U);
  EXPECT_EQ(longest_path(scheme("diamond_ring", 72, 4)->parts()), 6U);
  EXPECT_EQ(longest_path(scheme("diamond_ring", 72, 4, false, false, "add")->parts()), 7U);
}

TEST(DiamondRing, CompanionTakesOverWhatTheRootHears) {
  for (std::uint32_t n = 2; n <= 60; ++n) {
    for (std::uint32_t k = 1; k <= 4; ++k) {
      const auto plain = scheme("diamond_ring", n, k);
      const auto ring = scheme("diamond_ring", n + 1, k, true);
      EXPECT_EQ(ring->parts()[0].heard, (Ints{n})) << n << " " << k;
      EXPECT_EQ(ring->parts()[n].told_when_done, (Ints{0}));
      EXPECT_EQ(ring->parts()[n].role, "companion");
      EXPECT_EQ(longest_path(ring->parts()), longest_path(plain->parts()) + 1) << n << " " << k;
      EXPECT_EQ(message_count(ring->parts()), message_count(plain->parts()) + (n == 1 ? 2 : 1)) << n << " " << k;
    }
  }
}

TEST(BroadcastScheme, PathsAndMessagesOfTreesRingsAndUnicasts) {
  for (std::uint32_t n = 1; n <= 200; ++n) {
    for (std::uint32_t k = 1; k <= 6; ++k) {
      const auto tree = scheme("balanced_tree", n, k);
      std::uint32_t height = 0;
      for (std::uint64_t below = 1, level = 1; below < n; below += level *= k) ++height;
      EXPECT_EQ(message_count(tree->parts()), 2 * (n - 1));
      EXPECT_EQ(longest_path(tree->parts()), 2 * height) << n << " " << k;
      const DiamondRing ring(n, k);
      EXPECT_EQ(longest_path(scheme("diamond_ring", n, k)->parts()),
                n == 1 ? 0 : 2 * ring.level() + (ring.contamination() > 0 ? 1 : 0));
    }
    const auto direct =
        BroadcastSchemeRegistry::instance().make("unicast", {n, routing::Topology{}, NodeId{0}, Configuration{}});
    EXPECT_EQ(message_count(direct->parts()), 2 * (n - 1));
    EXPECT_EQ(longest_path(direct->parts()), n == 1 ? 0 : 2);
  }
}

TEST(BroadcastScheme, DiamondRingsSaveTwoHopsOverTreesOnlyWherePure) {
  if (kBrief) GTEST_SKIP() << kLong;
  std::map<std::uint32_t, int> saved;
  for (std::uint32_t k = 2; k <= 8; ++k) {
    for (std::uint32_t n = 2; n <= 1024; ++n) {
      const DiamondRing ring(n, k);
      const auto hops =
          longest_path(scheme("balanced_tree", n, k)->parts()) - longest_path(scheme("diamond_ring", n, k)->parts());
      ++saved[hops];
      if (ring.contamination() == 0 && ring.level() >= 2) {
        EXPECT_EQ(hops, 2U) << n << " " << k;
      }
    }
  }
  EXPECT_EQ(saved.size(), 3U);  // 0, 1 and 2 all happen: section 3.3's "exactly two" holds for pure rings
  EXPECT_EQ(saved.count(0) + saved.count(1) + saved.count(2), 3U);
}

/// Carries out what stations ask for, messages in the order of a random bag or first in, first out.
struct Carrier {
  Carrier(const BroadcastScheme& s, bool sequenced, bool reorder) : scheme(s), reordered(reorder) {
    for (std::uint32_t p = 0; p < s.parts().size(); ++p) stations.emplace_back(p, s.parts()[p], sequenced);
    handled.resize(s.parts().size());
  }
  void apply(std::uint32_t position, const BroadcastStation::Steps& steps) {
    for (const auto& step : steps) {
      using Kind = BroadcastStation::Step::Kind;
      if (step.kind == Kind::kTell) messages.push_back({step.broadcast, position, step.other});
      if (step.kind == Kind::kAgain) apply(position, stations[position].hear_again(step.broadcast, step.other));
      if (step.kind == Kind::kComplete) completed.push_back(step.broadcast);
      if (step.kind != Kind::kHandle) continue;
      handled[position].push_back(step.broadcast);
      pending.push_back({step.broadcast, position, position});
    }
  }
  void run() {
    while (!messages.empty() || !pending.empty()) {
      auto& from = !pending.empty() && (messages.empty() || random.below(2) == 0) ? pending : messages;
      const std::size_t i = reordered ? random.below(from.size()) : 0;
      const Message m = from[i];
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
      apply(m.to, &from == &pending ? stations[m.to].handled(m.broadcast) : stations[m.to].hear(m.broadcast, m.from));
    }
  }
  struct Message {
    std::uint32_t broadcast, from, to;
  };
  const BroadcastScheme& scheme;
  bool reordered;
  Random random{5};
  std::vector<BroadcastStation> stations;
  std::vector<Ints> handled;  // [position] broadcasts in the order of their events
  std::vector<Message> messages, pending;
  Ints completed;
};

TEST(BroadcastStation, EveryBroadcastIsHandledOnceByAllAndCompletedOnce) {
  for (const bool sequenced : {false, true}) {
    for (const char* name : {"diamond_ring", "balanced_tree"}) {
      for (std::uint32_t n = 1; n <= 40; n += 3) {
        const auto s = scheme(name, n, 1 + n % 4);
        Carrier carrier(*s, sequenced, true);
        for (std::uint32_t b = 0; b < 12; ++b) carrier.apply(0, carrier.stations[0].begin(b));
        carrier.run();
        EXPECT_EQ(std::set<std::uint32_t>(carrier.completed.begin(), carrier.completed.end()).size(), 12U);
        EXPECT_EQ(carrier.completed.size(), 12U);
        for (const Ints& handled : carrier.handled) {
          EXPECT_EQ(handled.size(), 12U);
          EXPECT_EQ(std::set<std::uint32_t>(handled.begin(), handled.end()).size(), 12U);
        }
        for (const auto& station : carrier.stations) EXPECT_EQ(station.under_way(), 0U);
      }
    }
  }
}

TEST(BroadcastStation, SequencedHandlesInOrderWhatARandomCarrierBringsOutOfOrder) {
  const auto s = scheme("diamond_ring", 22, 2);
  for (const bool sequenced : {false, true}) {
    Carrier carrier(*s, sequenced, true);
    for (std::uint32_t b = 0; b < 20; ++b) carrier.apply(0, carrier.stations[0].begin(b));
    carrier.run();
    std::size_t unordered = 0;
    for (const Ints& handled : carrier.handled) unordered += std::is_sorted(handled.begin(), handled.end()) ? 0 : 1;
    EXPECT_EQ(unordered == 0, sequenced) << unordered;
  }
}

std::string refusal(BroadcastStation& station, std::uint32_t broadcast, std::uint32_t from) {
  return complaint<BroadcastError>([&] { station.hear(broadcast, from); });
}

TEST(BroadcastStation, RefusesWhatNoBroadcastCanBringByName) {
  const auto s = scheme("diamond_ring", 9, 2);
  BroadcastStation gather(1, s->parts()[1], false);
  EXPECT_EQ(refusal(gather, 7, 3), "");
  EXPECT_EQ(refusal(gather, 7, 3), "position 1 (gather) was told of broadcast 7 by position 3, once more");
  EXPECT_EQ(refusal(gather, 7, 5), "position 1 (gather) was told of broadcast 7 by position 5, whom it does not hear");
  EXPECT_EQ(refusal(gather, 7, 4), "");
  EXPECT_FALSE(gather.progress(7).done);
  EXPECT_EQ(gather.handled(7).size(), 2U);
  EXPECT_TRUE(gather.progress(7).done);
  EXPECT_EQ(refusal(gather, 7, 4),
            "position 1 (gather) was told of broadcast 7 by position 4, after it was done with it");
  BroadcastStation root(0, s->parts()[0], false);
  EXPECT_EQ(refusal(root, 0, 1), "position 0 (root) was told of broadcast 0 by position 1, before it began");
}

TEST(BroadcastStation, GatherHandlesWithTheFirstMessageAndTellsAfterTheLast) {
  using Kind = BroadcastStation::Step::Kind;
  const auto s = scheme("diamond_ring", 9, 2);
  BroadcastStation gather(1, s->parts()[1], false);
  auto steps = gather.hear(0, 4);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].kind, Kind::kHandle);
  EXPECT_TRUE(gather.handled(0).empty());
  steps = gather.hear(0, 3);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].kind, Kind::kTell);
  EXPECT_EQ(steps[0].other, 0U);
  EXPECT_EQ(steps[1].kind, Kind::kDone);
}

TEST(BroadcastStation, TreeTellsItsChildrenBeforeItHandlesARingItsSuccessorsAfter) {
  using Kind = BroadcastStation::Step::Kind;
  const auto tree = scheme("balanced_tree", 7, 2);
  BroadcastStation inner(1, tree->parts()[1], false);
  auto steps = inner.hear(0, 0);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].kind, Kind::kTell);
  EXPECT_EQ(steps[2].kind, Kind::kHandle);
  const auto ring = scheme("diamond_ring", 9, 2);
  BroadcastStation scatter(8, ring->parts()[8], false);
  steps = scatter.hear(0, 0);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].kind, Kind::kHandle);
  EXPECT_EQ(scatter.handled(0).size(), 3U);
}

}  // namespace
}  // namespace braid::test::diamond_ring_test
