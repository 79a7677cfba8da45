// Which node each shader and each memory has: intersim2's presets, and maps of a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/icnt.h"
#include "models/icnt/node_map.h"
#include "tb/tests/support/complaint.h"

namespace braid::models::icnt {
namespace {

Configuration placed(const std::string& more) {
  return read_configuration("sim_type = gpgpusim; topology = mesh; routing_function = dor;\n" + more, "test.icnt");
}
std::string placement_refusal(const std::string& more) {
  try {
    placed(more);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

/// Where intersim2 puts memories when a file does not say: its four presets. Shaders have the nodes between, ascending.
TEST(IcntPlacement, PresetsAreIntersim2s) {
  struct Preset {
    unsigned k, shaders;
    std::vector<unsigned> memories;
  };
  const Preset presets[] = {{4, 8, {1, 3, 4, 6, 9, 11, 12, 14}},
                            {6, 28, {3, 7, 10, 12, 23, 25, 28, 32}},
                            {8, 56, {3, 15, 17, 29, 36, 47, 49, 61}},
                            {11, 110, {12, 20, 25, 28, 57, 60, 63, 92, 95, 100, 108}}};
  for (const Preset& preset : presets) {
    const Configuration c = placed("k = " + std::to_string(preset.k) + ";");
    const auto memories = static_cast<unsigned>(preset.memories.size());
    const std::vector<unsigned> places = place_devices(c, preset.shaders, memories);
    ASSERT_EQ(places.size(), preset.shaders + memories);
    EXPECT_EQ(std::vector<unsigned>(places.end() - memories, places.end()), preset.memories);
    std::vector<unsigned> all(places.begin(), places.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "a node each";
    EXPECT_EQ(all.back(), preset.k * preset.k - 1);
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end() - memories));
  }
  EXPECT_THROW(place_devices(placed("k = 4;"), 7, 8), Error) << "no preset of as many shaders";
  EXPECT_THROW(place_devices(placed("k = 4;"), 8, 7), Error);
}

TEST(IcntPlacement, MapsAreNodesInBraces) {
  const auto nodes = [](const std::string& map) { return placed("memory_node_map = " + map + ";").memory_node_map; };
  EXPECT_EQ(nodes("{7}"), std::vector<unsigned>{7});
  EXPECT_EQ(nodes("{0,10,2}"), (std::vector<unsigned>{0, 10, 2}));
  EXPECT_EQ(nodes("{ 1234567 , 0 }"), (std::vector<unsigned>{1234567, 0}));
  EXPECT_EQ(placed("  memory_node_map = {1};").memory_node_map_at, "test.icnt:2:21");
  for (const char* wrong : {"{12345678}", "{1,,2}", "{,1}", "{1,}", "{}", "{a}", "{1,-2}", "12"}) {
    EXPECT_NE(placement_refusal("memory_node_map = " + std::string(wrong) + ";")
                  .find(", expected nodes in braces, as {2,7,10}"),
              std::string::npos)
        << wrong;
  }
}

/// A line begins with the map's place in the file, or with the file's name where no map stands in it.
TEST(IcntPlacement, SaysWhereAMapIsWrong) {
  const auto said = [](const std::string& map, unsigned shaders, unsigned memories) {
    return test::complaint<Error>([&] { place_devices(placed("k = 3;\n" + map), shaders, memories); });
  };
  EXPECT_EQ(said("memory_node_map = {8,0};", 7, 2), "");
  EXPECT_EQ(said("memory_node_map = {8,9};", 7, 2),
            "test.icnt:3:19: memory_node_map has node 9, expected nodes 0 to 8");
  EXPECT_EQ(said("memory_node_map = {4,4};", 7, 2), "test.icnt:3:19: memory_node_map has node 4 twice");
  EXPECT_EQ(said("memory_node_map = {4,5,6};", 7, 2),
            "test.icnt:3:19: memory_node_map has 3 nodes, expected one for each of 2 memories");
  EXPECT_EQ(said("", 7, 2),
            "test.icnt: use_map = 1 needs memory_node_map = {NODE,...}; for 7 shaders and 2 memories there is no "
            "placement of intersim2's");
  for (const std::string& map : {std::string("memory_node_map = {8,0};"), std::string("use_map = 0;")}) {
    EXPECT_EQ(said(map, 8, 2), "test.icnt: 8 shaders and 2 memories need 10 nodes, and k = 3, n = 2 has 9");
    EXPECT_EQ(said(map, 10, 2), "test.icnt: 10 shaders and 2 memories need 12 nodes, and k = 3, n = 2 has 9");
    EXPECT_EQ(said(map, 9, 0), "test.icnt: expected a shader and a memory at least");
    EXPECT_EQ(said(map, 0, 2), "test.icnt: expected a shader and a memory at least");
  }
}

/// Without a map a device has the node of its number, whatever a map in the file says.
TEST(IcntPlacement, WithoutAMapDevicesStandInOrder) {
  const Configuration c = placed("k = 3; use_map = 0; memory_node_map = {8,0};");
  EXPECT_EQ(place_devices(c, 7, 2), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(place_devices(c, 1, 3), (std::vector<unsigned>{0, 1, 2, 3}));
}

/// Shaders have the nodes that no memory has, the lowest first, and no more of them than there are shaders.
TEST(IcntPlacement, ShadersHaveTheNodesBetween) {
  const Configuration c = placed("k = 3; memory_node_map = {8,0};");
  EXPECT_EQ(place_devices(c, 7, 2), (std::vector<unsigned>{1, 2, 3, 4, 5, 6, 7, 8, 0}));
  EXPECT_EQ(place_devices(c, 1, 2), (std::vector<unsigned>{1, 8, 0}));
}

}  // namespace
}  // namespace braid::models::icnt
