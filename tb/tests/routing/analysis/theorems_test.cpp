// Algorithms that are acyclic by construction say so, and nobody walks their routes in a large network
// (RoutingAlgorithm::acyclic_by_construction). Here all their routes are walked, in many small ones.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "routing/analysis/channel_dependency.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::theorems_test {
namespace {

using namespace routing;

std::vector<Topology> small_networks() {
  std::vector<Topology> all;
  for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 5U}, {2U, 2U}, {3U, 3U}, {5U, 4U}, {4U, 6U}}) {
    all.push_back(grid_of("mesh", width, height));
  }
  for (const auto& [width, height] : {std::pair{3U, 3U}, {4U, 4U}, {5U, 4U}, {3U, 6U}}) {
    all.push_back(grid_of("torus", width, height));
  }
  for (const auto& [arity, levels] : {std::pair{2U, 1U}, {2U, 3U}, {3U, 2U}, {4U, 2U}}) {
    Configuration options;
    options.set("topology.kind", "k_ary_n_tree");
    options.set("topology.arity", arity);
    options.set("topology.levels", levels);
    all.push_back(make_topology(options));
  }
  Configuration hexagonal;
  hexagonal.set("topology.kind", "hexagonal");
  for (const std::uint32_t edge : {2U, 3U}) {
    hexagonal.set("topology.edge", edge);
    all.push_back(make_topology(hexagonal));
  }
  for (const bool wrap : {false, true}) all.push_back(cube_of("cube", {3, 4}, wrap));
  all.push_back(cube_of("flattened_butterfly", {3, 2}));
  using Elevators = std::vector<std::uint32_t>;
  for (const Elevators& at : {Elevators{}, Elevators{1, 0}, Elevators{0, 0, 2, 1}}) {
    all.push_back(stack_of({3, 2, 3}, at));
  }
  all.push_back(dragonfly_of(2, 1, 1));
  for (const auto& [k, n] : {std::pair{2U, 3U}, {3U, 2U}}) all.push_back(butterfly_of(k, n));
  using Rows = std::vector<std::uint32_t>;
  for (const Rows& rows : {Rows{}, Rows{1}, Rows{0, 3}, Rows{2, 3}}) all.push_back(chain_of(3, 3, 4, rows));
  all.push_back(chain_of(4, 1, 5, {0, 4}));
  all.push_back(ring_of(7));
  all.push_back(graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 3}, {1, 3}}));
  all.push_back(graph_of(4, {{3, 0}, {0, 1}, {1, 2}, {0, 1}}));  // parallel links
  return all;
}

/// Every name, with each value of the options that change routes.
std::vector<std::pair<std::string, RoutingContext>> variants(std::uint32_t vcs) {
  std::vector<std::pair<std::string, RoutingContext>> all;
  for (const std::string& name : RoutingRegistry::instance().names()) {
    for (const bool flag : {false, true}) {
      for (const auto& [ties, datelines] :
           {std::pair{"drawn", "two"}, {"fixed", "two"}, {"drawn", "two_drawn"}, {"drawn", "one"}}) {
        RoutingContext context;
        context.vcs = vcs;
        context.configuration.set("topology.kind", "torus");  // the keys of others mean nothing
        context.configuration.set("routing.ties", ties);
        context.configuration.set("routing.datelines", datelines);
        context.configuration.set("routing.phase_vcs", flag ? "one_each" : "halves");
        context.configuration.set("routing.sticky_escape", flag);
        context.configuration.set("routing.bubble", flag);
        all.emplace_back(name, context);
      }
    }
  }
  return all;
}

std::string kind_of(const Topology& t) {
  if (t.grid) return t.grid->wrap ? "torus" : "mesh";
  return t.tree        ? "tree"
         : t.cube      ? "cube"
         : t.dragonfly ? "dragonfly"
         : t.chain     ? "chain"
         : t.butterfly ? "butterfly"
                       : "other";
}

TEST(Theorems, HoldInSmallNetworks) {
  if (kBrief) GTEST_SKIP() << kLong;
  std::map<std::string, std::set<std::string>> walked;  // kinds of networks, by algorithm
  for (const Topology& t : small_networks()) {
    for (const std::uint32_t vcs : {1U, 2U, 3U, 4U}) {
      std::set<std::string> seen;
      for (const auto& [name, context] : variants(vcs)) {
        std::unique_ptr<RoutingAlgorithm> algorithm;
        try {
          algorithm = RoutingRegistry::instance().make(name, t, context);
        } catch (const InputError&) {
          continue;  // not on this topology, not with so few VCs
        }
        if (t.one_way() && !algorithm->follows_one_way_links()) continue;  // make_routing() refuses it
        if (!algorithm->acyclic_by_construction()) continue;
        if (algorithm->draws() > 16 && !seen.insert(name).second) continue;  // none of the options above is theirs
        const ChannelDependencyGraph graph(t, *algorithm, vcs);
        EXPECT_TRUE(graph.find_cycle().empty()) << name << " on " << t.name << ", " << vcs << " VCs";
        EXPECT_EQ(graph.state_without_escape(), "") << name << " on " << t.name << ", " << vcs << " VCs";
        walked[name].insert(kind_of(t));
      }
    }
  }
  using Kinds = std::set<std::string>;
  const Kinds tree{"tree"}, mesh{"mesh"}, grids{"mesh", "torus"};
  EXPECT_EQ(walked,
            (std::map<std::string, Kinds>{{"adaptive_xy_yx", mesh},
                                          {"chiplet_order", {"chain", "mesh"}},
                                          {"destination_tag", {"butterfly"}},
                                          {"deterministic", mesh},
                                          {"dimension_order", {"cube"}},
                                          {"dragonfly_minimal", {"dragonfly"}},
                                          {"elevator_first", {"cube"}},
                                          {"minimal_adaptive", grids},
                                          {"odd_even", mesh},
                                          {"romm", {"cube"}},
                                          {"table", {"chain", "cube", "dragonfly", "mesh", "other", "torus", "tree"}},
                                          {"tree_adaptive", tree},
                                          {"tree_by_destination", tree},
                                          {"tree_by_pair", tree},
                                          {"tree_by_source", tree},
                                          {"tree_drawn", tree},
                                          {"tree_two_choices", tree},
                                          {"ugal", {"cube", "dragonfly"}},
                                          {"ugal_g", {"cube", "dragonfly"}},
                                          {"valiant", {"cube", "dragonfly"}},
                                          {"west_first", mesh},
                                          {"x_first", grids},
                                          {"xy_yx", mesh},
                                          {"y_first", grids}}));
}

/// What makes no such claim is walked whatever its size: best paths on a torus wait for each other.
TEST(Theorems, NobodyElseIsTakenAtItsWord) {
  const Topology torus = grid_of("torus", 4, 4);
  for (const char* name : {"best_paths", "deterministic", "derouting"}) {
    const auto algorithm = RoutingRegistry::instance().make(name, torus, RoutingContext{});
    EXPECT_THROW(check_deadlock_free(torus, *algorithm, 4), InputError) << name;
  }
}

}  // namespace
}  // namespace braid::test::theorems_test
