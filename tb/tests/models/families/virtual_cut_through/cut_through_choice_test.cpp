// Virtual cut-through: who gets an output port in turn, and which way a head with several takes: fewest flits
// downstream, busy or not, ties at random.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "tb/tests/support/cut_through.h"

namespace braid::test::cut_through_choice_test {
namespace {

using models::Experiment;

/// Inputs of a switch of four nodes whose packet leaves towards node 3, in the order in which they get the port.
std::string turns(Bench& bench, int cycles) {
  std::string order;
  std::vector<bool> was(3);
  for (int i = 0; i < cycles; ++i) {
    bench.run(1);
    for (std::uint32_t in = 0; in < 3; ++in) {
      const bool leaving = bank(bench).queues[bank(bench).port_index(RouterId{0}, PortId{in})].leaving;
      if (leaving && !was[in]) order += static_cast<char>('0' + in);
      was[in] = leaving;
    }
  }
  return order;
}

TEST(CutThroughTurns, GoRoundFromTheInputAfterTheLastWinner) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  for (int i = 0; i < 3; ++i) {
    for (std::size_t n = 0; n < 3; ++n) bench.network->send_packet(NodeId{n}, NodeId{3}, 4);
  }
  EXPECT_EQ(turns(bench, 60), "012012012");
  bench.network->send_packet(NodeId{1}, NodeId{3}, 4);
  EXPECT_EQ(turns(bench, 20), "1");
  for (std::size_t n = 0; n < 3; ++n) bench.network->send_packet(NodeId{n}, NodeId{3}, 4);
  EXPECT_EQ(turns(bench, 40), "201") << "after 1 comes 2";
}

TEST(CutThroughTurns, PassOverInputsThatDoNotAsk) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  for (int i = 0; i < 3; ++i) {
    bench.network->send_packet(NodeId{0}, NodeId{3}, 4);
    bench.network->send_packet(NodeId{2}, NodeId{3}, 4);
  }
  EXPECT_EQ(turns(bench, 60), "020202");
}

/// Four nodes of one switch send upwards one after the other: each takes a way up with no flits downstream.
TEST(CutThroughChoice, TakesTheWayWithFewestFlitsDownstream) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4 + 4 * (n % 3) + n}, 64);
      bench.run(3);
    }
    for (std::size_t up = 4; up < 8; ++up) EXPECT_EQ(sent(bench, 0, up), 64U) << "seed " << seed << ", port " << up;
  }
}

/// Packets of 1000 flits keep every root switch's way down to nodes 4 to 7 busy. Three packets of 32 flits and one of 8
/// for node 4 then wait at the roots, one at each: the next packet finds one packet behind every way up, but fewer
/// flits behind the fourth.
TEST(CutThroughChoice, CountsFlitsNotPackets) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{8 + n}, NodeId{4 + n}, 1000);
      bench.run(4);
    }
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4}, n < 3 ? 32 : 8);
      bench.run(4);
    }
    bench.run(50);
    std::multiset<std::uint64_t> before, after;
    for (std::size_t up = 4; up < 8; ++up) before.insert(sent(bench, 0, up));
    ASSERT_EQ(before, (std::multiset<std::uint64_t>{8, 32, 32, 32}));
    bench.network->send_packet(NodeId{3}, NodeId{12}, 5);
    bench.run(3);
    for (std::size_t up = 4; up < 8; ++up) after.insert(sent(bench, 0, up));
    EXPECT_EQ(after, (std::multiset<std::uint64_t>{13, 32, 32, 32})) << "seed " << seed;
  }
}

/// Three ways up have 32 flits downstream. On the fourth a packet of 64 is granted in cycle t: it counts by the flits
/// that have gone, c - t in cycle c. Until t + 31 a head from node 0 prefers that busy way and waits for it; in t + 32
/// all four are equal, and in t + 33 the other three are better.
TEST(CutThroughChoice, CountsTheFlitsOfAPacketAsTheyGo) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{8 + n}, NodeId{4 + n}, 1000);
      bench.run(4);
    }
    for (std::size_t n = 0; n < 3; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4}, 32);
      bench.run(4);
    }
    bench.run(50);
    const auto ways = [&] {
      std::multiset<std::uint64_t> flits;
      for (std::size_t up = 4; up < 8; ++up) flits.insert(sent(bench, 0, up));
      return flits;
    };
    const std::uint64_t t = bench.network->now() + 1;  // on the injection link now, granted in the next cycle
    bench.network->send_packet(NodeId{3}, NodeId{4}, 64);
    bench.run(4);
    bench.network->send_packet(NodeId{0}, NodeId{12}, 5);
    while (bench.network->now() < t + 32) bench.run(1);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{32, 32, 32, 64})) << "seed " << seed;
    bench.run(2);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{32, 32, 37, 64})) << "seed " << seed;
  }
}

