// Channels that are taken and given back, on a ring by hand.
#include "routing/paths/disjoint/free_channels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tb/tests/support/graphs.h"

namespace braid::test::free_channels_test {
namespace {

using namespace routing;
using Way = std::vector<std::uint32_t>;

Demand demand(std::size_t from, std::size_t to) { return {RouterId{from}, RouterId{to}}; }

/// A ring of four: channels 0 and 1 lead from r0 to r1 and r3, 2 and 3 from r1 to r0 and r2, 4 and 5 from r2 to r1 and
/// r3, 6 and 7 from r3 to r2 and r0.
struct Ring {
  Topology topology = ring_of(4);
  Channels channels{topology};
  FreeChannels free{topology, channels};
};

TEST(FreeChannels, GiveTheShortestWayOverWhatIsLeft) {
  Ring ring;
  EXPECT_EQ(ring.free.shortest(demand(0, 2)), Way({0, 3})) << "of two as short that of the lower port";
  EXPECT_EQ(ring.free.shortest(demand(0, 2)), Way({0, 3})) << "whoever asks takes nothing";
  ring.free.take({0, 3});
  EXPECT_EQ(ring.free.shortest(demand(0, 2)), Way({1, 6}));
  EXPECT_EQ(ring.free.shortest(demand(1, 2)), Way({2, 1, 6})) << "round, for its link is taken";
  EXPECT_EQ(ring.free.shortest(demand(2, 0)), Way({4, 2})) << "the other direction is free";
  ring.free.take({1, 6});
  EXPECT_EQ(ring.free.shortest(demand(0, 2)), std::nullopt);
  EXPECT_EQ(ring.free.shortest(demand(0, 0)), Way());
  ring.free.free_all();
  EXPECT_EQ(ring.free.shortest(demand(0, 2)), Way({0, 3}));
}

TEST(FreeChannels, AreTakenAtOnceWhereThereIsAWay) {
  Ring ring;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(ring.free.take_shortest(demand(0, 2)));
    EXPECT_EQ(ring.free.shortest(demand(0, 2)), Way({1, 6}));
    EXPECT_TRUE(ring.free.take_shortest(demand(0, 2)));
    EXPECT_FALSE(ring.free.take_shortest(demand(0, 2)));
    EXPECT_FALSE(ring.free.take_shortest(demand(0, 1)));
    EXPECT_TRUE(ring.free.take_shortest(demand(0, 0))) << "takes no channel";
    EXPECT_TRUE(ring.free.take_shortest(demand(1, 0)));
    EXPECT_FALSE(ring.free.take_shortest(demand(1, 0)));
    ring.free.free_all();
  }
}

TEST(FreeChannels, AreThoseOfEachRouterInOrder) {
  const Ring ring;
  EXPECT_EQ(channels_out_of(ring.topology, ring.channels), (std::vector<Way>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(demand_distances(ring.topology, {demand(0, 2), demand(1, 2), demand(3, 0), demand(2, 2), demand(2, 0)}),
            (Way{2, 1, 1, 0, 2}));
}

/// Routers without a link have no channel, wherever they stand among the others.
TEST(FreeChannels, LeaveOutRoutersWithoutLinks) {
  const Topology t = graph_of(4, {{1, 3}});
  const Channels channels(t);
  FreeChannels free(t, channels);
  EXPECT_EQ(channels_out_of(t, channels), (std::vector<Way>{{}, {0}, {}, {1}}));
  EXPECT_EQ(free.shortest(demand(1, 3)), Way({0}));
  EXPECT_EQ(free.shortest(demand(3, 1)), Way({1}));
  EXPECT_EQ(free.shortest(demand(0, 3)), std::nullopt);
  EXPECT_EQ(free.shortest(demand(1, 2)), std::nullopt);
}

}  // namespace
}  // namespace braid::test::free_channels_test
