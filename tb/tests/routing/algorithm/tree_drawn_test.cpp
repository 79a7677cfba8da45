// Drawn ways up a k-ary n-tree: shares of switches and loads of links by closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "routing/algorithm/output_queues.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/random.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::tree_drawn_test {
namespace {

using namespace routing;

Topology tree_of(std::uint32_t arity, std::uint32_t levels) {
  Configuration options;
  options.set("topology.kind", "k_ary_n_tree");
  options.set("topology.arity", arity);
  options.set("topology.levels", levels);
  return make_topology(options);
}

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t) {
  RoutingContext context;
  context.vcs = 1;
  return RoutingRegistry::instance().make(name, t, context);
}

/// The level where the ways of two nodes meet: that of their highest digit that differs.
std::uint32_t meeting_level(std::uint32_t arity, std::uint32_t a, std::uint32_t b) {
  std::uint32_t level = 0;
  for (a /= arity, b /= arity; a != b; a /= arity, b /= arity) ++level;
  return level;
}

/// Of the arity^level switches where a pair's packets may turn, each by the same share of the draws, give or take one.
TEST(TreeDrawn, TurnsAtEverySwitchAboveBothNodesAlike) {
  for (const auto& [k, n] : {std::pair{2U, 1U}, {2U, 4U}, {3U, 3U}, {4U, 3U}, {2U, 11U}}) {
    const Topology t = tree_of(k, n);
    const auto algorithm = made("tree_drawn", t);
    const auto nodes = static_cast<std::uint32_t>(t.node_count());
    for (std::uint32_t from = 0; from < nodes; from += std::max(1U, nodes / 7)) {
      for (std::uint32_t to = 0; to < nodes; to += std::max(1U, nodes / 29)) {
        const std::uint32_t level = meeting_level(k, from, to);
        std::uint32_t ways = 1;
        for (std::uint32_t l = 0; l < level; ++l) ways *= k;
        std::map<std::uint32_t, std::uint32_t> turned;
        for (std::uint32_t draw = 0; draw < 256; ++draw) {
          const auto path = path_between(t, *algorithm, NodeId{from}, NodeId{to}, draw);
          ASSERT_EQ(path.size(), 2 * level + 1);
          ASSERT_EQ(t.port(path.back().router, path.back().port).node, NodeId{to});
          ++turned[path[level].router.value];
        }
        ASSERT_EQ(turned.size(), std::min(ways, 256U)) << k << " " << n << ": " << from << " to " << to;
        for (const auto& [router, packets] : turned) {
          ASSERT_GE(packets, 256 / ways);
          ASSERT_LE(packets, 256 / ways + 1);
        }
      }
    }
  }
}

double busiest(const Topology& t, const RoutingAlgorithm& algorithm, const std::vector<std::uint32_t>& to) {
  std::vector<Flow> flows;
  for (std::uint32_t n = 0; n < to.size(); ++n) flows.push_back({NodeId{n}, NodeId{to[n]}, 1.0});
  double most = 0.0;
  for (const auto& router : link_loads(t, algorithm, flows)) {
    for (const double load : router) most = std::max(most, load);
  }
  return most;
}

/// Whatever the permutation, a switch's flows spread over as many links up as it has nodes below for each: no link
/// carries more than one node's traffic. By the sum of digits all of a switch's flows of a complement go one way.
TEST(TreeDrawn, LoadsNoLinkWithMoreThanANodeSends) {
  for (const auto& [k, n] : {std::pair{2U, 4U}, {4U, 3U}}) {
    const Topology t = tree_of(k, n);
    const auto drawn = made("tree_drawn", t);
    std::vector<std::uint32_t> to(t.node_count());
    std::iota(to.rbegin(), to.rend(), 0);
    EXPECT_DOUBLE_EQ(busiest(t, *drawn, to), 1.0) << "the complement";
    EXPECT_DOUBLE_EQ(busiest(t, *made("tree_by_pair", t), to), static_cast<double>(t.node_count()) / k) << t.name;
    Random random(3, "permutations");
    for (int i = 0; i < 20; ++i) {
      for (std::size_t last = to.size() - 1; last > 0; --last) std::swap(to[last], to[random.below(last + 1)]);
      EXPECT_LE(busiest(t, *drawn, to), 1.0 + 1e-9);
    }
  }
}

/// One port up is empty, the others hold a flit each.
class OneEmpty final : public OutputQueues {
 public:
  explicit OneEmpty(std::uint32_t empty) : empty_(empty) {}
  std::uint32_t waiting_flits(RouterId, PortId port) const override { return port.value == empty_ ? 0 : 1; }
  std::uint32_t waited_flits(RouterId, PortId) const override { return 99; }

 private:
  std::uint32_t empty_;
};

/// It is missed by both draws with a probability of (1 - 1/k)^2. Where all are as full, the first draw counts.
TEST(TreeTwoChoices, TakesTheEmptierOfTwoUpAtEverySwitch) {
  for (const auto& [k, n] : {std::pair{2U, 4U}, {4U, 3U}}) {
    const Topology t = tree_of(k, n);
    const auto drawn = made("tree_drawn", t), two = made("tree_two_choices", t);
    const auto last = static_cast<std::uint32_t>(t.node_count() - 1);
    std::vector<std::uint32_t> empties(n - 1);
    const OneEmpty queues(k + 1), alike(0);
    const auto& reader = dynamic_cast<const ReadsOutputQueues&>(*two);
    std::uint32_t ways = 0;
    for (std::uint32_t from = 0; from < 2 * k; ++from) {
      for (std::uint32_t draw = 0; draw < 256; ++draw, ++ways) {
        const auto first = path_between(t, *drawn, NodeId{from}, NodeId{last}, draw);
        reader.read_queues(alike);
        const auto same = path_between(t, *two, NodeId{from}, NodeId{last}, draw);
        reader.read_queues(queues);
        const auto path = path_between(t, *two, NodeId{from}, NodeId{last}, draw);
        ASSERT_EQ(path.size(), 2 * n - 1);
        for (std::uint32_t level = 0; level + 1 < n; ++level) {
          ASSERT_EQ(same[level].port, first[level].port);
          const bool empty = path[level].port == PortId{k + 1};
          ASSERT_TRUE(empty || path[level].port == first[level].port) << "of two as full the first";
          empties[level] += empty ? 1 : 0;
        }
      }
    }
    const double missed = (1.0 - 1.0 / k) * (1.0 - 1.0 / k);
    for (const std::uint32_t taken : empties) EXPECT_NEAR(static_cast<double>(taken) / ways, 1.0 - missed, 0.03) << k;
  }
}

TEST(TreeTwoChoices, NeedsRoutersThatTellOfQueues) {
  RoutingContext context;
  context.configuration.set("router.architecture", std::string("virtual_cut_through"));
  const Topology t = tree_of(2, 3);
  EXPECT_EQ(complaint([&] { RoutingRegistry::instance().make("tree_drawn", t, context); }), "");
  EXPECT_EQ(complaint([&] { RoutingRegistry::instance().make("tree_two_choices", t, context); }),
            "routing algorithm \"tree_two_choices\" needs router.architecture = \"hybrid\"");
  EXPECT_EQ(complaint([&] { made("tree_drawn", grid_of("mesh", 3, 3)); }),
            "routing algorithm \"tree_drawn\" needs a k_ary_n_tree; topology is mesh 3x3");
}

}  // namespace
}  // namespace braid::test::tree_drawn_test
