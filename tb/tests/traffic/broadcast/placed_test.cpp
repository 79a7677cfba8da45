// Which node stands where, and how long one broadcast takes that way.
#include "traffic/broadcast/placed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/tests/support/graphs.h"
#include "traffic/broadcast/one_wave.h"

namespace braid::test::placed_test {
namespace {

using namespace traffic;

std::vector<std::uint32_t> nodes_of(const PlacedBroadcast& placed) {
  std::vector<std::uint32_t> all;
  for (const NodeId n : placed.nodes) all.push_back(n.value);
  return all;
}

/// From the root on and around.
TEST(PlacedBroadcast, InNodeOrderBeginsWithTheRoot) {
  const routing::Topology mesh = grid_of("mesh", 3, 2);
  const auto from = [&](std::uint32_t root) {
    return nodes_of(place_broadcast("unicast", "node_order", mesh, NodeId{root}, 1, {}));
  };
  EXPECT_EQ(from(0), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(from(4), (std::vector<std::uint32_t>{4, 5, 0, 1, 2, 3}));
  EXPECT_EQ(from(5), (std::vector<std::uint32_t>{5, 0, 1, 2, 3, 4}));
  EXPECT_EQ(complaint([&] { (void)from(6); }), "broadcast.root = 6: expected 0 to 5");
}

/// A mesh of an even number of rows has a ring over its links: each position is a link from the next.
TEST(PlacedBroadcast, AlongARingIsALinkFromTheNext) {
  const routing::Topology mesh = grid_of("mesh", 4, 4);
  for (const std::uint32_t root : {0U, 6U, 15U}) {
    const PlacedBroadcast placed = place_broadcast("unicast", "ring", mesh, NodeId{root}, 1, {});
    ASSERT_EQ(placed.nodes.size(), 16U);
    EXPECT_EQ(placed.nodes.front(), NodeId{root});
    for (std::size_t p = 0; p < 16; ++p) {
      const NodeId here = placed.nodes[p], next = placed.nodes[(p + 1) % 16];
      EXPECT_EQ(mesh.distances_to(mesh.router_of(next))[mesh.router_of(here).value], 1U) << p;
    }
    std::vector<std::uint32_t> all = nodes_of(placed);
    std::sort(all.begin(), all.end());
    for (std::uint32_t n = 0; n < 16; ++n) EXPECT_EQ(all[n], n);
  }
}

/// The root stays, everybody has a place, and no placement costs more than that which it began with.
TEST(PlacedBroadcast, AnnealedIsNoSlowerThanInNodeOrder) {
  const routing::Topology mesh = grid_of("mesh", 5, 3);
  constexpr std::uint32_t kHop = 3;
  const auto cycles = [&](const PlacedBroadcast& placed) {
    return OneWave(placed.scheme->parts()).cycles([&](std::uint32_t from, std::uint32_t to) {
      return kHop * mesh.distances_to(mesh.router_of(placed.nodes[to]))[mesh.router_of(placed.nodes[from]).value];
    });
  };
  for (const char* const scheme : {"balanced_tree", "diamond_ring", "unicast"}) {
    const PlacedBroadcast first = place_broadcast(scheme, "node_order", mesh, NodeId{7}, kHop, {});
    Configuration options;
    options.set("broadcast.moves", 500);
    const PlacedBroadcast placed = place_broadcast(scheme, "annealed", mesh, NodeId{7}, kHop, options);
    EXPECT_EQ(placed.nodes.front(), NodeId{7}) << scheme;
    EXPECT_LE(cycles(placed), cycles(first) + kHop * 6) << scheme << ": but for the mean of the wires";
    std::vector<std::uint32_t> all = nodes_of(placed);
    std::sort(all.begin(), all.end());
    for (std::uint32_t n = 0; n < 15; ++n) EXPECT_EQ(all[n], n) << scheme;
    EXPECT_EQ(placed.nodes, place_broadcast(scheme, "annealed", mesh, NodeId{7}, kHop, options).nodes) << scheme;
    options.set("broadcast.moves", 0);
    EXPECT_EQ(place_broadcast(scheme, "annealed", mesh, NodeId{7}, kHop, options).nodes, first.nodes) << scheme;
  }
  const routing::Topology two = grid_of("mesh", 2, 1);
  EXPECT_EQ(nodes_of(place_broadcast("unicast", "annealed", two, NodeId{1}, 1, {})), (std::vector<std::uint32_t>{1, 0}))
      << "nobody can move";
}

TEST(PlacedBroadcast, ASchemeOfTheLinksSaysItself) {
  const routing::Topology mesh = grid_of("mesh", 3, 3);
  Configuration options;
  EXPECT_EQ(place_broadcast("spanning_tree", "none", mesh, NodeId{4}, 1, options).nodes.front(), NodeId{4});
  options.set("broadcast.placement", "ring");
  EXPECT_EQ(complaint([&] { (void)place_broadcast("spanning_tree", "ring", mesh, NodeId{4}, 1, options); }),
            "broadcast.placement: \"spanning_tree\" says itself which node stands where; expected none");
  EXPECT_EQ(place_broadcast("unicast", "ring", mesh, NodeId{4}, 1, options).nodes.size(), 9U);
}

/// A tells B in cycle 1 and C in cycle 2, so that they hear in cycles w + 1 and w + 2; each is done with that a cycle
/// later, and sends in the one after. What comes back in cycles 2w + 3 and 2w + 4 is received one after the other.
TEST(OneWave, TakesTwoWiresAndFiveCyclesForTwo) {
  const auto unicast =
      BroadcastSchemeRegistry::instance().make("unicast", {3, routing::Topology{}, NodeId{0}, Configuration{}});
  OneWave wave(unicast->parts());
  for (const std::uint32_t wire : {0U, 1U, 2U, 100U, 125U, 126U, 127U, 128U, 255U, 1000U, 5000U, 1U}) {
    EXPECT_EQ(wave.cycles([&](std::uint32_t, std::uint32_t) { return wire; }), 2 * wire + 5) << wire;
  }
  // B near, C far: 2 + 9 to C, two cycles, 9 back, and a cycle there.
  EXPECT_EQ(wave.cycles([](std::uint32_t a, std::uint32_t b) { return a + b == 1 ? 1U : 9U; }), 2U + 9 + 2 + 9 + 1);
}

}  // namespace
}  // namespace braid::test::placed_test
