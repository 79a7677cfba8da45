// In-transit buffers that cannot stand anywhere on a cycle: six of its channels are named, the others counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/paths.h"

namespace braid::test::stuck_placement_test {
namespace {

using namespace routing;

/// A ring of n routers without nodes, r(n) to r(2n - 1), on each of which hangs one with a node, r0 to r(n - 1). All
/// paths lead round upwards.
struct Wheel {
  explicit Wheel(std::size_t n) : topology(graph_of(2 * n, links_of(n), n)), paths(2 * n) {
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t steps = 1; steps < n; ++steps) {
        std::vector<std::size_t> routers{from};
        for (std::size_t i = 0; i <= steps; ++i) routers.push_back(n + (from + i) % n);
        routers.push_back((from + steps) % n);
        paths.at(RouterId{from}, RouterId{routers.back()}) = path_over(topology, routers);
      }
    }
  }
  static std::vector<std::pair<std::size_t, std::size_t>> links_of(std::size_t n) {
    std::vector<std::pair<std::size_t, std::size_t>> links;
    for (std::size_t r = 0; r < n; ++r) {
      links.emplace_back(r, n + r);
      links.emplace_back(n + r, n + (r + 1) % n);
    }
    return links;
  }
  Topology topology;
  PathSet paths;
};

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

class StuckPlacement : public testing::TestWithParam<std::size_t> {};

TEST_P(StuckPlacement, NamesSixChannelsAndCountsTheOthers) {
  const std::size_t n = GetParam();
  Wheel wheel(n);
  const std::string text = complaint([&] { place(wheel.topology, "minimum", wheel.paths); });
  const std::string head =
      "routing.in_transit = \"minimum\" cannot break a cycle over routers without nodes, where no in-transit buffer "
      "can stand: ";
  ASSERT_EQ(text.substr(0, head.size()), head);
  EXPECT_EQ(times(text, " waits for "), n <= 6 ? n : 7) << text;
  EXPECT_EQ(times(text, "… (" + std::to_string(n - 6) + " more) waits for "), n > 6 ? 1U : 0U) << text;
  EXPECT_EQ(times(text, "…"), n > 6 ? 1U : 0U) << text;
  // It ends with the channel that it begins with, and each waits for the next one round.
  const std::string first = text.substr(head.size(), text.find(" waits for ") - head.size());
  EXPECT_EQ(text.substr(text.size() - first.size()), first);
  const std::size_t at = std::stoul(first.substr(2));
  std::string expected;
  for (std::size_t i = 0; i < std::min<std::size_t>(n, 6); ++i) {
    const std::size_t here = n + (at - n + i) % n, next = n + (at - n + i + 1) % n;
    expected += "(r" + std::to_string(here) + ")->to_r" + std::to_string(next) + " waits for ";
  }
  EXPECT_EQ(text.substr(head.size(), expected.size()), expected);
}
INSTANTIATE_TEST_SUITE_P(Wheels, StuckPlacement, testing::Values(3U, 6U, 7U, 8U));

/// Of a ring of routers with nodes each placement finds a place; of the row that is left none is needed.
TEST(Placement, OfARingBreaksTheOneCycle) {
  const Topology ring = ring_of(4);
  PathSet paths = clockwise(ring);
  place(ring, "minimum", paths);
  EXPECT_EQ(buffers(paths), 1U) << "each of the four turns is one path's";
  EXPECT_TRUE(check_paths(ring, paths).good());
  place(ring, "every_switch", paths);
  EXPECT_EQ(buffers(paths), 4U) << "those of opposite routers, upwards, and none of the placement before";
  place(ring, "minimum", paths);
  EXPECT_EQ(buffers(paths), 1U);
}

/// Routers without nodes get none; a path over three routers in between has one at each of the others.
TEST(Placement, StandsOnlyWhereANodeCanLendIt) {
  const Topology row = graph_of(5, {{0, 3}, {3, 1}, {1, 4}, {4, 2}}, 3);
  PathSet paths(5);
  paths.at(RouterId{0}, RouterId{1}) = path_over(row, {0, 3, 1});
  paths.at(RouterId{0}, RouterId{2}) = path_over(row, {0, 3, 1, 4, 2});
  paths.at(RouterId{1}, RouterId{0}) = path_over(row, {1, 3, 0});
  paths.at(RouterId{1}, RouterId{2}) = path_over(row, {1, 4, 2});
  paths.at(RouterId{2}, RouterId{0}) = path_over(row, {2, 4, 1, 3, 0});
  paths.at(RouterId{2}, RouterId{1}) = path_over(row, {2, 4, 1});
  place(row, "every_switch", paths);
  EXPECT_EQ(paths.at(RouterId{0}, RouterId{2}).in_transit, std::vector<std::uint16_t>{2});
  EXPECT_EQ(paths.at(RouterId{2}, RouterId{0}).in_transit, std::vector<std::uint16_t>{2});
  EXPECT_EQ(buffers(paths), 2U);
  place(row, "minimum", paths);
  EXPECT_EQ(buffers(paths), 0U) << "a row closes no cycle";
}

/// Up from r0: down to r2 by r1, then up to r3 on a ring of four breaks the rule, at r2 and both ways.
TEST(Placement, OfUpDownStandsBetweenDownAndUp) {
  const Topology ring = ring_of(4);
  PathSet paths = clockwise(ring);
  place(ring, "up_down", paths);
  EXPECT_EQ(paths.at(RouterId{1}, RouterId{3}).in_transit, std::vector<std::uint16_t>{1});
  EXPECT_EQ(buffers(paths), 1U) << "0-1-2 goes down, 2-3-0 up, 3-0-1 up and down";
  Configuration other_root;
  other_root.set("routing.in_transit_root", "r1");
  place(ring, "up_down", paths, other_root);
  EXPECT_EQ(paths.at(RouterId{2}, RouterId{0}).in_transit, std::vector<std::uint16_t>{1});
  EXPECT_EQ(buffers(paths), 1U);
}

}  // namespace
}  // namespace braid::test::stuck_placement_test
