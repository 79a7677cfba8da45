// What algorithms say of themselves besides their routes (RoutingAlgorithm), held against their routes: how many
// candidates there are at most, whether the source counts, and how many kinds of packets are told apart by their draw.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "routing/algorithm/output_queues.h"
#include "routing/algorithm/port_table.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/paths/path_computation.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::claims_test {
namespace {

using namespace routing;

std::vector<Topology> topologies() {
  std::vector<Topology> all{grid_of("mesh", 4, 4),
                            grid_of("torus", 4, 4),
                            cube_of("cube", {4, 4}, true),
                            cube_of("cube", {3, 2, 2}),
                            cube_of("flattened_butterfly", {3, 3}),
                            stack_of({3, 2, 2}, {0, 0, 2, 1}),
                            dragonfly_of(2, 1, 1),
                            chain_of(3, 2, 3, {0, 2}),
                            butterfly_of(2, 3),
                            graph_of(4, {{3, 0}, {0, 1}, {1, 2}, {0, 1}})};
  Configuration options;
  options.set("topology.kind", "k_ary_n_tree");
  options.set("topology.arity", 2);
  options.set("topology.levels", 3);
  all.push_back(make_topology(options));
  for (const char* kind : {"mesh", "chiplet_chain"}) {  // more local ports of a node than ways on
    Configuration wide;
    wide.set("topology.kind", kind);
    wide.set("topology.width", 3);
    wide.set("topology.height", 2);
    wide.set("topology.local_ports", 5);
    all.push_back(make_topology(wide));
  }
  return all;
}

/// Null where the algorithm does not work on the topology, or follows paths that somebody has to give it first.
std::unique_ptr<RoutingAlgorithm> made(const std::string& name, const Topology& t) {
  if (name == "source_routed" || name == "disjoint_paths") return nullptr;
  try {
    auto algorithm = RoutingRegistry::instance().make(name, t, RoutingContext{});
    return t.one_way() && !algorithm->follows_one_way_links() ? nullptr : std::move(algorithm);
  } catch (const InputError&) {
    return nullptr;
  }
}

struct Seen {
  bool source = false;   ///< another one, another route
  bool draw = false;     ///< half of the draws on, another route
  std::size_t most = 0;  ///< candidates at a time
};

/// Along the way of one packet.
void look_along(const Topology& t, const RoutingAlgorithm& algorithm, RouteQuery q, Seen& seen) {
  const std::uint32_t draws = algorithm.draws();
  CandidateList list;
  for (std::size_t hop = 0; hop < 100; ++hop) {
    const Ways here = ways(algorithm, q);
    ASSERT_GE(here.size(), 1U);
    ASSERT_LE(here.size(), algorithm.max_candidates());
    seen.most = std::max(seen.most, here.size());
    RouteQuery other = q;
    other.draw = static_cast<std::uint8_t>(q.draw + draws);
    ASSERT_EQ(ways(algorithm, other), here) << "draws are told apart modulo " << draws;
    other.draw = static_cast<std::uint8_t>(q.draw ^ (draws / 2));
    seen.draw |= ways(algorithm, other) != here;
    other.draw = q.draw;
    for (const std::size_t source : {std::size_t{0}, std::size_t{1}, t.node_count() - 1}) {
      other.source = NodeId{source};
      const bool same = ways(algorithm, other) == here;
      ASSERT_TRUE(same || algorithm.depends_on_source()) << "at router " << t.router_names[q.router.value];
      seen.source |= !same;
    }
    algorithm.route(q, list);
    ASSERT_EQ(list.size(), here.size()) << "nothing is left of what the router before was told";
    const Port& out = t.port(q.router, list[0].port);
    if (out.kind == PortKind::kLocal) {
      ASSERT_EQ(out.node, q.destination);
      return;
    }
    q.router = out.peer_router;
    q.in_port = out.peer_port;
    q.in_vc = VcId{static_cast<std::size_t>(__builtin_ctz(list[0].vcs))};
  }
  FAIL() << "a packet that never arrives";
}

using Names = std::set<std::string>;

TEST(Claims, AreWhatRoutesShow) {
  Names by_source, by_draw, walked;
  for (const Topology& t : topologies()) {
    for (const std::string& name : RoutingRegistry::instance().names()) {
      const auto algorithm = made(name, t);
      if (algorithm == nullptr) continue;
      SCOPED_TRACE(name + " on " + t.name);
      EXPECT_FALSE(algorithm->injection_by_class()) << "virtual networks alone have classes";
      EXPECT_EQ(algorithm->injection_vcs_of(1), algorithm->injection_vcs());
      EXPECT_EQ(algorithm->injection_vcs(), name == "derouting" ? VcMask{1} : VcMask{15}) << "of four";
      Seen seen;
      for (std::size_t from = 0; from < t.node_count(); ++from) {
        for (std::size_t to = 0; to < t.node_count(); ++to) {
          for (const std::uint8_t draw : {std::uint8_t{0}, std::uint8_t{5}}) {
            const Attachment& start = t.nodes[from].front();
            RouteQuery q{start.router, start.port, VcId{0}, NodeId{from}, NodeId{to}};
            q.draw = draw;
            look_along(t, *algorithm, q, seen);
            if (HasFatalFailure()) return;
          }
        }
      }
      walked.insert(name);
      const bool any_port = name == "best_paths" || name == "derouting";  // who may offer all of them
      EXPECT_EQ(algorithm->max_candidates(), any_port ? t.max_port_count() : seen.most) << "no more than there can be";
      const bool by_queues = name == "ugal" || name == "ugal_g";  // which are empty here, so that nobody goes round
      EXPECT_TRUE(seen.draw || algorithm->draws() == 1 || by_queues) << "what is drawn counts somewhere";
      if (algorithm->depends_on_source() && seen.source) by_source.insert(name);
      if (algorithm->draws() > 1 && seen.draw) by_draw.insert(name);
    }
  }
  EXPECT_EQ(walked.size() + 2, RoutingRegistry::instance().names().size()) << "each works somewhere here";
  EXPECT_EQ(by_source, (Names{"odd_even", "romm", "tree_by_pair", "tree_by_source", "tree_drawn", "tree_two_choices",
                              "ugal", "ugal_g", "valiant"}));
  EXPECT_EQ(by_draw, (Names{"adaptive_xy_yx", "dimension_order", "minimal_adaptive", "romm", "tree_drawn",
                            "tree_two_choices", "ugal", "ugal_g", "valiant", "x_first", "xy_yx", "y_first"}));
}

/// Who asks for queues is asked last in a cycle; for who asks for those of all routers they are counted in every cycle.
TEST(Claims, OfQueuesAreThoseOfWhoChoosesByThem) {
  Names some, all;
  for (const Topology& t : topologies()) {
    for (const std::string& name : RoutingRegistry::instance().names()) {
      const auto algorithm = made(name, t);
      const auto* reader = dynamic_cast<const ReadsOutputQueues*>(algorithm.get());
      if (reader == nullptr) continue;
      EXPECT_TRUE(reader->reads_queues()) << name;
      some.insert(name);
      if (reader->reads_all_queues()) all.insert(name);
    }
  }
  EXPECT_EQ(some, (Names{"adaptive_xy_yx", "tree_two_choices", "ugal", "ugal_g"}));
  EXPECT_EQ(all, Names{"ugal_g"});
}

/// A table of ports is kept by who asks often: there is one where neither rings nor a second local port of a node leave
/// a choice, on a grid and on a graph whose coordinates are one.
TEST(Claims, OfATableOfPortsHoldWhereThereIsNoChoice) {
  Topology square = graph_of(4, {{0, 1}, {2, 3}, {0, 2}, {1, 3}});
  square.positions = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  Topology wider = square;
  wider.nodes[3].push_back({RouterId{3}, PortId{wider.routers[3].size()}});
  wider.routers[3].push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{3}, 1, "local1"});
  Configuration two_ports;
  two_ports.set("topology.kind", "mesh");
  two_ports.set("topology.local_ports", 2);
  for (const char* name : {"x_first", "y_first"}) {
    const auto claims = [&](const Topology& t) {
      const auto algorithm = RoutingRegistry::instance().make(name, t, RoutingContext{});
      const auto& table = dynamic_cast<const PortTable&>(*algorithm);
      EXPECT_EQ(table.by_place().has_value(), table.is_table_of_ports() && t.grid.has_value()) << t.name;
      return std::pair(table.is_table_of_ports(), algorithm->max_candidates());
    };
    EXPECT_EQ(claims(grid_of("mesh", 3, 2)), std::pair(true, std::size_t{1})) << name;
    EXPECT_EQ(claims(make_topology(two_ports)), std::pair(false, std::size_t{2})) << name;
    EXPECT_EQ(claims(grid_of("torus", 3, 3)), std::pair(false, std::size_t{1})) << name;
    EXPECT_EQ(claims(square), std::pair(true, std::size_t{1})) << name;
    EXPECT_EQ(claims(wider), std::pair(false, std::size_t{2})) << name;
  }
}

/// Whose packets carry a path: every pair of nodes has its own.
TEST(Claims, OfSourceRoutingAreThatTheSourceCounts) {
  const Topology t = ring_of(4);
  RoutingContext context;
  context.vcs = 1;
  for (const char* name : {"source_routed", "disjoint_paths"}) {
    const auto algorithm = RoutingRegistry::instance().make(name, t, context);
    EXPECT_TRUE(algorithm->depends_on_source()) << name;
    EXPECT_EQ(algorithm->draws(), 1U) << name;
    EXPECT_EQ(algorithm->max_candidates(), 1U) << name;
    EXPECT_EQ(algorithm->routes() != nullptr, std::string(name) == "source_routed");
    EXPECT_EQ(algorithm->routes_streams() != nullptr, std::string(name) == "disjoint_paths");
  }
}

}  // namespace
}  // namespace braid::test::claims_test
