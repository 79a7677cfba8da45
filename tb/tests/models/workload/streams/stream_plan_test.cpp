// What a run says of a program's portals: the place of the first, by the name of its file, however long that is.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

#include "tb/tests/support/bench.h"

namespace braid::test::stream_plan_test {
namespace {

std::optional<std::string> told(const std::string& file) {
  models::Experiment e = stream_mesh("", 4, 4);
  e.set("stream.graph", file).set("interface.switching", "packet").set("stream.anneal", false);
  const Bench bench(e);
  models::StreamWorkload& stream = *bench.network->workload<models::StreamWorkload>();
  stream.begin_window();
  return stream.results(1000).untimed_messages;
}

/// A name of 4090 signs, two of which are printed as four: 4096 printed ones are told whole. (A system opens no longer
/// names.)
TEST(Portals, AreToldByTheWholeNameOfTheirFile) {
  const std::string name = std::to_string(getpid()) + "_a\x01\x01.str", folder = testing::TempDir();
  std::ofstream(folder + name) << std::ifstream(source_file("tb/python/streamit/programs/portals/portal.str")).rdbuf();
  std::string file = folder;
  while (file.size() + name.size() + 2 <= 4090) file += "./";
  if (file.size() + name.size() < 4090) file += '/';
  file += name;
  ASSERT_EQ(file.size(), 4090U);
  const std::optional<std::string> place = told(file);
  ASSERT_TRUE(place.has_value());
  const std::string printed = file.substr(0, file.size() - 6) + "\\x01\\x01.str";
  ASSERT_EQ(printed.size(), 4096U);
  EXPECT_EQ(place->rfind(printed + ":", 0), 0U) << place->substr(4000);
  std::remove((folder + name).c_str());
  EXPECT_FALSE(told(source_file("traffic/streams/programs/fm_radio.str")).has_value()) << "it has none";
}

}  // namespace
}  // namespace braid::test::stream_plan_test
