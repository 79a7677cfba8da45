// Routes in chains of chiplets: shortest, of at most three straight parts, in an order of VCs that is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "routing/analysis/channel_dependency.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::chiplet_order_test {
namespace {

using namespace routing;

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t, std::uint32_t vcs = 2) {
  RoutingContext context;
  context.vcs = vcs;
  return RoutingRegistry::instance().make(name, t, context);
}

/// A letter a link, E, W, N, S, small where it is for the lower of two VCs alone and followed by ' where for the upper
/// alone; then the node.
std::string way(const Topology& t, const RoutingAlgorithm& algorithm, std::size_t from, std::size_t to) {
  std::string text;
  const Attachment& start = t.nodes[from].front();
  RouteQuery q{start.router, start.port, VcId{0}, NodeId{from}, NodeId{to}};
  while (text.size() < 200) {
    CandidateList ways;
    algorithm.route(q, ways);
    EXPECT_EQ(ways.size(), 1U);
    const Port& out = t.port(q.router, ways[0].port);
    if (out.kind == PortKind::kLocal) return text + std::to_string(out.node.value);
    EXPECT_EQ(out.kind, PortKind::kNetwork) << text;
    text += (ways[0].vcs == 1 ? "ewns" : "EWNS")[ways[0].port.value];
    if (ways[0].vcs == 2) text += '\'';
    q = {out.peer_router, out.peer_port, VcId{std::size_t{ways[0].vcs == 2}}, NodeId{from}, NodeId{to}};
  }
  return text + "...";
}

/// Three chiplets of 2x4, joined in the rows 0 and 2; router x + 6 y.
TEST(ChipletOrder, GoesToTheNearestJoinedRowOnTheWay) {
  const Topology t = chain_of(3, 2, 4, {0, 2});
  const auto algorithm = made("chiplet_order", t);
  EXPECT_EQ(way(t, *algorithm, 0 + 6 * 3, 5 + 6 * 0), "sEEEEES'S'5") << "row 2 is the nearer of two on the way";
  EXPECT_EQ(way(t, *algorithm, 5 + 6 * 1, 0 + 6 * 3), "nWWWWWN'18");
  EXPECT_EQ(way(t, *algorithm, 0 + 6 * 2, 3 + 6 * 1), "EEES'9") << "it is in one";
  EXPECT_EQ(way(t, *algorithm, 0 + 6 * 3, 2 + 6 * 3), "sEEN'20") << "a detour to the only row below";
  EXPECT_EQ(way(t, *algorithm, 0 + 6 * 1, 2 + 6 * 1), "sEEN'8")
      << "both detours are as long: even columns by the south";
  EXPECT_EQ(way(t, *algorithm, 0 + 6 * 1, 3 + 6 * 1), "nEEES'9") << "... odd ones by the north";
  EXPECT_EQ(way(t, *algorithm, 0 + 6 * 1, 1 + 6 * 3), "EN'N'19") << "within a chiplet, past a joined row";
  EXPECT_EQ(way(t, *algorithm, 7, 7), "7");
}

TEST(ChipletOrder, WaysAreShortest) {
  using Rows = std::vector<std::uint32_t>;
  for (const Rows& rows : {Rows{}, Rows{0}, Rows{2}, Rows{4}, Rows{0, 4}, Rows{1, 2}, Rows{1, 3}, Rows{0, 1, 2, 3}}) {
    const Topology t = chain_of(3, 2, 5, rows);
    const auto algorithm = made("chiplet_order", t);
    for (std::size_t to = 0; to < t.node_count(); ++to) {
      const auto distance = t.distances_to(RouterId{to});
      for (std::size_t from = 0; from < t.node_count(); ++from) {
        std::string steps = way(t, *algorithm, from, to);
        const std::size_t links = static_cast<std::size_t>(
            std::count_if(steps.begin(), steps.end(), [](char c) { return std::isalpha(c) != 0; }));
        ASSERT_EQ(links, distance[from]) << t.name << ": " << steps;
      }
    }
  }
}

TEST(ChipletOrder, IsXFirstWhereEveryRowIsJoined) {
  const Topology t = chain_of(3, 2, 3);
  const auto algorithm = made("chiplet_order", t, 1), x_first = made("x_first", t, 1);
  for (std::size_t from = 0; from < 18; ++from) {
    for (std::size_t to = 0; to < 18; ++to) EXPECT_EQ(way(t, *algorithm, from, to), way(t, *x_first, from, to));
  }
}

/// The same routes with every VC for every link.
class OneClass final : public RoutingAlgorithm {
 public:
  explicit OneClass(const RoutingAlgorithm& routes) : RoutingAlgorithm(1), routes_(routes) {}
  std::size_t max_candidates() const override { return routes_.max_candidates(); }
  void route(const RouteQuery& q, CandidateList& out) const override {
    CandidateList ways;
    routes_.route(q, ways);
    out.clear();
    for (const Candidate& c : ways) out.add(c.port, all_vcs_);
  }

 private:
  const RoutingAlgorithm& routes_;
};

/// Two classes of VCs are needed where two rows are joined, and one will do where one is.
TEST(ChipletOrder, NeedsItsClassesOfVcs) {
  const Topology two = chain_of(3, 3, 4, {0, 3}), one = chain_of(3, 3, 4, {1});
  const auto by_two = made("chiplet_order", two), by_one = made("chiplet_order", one, 1);
  EXPECT_TRUE(ChannelDependencyGraph(two, *by_two, 2).find_cycle().empty());
  EXPECT_FALSE(ChannelDependencyGraph(two, OneClass(*by_two), 1).find_cycle().empty());
  EXPECT_TRUE(ChannelDependencyGraph(one, *by_one, 1).find_cycle().empty());
}

TEST(ChipletOrder, IsRefusedWhereItCannotWork) {
  const auto refusal = [](const char* name, const Topology& t, std::uint32_t vcs) {
    return complaint([&] { made(name, t, vcs); });
  };
  EXPECT_EQ(refusal("chiplet_order", chain_of(2, 3, 4, {0, 2}), 1),
            "routing algorithm \"chiplet_order\" on a chain of chiplets joined in several rows, but not in all, needs "
            "router.vcs >= 2; it is 1");
  EXPECT_EQ(refusal("chiplet_order", chain_of(2, 3, 4, {2}), 1), "");
  EXPECT_EQ(refusal("chiplet_order", grid_of("mesh", 3, 3), 2),
            "routing algorithm \"chiplet_order\" needs topology.kind = \"chiplet_chain\"; topology is mesh 3x3");
  for (const char* name : {"x_first", "y_first", "odd_even", "west_first", "minimal_adaptive"}) {
    EXPECT_EQ(refusal(name, chain_of(2, 3, 4, {0, 2}), 4),
              "routing algorithm \"" + std::string(name) +
                  "\" needs a mesh or torus; topology is chain of 2 chiplets 3x4 joined in rows 0, 2");
  }
}

/// Shortest ways by the lowest port do not make detours in order: on a chain joined in two rows they wait in a circle,
/// which the deadlock check finds.
TEST(ChipletOrder, OthersAreRefusedWhereTheyMayDeadlock) {
  const Topology t = chain_of(3, 3, 4, {0, 3});
  const auto best = made("best_paths", t);
  const std::string told = complaint([&] { check_deadlock_free(t, *best, 2); });
  EXPECT_NE(told.find("deadlock"), std::string::npos) << told;
}

}  // namespace
}  // namespace braid::test::chiplet_order_test
