// Chains of chiplets: wire by wire on a small one; links, distances, diameter and bisection in closed form; latencies
// and speeds of joints; what is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::chiplet_chain_test {
namespace {

using namespace routing;
using Rows = std::vector<std::uint32_t>;

std::vector<std::string> ends(const Topology& t, std::size_t router) {
  std::vector<std::string> all;
  for (const Port& p : t.routers[router]) {
    all.push_back(p.kind == PortKind::kUnconnected ? "-"
                  : p.kind == PortKind::kLocal     ? "node " + std::to_string(p.node.value)
                                                   : t.router_names[p.peer_router.value]);
  }
  return all;
}
using Ends = std::vector<std::string>;

/// Two chiplets of 2x2, joined in row 1 alone: routers 0 to 3 in the south, 4 to 7 in the north.
TEST(ChipletChain, TwoByTwoByTwoWireByWire) {
  const Topology t = chain_of(2, 2, 2, {1});
  EXPECT_EQ(t.name, "chain of 2 chiplets 2x2 joined in rows 1");
  EXPECT_EQ(t.router_names, (Ends{"0,0", "1,0", "2,0", "3,0", "0,1", "1,1", "2,1", "3,1"}));
  EXPECT_EQ(ends(t, 1), (Ends{"-", "0,0", "1,1", "-", "node 1"}));
  EXPECT_EQ(ends(t, 2), (Ends{"3,0", "-", "2,1", "-", "node 2"}));
  EXPECT_EQ(ends(t, 5), (Ends{"2,1", "0,1", "-", "1,0", "node 5"}));
  EXPECT_EQ(ends(t, 6), (Ends{"3,1", "1,1", "-", "2,0", "node 6"}));
  EXPECT_FALSE(t.grid);
  EXPECT_EQ(t.positions[5].x, 1.0);
  EXPECT_EQ(t.positions[6].x, 3.0) << "chiplets are drawn apart";
  EXPECT_EQ(t.positions[6].y, 1.0);
}

/// Joined in every row it is the mesh of all columns, joint or not.
TEST(ChipletChain, JoinedInEveryRowIsAMesh) {
  const Topology chain = chain_of(3, 2, 3), listed = chain_of(3, 2, 3, {2, 0, 1}), mesh = grid_of("mesh", 6, 3);
  EXPECT_EQ(chain.name, "chain of 3 chiplets 2x3");
  EXPECT_EQ(listed.name, chain.name);
  ASSERT_TRUE(chain.grid && listed.grid);
  EXPECT_EQ(chain.grid->width, 6U);
  EXPECT_EQ(chain.grid->height, 3U);
  for (std::size_t r = 0; r < 18; ++r) EXPECT_EQ(ends(chain, r), ends(mesh, r));
}

/// Without a neighbour there is nothing to join.
TEST(ChipletChain, OfOneIsAMesh) { EXPECT_TRUE(chain_of(1, 3, 4, {0}).grid.has_value()); }

struct Shape {
  std::uint32_t chiplets, width, height;
  Rows rows;  // ascending, all of them if that is all
};
class Chains : public testing::TestWithParam<Shape> {};

/// Links of the shortest way: columns and rows apart, and between chiplets twice what the nearest joint lies beside it.
std::uint32_t links_between(const Shape& s, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t length = s.chiplets * s.width;
  const std::uint32_t x0 = std::min(from % length, to % length), x1 = std::max(from % length, to % length);
  const std::uint32_t y0 = std::min(from / length, to / length), y1 = std::max(from / length, to / length);
  std::uint32_t beside = x0 / s.width == x1 / s.width ? 0 : UINT32_MAX;
  for (const std::uint32_t row : s.rows) beside = std::min(beside, row < y0 ? y0 - row : row > y1 ? row - y1 : 0);
  return x1 - x0 + y1 - y0 + 2 * beside;
}

TEST_P(Chains, HaveTheirClosedForms) {
  const Shape& s = GetParam();
  const Topology t = chain_of(s.chiplets, s.width, s.height, s.rows);
  const std::uint32_t length = s.chiplets * s.width, joints = s.chiplets - 1;
  const auto rows = static_cast<std::uint32_t>(s.rows.size());
  EXPECT_EQ(t.router_count(), std::size_t{length} * s.height);
  EXPECT_EQ(t.node_count(), t.router_count());
  EXPECT_EQ(t.link_count(), 2 * (s.chiplets * (s.width - 1) * s.height + joints * rows + (s.height - 1) * length));
  EXPECT_EQ(t.max_port_count(), 5U);
  std::uint32_t diameter = 0;
  for (std::uint32_t to = 0; to < t.router_count(); ++to) {
    const auto distance = t.distances_to(RouterId{to});
    for (std::uint32_t from = 0; from < t.router_count(); ++from) {
      ASSERT_EQ(distance[from], links_between(s, from, to)) << t.name << ": " << from << " to " << to;
      diameter = std::max(diameter, distance[from]);
    }
  }
  // Two corners apart, or two in the row that is farthest from a joint
  const std::uint32_t aside = std::max(s.rows.front(), s.height - 1 - s.rows.back());
  const std::uint32_t around = s.chiplets > 1 ? 2 * aside : 0;
  EXPECT_EQ(diameter, length - 1 + std::max(s.height - 1, around));
  for (std::uint32_t border = 1; border < s.chiplets; ++border) {  // the cut between two chiplets
    std::size_t cut = 0;
    for (std::size_t r = 0; r < t.router_count(); ++r) {
      for (const Port& p : t.routers[r]) {
        cut += p.kind == PortKind::kNetwork && t.chain->chiplet(RouterId{r}) < border &&
                       t.chain->chiplet(p.peer_router) >= border
                   ? 1
                   : 0;
      }
    }
    EXPECT_EQ(cut, rows);
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, Chains,
                         testing::Values(Shape{2, 4, 4, {0, 1, 2, 3}}, Shape{4, 3, 3, {1}}, Shape{3, 2, 5, {0, 4}},
                                         Shape{3, 1, 4, {3}}, Shape{1, 3, 4, {0}}, Shape{2, 3, 6, {0, 2}},
                                         Shape{5, 2, 1, {0}}));

TEST(ChipletChain, JointsHaveALatencyAndASpeedOfTheirOwn) {
  Configuration options;
  options.set("topology.kind", "chiplet_chain");
  options.set("topology.chiplets", 3);
  options.set("topology.width", 2);
  options.set("topology.height", 2);
  options.set("topology.link_latency_cycles", 2);
  options.set("topology.link_flits_per_cycle", 3);
  options.set("topology.joint_latency_cycles", 9);
  options.set("topology.joint_flits_per_cycle", 5);
  for (const Rows& rows : {Rows{}, Rows{0}}) {
    options.set("topology.joined_rows", rows);
    const Topology t = make_topology(options);
    std::size_t joints = 0;
    for (std::size_t r = 0; r < t.router_count(); ++r) {
      for (const Port& p : t.routers[r]) {
        if (p.kind != PortKind::kNetwork) continue;
        const bool joint = r % 6 / 2 != p.peer_router.value % 6U / 2;
        EXPECT_EQ(p.latency_cycles, joint ? 9U : 2U) << r << p.name;
        EXPECT_EQ(p.flits_per_cycle, joint ? 5U : 3U) << r << p.name;
        joints += joint ? 1 : 0;
      }
    }
    EXPECT_EQ(joints, rows.empty() ? 8U : 4U);
  }
}

std::string refusal(std::uint32_t chiplets, std::uint32_t width, const Rows& rows) {
  return complaint([&] { chain_of(chiplets, width, 4, rows); });
}

TEST(ChipletChain, RefusesWhatItCannotBe) {
  EXPECT_EQ(refusal(2, 3, {1, 4}), "topology.joined_rows has 4: expected rows of 0 to 3, each once");
  EXPECT_EQ(refusal(2, 3, {1, 2, 1}), "topology.joined_rows has 1 twice: expected rows of 0 to 3, each once");
  EXPECT_EQ(refusal(205, 5, {}), "a chain of 205 chiplets 5x4 has 1025 routers in a row: expected at most 1024");
  EXPECT_EQ(refusal(256, 4, {}), "");
}

}  // namespace
}  // namespace braid::test::chiplet_chain_test
