// Table routing: files line by line, and up*/down* on small networks by hand.
#include <gtest/gtest.h>

#include <fstream>

#include "routing/algorithm/up_down_table.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::table_test {
namespace {

using namespace routing;

std::unique_ptr<RoutingAlgorithm> table(const Topology& t, const std::string& file = "") {
  RoutingContext options;
  options.configuration.set("routing.table_file", file);
  return RoutingRegistry::instance().make("table", t, options);
}

/// A triangle r0, r1, r2; every packet takes its direct link.
const std::string kGood =
    "r0 1 to_r1\n"
    "# a comment line\n"
    "\n"
    "r0 2 to_r2 # and one behind\n"
    "r1 0 to_r0\n"
    "r1 2 to_r2\n"
    "r2 0 to_r0\n"
    "r2 1 to_r1\n";

std::string answer(const std::string& text) {
  const Topology t = ring_of(3);
  const std::string file = temporary_file("table.txt");
  std::ofstream(file) << text;
  const std::string what = complaint([&] { table(t, file); });
  return what.rfind(file, 0) == 0 ? what.substr(file.size()) : what;
}

/// Ports of ring_of(3): r0 has to_r1, to_r2; r1 to_r0, to_r2; r2 to_r1, to_r0; then the local one.
TEST(TableFile, SendsEachPacketByItsLine) {
  const Topology t = ring_of(3);
  const std::string file = temporary_file("good_table.txt");
  std::ofstream(file) << kGood;
  const auto routing = table(t, file);
  const auto port = [&](std::size_t router, std::size_t to) {
    return ways(*routing, {RouterId{router}, PortId{2}, VcId{0}, NodeId{router}, NodeId{to}});
  };
  EXPECT_EQ(port(0, 1), (Ways{{0, 0, 15}}));
  EXPECT_EQ(port(0, 2), (Ways{{1, 0, 15}}));
  EXPECT_EQ(port(1, 0), (Ways{{0, 0, 15}}));
  EXPECT_EQ(port(1, 2), (Ways{{1, 0, 15}}));
  EXPECT_EQ(port(2, 0), (Ways{{1, 0, 15}}));
  EXPECT_EQ(port(2, 1), (Ways{{0, 0, 15}}));
  EXPECT_EQ(port(2, 2), (Ways{{2, 0, 15}}));  // its own node, without a line
}

struct BadLine {
  const char* name;
  const char* line;  // comes as line 9, after eight good ones
  const char* message;
};
class BadTable : public testing::TestWithParam<BadLine> {};

TEST_P(BadTable, IsAnsweredWithItsLine) {
  EXPECT_EQ(answer(kGood), "");
  EXPECT_EQ(answer(kGood + GetParam().line + "\nr0 1 to_r1\n"), std::string(":9:1: ") + GetParam().message);
}
INSTANTIATE_TEST_SUITE_P(
    Lines, BadTable,
    testing::Values(BadLine{"one_word", "r0", "expected ROUTER NODE PORT"},
                    BadLine{"two_words", "r0 1", "expected ROUTER NODE PORT"},
                    BadLine{"two_words_and_comment", "r0 1 # to_r1", "expected ROUTER NODE PORT"},
                    BadLine{"four_words", "r0 1 to_r1 r1", "expected ROUTER NODE PORT"},
                    BadLine{"router", "r9 1 to_r1", "unknown router \"r9\" (did you mean \"r0\"?)"},
                    BadLine{"node_too_high", "r0 3 to_r1", "node \"3\": expected 0 to 2"},
                    BadLine{"node_negative", "r0 -1 to_r1", "node \"-1\": expected 0 to 2"},
                    BadLine{"node_word", "r0 x to_r1", "node \"x\": expected 0 to 2"},
                    BadLine{"node_of_ten_digits", "r0 0000000001 to_r1", "node \"0000000001\": expected 0 to 2"},
                    BadLine{"node_huge", "r0 99999999999 to_r1", "node \"99999999999\": expected 0 to 2"},
                    BadLine{"port", "r0 1 to_r3", "router r0 has no link \"to_r3\" (did you mean \"to_r1\"?)"},
                    BadLine{"twice", "r1 0 to_r0", "router r1 has a line for node 0 already: over \"to_r0\""},
                    BadLine{"twice_otherwise", "r1 0 to_r2", "router r1 has a line for node 0 already: over \"to_r0\""},
                    BadLine{"port_of_another", "r1 0 to_r1",
                            "router r1 has no link \"to_r1\" (did you mean \"to_r0\"?)"}),
    [](const auto& c) { return c.param.name; });

/// As many as any number has that fits into 32 bits whatever they are.
TEST(TableFile, NumbersOfNodesHaveUpToNineDigits) {
  EXPECT_EQ(answer("r0 000000001 to_r1" + kGood.substr(kGood.find('\n'))), "");
}

/// Reading /dev/zero would never end.
TEST(TableFile, DirectoriesAndDevicesAreRefused) {
  const Topology t = ring_of(3);
  EXPECT_EQ(complaint([&] { table(t, "/tmp"); }),
            "/tmp: cannot be read, as it is a directory: expected a routing table");
  EXPECT_EQ(complaint([&] { table(t, "/dev/zero"); }),
            "/dev/zero: cannot be read, as it is a device: expected a routing table");
}

/// 40,000 routers times as many nodes are more entries than a machine holds; nothing is read or allocated.
TEST(TableFile, TooManyEntriesAreRefused) {
  EXPECT_EQ(complaint([] { table(ring_of(40000), "/nowhere"); }),
            "/nowhere: a table of 40000 routers times 40000 nodes: expected at most 1073741824 entries");
}

/// A node's own port is no link.
TEST(TableFile, LocalPortIsRefused) {
  EXPECT_EQ(answer(kGood + "r0 1 local0\n").rfind(":9:1: router r0 has no link \"local0\"", 0), 0U);
}

TEST(TableFile, MissingEntryAndCircleAreNamed) {
  EXPECT_EQ(answer("r0 1 to_r1\nr1 0 to_r0\nr2 0 to_r0\nr2 1 to_r1\nr0 2 to_r2\n"),
            ": router r1 has no entry for node 2");
  const std::string circle = answer("r0 1 to_r1\nr1 0 to_r0\nr2 0 to_r0\nr2 1 to_r1\nr0 2 to_r1\nr1 2 to_r0\n");
  EXPECT_EQ(circle.rfind(": packets to node 2 go in circles at router r", 0), 0U) << circle;
  EXPECT_EQ(complaint([] { table(ring_of(3), "/nowhere"); }), "/nowhere: cannot be read: expected a routing table");
}

/// Of each node, the first and the last, to each: any line of the triangle's six, where it is missing alone.
TEST(TableFile, EachEntryThatIsMissingIsNamed) {
  for (const char from : {'0', '1', '2'}) {
    for (const char to : {'0', '1', '2'}) {
      if (from == to) continue;
      const std::string line = std::string("r") + from + " " + to + " to_r" + to;
      std::string text = kGood;
      text.erase(text.find(line), line.size());
      EXPECT_EQ(answer(text), std::string(": router r") + from + " has no entry for node " + to);
    }
  }
}

/// On a line 0 - 1 - 2 - 3, packets of r0 to r3 run into the circle of r1 and r2 behind their first link.
TEST(TableFile, CircleThatAWayLeadsIntoIsNamed) {
  const Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 3}});
  const std::string file = temporary_file("into_circle.txt");
  const std::string good =
      "r1 0 to_r0\nr2 0 to_r1\nr3 0 to_r2\nr0 1 to_r1\nr2 1 to_r1\nr3 1 to_r2\nr0 2 to_r1\nr1 2 to_r2\nr3 2 to_r2\n"
      "r0 3 to_r1\nr1 3 to_r2\n";
  std::ofstream(file) << good + "r2 3 to_r3\n";
  EXPECT_EQ(complaint([&] { table(t, file); }), "");
  std::ofstream(file) << good + "r2 3 to_r1\n";
  EXPECT_EQ(complaint([&] { table(t, file); }), file + ": packets to node 3 go in circles at router r1");
}

