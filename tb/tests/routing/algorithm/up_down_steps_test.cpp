// Steps of up*/down* where several ways are open, by hand: levels from r0, links up lead to the lower level, or to the
// lower number of the same level.
#include <gtest/gtest.h>

#include <cstdint>

#include "routing/algorithm/up_down_table.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::up_down_steps_test {
namespace {

using namespace routing;

/// r0 above; r1, r2, r3 below it, r1 - r2 joined; r4 below r2 and r3. Too many ends for chains: steps come from rows.
Topology network() { return graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 4}, {3, 4}}); }

TEST(UpDownSteps, LeadUpToTheLowerLevel) {
  const Topology t = network();
  const UpDownTable table(t);
  const auto up = [&](std::size_t from, std::size_t to) { return table.is_up(RouterId{from}, RouterId{to}); };
  EXPECT_TRUE(up(1, 0));
  EXPECT_FALSE(up(0, 1));
  EXPECT_TRUE(up(4, 2));
  EXPECT_TRUE(up(4, 3));
  EXPECT_FALSE(up(2, 4));
  EXPECT_NE(up(1, 2), up(2, 1));
  EXPECT_FALSE(up(2, 2));
}

/// Ports: r0 has r1, r2, r3; r1 has r0, r2; r2 has r0, r1, r4; r3 has r0, r4; r4 has r2, r3.
TEST(UpDownSteps, AreTheFewestAndOfThoseByTheLowestPort) {
  const Topology t = network();
  const UpDownTable table(t);
  const auto port = [&](std::size_t from, bool went_down, std::size_t to) {
    return table.port(RouterId{from}, went_down, RouterId{to}).value;
  };
  EXPECT_EQ(port(0, false, 4), 1U) << "by r2 or r3";
  EXPECT_EQ(port(0, true, 4), 1U) << "both are down";
  EXPECT_EQ(port(4, false, 0), 0U) << "by r2 or r3, up";
  EXPECT_EQ(port(3, false, 2), 0U) << "up and down by r0, for by r4 it would be down and up";
  EXPECT_EQ(port(2, false, 3), 0U);
  EXPECT_EQ(port(4, false, 3), 1U);
  EXPECT_EQ(port(3, false, 4), 1U);
  EXPECT_EQ(port(3, true, 4), 1U);
  EXPECT_EQ(port(4, true, 0), std::uint32_t{UINT8_MAX}) << "only up from there";
  EXPECT_EQ(port(3, true, 2), std::uint32_t{UINT8_MAX});
  EXPECT_EQ(port(1, false, 3), 0U);
}

TEST(UpDownSteps, OfParallelLinksTakeTheFirst) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}, {0, 1}, {1, 2}});
  const UpDownTable table(t);
  EXPECT_EQ(table.port(RouterId{0}, false, RouterId{2}), PortId{0});
  EXPECT_EQ(table.port(RouterId{1}, true, RouterId{2}), PortId{1});
  EXPECT_EQ(table.port(RouterId{1}, false, RouterId{0}), PortId{0});
  EXPECT_EQ(table.port(RouterId{2}, false, RouterId{0}), PortId{0});
}

}  // namespace
}  // namespace braid::test::up_down_steps_test
