// Files that list a network: what they say, which ways packets take, and what is said of files that say nothing.
#include "models/icnt/anynet.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

using Links = std::map<unsigned, unsigned>;

TEST(IcntAnynet, ReadsRoutersNodesAndLinks) {
  const Listing tree = read_listing(kTree, "tree.any");
  EXPECT_EQ(tree.router_of, (std::vector<unsigned>{0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5}));
  ASSERT_EQ(tree.routers(), 6U);
  EXPECT_EQ(tree.links[0], (Links{{1, 3}, {2, 1}}));
  EXPECT_EQ(tree.links[1], (Links{{0, 1}}));  // the way back, of which nobody said anything
  EXPECT_EQ(tree.links[2], (Links{{0, 1}, {3, 7}}));
  EXPECT_EQ(tree.links[3], (Links{{2, 2}, {4, 1}}));
  EXPECT_EQ(tree.links[5], (Links{{4, 2}}));
}

/// Later lines count, blanks and tabs do not.
TEST(IcntAnynet, LaterLinesCount) {
  const Listing two =
      read_listing("\trouter 0  node 0 router 1 5\n\nrouter 1 router 0 2 node 1\nrouter 0 router 1 3", "x");
  EXPECT_EQ(two.links[0], (Links{{1, 3}}));
  EXPECT_EQ(two.links[1], (Links{{0, 2}}));
}