std::vector<std::uint32_t> routers(const Topology& t, const RoutingAlgorithm& routing, std::size_t from,
                                   std::size_t to) {
  std::vector<std::uint32_t> result;
  for (const Hop& h : path_between(t, routing, NodeId{from}, NodeId{to})) result.push_back(h.router.value);
  return result;
}
using Routers = std::vector<std::uint32_t>;

/// Levels of a ring of five from r0: 0 1 2 2 1. Between r2 and r3, as deep, up is to the lower number.
TEST(UpDown, UpIsNearerTheRootAndAmongEqualsTheLowerNumber) {
  const Topology ring = ring_of(5);
  const UpDownTable table(ring);
  const auto up = [&](std::size_t from, std::size_t to) { return table.is_up(RouterId{from}, RouterId{to}); };
  EXPECT_TRUE(up(1, 0) && up(4, 0) && up(2, 1) && up(3, 4) && up(3, 2));
  EXPECT_FALSE(up(0, 1) || up(0, 4) || up(1, 2) || up(4, 3) || up(2, 3));
}

/// r2 to r4 over r3 would go down and up again: forbidden, so over the root, three links in place of two; so would r4
/// to r2, the other way round (down to r3, up to r2). r1 to r3 goes down twice, r3 to r1 up twice.
TEST(UpDown, NeverGoesUpAfterDown) {
  const Topology ring = ring_of(5);
  const auto routing = table(ring);
  EXPECT_EQ(routers(ring, *routing, 2, 4), (Routers{2, 1, 0, 4}));
  EXPECT_EQ(routers(ring, *routing, 4, 2), (Routers{4, 0, 1, 2}));
  EXPECT_EQ(routers(ring, *routing, 1, 3), (Routers{1, 2, 3}));
  EXPECT_EQ(routers(ring, *routing, 3, 1), (Routers{3, 2, 1}));
  EXPECT_EQ(routers(ring, *routing, 0, 3), (Routers{0, 4, 3}));
}

