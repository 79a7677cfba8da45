// The deadlock check on rules made by hand: what must be refused, which channels are named, and the one change that
// makes each good.
#include <gtest/gtest.h>

#include "routing/analysis/channel_dependency.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::deadlock_refusal_test {
namespace {

using namespace routing;

constexpr VcMask kVc0 = 1, kVc1 = 2, kVc2 = 4, kVc3 = 8;

/// Clockwise on ring_of(n): from router r to r + 1.
PortId clockwise(const Topology& t, RouterId r, std::size_t ring) {
  return port_to(t, r, RouterId{(r.value + 1) % ring});
}
bool injected(const Topology& t, const RouteQuery& q) { return t.port(q.router, q.in_port).kind == PortKind::kLocal; }

std::string refusal(const Topology& t, const RoutingAlgorithm& algorithm, std::uint32_t vcs) {
  return complaint([&] { check_deadlock_free(t, algorithm, vcs); });
}

/// Every packet clockwise on one VC: each link waits for the next one.
TEST(DeadlockRefusal, RingWithoutDatelineIsRefusedAndItsThreeChannelsNamedInOrder) {
  const Topology ring = ring_of(3);
  const Scripted algorithm(
      ring, 1, {}, [&](const RouteQuery& q, CandidateList& out) { out.add(clockwise(ring, q.router, 3), kVc0); });
  EXPECT_EQ(ChannelDependencyGraph(ring, algorithm, 1).find_cycle(),
            (std::vector<std::string>{"(r0)->to_r1 vc 0", "(r1)->to_r2 vc 0", "(r2)->to_r0 vc 0"}));
  EXPECT_EQ(refusal(ring, algorithm, 1),
            "this routing can deadlock on a graph: channels wait for each other in a cycle: (r0)->to_r1 vc 0 waits for "
            "(r1)->to_r2 vc 0 waits for (r2)->to_r0 vc 0 waits for (r0)->to_r1 vc 0");
}

/// The same with a dateline between r2 and r0: VC 1 while that link is ahead, VC 0 from then on.
TEST(DeadlockRefusal, RingWithDatelineIsAccepted) {
  const Topology ring = ring_of(3);
  const Scripted algorithm(ring, 2, {}, [&](const RouteQuery& q, CandidateList& out) {
    out.add(clockwise(ring, q.router, 3), q.router.value > q.destination.value ? kVc1 : kVc0);
  });
  EXPECT_EQ(refusal(ring, algorithm, 2), "");
}

/// Every packet clockwise, past its node to the end of one more round: VC 0 on the way there, VC 1 behind.
class OnceMoreRound final : public RoutingAlgorithm {
 public:
  explicit OnceMoreRound(const Topology& ring) : RoutingAlgorithm(2), ring_(ring) {}
  std::size_t max_candidates() const override { return 1; }
  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const bool there = ring_.router_of(q.destination) == q.router, comes = !injected(ring_, q);
    const bool has_been = comes && q.in_vc.value == 1;
    if (there && (has_been || !comes)) return out.add(ring_.nodes[q.destination.value].front().port, all_vcs_);
    out.add(clockwise(ring_, q.router, 3), has_been || there ? kVc1 : kVc0);
  }

 private:
  const Topology& ring_;
};

/// Nodes at r0 and r1 only. On the way to them nothing closes the ring; behind them, on VC 1, everything does.
TEST(DeadlockRefusal, SeesWhatPacketsWaitForBehindTheirDestinationsRouter) {
  const Topology ring = ring_of(3, 0, 2);
  EXPECT_EQ(ChannelDependencyGraph(ring, OnceMoreRound(ring), 2).find_cycle(),
            (std::vector<std::string>{"(r1)->to_r2 vc 1", "(r2)->to_r0 vc 1", "(r0)->to_r1 vc 1"}));
}

/// r0 hangs on a ring r1, r2, r3: its link leads into the cycle and is no part of it.
TEST(DeadlockRefusal, NamesTheCycleWithoutTheWayIntoIt) {
  const Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 1}});
  const Scripted algorithm(t, 1, {}, [&](const RouteQuery& q, CandidateList& out) {
    const std::size_t here = q.router.value;
    const bool out_of_ring = q.destination.value == 0 && here == 1;
    out.add(port_to(t, q.router, RouterId{here == 0 || out_of_ring ? 1 - here : here % 3 + 1}), kVc0);
  });
  EXPECT_EQ(ChannelDependencyGraph(t, algorithm, 1).find_cycle(),
            (std::vector<std::string>{"(r1)->to_r2 vc 0", "(r2)->to_r3 vc 0", "(r3)->to_r1 vc 0"}));
}

