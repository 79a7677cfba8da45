// Packets that name their stream: each stream's path by hand, those who ask without a packet, and what is said where
// there are no paths.
#include "routing/algorithm/disjoint_paths.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routing/analysis/link_loads.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::disjoint_paths_test {
namespace {

using namespace routing;

std::unique_ptr<RoutingAlgorithm> made(const Topology& t, const std::string& finder = "exact") {
  RoutingContext context;
  context.vcs = 2;
  context.configuration.set("routing.finder", finder);
  context.configuration.set("disjoint.sequential_orders", 1);
  return RoutingRegistry::instance().make("disjoint_paths", t, context);
}

std::vector<std::uint32_t> routers(const Topology& t, const RoutingAlgorithm& algorithm, std::size_t from,
                                   std::size_t to, RouteId stream = kNoRoute) {
  std::vector<std::uint32_t> all;
  for (const Hop& hop : path_between(t, algorithm, NodeId{from}, NodeId{to}, 0, stream)) {
    all.push_back(hop.router.value);
  }
  return all;
}
using Routers = std::vector<std::uint32_t>;

/// Two streams from r0 to r1 of a ring: one takes the link, the other goes round.
TEST(DisjointPaths, AreEachStreamsOwn) {
  const Topology t = ring_of(4);
  const auto algorithm = made(t);
  EXPECT_FALSE(algorithm->acyclic_by_construction()) << "nobody has told of streams";
  EXPECT_EQ(routers(t, *algorithm, 0, 1), (Routers{0, 1})) << "the first port that leads nearer";
  EXPECT_EQ(routers(t, *algorithm, 0, 2), (Routers{0, 1, 2}));
  const StreamEnds one{NodeId{0}, NodeId{1}}, other{NodeId{2}, NodeId{3}};
  algorithm->routes_streams()->find_paths({one, other, one}, {});
  EXPECT_TRUE(algorithm->acyclic_by_construction());
  const Routers first = routers(t, *algorithm, 0, 1, 0), third = routers(t, *algorithm, 0, 1, 2);
  EXPECT_NE(first, third);
  for (const Routers& way : {first, third}) EXPECT_TRUE(way == (Routers{0, 1}) || way == (Routers{0, 3, 2, 1}));
  EXPECT_EQ(routers(t, *algorithm, 2, 3, 1), (Routers{2, 3}));
  EXPECT_EQ(routers(t, *algorithm, 0, 1), first) << "of whoever asks without a packet the first between the nodes";
  EXPECT_EQ(routers(t, *algorithm, 0, 2), (Routers{0, 1, 2})) << "no stream leads there";
  EXPECT_EQ(routers(t, *algorithm, 0, 3), (Routers{0, 3})) << "one begins at r0, another ends at r3: none is both";
  EXPECT_EQ(routers(t, *algorithm, 3, 1), (Routers{3, 2, 1}));
  EXPECT_EQ(routers(t, *algorithm, 2, 1), (Routers{2, 1}));
  EXPECT_EQ(routers(t, *algorithm, 0, 2, 99), (Routers{0, 1, 2})) << "nor is there so high a number";
  EXPECT_EQ(routers(t, *algorithm, 1, 1), Routers{1});
  EXPECT_EQ(ways(*algorithm, {RouterId{2}, PortId{0}, VcId{0}, NodeId{2}, NodeId{3}, 1}).size(), 1U);
}

std::string refusal(const std::string& finder, std::size_t streams) {
  const Topology t = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const auto algorithm = made(t, finder);
  std::vector<StreamEnds> all{{NodeId{3}, NodeId{1}}, {NodeId{0}, NodeId{3}}, {NodeId{0}, NodeId{1}}};
  all.resize(streams, {NodeId{0}, NodeId{1}});
  return complaint([&] { algorithm->routes_streams()->find_paths(all, {}); });
}

/// Three streams of which one order finds two paths alone, and a fourth for which there is no room at all.
TEST(DisjointPaths, AreRefusedWhereThereAreNoneOrNoneAreFound) {
  EXPECT_EQ(refusal("exact", 3), "");
  EXPECT_EQ(refusal("exact", 4),
            "routing.finder = \"exact\": there are no disjoint paths for 4 streams; expected fewer, or another layout");
  EXPECT_EQ(refusal("sequential", 3),
            "routing.finder = \"sequential\": it has found no disjoint paths for 3 streams; expected fewer, another "
            "layout or another finder");
}

}  // namespace
}  // namespace braid::test::disjoint_paths_test
