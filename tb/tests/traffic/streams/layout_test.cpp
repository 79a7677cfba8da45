// Layout costs: by hand, and that annealing brings each down.
#include <gtest/gtest.h>

#include <utility>

#include "tb/tests/support/bench.h"
#include "traffic/streams/layout/layout_cost.h"

namespace braid::test::layout_test {
namespace {

using namespace traffic;

routing::Topology mesh(int width, int height) {
  Configuration options;
  options.set("topology.width", width);
  options.set("topology.height", height);
  return routing::make_topology(options);
}

std::vector<NodeId> at(std::initializer_list<std::size_t> nodes) {
  std::vector<NodeId> all;
  for (const std::size_t n : nodes) all.emplace_back(n);
  return all;
}

StreamGraph star(std::vector<StreamEdge> edges) {
  StreamGraph g;
  for (std::size_t a = 0; a < 4; ++a) g.actors.push_back({"a" + std::to_string(a), 1, {}});
  g.edges = std::move(edges);
  return g;
}

TEST(LayoutCost, HopsAreItemsTimesLinks) {
  const routing::Topology m = mesh(3, 3);
  const StreamGraph g = star({{0, 1, 4, 2, 2}, {1, 2, 3, 3, 3}, {0, 3, 1, 1, 1}});  // a1, a2 fire twice
  const auto cost = LayoutCostRegistry::instance().make("hops", {g, m, {}});
  EXPECT_DOUBLE_EQ(cost->of(at({0, 2, 8, 3})), 4 * 2 + 6 * 2 + 1);
}

TEST(LinkLoads, CountSharesOfWhatIsDealtOutAndCopiesOnce) {
  const routing::Topology m = mesh(4, 1);
  const auto most = [&](const StreamGraph& g) {
    LinkLoads loads({g, m, {}});
    return loads.of(at({0, 1, 2, 3}))[0];  // eastwards from the first router
  };
  const StreamEdge one{0, 1}, two{0, 2}, three{0, 3, 2, 2, 2};
  EXPECT_DOUBLE_EQ(most(star({one, two, three})), 1.0);  // shares of one stream: a quarter, a quarter, a half
  const auto copy = [](StreamEdge e, std::uint32_t group) {
    e.push = e.pop = e.peek = 1;
    e.group = group;
    return e;
  };
  EXPECT_DOUBLE_EQ(most(star({copy(one, 1), copy(two, 1), copy(three, 1)})), 1.0);
  EXPECT_DOUBLE_EQ(most(star({copy(one, 1), copy(two, 1), copy(three, 2)})), 2.0);
  EXPECT_DOUBLE_EQ(most(star({copy(one, 1), copy(two, 1), three})), 2.0);
  EXPECT_DOUBLE_EQ(most(star({copy(one, 1), two, copy(three, 1)})), 2.0);  // a copy with another edge between
  EXPECT_DOUBLE_EQ(most(star({copy(one, 1), copy(two, 2), copy(three, 1), copy(one, 2)})), 2.0);
}

TEST(LinkLoads, AreOfEachDirection) {
  const routing::Topology m = mesh(2, 2);
  StreamGraph g = star({{0, 1}, {1, 0}, {0, 3}});
  LinkLoads loads({g, m, {}});
  const std::vector<double> all = loads.of(at({0, 1, 2, 3}));
  EXPECT_DOUBLE_EQ(all[0 * 4 + 0], 1.0);  // two halves eastwards
  EXPECT_DOUBLE_EQ(all[1 * 4 + 1], 1.0);  // back
  EXPECT_DOUBLE_EQ(all[1 * 4 + 2], 0.5);  // north, x first
}

/// X first, then y, in every direction: a load on each link of the way and on no other.
TEST(LinkLoads, AreOnTheWayAndNowhereElse) {
  const routing::Topology m = mesh(3, 3);
  StreamGraph there = star({{0, 1}});
  LinkLoads loads({there, m, {}});
  const auto links = [&](std::size_t from, std::size_t to) {
    std::vector<std::size_t> all;
    const std::vector<double>& of = loads.of(at({from, to, 4, 4}));
    for (std::size_t l = 0; l < of.size(); ++l) {
      if (of[l] != 0.0) all.push_back(l);
      EXPECT_TRUE(of[l] == 0.0 || of[l] == 1.0) << l;
    }
    return all;
  };
  using Links = std::vector<std::size_t>;  // of router r: 4 r eastwards, then west, north, south
  EXPECT_EQ(links(0, 8), (Links{0 * 4, 1 * 4, 2 * 4 + 2, 5 * 4 + 2}));
  EXPECT_EQ(links(8, 0), (Links{3 * 4 + 3, 6 * 4 + 3, 7 * 4 + 1, 8 * 4 + 1}));
  EXPECT_EQ(links(2, 6), (Links{0 * 4 + 2, 1 * 4 + 1, 2 * 4 + 1, 3 * 4 + 2}));
  EXPECT_EQ(links(6, 2), (Links{5 * 4 + 3, 6 * 4, 7 * 4, 8 * 4 + 3}));
  EXPECT_EQ(links(4, 4), Links{});
  EXPECT_EQ(links(0, 8).size(), 4U) << "the last call's are gone";
}

/// Two streams over one link and over three: each weight times what it is of, and a thousand for a node with more
/// streams than links.
TEST(LayoutCost, WeightedIsTheSumOfItsTerms) {
  const auto cost = [](const StreamGraph& g, const routing::Topology& m, double distance, double sharing,
                       double disjoint) {
    PlacementOptions options;
    options.distance_weight = distance;
    options.sharing_weight = sharing;
    options.disjoint_weight = disjoint;
    return LayoutCostRegistry::instance().make("weighted", {g, m, options})->of(at({0, 1, 2, 3}));
  };
  for (const auto& [width, height] : {std::pair(4, 1), std::pair(1, 4)}) {
    const routing::Topology line = mesh(width, height);
    for (const StreamGraph& g : {star({{0, 1}, {0, 2}}), star({{1, 0}, {2, 0}})}) {
      EXPECT_DOUBLE_EQ(cost(g, line, 2, 3, 5), 2.0 * (1 + 2) + 3 + 5 + 1000);
      EXPECT_DOUBLE_EQ(cost(g, line, 2, 0, 5), 2.0 * 3 + 5 + 1000);
      EXPECT_DOUBLE_EQ(cost(g, line, 2, 3, 0), 2.0 * 3 + 3 + 1000);
      EXPECT_DOUBLE_EQ(cost(g, line, 0, 0, 0), 1000.0);
    }
    EXPECT_DOUBLE_EQ(cost(star({{0, 1}, {1, 0}}), line, 2, 3, 5), 2.0 * 2) << "there and back";
    EXPECT_DOUBLE_EQ(cost(star({{0, 1, 4, 4, 4}, {2, 3}}), line, 2, 3, 5), 2.0 * (4 + 1));
    EXPECT_DOUBLE_EQ(cost(star({{0, 3}, {0, 3}, {0, 3}}), line, 0, 1, 0), 2000.0 + 2 * 3 + 2000)
        << "two streams too many at either end, two beyond the first on each of three links";
  }
}

/// Behind the actors' nodes stand those that are free: nobody sends there.
TEST(LayoutCost, FreeNodesCostNothing) {
  const routing::Topology line = mesh(8, 1);
  StreamGraph g;
  for (std::size_t a = 0; a < 6; ++a) g.actors.push_back({"a" + std::to_string(a), 1, {}});
  g.edges = {{0, 1}, {2, 3}, {4, 5}};
  const PlacementOptions options;
  for (const char* name : {"weighted", "hops", "link_loads"}) {
    const auto cost = LayoutCostRegistry::instance().make(name, {g, line, options});
    EXPECT_DOUBLE_EQ(cost->of(at({0, 1, 2, 3, 4, 5, 6, 7})), 3.0) << name;
    EXPECT_DOUBLE_EQ(cost->of(at({0, 1, 2, 3, 4, 5, 7, 6})), 3.0) << name;
  }
}

TEST(LayoutCost, AnnealingBringsEachDown) {
  const StreamGraph g = read_stream_graph(source_file("traffic/graphs/fm_radio_4x4.toml"));
  const routing::Topology m = mesh(4, 4);
  for (const char* name : {"weighted", "hops", "link_loads"}) {
    PlacementOptions annealed, in_order;
    annealed.layout_cost = name;
    annealed.moves = 20000;
    in_order.anneal = false;
    const auto cost = LayoutCostRegistry::instance().make(name, {g, m, annealed});
    const auto placed = place(g, m, annealed, 1);
    EXPECT_LT(cost->of(placed), 0.7 * cost->of(place(g, m, in_order, 1))) << name;
    EXPECT_EQ(placed, place(g, m, annealed, 1)) << name;
  }
}

TEST(LayoutCost, IsToldAndCanBeBrokenOff) {
  const StreamGraph g = read_stream_graph(source_file("traffic/graphs/fm_radio_4x4.toml"));
  const routing::Topology m = mesh(4, 4);
  EXPECT_THROW(place(g, m, {}, 1,
                     [](const char* counts, std::size_t done, std::size_t all) {
                       EXPECT_STREQ(counts, "layout");
                       EXPECT_EQ(all, 100000U);
                       if (done > 1000) throw std::runtime_error("enough");
                     }),
               std::runtime_error);
}

}  // namespace
}  // namespace braid::test::layout_test
