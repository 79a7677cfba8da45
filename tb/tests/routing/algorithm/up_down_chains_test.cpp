// up*/down* on chains: the same steps as a row of all routers has, and no row where a network is nothing but chains.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "routing/algorithm/up_down_table.h"
#include "routing/base/random.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::up_down_chains_test {
namespace {

using namespace routing;
using Links = std::vector<std::pair<std::size_t, std::size_t>>;

/// Places where a step differs from the one in a row of all routers.
std::size_t differences(const Topology& t) {
  const UpDownTable table(t);
  std::size_t found = 0;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (std::size_t d = 0; d < t.router_count(); ++d) {
      for (const bool went_down : {false, true}) {
        const PortId here = table.port(RouterId{r}, went_down, RouterId{d});
        found += here == table.by_row(RouterId{r}, went_down, RouterId{d}) ? 0 : 1;
      }
    }
  }
  return found;
}

/// Hubs joined at random, by chains of up to `longest` routers, some of which end nowhere; numbers are drawn.
Topology drawn(std::uint64_t seed, std::size_t hubs, std::size_t chains, std::size_t longest) {
  Random dice(seed, "up_down_chains_test");
  Links links;
  std::size_t routers = hubs;
  const auto chain = [&](std::size_t from, std::size_t to, bool arrives) {
    std::size_t last = from;
    for (std::size_t i = dice.below(longest + 1); i > 0; --i) {
      links.emplace_back(last, routers);
      last = routers++;
    }
    if (arrives && last != to) links.emplace_back(last, to);
  };
  for (std::size_t hub = 1; hub < hubs; ++hub) chain(hub, dice.below(hub), true);
  for (std::size_t i = 0; i < chains; ++i) chain(dice.below(hubs), dice.below(hubs), dice.below(5) > 0);
  std::vector<std::size_t> number(routers);
  std::iota(number.begin(), number.end(), 0);
  for (std::size_t i = routers; i > 1; --i) std::swap(number[i - 1], number[dice.below(i)]);
  for (auto& [a, b] : links) {
    a = number[a];
    b = number[b];
  }
  return graph_of(routers, links);
}

TEST(UpDownChains, TakeTheStepsOfARowOnRings) {
  for (const std::size_t routers : {8, 9, 12, 31}) EXPECT_EQ(differences(ring_of(routers)), 0u) << routers;
}

TEST(UpDownChains, TakeTheStepsOfARowOnDrawnNetworks) {
  std::size_t of_chains = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Topology t = drawn(seed, 1 + seed % 5, seed % 4, 20);
    const Ranks ranks = up_down_ranks(t, RouterId{0});
    of_chains += UpDownChains(t, ranks).worth_it() ? 1 : 0;
    EXPECT_EQ(differences(t), 0u) << "seed " << seed << ", " << t.router_count() << " routers";
  }
  EXPECT_GE(of_chains, 20u) << "networks on which chains are asked at all";
}

/// By hand, levels of a ring of twelve from r0: up to r6, and r7 to r11 down again. From r2 to r9 over the bottom would
/// be down, then up.
TEST(UpDownChains, NeverGoUpAfterDown) {
  const Topology ring = ring_of(12);
  const UpDownTable table(ring);
  const auto port = [&](std::size_t from, bool went_down, std::size_t to) {
    return table.port(RouterId{from}, went_down, RouterId{to});
  };
  EXPECT_EQ(port(2, false, 9), port_to(ring, RouterId{2}, RouterId{1}));
  EXPECT_EQ(port(5, false, 9), port_to(ring, RouterId{5}, RouterId{4})) << "eight links, though four lead there";
  EXPECT_EQ(port(2, false, 5), port_to(ring, RouterId{2}, RouterId{3}));
  EXPECT_EQ(port(2, true, 1).value, UINT8_MAX);
  EXPECT_EQ(port(6, false, 11), port_to(ring, RouterId{6}, RouterId{7}));
}

/// A ring has two ends, its root and the router at the bottom: where a quarter of the routers are ends at most, rows of
/// ends are the better table. A star's middle and its points are ends all.
TEST(UpDownChains, AreWorthItWhereAQuarterOfTheRoutersAreEnds) {
  const auto worth_it = [](const Topology& t) {
    const Ranks ranks = up_down_ranks(t, RouterId{0});
    return UpDownChains(t, ranks).worth_it();
  };
  EXPECT_FALSE(worth_it(ring_of(7)));
  EXPECT_TRUE(worth_it(ring_of(8)));
  EXPECT_TRUE(worth_it(ring_of(9)));
  EXPECT_FALSE(worth_it(graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}})));
}

TEST(RowsOnDemand, AskForRoomForAsManyRowsAsThereCanBe) {
  const Topology ring = ring_of(8);
  constexpr std::size_t kEntries = std::size_t{1} << 45U;  // no computer has room for one
  EXPECT_EQ(complaint([&] { RowsOnDemand<std::uint8_t>(ring, kEntries, 0).check_room(); }), "");
  EXPECT_NE(complaint([&] { RowsOnDemand<std::uint8_t>(ring, kEntries).check_room(); }), "");
}

/// 20 GB as rows of all routers.
TEST(UpDownChains, TakeMemoryByTheRouterNotByItsSquare) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer has an allocator of its own";
#endif
  constexpr std::size_t kRouters = 100'000;
  const Topology ring = ring_of(kRouters);
  const UpDownTable table(ring);
  EXPECT_EQ(complaint([&] { table.check_room(); }), "");
  const auto taken = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const std::size_t before = taken();
  for (std::size_t d = 1; d < kRouters; ++d) {
    const PortId port = table.port(RouterId{0}, false, RouterId{d});
    ASSERT_EQ(port, port_to(ring, RouterId{0}, RouterId{d <= kRouters / 2 ? 1 : kRouters - 1})) << d;
  }
  EXPECT_LT(taken() - before, 10'000u);
}

}  // namespace
}  // namespace braid::test::up_down_chains_test
