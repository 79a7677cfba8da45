// Trees of circuits drawn at random on meshes, held to a reference of a few lines: what a branch search finds there is,
// by a breadth-first search of its own over the links that nobody has; every destination has exactly its source's
// items, in their order; links carry the items of one tree, each once.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "routing/base/random.h"
#include "tb/tests/support/forks.h"

namespace braid::test::random_trees_test {
namespace {

using Links = std::set<std::pair<std::uint32_t, std::uint16_t>>;  // router, port

/// Groups of two to four streams from one node, and streams alone.
std::vector<ForkWay> drawn(std::size_t nodes, std::size_t groups, Random& random) {
  std::vector<ForkWay> ways;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::size_t from = random.below(nodes), streams = 1 + random.below(4);
    std::set<std::size_t> ends;
    for (std::size_t i = 0; i < streams; ++i) {
      const std::size_t to = random.below(nodes);
      if (to == from || !ends.insert(to).second) continue;
      ways.push_back({from, to, streams == 1 ? std::nullopt : std::optional<std::uint32_t>(g)});
    }
  }
  return ways;
}

class Reference {
 public:
  explicit Reference(const routing::Topology& topology) : topology_(topology) {}

  /// Is there a way from a router of the tree to another one by links that are free and routers without the tree?
  bool reaches(RouterId from, RouterId to, const Links& tree, const Links& taken) const {
    std::set<std::uint32_t> seen{from.value};
    for (const auto& [router, port] : tree) seen.insert(peer(router, port));
    std::vector<std::uint32_t> wave(seen.begin(), seen.end());
    while (!wave.empty()) {
      const std::uint32_t r = wave.back();
      wave.pop_back();
      const auto ports = static_cast<std::uint16_t>(topology_.port_count(RouterId{r}));
      for (std::uint16_t p = 0; p < ports; ++p) {
        if (!is_link(r, p) || taken.count({r, p}) != 0) continue;
        if (seen.insert(peer(r, p)).second) wave.push_back(peer(r, p));
      }
    }
    return seen.count(to.value) != 0;
  }
  bool is_link(std::uint32_t router, std::uint16_t port) const {
    return topology_.port(RouterId{router}, PortId{port}).kind == routing::PortKind::kNetwork;
  }
  std::uint32_t peer(std::uint32_t router, std::uint16_t port) const {
    return topology_.port(RouterId{router}, PortId{port}).peer_router.value;
  }
  Links links(const models::CircuitResult& circuit) const {
    Links all;
    for (const auto& step : circuit.path) {
      if (is_link(step.router.value, step.port.value)) all.insert({step.router.value, step.port.value});
    }
    return all;
  }

 private:
  const routing::Topology& topology_;
};

/// Streams node by node, as the token comes to them.
std::vector<std::uint32_t> by_node(const std::vector<ForkWay>& ways) {
  std::vector<std::uint32_t> order(ways.size());
  for (std::uint32_t c = 0; c < ways.size(); ++c) order[c] = c;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return ways[a].from < ways[b].from; });
  return order;
}

/// Set-up with one order: of each search whether it must succeed. The links of each tree, by its first stream.
std::map<std::uint32_t, Links> expect_searches(ForkRig& rig, const std::string& where) {
  const Reference reference(rig.topology());
  std::map<std::uint32_t, Links> trees;
  std::vector<models::CircuitResult> found;
  while (!rig.fabric().setup_done()) {
    rig.run(1);
    const auto circuits = rig.fabric().setup_results().circuits;
    if (circuits.size() > found.size()) found = circuits;
  }
  Links taken;
  std::map<std::uint32_t, std::uint32_t> first;  // [group] stream
  const std::vector<std::uint32_t> order = by_node(rig.ways());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t c = order[i];
    const ForkWay& way = rig.ways()[c];
    const bool branch = way.copies && first.count(*way.copies) != 0;
    const std::uint32_t root = branch ? first[*way.copies] : c;
    const RouterId from = rig.topology().router_of(NodeId{way.from}), to = rig.topology().router_of(NodeId{way.to});
    const bool must = reference.reaches(from, to, trees[root], taken);
    EXPECT_EQ(i < found.size(), must) << where << ", stream " << c;
    if (i >= found.size()) break;
    if (way.copies) first.emplace(*way.copies, c);
    std::uint64_t shared = 0;
    for (const auto& link : reference.links(found[i])) {
      const bool there = trees[root].count(link) != 0;
      shared += there ? 1 : 0;
      EXPECT_TRUE(there || taken.insert(link).second) << where << ": a link of two trees";
      trees[root].insert(link);
    }
    EXPECT_EQ(found[i].shared_links.value_or(0), shared) << where;
    EXPECT_EQ(found[i].setup_cycles, 4 * (reference.links(found[i]).size() + found[i].backtracks) + 1) << where;
  }
  EXPECT_EQ(rig.stands, found.size() == order.size()) << where;
  // A tree: one link comes to each of its routers, none to its source.
  for (const auto& [root, links] : trees) {
    std::set<std::uint32_t> ends{rig.topology().router_of(NodeId{rig.ways()[root].from}).value};
    for (const auto& [router, port] : links) {
      EXPECT_TRUE(ends.insert(reference.peer(router, port)).second) << where << ": two ways to one router";
    }
  }
  return trees;
}