/// Three ways up have 8 flits downstream. The packet of 64 on the fourth goes on at its root as it comes: two flits at
/// most are there. So a head prefers that way all the time, and gets it when the tail has left, in t + 64.
TEST(CutThroughChoice, CountsFlitsThatWentOnDownstreamAsGone) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{8 + n}, NodeId{4 + n}, 1000);
      bench.run(4);
    }
    for (std::size_t n = 0; n < 3; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4}, 8);
      bench.run(4);
    }
    bench.run(50);
    const auto ways = [&] {
      std::multiset<std::uint64_t> flits;
      for (std::size_t up = 4; up < 8; ++up) flits.insert(sent(bench, 0, up));
      return flits;
    };
    const std::uint64_t t = bench.network->now() + 1;
    bench.network->send_packet(NodeId{3}, NodeId{12}, 64);
    bench.run(4);
    bench.network->send_packet(NodeId{0}, NodeId{13}, 5);
    while (bench.network->now() < t + 64) bench.run(1);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{8, 8, 8, 64})) << "seed " << seed;
    bench.run(1);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{8, 8, 8, 69})) << "seed " << seed;
  }
}

/// X first, which notes what it is asked.
class Asked final : public routing::RoutingAlgorithm {
 public:
  Asked(const routing::RoutingAlgorithm& x_first, std::uint32_t draws)
      : RoutingAlgorithm(1), x_first_(x_first), draws_(draws) {}
  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    queries.push_back(q);
    x_first_.route(q, out);
  }
  std::size_t max_candidates() const override { return x_first_.max_candidates(); }
  std::uint32_t draws() const override { return draws_; }
  mutable std::vector<routing::RouteQuery> queries;

 private:
  const routing::RoutingAlgorithm& x_first_;
  const std::uint32_t draws_;
};

/// From node 0 a step east and one north: by its node's port, from the west, from the south. There is one VC, number 0.
TEST(CutThroughRoute, IsAskedForOnceARouterByThePortOfArrival) {
  for (const std::uint32_t draws : {1U, 4U}) {  // of which a routing algorithm looks at more of the packet
    const Bench bench(vct_grid("mesh", 0.0));
    const Asked asked(*bench.routing, draws);
    models::Network network(bench.experiment, bench.topology, asked, 1);
    network.cycle();
    network.send_packet(NodeId{0}, NodeId{9}, 4);
    for (int i = 0; i < 30; ++i) network.cycle();
    EXPECT_EQ(network.conservation().packets_delivered, 1U);
    ASSERT_EQ(asked.queries.size(), 3U);
    const std::pair<std::size_t, PortId> by[] = {{0, PortId{4}}, {1, routing::kWest}, {9, routing::kSouth}};
    for (std::size_t i = 0; i < 3; ++i) {
      const routing::RouteQuery& q = asked.queries[i];
      EXPECT_EQ(q.router, RouterId{by[i].first});
      EXPECT_EQ(q.in_port, by[i].second) << i;
      EXPECT_EQ(q.in_vc, VcId{0}) << i;
      EXPECT_EQ(q.source, NodeId{0});
      EXPECT_EQ(q.destination, NodeId{9});
    }
  }
}

/// Ties are drawn at random from the seed: the same seed makes the same choice, and every way is taken by some seed.
TEST(CutThroughChoice, DrawsTiesFromTheSeed) {
  const auto choice = [](std::uint64_t seed) {
    Experiment e = vct_tree(2, 0.0);
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{4}, 4);
    bench.run(10);
    for (std::size_t up = 4; up < 8; ++up) {
      if (sent(bench, 0, up) > 0) return up;
    }
    return std::size_t{0};
  };
  std::set<std::size_t> taken;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) taken.insert(choice(seed));
  EXPECT_EQ(taken, (std::set<std::size_t>{4, 5, 6, 7}));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(choice(seed), choice(seed));
}

}  // namespace
}  // namespace braid::test::cut_through_choice_test
