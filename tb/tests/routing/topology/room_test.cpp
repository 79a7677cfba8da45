// What a network would take is added up before anything of it is made: routers, ports and nodes of each kind, by hand.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/algorithm/rows_on_demand.h"
#include "routing/base/memory.h"
#include "routing/paths/path_computation.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::room_test {
namespace {

using namespace routing;
using Numbers = std::vector<std::uint32_t>;

/// While it lives this process may take 40 MB more: what is larger is refused, on whatever computer.
class ScarceMemory {
 public:
  ScarceMemory() {
    getrlimit(RLIMIT_AS, &before_);
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit scarce = before_;
    scarce.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + 40'000'000;
    setrlimit(RLIMIT_AS, &scarce);
  }
  ~ScarceMemory() { setrlimit(RLIMIT_AS, &before_); }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;

 private:
  rlimit before_{};
};

class Scarce : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
  }
};

TEST_F(Scarce, MemoryIsWhatTheLimitLeavesOfTheAddressSpace) {
  const ScarceMemory scarce;
  const std::uint64_t left = available_bytes();
  EXPECT_LE(left, 40'000'000U);
  EXPECT_GT(left, 30'000'000U) << "and little has been taken since";
}

/// While nobody limits the process; others take and give back memory all the time.
TEST_F(Scarce, MemoryIsWhatTheKernelSaysIsAvailable) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &limit), 0);
  if (limit.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "this process has a limit";
  std::ifstream all("/proc/meminfo");
  std::uint64_t kilobytes = 0;
  for (std::string line; std::getline(all, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) kilobytes = std::stoull(line.substr(13));
  }
  ASSERT_GT(kilobytes, 0U);
  const double expected = 1024.0 * static_cast<double>(kilobytes);
  EXPECT_NEAR(static_cast<double>(available_bytes()), expected, 0.5 * expected);
}

using Given = std::vector<std::pair<std::string, OptionValue>>;

std::string refusal(const std::string& kind, const Given& given) {
  Configuration options;
  options.set("topology.kind", kind);
  for (const auto& [key, value] : given) options.set("topology." + key, value);
  const ScarceMemory scarce;
  return complaint([&] { make_topology(options); });
}
OptionValue number(std::int64_t value) { return value; }

void expect_counted(const std::string& kind, const Given& given, const std::string& name, std::uint64_t routers,
                    std::uint64_t ports, std::uint64_t nodes) {
  const std::string said = refusal(kind, given);
  const std::string expected = name + ": the ports of its " + std::to_string(routers) + " routers take up to " +
                               gigabytes(topology_bytes(routers, ports, nodes)) + ", and 0.0 GB are available;";
  EXPECT_EQ(said.substr(0, expected.size()), expected) << said;
}

