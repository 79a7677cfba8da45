// Units of searches at once (search_units.h) by themselves: messages of sources by hand, and what comes back to them in
// which cycle. A unit takes a cycle for a message and a link one (docs/setup.md): two cycles a hop, and a source hears
// of its own unit in that unit's cycle. Streams A, B, ... are from the oldest to the youngest.
#include "models/families/hybrid/search_units.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/at_once.h"

namespace braid::test::search_units_test {
namespace {

using models::hybrid::kNone;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::SearchUnits;
using models::hybrid::SetupUnits;
using models::hybrid::VcIndex;
using Ends = std::vector<std::pair<std::size_t, std::size_t>>;

struct Rig final : models::hybrid::SearchSources {
  Rig(const Configuration& network, const Ends& streams) : topology(routing::make_topology(network)) {
    std::vector<std::uint32_t> ages;
    for (const auto& [from, to] : streams) {
      requests.push_back({"", NodeId{from}, NodeId{to}});
      ages.push_back(static_cast<std::uint32_t>(ages.size()));
    }
    units = std::make_unique<SearchUnits>(topology, bank, around, true, requests);
    units->begin_order(ages);
  }
  /// The lane of a stream's source: each of a node's streams has a port of its own.
  VcIndex lane(std::uint32_t stream) const {
    std::size_t port = 0;
    for (std::uint32_t s = 0; s < stream; ++s) port += requests[s].source == requests[stream].source ? 1 : 0;
    const routing::Attachment& a = topology.nodes[requests[stream].source.value][port];
    return bank.circuit_vc(bank.port_index(a.router, a.port));
  }
  void search(std::uint32_t stream, std::uint32_t attempt = 1) {
    units->search(next - 1, stream, attempt, lane(stream));
  }
  void rip_up(std::uint32_t stream, std::uint32_t attempt = 1) {
    units->rip_up(next - 1, stream, attempt, lane(stream));
  }
  /// What the sources are told in the cycles before this one and in it.
  std::string run_to(std::uint64_t cycle) {
    told.clear();
    for (; next <= cycle; ++next) {
      units->step(next, *this);
      held += static_cast<char>('0' + static_cast<char>(lanes_held()));
    }
    return told;
  }
  std::size_t lanes_held() const {
    std::size_t all = 0;
    for (PortIndex p = 0; p < bank.input_port_count(); ++p) all += bank.reserved(p) ? 1 : 0;
    return all;
  }
  std::vector<std::uint32_t> path(std::uint32_t stream) const {
    std::vector<std::uint32_t> routers;
    for (const auto& step : units->path(lane(stream))) routers.push_back(step.router.value);
    return routers;
  }