class LongCycle : public testing::TestWithParam<std::size_t> {};

/// Six channels are named; from seven on the rest is counted.
TEST_P(LongCycle, NamesSixChannelsAndCountsTheOthers) {
  const std::size_t routers = GetParam();
  const Topology ring = ring_of(routers);
  const Scripted algorithm(
      ring, 1, {}, [&](const RouteQuery& q, CandidateList& out) { out.add(clockwise(ring, q.router, routers), kVc0); });
  std::string expected = "this routing can deadlock on a graph: channels wait for each other in a cycle: ";
  for (std::size_t r = 0; r < 6; ++r) {
    expected += "(r" + std::to_string(r) + ")->to_r" + std::to_string((r + 1) % routers) + " vc 0 waits for ";
  }
  if (routers > 6) expected += "… (" + std::to_string(routers - 6) + " more) waits for ";
  EXPECT_EQ(refusal(ring, algorithm, 1), expected + "(r0)->to_r1 vc 0");
}
INSTANTIATE_TEST_SUITE_P(Rings, LongCycle, testing::Values(6U, 7U, 8U));

/// Clockwise on a ring of four; hop h of a run of escape hops takes escape VC h, so direct dependencies only go up. An
/// adaptive hop (VC 3) lets the run begin anew at VC 0: r0's VC 0, adaptive over r1, r2's VC 0, adaptive over r3, and
/// round (Duato's indirect dependency). `back` false: the adaptive VC is only for packets that never escaped.
Scripted runs_of_escape_hops(const Topology& ring, bool back) {
  return {ring, 4, {kVc0 | kVc1 | kVc2, false, false}, [&ring, back](const RouteQuery& q, CandidateList& out) {
            const PortId port = clockwise(ring, q.router, 4);
            const bool anew = injected(ring, q) || q.in_vc.value == 3;
            if (anew || back) out.add(port, kVc3, 1);
            out.add(port, anew ? kVc0 : kVc0 << (q.in_vc.value + 1));
          }};
}

TEST(DeadlockRefusal, IndirectDependencyThroughAnAdaptiveChannelIsRefused) {
  const Topology ring = ring_of(4);
  const Scripted algorithm = runs_of_escape_hops(ring, true);
  EXPECT_EQ(refusal(ring, algorithm, 4),
            "this routing can deadlock on a graph: escape channels wait for each other in a cycle: (r0)->to_r1 vc 0 "
            "waits for (r2)->to_r3 vc 0 waits for (r0)->to_r1 vc 0");
}

TEST(DeadlockRefusal, TheSameIsAcceptedIfNoPacketLeavesTheEscape) {
  const Topology ring = ring_of(4);
  const Scripted algorithm = runs_of_escape_hops(ring, false);
  EXPECT_EQ(refusal(ring, algorithm, 4), "");
}

/// channel_dependency.h: indirect dependencies "followed up to 1024 routers; beyond, direct ones only".
TEST(DeadlockRefusal, IndirectDependenciesAreFollowedWith1024RoutersNotWith1025) {
  const Topology most = ring_of(4, 1020, 4), more = ring_of(4, 1021, 4);
  const Scripted followed = runs_of_escape_hops(most, true), not_followed = runs_of_escape_hops(more, true);
  EXPECT_NE(refusal(most, followed, 4), "");
  EXPECT_EQ(refusal(more, not_followed, 4), "");
}

/// A line of three; packets to node 2 that came to r1 from r0 get the escape VC 0 only if `escape`.
Scripted line(const Topology& t, bool escape) {
  return {t, 2, {kVc0, false, false}, [&t, escape](const RouteQuery& q, CandidateList& out) {
            const bool up = q.destination.value > q.router.value;
            const PortId port = port_to(t, q.router, RouterId{q.router.value + (up ? 1U : ~0U)});
            const bool without = up && q.router.value == 1 && !injected(t, q) && !escape;
            out.add(port, without ? kVc1 : kVc0 | kVc1);
          }};
}