TEST_F(Scarce, MemoryIsToldByRoutersPortsAndNodes) {
  constexpr std::uint64_t kMega = std::uint64_t{1} << 20U;
  const OptionValue most = number(1024);
  expect_counted("mesh", {{"width", most}, {"height", most}, {"local_ports", number(60)}}, "mesh 1024x1024", kMega,
                 64 * kMega, kMega);
  expect_counted("torus", {{"width", most}, {"height", most}}, "torus 1024x1024", kMega, 5 * kMega, kMega);
  expect_counted("chiplet_chain",
                 {{"chiplets", number(64)}, {"width", number(16)}, {"height", most}, {"local_ports", number(20)}},
                 "mesh 1024x1024", kMega, 24 * kMega, kMega);
  expect_counted("hexagonal", {{"edge", number(200)}, {"local_ports", number(58)}}, "hexagonal E200", 3 * 200 * 199 + 1,
                 64 * (3 * 200 * 199 + 1), 3 * 200 * 199 + 1);
  expect_counted("cube", {{"sizes", Numbers{1024, 32, 32}}, {"concentration", number(50)}}, "mesh 1024x32x32", kMega,
                 56 * kMega, 50 * kMega);
  expect_counted("flattened_butterfly", {{"sizes", Numbers{16, 16, 16, 16}}, {"concentration", number(4)}},
                 "flattened butterfly 16x16x16x16", 65536, 64 * 65536, 4 * 65536);
  expect_counted("dragonfly",
                 {{"routers_per_group", number(43)}, {"global_ports", number(21)}, {"nodes_per_router", number(1)}},
                 "dragonfly a=43 p=1 h=21", 43 * (43 * 21 + 1), 64 * 43 * (43 * 21 + 1), 43 * (43 * 21 + 1));
  // 20 levels of 2^19 switches with two links down and, but for the roots, two up.
  expect_counted("k_ary_n_tree", {{"arity", number(2)}, {"levels", number(20)}}, "2-ary 20-tree", 10 * kMega,
                 4 * 10 * kMega - kMega, kMega);
  // Level 0 has 2^19 switches of 2 + 20 ports, the 18 above it half as many each, of 2 * 20 + 20; the root has none up.
  expect_counted("fat_tree", {{"arity", number(2)}, {"levels", number(20)}, {"trunk_links", Numbers(19, 20)}},
                 "fat tree k=2 n=20", kMega - 1, kMega / 2 * 22 + (kMega / 2 - 2) * 60 + 40, kMega);
  expect_counted("butterfly", {{"arity", number(2)}, {"stages", number(16)}}, "2-ary 16-fly", 16 * 32768,
                 4 * 16 * 32768, 65536);
}

/// 2,000 routers in a row with 64 nodes each, and a node has 60 ports.
TEST_F(Scarce, MemoryOfAGraphIsToldByItsFile) {
  const std::string file = temporary_file("large.graphml");
  std::ofstream out(file);
  out << R"(<graphml><key id="n" for="node" attr.name="nodes"><default>64</default></key><graph>)";
  for (int r = 0; r < 2000; ++r) out << "<node id='" << r << "'/>";
  for (int r = 1; r < 2000; ++r) out << "<edge source='" << r - 1 << "' target='" << r << "'/>";
  out << "</graph></graphml>";
  out.close();
  expect_counted("graph", {{"file", OptionValue(file)}, {"local_ports", number(60)}}, "graph " + file, 2000,
                 2 * 1999 + 60 * 64 * 2000, 64 * 2000);
}

/// One beyond the size is another answer than that there is no room for it.
TEST_F(Scarce, SizesThatAreJustNotTooLargeAreRefusedForMemoryAlone) {
  const auto has_no_room = [](const std::string& said) { return said.find(" take up to ") != std::string::npos; };
  const auto tree = [](std::uint32_t k, std::uint32_t n) {
    return refusal("k_ary_n_tree", {{"arity", number(k)}, {"levels", number(n)}});
  };
  const auto fat = [](std::uint32_t k, std::uint32_t n) {
    return refusal("fat_tree", {{"arity", number(k)}, {"levels", number(n)}, {"trunk_links", Numbers(n - 1, 1)}});
  };
  for (const auto& [k, n] : {std::pair{2U, 20U}, {4U, 10U}, {32U, 4U}, {3U, 12U}}) {
    EXPECT_TRUE(has_no_room(tree(k, n))) << tree(k, n);
    EXPECT_TRUE(has_no_room(fat(k, n))) << fat(k, n);
  }
  for (const auto& [k, n] : {std::pair{4U, 11U}, {32U, 5U}, {3U, 13U}}) {
    const std::string arity = std::to_string(k), levels = std::to_string(n);
    EXPECT_EQ(tree(k, n), "a " + arity + "-ary " + levels + "-tree is out of range: expected at most 1048576 nodes");
    EXPECT_EQ(fat(k, n), "topology.levels = " + levels + " of topology.arity = " + arity +
                             " is out of range: expected at most 1048576 nodes");
  }
  EXPECT_TRUE(has_no_room(refusal("cube", {{"sizes", Numbers{1024, 1024}}})));
  EXPECT_EQ(refusal("cube", {{"sizes", Numbers{2, 1025}}}),
            "topology.sizes has a row of 1025 routers: expected 1 to 1024");
}