  void found(std::uint64_t cycle, std::uint32_t stream) override { say("found", cycle, stream); }
  void came_back(std::uint64_t cycle, std::uint32_t stream) override { say("back", cycle, stream); }
  void ripped_up(std::uint64_t cycle, std::uint32_t stream) override { say("ripped", cycle, stream); }
  void say(const std::string& what, std::uint64_t cycle, std::uint32_t stream) {
    told += std::string(1, static_cast<char>('A' + static_cast<char>(stream))) + " " + what + " " +
            std::to_string(cycle) + "; ";
  }

  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.circuits = true;
    return o;
  }
  routing::Topology topology;
  RouterBank bank{topology, options(), 1};
  SetupUnits around{topology, bank, true};
  std::vector<models::CircuitRequest> requests;
  std::unique_ptr<SearchUnits> units;
  std::string told, held;  // held: lanes at the end of each cycle
  std::uint64_t next = 1;  // cycle
};
constexpr std::uint32_t kA = 0, kB = 1, kC = 2;

/// Over two links: at the routers in 1, 3 and 5, and back at the source in 9.
TEST(SearchUnits, TakeTwoCyclesAHop) {
  Rig row(grid(3, 1, 1), {{0, 2}});
  EXPECT_TRUE(row.units->quiet());
  row.search(kA);
  EXPECT_FALSE(row.units->quiet());
  EXPECT_EQ(row.run_to(20), "A found 9; ");
  EXPECT_EQ(row.held.substr(0, 6), "112233");
  EXPECT_TRUE(row.units->quiet());
  EXPECT_EQ(row.path(kA), (std::vector<std::uint32_t>{0, 1, 2}));
  Configuration slow = grid(3, 1, 1);
  slow.set("topology.link_latency_cycles", 4);
  Rig slower(slow, {{0, 2}});
  slower.search(kA);
  EXPECT_EQ(slower.run_to(40), "A found 21; ") << "1 + 4 a hop";
}

/// A circuit that stands is released router by router, in 10, 12 and 14, and the source knows in 18. Till then messages
/// of the rip-up are somewhere.
TEST(RipUp, OfACircuitGoesThereAndBack) {
  Rig row(grid(3, 1, 1), {{0, 2}});
  row.search(kA);
  row.run_to(9);
  EXPECT_FALSE(row.units->being_ripped_up(kA));
  row.rip_up(kA);
  EXPECT_TRUE(row.units->being_ripped_up(kA));
  for (std::uint64_t cycle = 10; cycle < 18; ++cycle) {
    EXPECT_EQ(row.run_to(cycle), "");
    EXPECT_TRUE(row.units->being_ripped_up(kA)) << cycle;
  }
  EXPECT_EQ(row.run_to(18), "A ripped 18; ");
  EXPECT_FALSE(row.units->being_ripped_up(kA));
  EXPECT_TRUE(row.units->quiet());
  EXPECT_EQ(row.held.substr(8), "3221100000") << "from cycle 9 on";
  EXPECT_EQ(row.units->counts().rip_ups, 0U) << "the source's own is none for a link";
}

/// In the cycle of its request: the unit takes the rip-up first, and the probe is no more. The two are the most that a
/// unit has of one stream.
TEST(RipUp, OvertakesTheProbeBeforeIt) {
  Rig row(grid(3, 1, 1), {{0, 2}});
  row.search(kA);
  row.rip_up(kA);
  EXPECT_EQ(row.run_to(1), "A ripped 1; ");
  EXPECT_TRUE(row.units->quiet());
  EXPECT_EQ(row.run_to(20), "");
  EXPECT_EQ(row.lanes_held(), 0U);
  EXPECT_EQ(row.units->most_waiting(), 2U);
}

/// A cycle behind: it never catches the probe, which goes on to the end and is acknowledged where nobody listens any
/// more. Each router has a lane for a cycle.
TEST(RipUp, FollowsAProbeThatIsUnderWay) {
  Rig row(grid(3, 1, 1), {{0, 2}});
  row.search(kA);
  row.run_to(1);
  row.rip_up(kA);
  EXPECT_EQ(row.run_to(30), "A ripped 10; ");
  EXPECT_EQ(row.held.substr(0, 8), "10101000");
  EXPECT_TRUE(row.units->quiet());
}

/// B waits at router 0 for the link that A has and whose end is not known: its rip-up finds it there.
TEST(RipUp, FindsAProbeThatWaits) {
  Rig row(grid(3, 1, 2), {{0, 2}, {0, 2}});
  row.search(kA);
  row.search(kB);
  EXPECT_EQ(row.run_to(4), "");
  EXPECT_EQ(row.units->counts().waits, 1U);
  row.rip_up(kB);
  EXPECT_EQ(row.run_to(8), "B ripped 5; ");
  EXPECT_FALSE(row.units->being_ripped_up(kB));
  EXPECT_EQ(row.run_to(20), "A found 9; ");
  EXPECT_TRUE(row.units->quiet()) << "the probe is no more";
  EXPECT_EQ(row.lanes_held(), 3U);
}

/// ... and no other stream's.
TEST(RipUp, LeavesProbesOfOthersWaiting) {
  Rig row(grid(3, 1, 3), {{0, 2}, {0, 2}, {0, 2}});
  for (const std::uint32_t stream : {kA, kB, kC}) row.search(stream);
  EXPECT_EQ(row.run_to(4), "");
  EXPECT_EQ(row.units->counts().waits, 2U);
  row.rip_up(kC);
  EXPECT_EQ(row.run_to(30), "C ripped 5; A found 9; B back 10; ");
  EXPECT_TRUE(row.units->quiet());
}

/// 3x2 mesh, 0 1 2 / 3 4 5. A, B and C hold both links into 2 and that from 4 to 5, so that D, from 0 to 2, goes round
/// by 1, 4 and 3 to 0, where it has been. Its rip-up is a cycle behind: in 0 it comes in by another lane than D's and
/// turns there, to be back 18 cycles after the request of the search.
TEST(RipUp, TurnsWhereTheProbeHasBeenBefore) {
  Rig mesh(grid(3, 2, 2), {{1, 2}, {5, 2}, {4, 5}, {0, 2}});
  constexpr std::uint32_t kD = 3;
  for (const std::uint32_t stream : {kA, kB, kC}) mesh.search(stream);
  EXPECT_EQ(mesh.run_to(6), "A found 5; C found 5; B found 6; ");
  mesh.search(kD);
  EXPECT_EQ(mesh.run_to(7), "");
  mesh.rip_up(kD);
  EXPECT_EQ(mesh.run_to(6 + 17), "");
  EXPECT_TRUE(mesh.units->being_ripped_up(kD));
  EXPECT_EQ(mesh.run_to(60), "D ripped 24; ");
  EXPECT_EQ(mesh.lanes_held(), 6U);
  EXPECT_TRUE(mesh.units->quiet());
  EXPECT_EQ(mesh.units->backtracks(kD), 0U) << "nobody was there to take it";
}

/// Of another attempt it is answered, and does nothing.
TEST(RipUp, OfAnotherAttemptDoesNothing) {
  Rig row(grid(3, 1, 1), {{0, 2}});
  row.search(kA, 5);
  row.run_to(9);
  row.rip_up(kA, 4);
  EXPECT_EQ(row.run_to(30), "A ripped 10; ");
  EXPECT_EQ(row.lanes_held(), 3U);
}

/// B waits until A's circuit stands, in 9, and goes back in the next cycle: there is no other link.
TEST(WaitingSearch, GoesBackWhenTheOlderOneStands) {
  Rig row(grid(3, 1, 2), {{0, 2}, {0, 2}});
  row.search(kA);
  row.search(kB);
  EXPECT_EQ(row.run_to(30), "A found 9; B back 10; ");
  EXPECT_EQ(row.units->counts().waits, 1U);
  EXPECT_EQ(row.units->counts().searches, 2U);
  EXPECT_EQ(row.units->counts().backtracks, 0U) << "no link was left again";
  EXPECT_TRUE(row.units->quiet());
}

/// ... and goes on where the older one gives the link back. At router 1 in 8 A's acknowledgement goes first, which has
/// waited for A's rip-up: 14 and a cycle.
TEST(WaitingSearch, TakesALinkThatIsGivenBack) {
  Rig row(grid(3, 1, 2), {{0, 2}, {0, 2}});
  row.search(kA);
  row.search(kB);
  row.run_to(4);
  row.rip_up(kA);  // at router 0 in 5, where B takes the link in 6
  EXPECT_EQ(row.run_to(40), "A ripped 13; B found 15; ");
  EXPECT_EQ(row.path(kB), (std::vector<std::uint32_t>{0, 1, 2}));
}

/// B's circuit from 1 to 2 stands in 5. A is at router 1 in 7, which has the link given back in that cycle and takes it
/// in 8; B's rip-up goes on to router 2 and back.
TEST(OlderSearch, RipsUpAYoungerCircuit) {
  Rig row(grid(3, 1, 2), {{0, 2}, {1, 2}});
  row.search(kB);
  EXPECT_EQ(row.run_to(4), "");
  row.search(kA);
  EXPECT_EQ(row.run_to(40), "B found 5; B ripped 11; A found 14; ");
  EXPECT_EQ(row.units->counts().rip_ups, 1U);
  EXPECT_EQ(row.units->counts().waits, 0U);
  EXPECT_EQ(row.path(kA), (std::vector<std::uint32_t>{0, 1, 2}));
}

/// B finds A's circuit in its way and comes back; when that is gone its next attempt may try all ports again.
TEST(NextAttempt, KnowsNothingOfTheLastOne) {
  Rig row(grid(3, 1, 2), {{1, 2}, {0, 2}});
  row.search(kA);
  EXPECT_EQ(row.run_to(5), "A found 5; ");
  row.search(kB);
  EXPECT_EQ(row.run_to(10), "B back 10; ");
  EXPECT_EQ(row.units->counts().backtracks, 1U);
  EXPECT_EQ(row.units->backtracks(kB), 1U);
  EXPECT_EQ(row.units->backtracks(kA), 0U);
  row.rip_up(kA);
  EXPECT_EQ(row.run_to(15), "A ripped 15; ");
  row.search(kB, 2);
  EXPECT_EQ(row.run_to(40), "B found 24; ");
  EXPECT_EQ(row.units->counts().searches, 3U);
  EXPECT_EQ(row.units->backtracks(kB), 1U) << "of all attempts";
  row.rip_up(kB, 2);
  row.run_to(80);
  row.units->begin_order({1, 0});
  EXPECT_EQ(row.units->backtracks(kB), 0U) << "of another order";
  EXPECT_EQ(row.units->counts().backtracks, 1U);
}

/// 3x2 mesh, 0 1 2 / 3 4 5. A and B hold both links into 2, whose unit takes B's probe a cycle after A's. C, from 0,
/// goes 1, 4, 5 and back to 4, then 3 and 0, where it has been, all the way back to 0, and to 3, where it has been: six
/// dead ends of four cycles each.
TEST(Search, VisitsEachRouterOnce) {
  Rig mesh(grid(3, 2, 2), {{1, 2}, {5, 2}, {0, 2}});
  mesh.search(kA);
  mesh.search(kB);
  EXPECT_EQ(mesh.run_to(6), "A found 5; B found 6; ");
  mesh.search(kC);
  EXPECT_EQ(mesh.run_to(6 + 4 * 6), "");
  EXPECT_EQ(mesh.run_to(6 + 4 * 6 + 1), "C back 31; ");
  EXPECT_EQ(mesh.units->backtracks(kC), 6U);
  EXPECT_EQ(mesh.lanes_held(), 4U) << "a link and an ejection lane of A and of B";
  EXPECT_TRUE(mesh.units->quiet());
}

/// Two streams hold the ejection lanes of node 1, in the middle of a row; then one of that node itself comes. It takes
/// the lane of the youngest that is younger, whichever lane that is, in the cycle after; else it has to go back.
TEST(Search, TakesTheLaneOfTheYoungestThatIsYounger) {
  struct Case {
    Ends ends;                    // that from node 1 comes last
    std::uint32_t first, second;  // that have the lanes
    std::uint32_t comes;
    const char* told;
  };
  for (const Case& c : {Case{{{0, 1}, {2, 1}, {1, 1}}, kA, kB, kC, "C back 11; "},
                        Case{{{0, 1}, {1, 1}, {2, 1}}, kA, kC, kB, "B found 12; C ripped 13; "},
                        Case{{{0, 1}, {1, 1}, {2, 1}}, kC, kA, kB, "B found 12; C ripped 13; "},
                        Case{{{1, 1}, {0, 1}, {2, 1}}, kB, kC, kA, "A found 12; C ripped 13; "},
                        Case{{{1, 1}, {0, 1}, {2, 1}}, kC, kB, kA, "A found 12; C ripped 13; "}}) {
    Rig row(grid(3, 1, 2), c.ends);
    row.search(c.first);
    row.run_to(4);
    row.search(c.second);
    row.run_to(10);
    EXPECT_EQ(row.lanes_held(), 4U);
    row.search(c.comes);
    EXPECT_EQ(row.run_to(30), c.told) << c.first << c.second << c.comes;
    EXPECT_EQ(row.units->counts().rip_ups, c.comes == kC ? 0U : 1U);
    EXPECT_EQ(row.lanes_held(), c.comes == kC ? 4U : 3U);
  }
}

}  // namespace
}  // namespace braid::test::search_units_test
