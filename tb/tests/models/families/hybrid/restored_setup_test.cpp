// What registers of the set-up are held to when a checkpoint brings them: each by itself, with the last value that is
// taken and the first that is not. (Bytes all over a checkpoint: models/engine/damaged_registers_test.cpp.)
#include <gtest/gtest.h>

#include "models/families/hybrid/rerouting.h"
#include "tb/tests/support/by_hand.h"
#include "tb/tests/support/forks.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::restored_setup_test {
namespace {

using models::Experiment;
using models::hybrid::CircuitEnd;
using models::hybrid::kNone;

/// Two circuits that stand, on a 3x3 mesh with two local ports a node; nothing is sent before cycle 1000.
struct Standing {
  Standing() { bench.run(300); }
  models::hybrid::Fabric& fabric() { return models::hybrid::of(bench.network->fabric()); }
  models::hybrid::SetupSequencer& sequencer() {
    return const_cast<models::hybrid::SetupSequencer&>(*fabric().setup_sequencer());
  }
  std::size_t ports(RouterId router) const { return bench.topology.port_count(router); }
  Experiment experiment = tile_streams(3, 3, 2, {{0, 2}, {3, 5}});
  Bench bench{experiment};
};

struct Sequencer {
  Random random{0};
  std::uint8_t state = 0;
  std::vector<std::uint32_t> order;
  std::size_t position = 0, standing = 0;
  std::uint64_t wait_until = 0;
  bool avoids = false;
  std::vector<std::uint32_t> stood_order;
  bool stood_avoids = false, anew = false;
  std::uint32_t orders_tried_anew = 0;
  models::SetupResults results;
  void checkpoint(Checkpoint& c) {
    c(random, state, order, position, standing, wait_until, avoids, stood_order, stood_avoids, anew, orders_tried_anew,
      results);
  }
};
constexpr std::uint8_t kPassToken = 0, kSearching = 1, kDone = 3;

TEST(RestoredSequencer, HasAnOrderOfAllCircuits) {
  Standing standing;
  ByHand<models::hybrid::SetupSequencer, Sequencer> hand(standing.sequencer());
  const std::string other = no_such_state("an order of other circuits");
  EXPECT_EQ(hand.own().order, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(hand.own().state, kDone);
  EXPECT_EQ(hand.refusal([](Sequencer&) {}), "");
  for (const std::vector<std::uint32_t>& order :
       {std::vector<std::uint32_t>{}, {0}, {0, 0}, {1, 1}, {0, 2}, {0, 1, 0}, {0, 1, 2}}) {
    EXPECT_EQ(hand.refusal([&](Sequencer& s) { s.order = order; }), other) << order.size();
    EXPECT_EQ(hand.refusal([&](Sequencer& s) { s.stood_order = order; }), order.empty() ? "" : other) << order.size();
  }
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.order = {1, 0}; }), "");
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.stood_order = {1, 0}; }), "");
  for (const std::uint8_t state : {kPassToken, kDone}) {
    EXPECT_EQ(hand.refusal([&](Sequencer& s) {
      s.state = state;
      s.results.circuits.push_back(s.results.circuits.front());
    }),
              other);
  }
}

TEST(RestoredSequencer, IsSomewhereInItsOrder) {
  Standing standing;
  ByHand<models::hybrid::SetupSequencer, Sequencer> hand(standing.sequencer());
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.state = 4; }), here("state of the set-up", 4, 4));
  EXPECT_EQ(hand.own().position, 2U) << "behind the last";
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.position = 3; }), here("circuit", 3, 3));
  EXPECT_EQ(hand.own().standing, 2U);
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.standing = 3; }), here("circuit", 3, 3));
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.state = kSearching; }), no_such_state("a search for nothing"));
  EXPECT_EQ(hand.refusal([](Sequencer& s) {
    s.state = kSearching;
    s.position = 1;
  }),
            "");
}