/// 2x2 mesh: 0 to 3 may go down by east or north, 3 to 0 up by west or south: the lower port. 1 to 2 only over 0: over
/// 3 it would be down and up.
TEST(UpDown, TakesTheLowestPortOfTheShortestLegalWays) {
  const Topology mesh = grid_of("mesh", 2, 2);
  const auto routing = table(mesh);
  EXPECT_EQ(routers(mesh, *routing, 0, 3), (Routers{0, 1, 3}));
  EXPECT_EQ(routers(mesh, *routing, 3, 0), (Routers{3, 2, 0}));
  EXPECT_EQ(routers(mesh, *routing, 1, 2), (Routers{1, 0, 2}));
  EXPECT_EQ(routers(mesh, *routing, 2, 1), (Routers{2, 0, 1}));
}

/// The same ring: a packet to r3 that is at r4 goes down at once, whatever it did before; one at r1 that has come down
/// may only go on down.
TEST(UpDown, KnowsFromTheInputPortWhetherAPacketWentDown) {
  const Topology ring = ring_of(5);
  const UpDownTable table(ring);
  EXPECT_EQ(table.port(RouterId{1}, true, RouterId{3}), port_to(ring, RouterId{1}, RouterId{2}));
  EXPECT_EQ(table.port(RouterId{4}, false, RouterId{3}), port_to(ring, RouterId{4}, RouterId{3}));
  EXPECT_EQ(table.port(RouterId{4}, true, RouterId{3}), port_to(ring, RouterId{4}, RouterId{3}));
  // A detour of the legal kind: with links 0-1, 1-2, 2-3, 3-0, 1-4, 4-3, r4 (level 2) lies below both r1 and r3. From
  // r1, down into r2 or r4, the way to r3 would go up: so r1 goes up to the root, but a packet that came down there
  // from the root has no way but none.
  const Topology two = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 3}});
  const UpDownTable of_two(two);
  EXPECT_EQ(of_two.port(RouterId{1}, false, RouterId{3}), port_to(two, RouterId{1}, RouterId{0}));
  EXPECT_EQ(of_two.port(RouterId{1}, true, RouterId{3}).value, UINT8_MAX);
}

class UpDownEverywhere : public testing::TestWithParam<const char*> {};

TEST_P(UpDownEverywhere, IsLegalOnEveryPath) {
  const Topology t = GetParam() == std::string("ring") ? ring_of(9) : grid_of(GetParam(), 4, 4);
  const UpDownTable order(t);
  const auto routing = table(t);
  for (std::size_t s = 0; s < t.node_count(); ++s) {
    for (std::size_t d = 0; d < t.node_count(); ++d) {
      const Routers path = routers(t, *routing, s, d);
      bool down = false;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const bool up = order.is_up(RouterId{path[i]}, RouterId{path[i + 1]});
        EXPECT_FALSE(up && down) << s << " to " << d;
        down = down || !up;
      }
      EXPECT_EQ(path.back(), d);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Networks, UpDownEverywhere, testing::Values("ring", "mesh", "torus"));

}  // namespace
}  // namespace braid::test::table_test