/// A line is of a router or of a node, and may name nothing else; a number has seven digits at most.
TEST(IcntAnynet, ALineMayBeOfANodeAndMayNameNothingElse) {
  const Listing one = read_listing("node 0 router 0 router 0", "x");
  EXPECT_EQ(one.router_of, (std::vector<unsigned>{0}));
  ASSERT_EQ(one.routers(), 1U) << "named by its node alone";
  EXPECT_TRUE(one.links[0].empty());
  EXPECT_EQ(one.first_steps(0), (std::vector<unsigned>{0}));
  const Listing two = read_listing("router 1\nrouter 0 router 1 1000 node 0000000", "x");
  EXPECT_EQ(two.links[0], (Links{{1, 1000}}));
  EXPECT_EQ(two.links[1], (Links{{0, 1}}));
  EXPECT_EQ(two.router_of, (std::vector<unsigned>{0}));
  EXPECT_EQ(two.first_steps(0), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(two.first_steps(1), (std::vector<unsigned>{0, 1}));
}

/// Floyd and Warshall's distances: every first step is on a shortest way; of such neighbours the one that the rule
/// names, where distances decide it.
TEST(IcntAnynet, FirstStepsAreOnShortestWays) {
  const Listing net = read_listing(kMeshed, "meshed.any");
  const unsigned n = net.routers();
  constexpr unsigned kFar = 1000;
  std::vector<std::vector<unsigned>> far(n, std::vector<unsigned>(n, kFar));
  for (unsigned from = 0; from < n; ++from) {
    far[from][from] = 0;
    for (const auto& link : net.links[from]) far[from][link.first] = link.second;
  }
  for (unsigned by = 0; by < n; ++by)
    for (unsigned from = 0; from < n; ++from)
      for (unsigned to = 0; to < n; ++to) far[from][to] = std::min(far[from][to], far[from][by] + far[by][to]);
  for (unsigned from = 0; from < n; ++from) {
    const std::vector<unsigned> steps = net.first_steps(from);
    for (unsigned to = 0; to < n; ++to) {
      if (to == from) continue;
      ASSERT_TRUE(net.links[from].count(steps[to])) << from << " to " << to;
      EXPECT_EQ(net.links[from].at(steps[to]) + far[steps[to]][to], far[from][to]) << from << " to " << to;
    }
  }
}

/// The importer's own search (scripts/braid/booksim/anynet.py) gives these.
TEST(IcntAnynet, FirstStepsAreThoseOfTheImporter) {
  const std::vector<std::vector<unsigned>> expected{
      {0, 1, 3, 3, 8, 3, 3, 8, 8}, {0, 1, 2, 4, 4, 5, 5, 2, 0}, {1, 1, 2, 3, 1, 1, 3, 7, 7},
      {0, 2, 2, 3, 4, 6, 6, 2, 0}, {3, 1, 3, 3, 4, 1, 3, 8, 8}, {4, 4, 4, 4, 4, 5, 6, 6, 4},
      {7, 7, 7, 7, 5, 5, 6, 7, 7}, {2, 2, 2, 2, 2, 6, 6, 7, 8}, {0, 4, 7, 4, 4, 7, 7, 7, 8}};
  const Listing net = read_listing(kMeshed, "meshed.any");
  for (unsigned from = 0; from < net.routers(); ++from) EXPECT_EQ(net.first_steps(from), expected[from]) << from;
}

/// A square: from 0 to 3 two ways are as long. Router 1's turn comes before router 2's, which is as near.
TEST(IcntAnynet, OfEqualWaysTheLowestRouterHasItsTurnFirst) {
  const Listing square = read_listing("router 0 node 0 router 1 router 2\nrouter 3 node 1 router 1 router 2\n", "x");
  EXPECT_EQ(square.first_steps(0)[3], 1U);
  EXPECT_EQ(square.first_steps(3)[0], 1U);
  const Listing later =
      read_listing("router 0 node 0 router 1 2 router 2\nrouter 3 node 1 router 1 router 2\nrouter 2 router 3 2", "x");
  EXPECT_EQ(later.first_steps(0)[3], 2U);  // router 2 is nearer
}

std::string refused_listing(const std::string& text) {
  try {
    read_listing(text, "net.any");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(IcntAnynet, SaysInOneLineWhatIsWrong) {
  EXPECT_EQ(refused_listing("router 0 node 0\nrouter 1 nod 1"), "net.any:2:10: found \"nod\", expected router or node");
  EXPECT_EQ(refused_listing("router 0 node"), "net.any:1:10: node without its number");
  EXPECT_EQ(refused_listing("router x node 0"), "net.any:1:8: found \"x\", expected a number from 0 to 4095");
  EXPECT_EQ(refused_listing("router 0 node 99999999999"),
            "net.any:1:15: found \"99999999999\", expected a number from 0 to 4095");
  EXPECT_EQ(refused_listing("router 0 router 1 0"), "net.any:1:19: found \"0\", expected a number from 1 to 1000");
  EXPECT_EQ(refused_listing("node 0 node 1"), "net.any:1:8: a node hangs on a router, not on a node");
  EXPECT_EQ(refused_listing("router 0 router 0"), "net.any:1:10: a link leads to another router");
  EXPECT_EQ(refused_listing("router 0 node 0 4"), "net.any:1:10: node 0 is 4 cycles away, expected 1");
  EXPECT_EQ(refused_listing("router 0 node 0 router 1\nrouter 1 node 0"),
            "net.any:2:10: node 0 hangs on router 0 already");
  EXPECT_EQ(refused_listing("router 0 node 0 node 2"), "net.any: no node 1, expected numbers from 0 on without a gap");
  EXPECT_EQ(refused_listing("router 0 node 0 router 2"),
            "net.any: no router 1, expected numbers from 0 on without a gap");
  EXPECT_EQ(refused_listing("router 0 router 1"), "net.any: expected a node");
  EXPECT_EQ(refused_listing("router 0 node 0\nrouter 1 node 1"), "net.any: no way from router 0 to router 1");
  EXPECT_EQ(refused_listing(kMeshed), "no error");
}

/// The greatest numbers that are read, and those behind them.
TEST(IcntAnynet, NumbersHaveTheirBounds) {
  const std::string gap = ", expected numbers from 0 on without a gap";
  EXPECT_EQ(refused_listing("router 4095 node 0"), "net.any: no router 0" + gap);
  EXPECT_EQ(refused_listing("router 4096 node 0"), "net.any:1:8: found \"4096\", expected a number from 0 to 4095");
  EXPECT_EQ(refused_listing("router 0 node 4095"), "net.any: no node 0" + gap);
  EXPECT_EQ(refused_listing("router 0 node 4096"), "net.any:1:15: found \"4096\", expected a number from 0 to 4095");
  EXPECT_EQ(refused_listing("router 0 node 0 router 1 1000"), "no error");
  EXPECT_EQ(refused_listing("router 0 node 0 router 1 1001"),
            "net.any:1:26: found \"1001\", expected a number from 1 to 1000");
  EXPECT_EQ(refused_listing("router 00000000 node 0"),
            "net.any:1:8: found \"00000000\", expected a number from 0 to 4095");
  EXPECT_EQ(refused_listing("router 0 node -1"), "net.any:1:15: found \"-1\", expected a number from 0 to 4095");
  EXPECT_EQ(refused_listing("\n \trouter 0 node 0 2"), "net.any:2:12: node 0 is 2 cycles away, expected 1");
  EXPECT_EQ(refused_listing("node 0 router 0 1"), "no error");
  EXPECT_EQ(refused_listing("node 0 router 0 2"), "net.any:1:8: node 0 is 2 cycles away, expected 1");
  EXPECT_EQ(refused_listing("node 0 router 0 router 1"), "net.any:1:17: node 0 hangs on router 0 already");
  EXPECT_EQ(refused_listing("router 0 node 0\nrouter 1"), "net.any: no way from router 0 to router 1");
  EXPECT_EQ(refused_listing(""), "net.any: expected a node");
  EXPECT_EQ(refused_listing("router"), "net.any:1:1: router without its number");
}

std::string configured_anynet(const std::string& text, unsigned shaders = 5, unsigned memories = 4) {
  try {
    network(text, shaders, memories);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(IcntAnynet, TheFileIsNamedAndRead) {
  const std::string two = with_vcs(2);
  EXPECT_EQ(configured_anynet(anynet("a.any", kMeshed, two)), "no error");
  EXPECT_NE(configured_anynet(anynet("a.any", kMeshed, two + "\nnetwork_file = nowhere.any;"))
                .find("network_file = nowhere.any, expected a file that can be read"),
            std::string::npos);
  EXPECT_NE(configured_anynet(torus(3, 2, two + "topology = anynet; routing_function = min;"))
                .find("expected the file that lists routers and nodes, which anynet needs"),
            std::string::npos);
  EXPECT_NE(configured_anynet(anynet("a.any", kMeshed, two), 6, 4)
                .find("6 shaders and 4 memories need 10 nodes, and network_file = "),
            std::string::npos);
}

/// Beside the configuration, where the program runs elsewhere.
TEST(IcntAnynet, TheFileLiesBesideTheConfiguration) {
  const std::string text = anynet("beside.any", kMeshed, with_vcs(2));
  const std::string folder = testing::TempDir(), own = std::to_string(getpid()) + "_";
  const std::string configuration = folder + own + "beside.icnt";
  std::string near = text;
  near.replace(near.find(folder + own), folder.size(), "");
  std::ofstream(configuration) << near;
  EXPECT_EQ(Interconnect(configuration, 5, 4).nodes(), 9U);
}

}  // namespace
}  // namespace braid::models::icnt
