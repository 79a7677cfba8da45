// What an annealed placement is judged by: against the best of all placements, found by trying each.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tb/tests/support/graphs.h"
#include "traffic/broadcast/one_wave.h"
#include "traffic/broadcast/placed.h"

namespace braid::test::placement_cost_test {
namespace {

using namespace traffic;

constexpr std::uint32_t kHop = 2;

/// Cycles of one broadcast and, as its fraction so to speak, the mean of its wires.
double cost(const std::vector<BroadcastPart>& parts, const routing::Topology& mesh, const std::vector<NodeId>& nodes) {
  std::uint64_t wires = 0, messages = 0;
  const std::uint64_t cycles = OneWave(parts).cycles([&](std::uint32_t from, std::uint32_t to) {
    const RouterId here = mesh.router_of(nodes[from]);
    const std::uint32_t wire = kHop * mesh.distances_to(mesh.router_of(nodes[to]))[here.value];
    wires += wire;
    ++messages;
    return wire;
  });
  return static_cast<double>(cycles) + static_cast<double>(wires) / static_cast<double>(messages);
}

double least_cost(const std::vector<BroadcastPart>& parts, const routing::Topology& mesh, std::vector<NodeId> nodes) {
  std::sort(nodes.begin() + 1, nodes.end());
  double least = cost(parts, mesh, nodes);
  while (std::next_permutation(nodes.begin() + 1, nodes.end())) least = std::min(least, cost(parts, mesh, nodes));
  return least;
}

/// Every position but the root's has its best node, however small the network.
TEST(AnnealedPlacement, IsTheBestOfASmallNetwork) {
  for (const char* const scheme : {"balanced_tree", "diamond_ring", "unicast", "logp_tree"}) {
    for (const auto& [width, height] : {std::pair(3U, 1U), {5U, 1U}, {3U, 2U}}) {
      const routing::Topology mesh = grid_of("mesh", width, height);
      for (std::uint32_t root = 0; root < mesh.node_count(); ++root) {
        Configuration options;
        options.set("broadcast.moves", 3000);
        const PlacedBroadcast placed = place_broadcast(scheme, "annealed", mesh, NodeId{root}, kHop, options);
        const auto& parts = placed.scheme->parts();
        EXPECT_DOUBLE_EQ(cost(parts, mesh, placed.nodes), least_cost(parts, mesh, placed.nodes))
            << scheme << " on " << mesh.name << " from " << root;
      }
    }
  }
}

/// One packet to both leaves: the root has sent it after a cycle, and two answers come back at once.
TEST(OneWave, SendsOnePacketWhereRoutersCopyIt) {
  const auto multicast = BroadcastSchemeRegistry::instance().make("router_multicast",
                                                                  {3, routing::Topology{}, NodeId{0}, Configuration{}});
  OneWave wave(multicast->parts());
  EXPECT_EQ(wave.cycles([](std::uint32_t, std::uint32_t) { return 4U; }), 1U + 4 + 2 + 4 + 2);
  // B near, C far; C is not told later than B: 1 + 9 to C, two cycles, 9 back, and a cycle there.
  EXPECT_EQ(wave.cycles([](std::uint32_t a, std::uint32_t b) { return a + b == 1 ? 1U : 9U; }), 1U + 9 + 2 + 9 + 1);
  EXPECT_EQ(wave.cycles([](std::uint32_t a, std::uint32_t b) { return a + b == 1 ? 9U : 1U; }), 1U + 9 + 2 + 9 + 1);
}

/// What a position tells in the end it tells message by message, whatever it told at once.
TEST(OneWave, CopiesOnlyWhatIsToldAtOnce) {
  std::vector<BroadcastPart> parts(2);
  parts[0] = {"root", {1, 1}, {1}, {}, true};
  parts[1] = {"inner", {0}, {}, {0, 0}, true};
  OneWave wave(parts);
  // There in cycle 1, two messages from cycle 3 on, the last of them received in cycle 4.
  EXPECT_EQ(wave.cycles([](std::uint32_t, std::uint32_t) { return 0U; }), 1U + 2 + 1 + 1);
  const auto alone = BroadcastSchemeRegistry::instance().make("router_multicast",
                                                              {1, routing::Topology{}, NodeId{0}, Configuration{}});
  OneWave nobody(alone->parts());
  EXPECT_EQ(nobody.cycles([](std::uint32_t, std::uint32_t) { return 9U; }), 0U) << "no packet to nobody";
}

}  // namespace
}  // namespace braid::test::placement_cost_test
