// Copies of a filter: their order, and where a program gets any.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/partition/partition.h"

namespace braid::test::fission_test {
namespace {

using namespace traffic;

/// A filter without state that works for ninety cycles, between two that work for one.
Structure with_a_heavy_filter() {
  return pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, 2, 90, 1, false), filter("b", 2, 0, 1)});
}

std::vector<std::string> names(const StreamGraph& graph) {
  std::vector<std::string> all;
  for (const Actor& actor : graph.actors) all.push_back(actor.name);
  return all;
}

/// The first stands where the filter stood; the others come behind all that were there, in their order.
TEST(Fission, CopiesStandInTheOrderInWhichTheyTakeTurns) {
  const Partitioned three = fuse_program(with_a_heavy_filter(), "p.str", {}, {{0, 1}, {1, 2, 3}, {2, 3}});
  std::vector<std::string> copies = names(three.graph);
  ASSERT_EQ(copies.size(), 6U);
  EXPECT_EQ(copies[1], "f.1") << "in place of f";
  copies.erase(std::remove_if(copies.begin(), copies.end(), [](const auto& name) { return name.find("f.") != 0; }),
               copies.end());
  copies.erase(std::remove(copies.begin(), copies.end(), "f.join"), copies.end());
  EXPECT_EQ(copies, (std::vector<std::string>{"f.1", "f.2", "f.3"}));
}

/// As docs/configuration.md says: `true` without a word. Six tiles hold the two others, three copies and their joiner.
TEST(Fission, IsTakenUnlessItIsForbidden) {
  for (const char* partitioner : {"dynamic_programming", "greedy"}) {
    PartitionOptions options;
    options.partition = partitioner;
    EXPECT_EQ(partition_program(with_a_heavy_filter(), "p.str", options, 6).bottleneck_work, 30.0) << partitioner;
    options.fission = false;
    const Partitioned apart = partition_program(with_a_heavy_filter(), "p.str", options, 6);
    EXPECT_EQ(apart.bottleneck_work, 90.0) << partitioner;
    EXPECT_EQ(names(apart.graph), (std::vector<std::string>{"a", "f", "b"})) << partitioner;
  }
}

}  // namespace
}  // namespace braid::test::fission_test
