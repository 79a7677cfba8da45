// Patterns that do not fit their network, and files that are not there or hold nothing.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::refused_patterns_test {
namespace {

std::string said(const char* pattern, const Configuration& options, std::uint32_t width = 2, std::uint32_t height = 2) {
  return complaint(
      [&] { (void)traffic::PatternRegistry::instance().make(pattern, grid_of("mesh", width, height), options); });
}

TEST(RefusedPatterns, NeedTheFileThatTheyAreIn) {
  EXPECT_EQ(said("permutation", {}), "traffic.file is missing: expected a file of lines SOURCE DESTINATION");
  EXPECT_EQ(said("matrix", {}), "traffic.file is missing: expected a CSV file of from,to,rate");
  const std::string file = temporary_file("nothing.txt");
  Configuration options;
  options.set("traffic.file", file);
  for (const char* const nothing : {"", "# none\n", "\n \t\r\n"}) {
    std::ofstream(file) << nothing;
    EXPECT_EQ(said("permutation", options), file + ": holds no pair: expected lines SOURCE DESTINATION") << nothing;
    EXPECT_EQ(said("matrix", options), file + ": is empty: expected a line from,to,rate[,class]") << nothing;
  }
}

/// Two words a line, each a node in up to nine digits; what stands behind # is none.
TEST(RefusedPatterns, LinesOfAPermutationAreTwoNodes) {
  const std::string file = temporary_file("pairs.txt");
  Configuration options;
  options.set("traffic.file", file);
  const auto of = [&](const std::string& text) {
    std::ofstream(file) << text;
    const std::string what = said("permutation", options);
    return what.empty() ? "" : what.substr(file.size() + 1);
  };
  EXPECT_EQ(of("0 3\n\n# 9 9\n\t1  2 # 7\r\n3 0\n2 1\n"), "");
  EXPECT_EQ(of("0 000000003"), "");
  EXPECT_EQ(of("0 0000000003"), "1:1: node \"0000000003\": expected 0 to 3");
  EXPECT_EQ(of("\n4 0"), "2:1: node \"4\": expected 0 to 3");
  EXPECT_EQ(of("-1 0"), "1:1: node \"-1\": expected 0 to 3");
  EXPECT_EQ(of("0 1.0"), "1:1: node \"1.0\": expected 0 to 3");
  EXPECT_EQ(of("0 1 2"), "1:1: expected SOURCE DESTINATION");
  EXPECT_EQ(of("0 1\n\n2 # 3"), "3:1: expected SOURCE DESTINATION");
  EXPECT_EQ(of("0 1\n1 0\n0 2"), "3:1: source node 0 is named twice");
  EXPECT_EQ(of("0 1\n1 0\n2 0"), "3:1: destination node 0 is named twice");
}

TEST(RefusedPatterns, ARegionHasANodeAndNoMoreThanThereAre) {
  Configuration options;
  EXPECT_EQ(said("hot_region", options),
            "traffic pattern \"hot_region\": a region of 0 of 4 nodes; set traffic.hot_region_nodes to 1 or more")
      << "an eighth of four";
  EXPECT_EQ(said("hot_region", options, 4, 2), "") << "an eighth of eight";
  EXPECT_NE(said("hot_region", options, 7, 1), "");
  options.set("traffic.hot_region_nodes", 4);
  EXPECT_EQ(said("hot_region", options), "");
  options.set("traffic.hot_region_nodes", 5);
  EXPECT_EQ(said("hot_region", options),
            "traffic pattern \"hot_region\": a region of 5 of 4 nodes; set traffic.hot_region_nodes to 1 or more");
}

}  // namespace
}  // namespace braid::test::refused_patterns_test
