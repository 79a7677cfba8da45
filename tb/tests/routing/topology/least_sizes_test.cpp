// The smallest networks that are built, what is one too small, and the trees over networks with few nodes.
#include <gtest/gtest.h>

#include "routing/topology/spanning_tree.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::least_sizes_test {
namespace {

using namespace routing;

/// Chiplets of one router each are a row of them; of none there is no network.
TEST(LeastSizes, AChipletHasARouterAtLeast) {
  EXPECT_EQ(chain_of(2, 1, 1).router_count(), 2U);
  EXPECT_NE(complaint([] { chain_of(2, 0, 1); }).find("topology.width"), std::string::npos);
  EXPECT_NE(complaint([] { chain_of(2, 1, 0); }).find("topology.height"), std::string::npos);
  EXPECT_NE(complaint([] { chain_of(0, 1, 1); }).find("topology.chiplets"), std::string::npos);
}

/// The only node hangs at r1, which is nearer to it than r0, where the search begins.
TEST(LeastSizes, TheRootIsWhereTheOnlyNodeIs) {
  Topology t = graph_of(2, {{0, 1}}, 0);
  t.nodes.push_back({{RouterId{1}, PortId{1}}});
  t.routers[1].push_back({PortKind::kLocal, RouterId{}, PortId{}, NodeId{0}, 1, "local0"});
  const SpanningTree tree = spanning_tree(t);
  ASSERT_EQ(tree.vertices.size(), 1U) << "nothing hangs at r0";
  EXPECT_EQ(tree.vertices[0].router, RouterId{1});
  EXPECT_EQ(tree.vertices[0].link_cycles, 0U);
  EXPECT_EQ(tree.vertices[0].parent, 0U);
}

}  // namespace
}  // namespace braid::test::least_sizes_test