TEST(DeadlockRefusal, StateWithoutEscapeIsRefusedByName) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}});
  const Scripted algorithm = line(t, false);
  EXPECT_EQ(refusal(t, algorithm, 2),
            "this routing can deadlock: no escape channel is offered at router r1, packet from node 0 to node 2");
}

TEST(DeadlockRefusal, TheSameWithTheEscapeOfferedIsAccepted) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}});
  const Scripted algorithm = line(t, true);
  EXPECT_EQ(refusal(t, algorithm, 2), "");
}

/// After three destinations the circle is closed; the first look is after those numbered 0 to 64.
TEST(DeadlockRefusal, StopsWhereACycleIsSeen) {
  const Topology ring = ring_of(2000);
  const Scripted algorithm(
      ring, 1, {}, [&](const RouteQuery& q, CandidateList& out) { out.add(clockwise(ring, q.router, 2000), kVc0); });
  std::vector<std::size_t> told;
  EXPECT_THROW(check_deadlock_free(ring, algorithm, 1,
                                   [&](const char* counts, std::size_t done, std::size_t all) {
                                     EXPECT_STREQ(counts, "destination");
                                     EXPECT_EQ(all, 2000U);
                                     told.push_back(done);
                                   }),
               InputError);
  EXPECT_EQ(told.size(), 65U);
}

/// The same circle, but packets to nodes below 100 go along the row r0 to r499, which closes none: the second look,
/// after twice as many destinations, sees it.
TEST(DeadlockRefusal, LooksForCyclesAgainAfterTwiceAsMany) {
  const Topology ring = ring_of(500);
  const Scripted algorithm(ring, 1, {}, [&](const RouteQuery& q, CandidateList& out) {
    const bool down = q.destination.value < 100 && q.destination.value < q.router.value;
    out.add(down ? port_to(ring, q.router, RouterId{q.router.value - 1}) : clockwise(ring, q.router, 500), kVc0);
  });
  std::size_t told = 0;
  EXPECT_THROW(check_deadlock_free(ring, algorithm, 1, [&](const char*, std::size_t, std::size_t) { ++told; }),
               InputError);
  EXPECT_EQ(told, 129U);
}

TEST(DeadlockRefusal, TellsOfEveryDestinationAndMayBeBrokenOff) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}});
  const Scripted algorithm = line(t, true);
  std::vector<std::size_t> told;
  check_deadlock_free(t, algorithm, 2, [&](const char*, std::size_t done, std::size_t) { told.push_back(done); });
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_THROW(
      check_deadlock_free(t, algorithm, 2, [](const char*, std::size_t, std::size_t) { throw std::runtime_error(""); }),
      std::runtime_error);
}

/// Without a claim of escape VCs, the adaptive ones count too.
TEST(DeadlockRefusal, ACycleOfAdaptiveChannelsIsFineOnlyBesideAnEscape) {
  const Topology ring = ring_of(3);
  const auto rule = [&](const RouteQuery& q, CandidateList& out) {
    const PortId port = clockwise(ring, q.router, 3);
    out.add(port, kVc2, 1);
    out.add(port, q.router.value > q.destination.value ? kVc1 : kVc0);
  };
  EXPECT_EQ(refusal(ring, Scripted(ring, 3, {kVc0 | kVc1, false, false}, rule), 3), "");
  EXPECT_NE(refusal(ring, Scripted(ring, 3, {}, rule), 3).find("(r0)->to_r1 vc 2 waits for (r1)->to_r2 vc 2"),
            std::string::npos);
}

/// East round the rings of a torus, then north, all on one VC: in a ring the port number stays, which the bubble
/// covers.
TEST(DeadlockRefusal, BubbleCoversRingsOfOnePortNumber) {
  const Topology torus = grid_of("torus", 3, 3);
  const Grid& grid = *torus.grid;
  const auto rule = [&](const RouteQuery& q, CandidateList& out) {
    out.add(grid.x(q.router) == grid.x(RouterId{q.destination.value}) ? kNorth : kEast, kVc0);
  };
  EXPECT_EQ(refusal(torus, Scripted(torus, 1, {0, false, true}, rule), 1), "");
  EXPECT_EQ(refusal(torus, Scripted(torus, 1, {}, rule), 1),
            "this routing can deadlock on torus 3x3: channels wait for each other in a cycle: (0,0)->east vc 0 waits "
            "for (1,0)->east vc 0 waits for (2,0)->east vc 0 waits for (0,0)->east vc 0");
}