/// When it is done all circuits stand, or it has given up.
TEST(RestoredSequencer, HasTheCircuitsThatStand) {
  Standing standing;
  ByHand<models::hybrid::SetupSequencer, Sequencer> hand(standing.sequencer());
  EXPECT_EQ(hand.refusal([](Sequencer& s) { s.results.circuits.pop_back(); }),
            no_such_state("circuits that do not stand"));
  EXPECT_EQ(hand.refusal([](Sequencer& s) {
    s.results.circuits.pop_back();
    s.results.fell_back_to_packets = true;
  }),
            "");
  EXPECT_EQ(hand.refusal([](Sequencer& s) {
    s.results.circuits.pop_back();
    s.state = kPassToken;
  }),
            "");
  for (std::size_t circuit = 0; circuit < 2; ++circuit) {
    for (std::size_t step = 0; step < 3; ++step) {
      const std::size_t ports = standing.ports(hand.own().results.circuits[circuit].path[step].router);
      const auto by = [&](std::size_t port) {
        return hand.refusal([&](Sequencer& s) { s.results.circuits[circuit].path[step].port = PortId{port}; });
      };
      EXPECT_EQ(by(ports - 1), "");
      EXPECT_EQ(by(ports), here("port", ports, ports));
    }
  }
}

struct Requests {
  std::vector<models::hybrid::VcIndex> lanes;  // as many as circuits
  std::uint32_t searches = 0;
  bool last_avoids = false;
  std::uint64_t started = 0;
  void checkpoint(Checkpoint& c) {
    c.each(lanes);
    c(searches, last_avoids, started);
  }
};
/// Of circuits that may fork.
struct RequestsOfTrees {
  Requests requests;
  std::vector<std::size_t> trees;
  void checkpoint(Checkpoint& c) { c(requests, trees); }
};

TEST(RestoredRequests, NameLanesThatAreThere) {
  Standing standing;
  const std::size_t lanes = standing.fabric().bank().input_vc_count();
  Requests made;
  made.lanes.resize(2);
  ByHand<models::hybrid::SetupRequests, Requests> hand(standing.fabric().setup_requests(), made);
  EXPECT_EQ(hand.own().searches, 2U) << "each has found its circuit at once";
  for (std::size_t circuit = 0; circuit < 2; ++circuit) {
    EXPECT_EQ(hand.refusal([&](Requests& r) { r.lanes[circuit] = kNone; }), "") << "it has none";
    EXPECT_EQ(hand.refusal([&](Requests& r) { r.lanes[circuit] = static_cast<std::uint32_t>(lanes - 1); }), "");
    EXPECT_EQ(hand.refusal([&](Requests& r) { r.lanes[circuit] = static_cast<std::uint32_t>(lanes); }),
              here("circuit lane", lanes, lanes));
  }
}

