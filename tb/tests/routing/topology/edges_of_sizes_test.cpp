// The largest networks of each kind that are built, what is one too large, and what is said of it: bounds of
// docs/configuration.md, numbers of ports by hand.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/dimensions.h"

namespace braid::test::edges_of_sizes_test {
namespace {

using namespace routing;
using Numbers = std::vector<std::uint32_t>;
using Given = std::vector<std::pair<std::string, OptionValue>>;

OptionValue number(std::int64_t value) { return value; }

Topology network(const std::string& kind, const Given& given) {
  Configuration options;
  options.set("topology.kind", kind);
  for (const auto& [key, value] : given) options.set("topology." + key, value);
  return make_topology(options);
}
/// "": it is built.
std::string refusal(const std::string& kind, const Given& given) {
  return complaint([&] { network(kind, given); });
}

struct Case {
  const char* name;
  std::string kind;
  Given given;
  std::string said;
};
class SizeEdges : public testing::TestWithParam<Case> {};
TEST_P(SizeEdges, AreWhereTheyAreSaidToBe) { EXPECT_EQ(refusal(GetParam().kind, GetParam().given), GetParam().said); }

std::string name_of(const testing::TestParamInfo<Case>& c) { return c.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Rows, SizeEdges,
    testing::Values(
        Case{"dimensions_8", "cube", {{"sizes", Numbers(8, 1)}}, ""},
        Case{"dimensions_9", "cube", {{"sizes", Numbers(9, 1)}}, "topology.sizes has 9 dimensions: expected 1 to 8"},
        Case{"dimensions_0", "cube", {{"sizes", Numbers{}}}, "topology.sizes has 0 dimensions: expected 1 to 8"},
        Case{"row_0", "cube", {{"sizes", Numbers{2, 0}}}, "topology.sizes has a row of 0 routers: expected 1 to 1024"},
        Case{"row_1024", "cube", {{"sizes", Numbers{1024}}}, ""},
        Case{"ring_3", "cube", {{"sizes", Numbers{3}}, {"wrap", true}}, ""},
        Case{"ring_2",
             "cube",
             {{"sizes", Numbers{3, 2}}, {"wrap", true}},
             "topology.sizes has a row of 2 routers: expected 3 to 1024 in a torus"},
        Case{
            "routers", "cube", {{"sizes", Numbers{1024, 1024, 2}}}, "topology.sizes: expected at most 1048576 routers"},
        Case{"ports_64", "cube", {{"sizes", Numbers{2}}, {"concentration", number(62)}}, ""},
        Case{"ports_65",
             "cube",
             {{"sizes", Numbers{2}}, {"concentration", number(63)}},
             "a router of a mesh 2 with 63 nodes has 65 ports: expected at most 64"},
        Case{"ports_64_of_a_row", "flattened_butterfly", {{"sizes", Numbers{4, 3}}, {"concentration", number(59)}}, ""},
        Case{"ports_65_of_a_row",
             "flattened_butterfly",
             {{"sizes", Numbers{4, 3}}, {"concentration", number(60)}},
             "a router of a flattened butterfly 4x3 with 60 nodes has 65 ports: expected at most 64"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Links, SizeEdges,
    testing::Values(
        Case{"latency_256", "cube", {{"sizes", Numbers{2, 2}}, {"link_latencies", Numbers{1, 256}}}, ""},
        Case{"latency_257",
             "cube",
             {{"sizes", Numbers{2, 2}}, {"link_latencies", Numbers{1, 257}}},
             "topology.link_latencies has 257: expected 1 to 256"},
        Case{"latency_0",
             "cube",
             {{"sizes", Numbers{2, 2}}, {"link_latencies", Numbers{0, 1}}},
             "topology.link_latencies has 0: expected 1 to 256"},
        Case{"latencies_3",
             "cube",
             {{"sizes", Numbers{2, 2}}, {"link_latencies", Numbers{1, 1, 1}}},
             "topology.link_latencies has 3 numbers, topology.sizes 2: expected as many, or none"},
        Case{"speed_64", "cube", {{"sizes", Numbers{2, 2}}, {"link_speeds", Numbers{64, 1}}}, ""},
        Case{"speed_65",
             "cube",
             {{"sizes", Numbers{2, 2}}, {"link_speeds", Numbers{65, 1}}},
             "topology.link_speeds has 65: expected 1 to 64"},
        Case{"speeds_1",
             "cube",
             {{"sizes", Numbers{2, 2}}, {"link_speeds", Numbers{1}}},
             "topology.link_speeds has 1 numbers, topology.sizes 2: expected as many, or none"},
        Case{"latencies_before_speeds",
             "cube",
             {{"sizes", Numbers{2}}, {"link_latencies", Numbers{0}}, {"link_speeds", Numbers{0}}},
             "topology.link_latencies has 0: expected 1 to 256"},
        Case{"distance_256",
             "flattened_butterfly",
             {{"sizes", Numbers{2, 5}}, {"link_latencies", Numbers{9, 64}}, {"latency_by_distance", true}},
             ""},
        Case{"distance_260",
             "flattened_butterfly",
             {{"sizes", Numbers{2, 5}}, {"link_latencies", Numbers{9, 65}}, {"latency_by_distance", true}},
             "topology.latency_by_distance: the longest link of dimension 1 takes 260 cycles, 65 for each position: "
             "expected at most 256"},
        Case{"distance_of_all",
             "flattened_butterfly",
             {{"sizes", Numbers{4}}, {"link_latency_cycles", number(86)}, {"latency_by_distance", true}},
             "topology.latency_by_distance: the longest link of dimension 0 takes 258 cycles, 86 for each position: "
             "expected at most 256"},
        Case{"no_distance", "flattened_butterfly", {{"sizes", Numbers{2, 5}}, {"link_latencies", Numbers{9, 65}}}, ""}),
    name_of);

const std::string kStack = "topology.elevators needs a mesh of three dimensions and two planes or more; topology is ";
const std::string kPlace = ": expected x of 0 to 2 and y of 0 to 1, each position once";
INSTANTIATE_TEST_SUITE_P(
    Elevators, SizeEdges,
    testing::Values(
        Case{"corner", "cube", {{"sizes", Numbers{3, 2, 2}}, {"elevators", Numbers{2, 1}}}, ""},
        Case{"x_outside",
             "cube",
             {{"sizes", Numbers{3, 2, 2}}, {"elevators", Numbers{0, 0, 3, 1}}},
             "topology.elevators has x, y = 3, 1" + kPlace},
        Case{"y_outside",
             "cube",
             {{"sizes", Numbers{3, 2, 2}}, {"elevators", Numbers{2, 2}}},
             "topology.elevators has x, y = 2, 2" + kPlace},
        Case{"twice",
             "cube",
             {{"sizes", Numbers{3, 2, 2}}, {"elevators", Numbers{1, 1, 0, 1, 1, 1}}},
             "topology.elevators has x, y = 1, 1 twice" + kPlace},
        Case{"odd",
             "cube",
             {{"sizes", Numbers{3, 2, 2}}, {"elevators", Numbers{1, 1, 0}}},
             "topology.elevators has 3 numbers: expected x, y, x, y ..., so an even number"},
        Case{"one_plane", "cube", {{"sizes", Numbers{3, 2, 1}}, {"elevators", Numbers{1, 1}}}, kStack + "mesh 3x2x1"},
        Case{"two_dimensions", "cube", {{"sizes", Numbers{3, 2}}, {"elevators", Numbers{1, 1}}}, kStack + "mesh 3x2"},
        Case{"four_dimensions",
             "cube",
             {{"sizes", Numbers{3, 2, 2, 2}}, {"elevators", Numbers{1, 1}}},
             kStack + "mesh 3x2x2x2"},
        Case{"torus",
             "cube",
             {{"sizes", Numbers{3, 3, 3}}, {"wrap", true}, {"elevators", Numbers{1, 1}}},
             kStack + "torus 3x3x3"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Others, SizeEdges,
    testing::Values(
        Case{"dragonfly_64",
             "dragonfly",
             {{"routers_per_group", number(1)}, {"global_ports", number(1)}, {"nodes_per_router", number(63)}},
             ""},
        Case{"dragonfly_65",
             "dragonfly",
             {{"routers_per_group", number(2)}, {"global_ports", number(1)}, {"nodes_per_router", number(63)}},
             "a dragonfly a=2 p=63 h=1 has routers of 65 ports: expected at most 64"},
        Case{
            "fat_tree_64", "fat_tree", {{"arity", number(2)}, {"levels", number(2)}, {"trunk_links", Numbers{32}}}, ""},
        Case{"fat_tree_66_down",
             "fat_tree",
             {{"arity", number(2)}, {"levels", number(2)}, {"trunk_links", Numbers{33}}},
             "topology.trunk_links makes switches of 66 ports: expected at most 64"},
        Case{"fat_tree_65_up",
             "fat_tree",
             {{"arity", number(2)}, {"levels", number(2)}, {"trunk_links", Numbers{63}}},
             "topology.trunk_links makes switches of 65 ports: expected at most 64"},
        Case{"fat_tree_0",
             "fat_tree",
             {{"arity", number(2)}, {"levels", number(3)}, {"trunk_links", Numbers{2, 0}}},
             "topology.trunk_links has 0: expected 1 or more"},
        Case{"fat_tree_trunks",
             "fat_tree",
             {{"arity", number(2)}, {"levels", number(3)}, {"trunk_links", Numbers{2}}},
             "topology.trunk_links has 1 numbers, topology.levels is 3: expected 2"},
        Case{"fat_tree_speed_64",
             "fat_tree",
             {{"levels", number(2)}, {"trunk_links", Numbers{2}}, {"trunk_flits_per_cycle", Numbers{64}}},
             ""},
        Case{"fat_tree_speed_65",
             "fat_tree",
             {{"levels", number(2)}, {"trunk_links", Numbers{2}}, {"trunk_flits_per_cycle", Numbers{65}}},
             "topology.trunk_flits_per_cycle has 65: expected 1 to 64"},
        Case{"fat_tree_speed_0",
             "fat_tree",
             {{"trunk_flits_per_cycle", Numbers{1, 0}}},
             "topology.trunk_flits_per_cycle has 0: expected 1 to 64"},
        Case{"fat_tree_speeds",
             "fat_tree",
             {{"trunk_flits_per_cycle", Numbers{1}}},
             "topology.trunk_flits_per_cycle has 1 numbers: expected none or 2, as topology.trunk_links has"}),
    name_of);

TEST(ElevatorNames, CountThem) {
  EXPECT_EQ(stack_of({3, 2, 2}, {1, 1}).name, "mesh 3x2x2 with 1 elevator");
  EXPECT_EQ(stack_of({3, 2, 2}, {1, 1, 2, 0}).name, "mesh 3x2x2 with 2 elevators");
  EXPECT_EQ(stack_of({1, 2, 2}, {0, 0, 0, 1}).name, "mesh 1x2x2") << "they are everywhere";
}

TEST(DimensionNames, AreLettersAndFromTheFourthOnNumbers) {
  const Topology t = cube_of("cube", {1, 1, 1, 2, 1});
  std::vector<std::string> names;
  for (const Port& port : t.routers[0]) names.push_back(port.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x_up", "x_down", "y_up", "y_down", "z_up", "z_down", "d3_up", "d3_down",
                                             "d4_up", "d4_down", "local0"}));
  EXPECT_EQ(t.routers[0][6].kind, PortKind::kNetwork);
  EXPECT_EQ(t.routers[0][7].kind, PortKind::kUnconnected);
}

}  // namespace
}  // namespace braid::test::edges_of_sizes_test
