// Searches over layouts, partitions and variants: what they tell whoever waits, which links and degrees they try.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/layout/layout_cost.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/variants.h"

namespace braid::test::searches_test {
namespace {

using namespace traffic;

StreamGraph graph_of(std::size_t actors, std::vector<StreamEdge> edges) {
  StreamGraph g;
  for (std::size_t a = 0; a < actors; ++a) g.actors.push_back({"a" + std::to_string(a), 1, {}});
  g.edges = std::move(edges);
  return g;
}

using Told = std::vector<std::tuple<std::string, std::size_t, std::size_t>>;

routing::OnProgress into(Told& told) {
  return [&told](const char* counts, std::size_t done, std::size_t all) { told.emplace_back(counts, done, all); };
}

Structure chain(const std::vector<std::uint64_t>& work) {
  std::vector<Structure> stages;
  for (std::size_t i = 0; i < work.size(); ++i) {
    stages.push_back(
        filter(std::string(1, static_cast<char>('a' + i)), i == 0 ? 0 : 1, i + 1 == work.size() ? 0 : 1, work[i]));
  }
  return pipeline("p", std::move(stages));
}

/// Who waits is told what is counted, from 0 on.
TEST(ProgressOfSearches, IsToldStepByStep) {
  PartitionOptions options;
  options.partition = "greedy";
  Told told;
  (void)partition_program(chain({1, 1, 1, 1, 1, 1}), "p.str", options, 3, into(told));
  EXPECT_EQ(told, (Told{{"actor fused", 0, 3}, {"actor fused", 1, 3}, {"actor fused", 2, 3}}));
  told.clear();
  options.partition = "dynamic_programming";
  // Work of 16 on two tiles: between 8 and 16 are 12, 10, 9 and 8.
  (void)partition_program(chain({8, 8}), "p.str", options, 2, into(told));
  EXPECT_EQ(told, (Told{{"bisection", 0, 64}, {"bisection", 1, 64}, {"bisection", 2, 64}, {"bisection", 3, 64}}));
  told.clear();
  const auto fan = [](std::size_t tiles) {
    StreamGraph g{"g", "", {{"s", 1, {}}, {"t", 1, {}}}, {}};
    for (std::uint32_t b = 2; b < tiles; ++b) {
      g.actors.push_back({"b" + std::to_string(b), 1, {}});
      g.edges.push_back({0, b});
      g.edges.push_back({b, 1});
    }
    return Variant{tiles, 0, g};
  };
  (void)variants(fan, 8, grid_of("mesh", 4, 4), {}, into(told));
  EXPECT_EQ(told, (Told{{"partition", 0, 6},
                        {"partition", 1, 6},
                        {"partition", 2, 6},
                        {"partition", 3, 6},
                        {"partition", 4, 6},
                        {"partition", 5, 6}}));
  told.clear();
  StreamGraph two{"g", "", {{"s", 1, {}}, {"t", 1, {}}}, {{0, 1}}};
  PlacementOptions placement;
  placement.moves = 2000;
  (void)place(two, grid_of("mesh", 4, 4), placement, 1, into(told));
  ASSERT_GT(told.size(), 2U);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i], std::make_tuple(std::string("layout"), 128 * (i + 1), std::size_t{2000}));
  }
}

/// Of every degree below that of the widest tile, with all actors and with fewer.
TEST(VariantsStepwise, HaveFourThreeOrTwoStreamsAnActor) {
  const auto fan = [](std::size_t tiles) {
    StreamGraph g{"g", "", {{"s", 1, {}}, {"t", 1, {}}}, {}};
    for (std::uint32_t b = 2; b < tiles; ++b) {
      g.actors.push_back({"b" + std::to_string(b), 1, {}});
      g.edges.push_back({0, b});
      g.edges.push_back({b, 1});
    }
    return Variant{tiles, 0, g};
  };
  const auto degrees = [&](std::uint32_t asked, std::size_t tiles) {
    std::vector<std::uint32_t> all;
    for (const Variant& v : variants(fan, 12, grid_of("mesh", 5, 5), {asked, true, {}}, {})) {
      if (v.tiles == tiles) all.push_back(v.degree);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  using Degrees = std::vector<std::uint32_t>;
  EXPECT_EQ(degrees(0, 12), (Degrees{0, 2, 3, 4}));
  EXPECT_EQ(degrees(0, 10), (Degrees{2, 3, 4})) << "crowded as it is";
  EXPECT_EQ(degrees(0, 6), (Degrees{0, 2, 3})) << "four streams are no more than four";
  EXPECT_EQ(degrees(3, 12), (Degrees{2, 3}));
  EXPECT_EQ(degrees(4, 12), (Degrees{2, 3, 4}));
  EXPECT_EQ(degrees(4, 10), (Degrees{2, 3, 4}));
  EXPECT_EQ(degrees(2, 10), Degrees{2});
}

/// Streams on links of two routers one after the other, in two directions, share none.
TEST(LayoutStepwise, LinksOfARouterAreItsOwn) {
  const routing::Topology mesh = grid_of("mesh", 3, 3);
  PlacementOptions options;
  options.distance_weight = options.disjoint_weight = 0.0;
  options.sharing_weight = 1.0;
  for (std::uint32_t a = 0; a < 9; ++a) {
    for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
      const int x = static_cast<int>(a % 3) + dx, y = static_cast<int>(a / 3) + dy;
      if (x < 0 || y < 0 || x > 2 || y > 2) continue;
      StreamGraph g = graph_of(4, {{0, 1}, {2, 3}});
      const NodeId from{a}, to{static_cast<std::uint32_t>(y * 3 + x)};
      const auto cost = LayoutCostRegistry::instance().make("weighted", {g, mesh, options});
      for (std::uint32_t b = 0; b < 9; ++b) {
        for (const std::uint32_t c : {b + 1, b + 3}) {
          if (c > 8 || (c == b + 1 && c % 3 == 0)) continue;
          EXPECT_EQ(cost->of({from, to, NodeId{b}, NodeId{c}}), from.value == b && to.value == c ? 1.0 : 0.0);
          EXPECT_EQ(cost->of({from, to, NodeId{c}, NodeId{b}}), from.value == c && to.value == b ? 1.0 : 0.0);
        }
      }
    }
  }
}

/// Four links a router, whichever exist.
TEST(LinkLoadsStepwise, AreOfFourLinksARouter) {
  const routing::Topology mesh = grid_of("mesh", 3, 2);
  const StreamGraph g = graph_of(2, {{0, 1}});
  LinkLoads loads({g, mesh, {}});
  EXPECT_EQ(loads.of({NodeId{0}, NodeId{5}}).size(), 24U);
  const routing::Topology ring = ring_of(4);
  EXPECT_EQ(complaint([&] { (void)LayoutCostRegistry::instance().make("link_loads", {g, ring, {}}); }),
            "stream.layout_cost = \"link_loads\" needs a mesh or torus");
}

}  // namespace
}  // namespace braid::test::searches_test