TEST(RestoredRequests, HaveATreeForEachCircuit) {
  ForkRig rig({{3, 5, 0}, {3, 1, 0}});
  ASSERT_TRUE(rig.ready().stands);
  RequestsOfTrees made;
  made.requests.lanes.resize(2);
  ByHand<models::hybrid::SetupRequests, RequestsOfTrees> hand(rig.fabric().setup_requests(), made);
  EXPECT_EQ(hand.own().trees, (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(hand.own().requests.lanes[0], hand.own().requests.lanes[1]) << "a branch comes in where its tree does";
  EXPECT_EQ(hand.refusal([](RequestsOfTrees& r) { r.trees[1] = 1; }), "");
  EXPECT_EQ(hand.refusal([](RequestsOfTrees& r) { r.trees[1] = 2; }), here("circuit", 2, 2));
  const std::string other = no_such_state("trees of other circuits");
  EXPECT_EQ(hand.refusal([](RequestsOfTrees& r) { r.trees.pop_back(); }), other);
  EXPECT_EQ(hand.refusal([](RequestsOfTrees& r) { r.trees.push_back(0); }), other);
}

/// Wants nothing to be moved.
class NoUser final : public models::CircuitUser {
 public:
  std::vector<models::CircuitRequest> circuits() const override { return {}; }
  void circuit_found(std::size_t, std::size_t, std::uint32_t) override {}
  void set_up(bool) override {}
};

struct Round {
  std::uint8_t state = 0;
  std::uint64_t due = 0;
  std::size_t position = 0;
  std::uint64_t wait_until = 0, longest = 0, now = 0;
  CircuitEnd end;
  std::vector<models::Move> open;
  std::vector<std::vector<models::CircuitResult::Step>> old_paths;
  models::RerouteResults results;
  void checkpoint(Checkpoint& c) { c(state, due, position, wait_until, longest, now, end, open, old_paths, results); }
};

struct Moving : Standing {
  static models::hybrid::Options options() {
    models::hybrid::Options o;
    o.reroute = models::hybrid::Reroute::kEach;
    return o;
  }
  NoUser user;
  models::hybrid::Rerouting rerouting{fabric().setup_requests(), sequencer(), user, options()};
};

TEST(RestoredRerouting, MovesCircuitsThatAreThere) {
  Moving moving;
  ByHand<models::hybrid::Rerouting, Round> hand(moving.rerouting);
  EXPECT_EQ(hand.own().due, 10000U) << "the default of setup.reroute_at_cycle";
  EXPECT_EQ(hand.refusal([](Round& r) { r.state = 6; }), "");
  EXPECT_EQ(hand.refusal([](Round& r) { r.state = 7; }), here("state of the circuits", 7, 7));
  EXPECT_EQ(hand.refusal([](Round& r) { r.position = 2; }), "") << "behind the last";
  EXPECT_EQ(hand.refusal([](Round& r) { r.position = 3; }), here("circuit", 3, 3));
  const std::string other = no_such_state("another number of circuits");
  EXPECT_EQ(hand.refusal([](Round& r) { r.open.pop_back(); }), other);
  EXPECT_EQ(hand.refusal([](Round& r) { r.open.emplace_back(); }), other);
  EXPECT_EQ(hand.refusal([](Round& r) { r.old_paths.pop_back(); }), other);
  EXPECT_EQ(hand.refusal([](Round& r) { r.old_paths.emplace_back(); }), other);
  EXPECT_EQ(hand.refusal([](Round& r) { r.open[1].circuit = 1; }), "");
  EXPECT_EQ(hand.refusal([](Round& r) { r.open[1].circuit = 2; }), here("circuit", 2, 2));
  for (const std::size_t circuit : {1U, 2U}) {
    EXPECT_EQ(hand.refusal([&](Round& r) {
      r.results.moves.emplace_back();
      r.results.moves.back().circuit = circuit;
    }),
              circuit == 1 ? "" : here("circuit", 2, 2));
  }
  const std::size_t ports = moving.ports(RouterId{4});
  const auto by = [&](std::size_t port) {
    return hand.refusal([&](Round& r) { r.old_paths[1] = {{RouterId{4}, PortId{port}}}; });
  };
  EXPECT_EQ(by(ports - 1), "");
  EXPECT_EQ(by(ports), here("port", ports, ports));
  EXPECT_EQ(hand.refusal([](Round& r) { r.end.local_port = 17; }), "");
  EXPECT_EQ(hand.refusal([](Round& r) { r.end.local_port = 18; }), here("local port", 18, 18));
  EXPECT_EQ(hand.refusal([](Round& r) { r.end.lane = 1; }), here("circuit", 1, 1));
}

/// A flit that is not taken can hold up a source that empties its queue, and a tear-down that is late. All else moves
/// by itself: the token, a search, a tear-down that meets no flit.
TEST(RestoredRerouting, HasAMessageUnderWayThatNoFlitCanHoldUp) {
  Moving moving;
  ByHand<models::hybrid::Rerouting, Round> hand(moving.rerouting);
  constexpr std::uint8_t kTearingDown = 3;
  const bool under_way[] = {false, true, false, true, true, true, true};
  for (std::uint8_t state = 0; state < 7; ++state) {
    EXPECT_EQ(hand.put([&](Round& r) {
      r.state = state;
      r.now = r.longest = 50;
    }),
              "");
    EXPECT_EQ(moving.rerouting.message_under_way(), under_way[state]) << unsigned{state};
  }
  EXPECT_EQ(hand.put([&](Round& r) {
    r.state = kTearingDown;
    r.longest = 50;
    r.now = 51;
  }),
            "");
  EXPECT_FALSE(moving.rerouting.message_under_way());
}

}  // namespace
}  // namespace braid::test::restored_setup_test
