// braid modules as a process.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "tb/tests/support/places.h"
#include "tb/tests/support/program.h"

namespace braid::test::modules_test {

const std::string kMesh = "modules " + experiment("mesh_uniform") + " --set topology.width=2 --set topology.height=2 ";

TEST(BraidModules, ListsPortsWithTheirBitsAndChannels) {
  const Ended ended = braid(kMesh + "network.router_1_0.switch_allocator");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_NE(ended.output.find("out grant_o                20  network.router_1_0.grant"), std::string::npos)
      << ended.output;  // 5 ports of 4 VCs
  EXPECT_EQ(ended.output.find("router_0_0"), std::string::npos) << ended.output;
}

TEST(BraidModules, DrawsWhatLeadsFromModuleToModule) {
  const Ended ended = braid(kMesh + "network.router_1_0 --mermaid -");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_NE(ended.output.find("switch_allocator -- \"grant 20\" --> input_unit"), std::string::npos) << ended.output;
}

/// The page's drawing is what the program draws.
TEST(BraidModules, DrawsThePictureOfThePage) {
  const Ended ended = braid("modules " + experiment("fm_radio") + " network.router_0_0 --mermaid -");
  std::ifstream page(std::string(kSourceFolder) + "/docs/hardware-view.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(text.find("```mermaid\n" + ended.output + "```"), std::string::npos) << ended.output;
}

TEST(BraidModules, WritesJson) {
  const Ended ended = braid(kMesh + "--json -");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const boost::json::object network = boost::json::parse(ended.output).as_object();
  EXPECT_EQ(network.at("name").as_string(), "network");
  EXPECT_GE(network.at("modules").as_array().size(), 4u);
}

TEST(BraidModules, RefusesAModuleThatIsNotThere) {
  const Ended ended = braid(kMesh + "network.router_1_0.switch_alocator");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find("did you mean \"network.router_1_0.switch_allocator\""), std::string::npos)
      << ended.output;
}

}  // namespace braid::test::modules_test