TEST_F(Scarce, RoutingTablesAreToldByRowsOfDestinations) {
  const Topology ring = ring_of(8, 0, 3);  // three of them have a node
  constexpr std::size_t kEntries = std::size_t{1} << 28U;
  const auto said = [&](std::size_t most_rows) {
    const RowsOnDemand<std::uint16_t> rows(ring, kEntries, most_rows);
    const ScarceMemory scarce;
    return complaint([&] { rows.check_room(); });
  };
  const std::string begin = "a graph: routing tables for 8 routers take up to ";
  EXPECT_EQ(said(SIZE_MAX).rfind(begin + gigabytes(3 * 2 * kEntries) + ", and ", 0), 0U) << said(SIZE_MAX);
  EXPECT_EQ(said(4).rfind(begin + gigabytes(3 * 2 * kEntries) + ", and ", 0), 0U) << said(4);
  EXPECT_EQ(said(2).rfind(begin + gigabytes(2 * 2 * kEntries) + ", and ", 0), 0U) << said(2);
  EXPECT_EQ(said(0), "");
}

/// As many rows as there may come to be: of distances, or of ports before and after a step down, or for each position
/// of the destination of elevators. Who has no such table needs no room.
TEST_F(Scarce, AlgorithmsAskForTheRoomOfTheirTables) {
  constexpr std::uint64_t kPairs = std::uint64_t{6400} * 6400;
  const Topology mesh = grid_of("mesh", 80, 80), stack = stack_of({80, 80, 2}, {0, 0, 79, 79});
  const auto said = [](const std::string& name, const Topology& t, const char* elevator = "nearest") {
    RoutingContext context;
    context.vcs = name == "disjoint_paths" ? 1 : 4;
    context.configuration.set("routing.elevator", elevator);
    const auto algorithm = RoutingRegistry::instance().make(name, t, context);
    const ScarceMemory scarce;
    return complaint([&] { algorithm->check_room(); });
  };
  for (const char* name : {"best_paths", "derouting", "deterministic", "disjoint_paths", "table"}) {
    const std::string text = said(name, mesh);
    EXPECT_EQ(
        text.rfind("mesh 80x80: routing tables for 6400 routers take up to " + gigabytes(2 * kPairs) + ", and ", 0), 0U)
        << name << ": " << text;
  }
  const std::string text = said("elevator_first", stack, "on_the_way");
  EXPECT_EQ(text.rfind("mesh 80x80x2 with 2 elevators: routing tables for 12800 routers take up to " +
                           gigabytes(4 * kPairs) + ", and ",
                       0),
            0U)
      << text;
  EXPECT_EQ(said("elevator_first", stack), "") << "one row for all";
  EXPECT_EQ(said("x_first", mesh), "");
}

TEST_F(Scarce, PathsAreToldByPairsOfRoutersOrOfNodes) {
  const Topology row = graph_of(3000, {}, 2500);
  const auto said = [&](const char* per) {
    Configuration c;
    c.set("routing.paths_per", per);
    const ScarceMemory scarce;
    return complaint([&] { (void)make_paths(row, c); });
  };
  const std::uint64_t each = sizeof(Path) + sizeof(RouteId);
  EXPECT_EQ(said("router_pair")
                .rfind("a graph: paths between 3000 routers take up to " + gigabytes(3000 * 3000 * each) + ", and ", 0),
            0U)
      << said("router_pair");
  EXPECT_EQ(said("node_pair")
                .rfind("a graph: paths between 2500 nodes take up to " + gigabytes(2500 * 2500 * each) + ", and ", 0),
            0U)
      << said("node_pair");
}

}  // namespace
}  // namespace braid::test::room_test