/// Round a 2x2 mesh by east, north, west, south: four turns, no ring of one port number, so no bubble helps. X first
/// on the same mesh has no such cycle.
TEST(DeadlockRefusal, BubbleDoesNotCoverACycleOfTurns) {
  const Topology mesh = grid_of("mesh", 2, 2);
  const Scripted round(mesh, 1, {0, false, true}, [](const RouteQuery& q, CandidateList& out) {
    constexpr PortId kNext[] = {kEast, kNorth, kSouth, kWest};  // of (0,0), (1,0), (0,1), (1,1)
    out.add(kNext[q.router.value], kVc0);
  });
  EXPECT_EQ(
      refusal(mesh, round, 1),
      "this routing can deadlock on mesh 2x2: channels wait for each other in a cycle: (0,0)->east vc 0 waits for "
      "(1,0)->north vc 0 waits for (1,1)->west vc 0 waits for (0,1)->south vc 0 waits for (0,0)->east vc 0");
  const Scripted x_first(mesh, 1, {0, false, true}, [](const RouteQuery& q, CandidateList& out) {
    const std::uint32_t here = q.router.value, to = q.destination.value;
    const bool x = here % 2 != to % 2;
    out.add(x ? (to % 2 == 1 ? kEast : kWest) : (to > here ? kNorth : kSouth), kVc0);
  });
  EXPECT_EQ(refusal(mesh, x_first, 1), "");
}

/// Injected on VC 0; in transit packets of `stay` keep VC 0, others change to VC 1. Those of 1 and 3 close the ring on
/// VC 0, but a packet of 0 reaches r1 first on the same channel: only pair by pair is the cycle seen.
Scripted by_source(const Topology& ring, const std::vector<std::uint32_t>& stay) {
  return {ring, 2, {0, true, false}, [&ring, stay](const RouteQuery& q, CandidateList& out) {
            const bool stays = std::find(stay.begin(), stay.end(), q.source.value) != stay.end();
            out.add(clockwise(ring, q.router, 4), injected(ring, q) || stays ? kVc0 : kVc1);
          }};
}

TEST(DeadlockRefusal, RoutesThatDependOnTheSourceAreFollowedPairByPair) {
  const Topology ring = ring_of(4);
  const Scripted closed = by_source(ring, {1, 3}), open = by_source(ring, {1});
  EXPECT_EQ(ChannelDependencyGraph(ring, closed, 2).find_cycle(),
            (std::vector<std::string>{"(r0)->to_r1 vc 0", "(r1)->to_r2 vc 0", "(r2)->to_r3 vc 0", "(r3)->to_r0 vc 0"}));
  EXPECT_EQ(refusal(ring, open, 2), "");
}

/// Packets that drew one number go clockwise on VC 0, others on VC 1 and, past the dateline, on VC 2.
class ByDraw final : public RoutingAlgorithm {
 public:
  ByDraw(const Topology& ring, std::uint32_t draws, std::uint32_t closes)
      : RoutingAlgorithm(3), ring_(ring), draws_(draws), closes_(closes) {}
  std::uint32_t draws() const override { return draws_; }
  std::size_t max_candidates() const override { return 1; }
  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    if (ring_.router_of(q.destination) == q.router) return out.add(ring_.nodes[q.destination.value][0].port, all_vcs_);
    const VcMask open = q.router.value > q.destination.value ? kVc1 : kVc2;
    out.add(clockwise(ring_, q.router, 3), q.draw == closes_ ? kVc0 : open);
  }

 private:
  const Topology& ring_;
  std::uint32_t draws_, closes_;
};

TEST(DeadlockRefusal, PacketsOfEveryDrawAreFollowed) {
  const Topology ring = ring_of(3);
  for (const std::uint32_t draws : {1U, 2U, 4U, 256U}) {
    for (const std::uint32_t closes : {0U, 1U, 2U, 3U, 4U, 254U, 255U}) {
      EXPECT_EQ(refusal(ring, ByDraw(ring, draws, closes), 3).empty(), closes >= draws) << draws << ", " << closes;
    }
  }
}

}  // namespace
}  // namespace braid::test::deadlock_refusal_test