/// Items of random length to all, whose receivers shut and open at random: none lost, none twice, none overtakes.
void expect_items(ForkRig& rig, const std::map<std::uint32_t, Links>& trees, Random& random, const std::string& where) {
  constexpr std::uint32_t kItems = 25;
  std::map<std::uint32_t, std::uint64_t> flits;  // [tree]
  for (std::uint32_t i = 0; i < kItems; ++i) {
    for (std::uint32_t c = 0; c < rig.ways().size(); ++c) {
      if (rig.is_tree(c)) {
        const auto length = static_cast<std::uint32_t>(1 + random.below(12));
        rig.send(c, length);
        flits[c] += length;
      }
      random.below(4) == 0 ? static_cast<void>(rig.shut.insert(c)) : static_cast<void>(rig.shut.erase(c));
    }
    rig.run(random.below(20));
    EXPECT_EQ(rig.fabric().counters().flits_injected + rig.fabric().counters().flits_copied,
              rig.fabric().counters().flits_delivered + rig.fabric().census().flits)
        << where;
  }
  rig.shut.clear();
  rig.run(6000);
  std::vector<std::uint32_t> all(kItems);
  for (std::uint32_t i = 0; i < kItems; ++i) all[i] = i;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint64_t> expected;
  std::uint64_t ejected = 0;
  for (std::uint32_t c = 0; c < rig.ways().size(); ++c) {
    EXPECT_EQ(rig.items[c], all) << where << ", stream " << c;
    ejected += flits[rig.tree_of(c)];
  }
  for (const auto& [root, links] : trees) {
    for (const auto& link : links) expected[link] = flits[root];
  }
  const Reference reference(rig.topology());
  for (std::uint32_t r = 0; r < rig.topology().router_count(); ++r) {
    const auto ports = static_cast<std::uint16_t>(rig.topology().port_count(RouterId{r}));
    for (std::uint16_t p = 0; p < ports; ++p) {
      if (!reference.is_link(r, p)) continue;
      EXPECT_EQ(rig.fabric().link_use(RouterId{r}, PortId{p}).circuit_flits, (expected[{r, p}])) << where;
    }
  }
  EXPECT_EQ(rig.fabric().counters().flits_delivered, ejected) << where;
  EXPECT_EQ(rig.fabric().census().flits, 0U) << where;
  EXPECT_EQ(rig.fabric().census().packets, 0U) << where;
}

/// With orders at random: as many as the routers try.
TEST(TwinOfTrees, TriesTheOrdersOfTheRouters) {
  Random random(12, "trees");
  std::uint32_t stand = 0, fall = 0;
  for (std::uint32_t i = 0; i < 40; ++i) {
    ForkRig rig(drawn(16, 4 + random.below(5), random), {4, 4, 12, 1}, i % 4);
    rig.ready();
    EXPECT_EQ(rig.fabric().circuits_would_stand(rig.circuits()), rig.stands) << "sample " << i;
    ++(rig.stands ? stand : fall);
  }
  EXPECT_GE(stand, 5U) << "the sample says too little";
  EXPECT_GE(fall, 3U) << "the sample says too little";
}

class RandomTrees : public testing::TestWithParam<ForkRig::Shape> {};

TEST_P(RandomTrees, AreWhatTheReferenceSaysAndCarryEachItemOnce) {
  const ForkRig::Shape shape = GetParam();
  Random random(11, "trees");
  std::uint32_t stand = 0, fall = 0, forks = 0;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::size_t nodes = std::size_t{shape.width} * shape.height;
    ForkRig rig(drawn(nodes, 2 + random.below(nodes / 2), random), shape);
    const std::string where = "sample " + std::to_string(i);
    const auto trees = expect_searches(rig, where);
    EXPECT_EQ(rig.fabric().circuits_would_stand(rig.circuits()), rig.stands) << where << ": the twin";
    ++(rig.stands ? stand : fall);
    if (!rig.stands) continue;
    expect_items(rig, trees, random, where);
    forks += rig.fabric().counters().flits_copied != 0 ? 1 : 0;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(stand, 5U) << "the sample says too little";
  EXPECT_GE(fall, 3U) << "the sample says too little";
  EXPECT_GE(forks, 5U) << "the sample says too little";
}
INSTANTIATE_TEST_SUITE_P(Meshes, RandomTrees,
                         testing::Values(ForkRig::Shape{4, 4, 12, 1}, ForkRig::Shape{3, 2, 12, 1},
                                         ForkRig::Shape{4, 3, 1, 16}));

}  // namespace
}  // namespace braid::test::random_trees_test
