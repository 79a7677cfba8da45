// What a set-up says that has given up: whether more lanes of local ports (router.circuit_lanes) would have been
// enough. It is held to set-ups with as many, and with one less.
#include <gtest/gtest.h>

#include "tb/tests/support/tile_streams.h"

namespace braid::test::fallback_lanes_test {
namespace {

struct Case {
  std::uint32_t width, height, local_ports;
  std::vector<Way> ways;
  std::uint32_t lanes;  // that would do; 0: none would
};

models::SetupResults set_up(const Case& c, const char* searches, std::uint32_t lanes) {
  models::Experiment e = tile_streams(c.width, c.height, c.local_ports, c.ways);
  e.set("setup.searches", searches);
  e.set("setup.retries", 0);
  e.set("router.circuit_lanes", lanes);
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  return bench.network->setup_results();
}

/// Streams of one node to its neighbours, of neighbours to one node, and twice between two nodes, with and without a
/// way round.
TEST(FallBack, SaysHowManyLanesWouldDo) {
  for (const Case& c : {Case{3, 3, 1, {{4, 1}, {4, 3}, {4, 5}, {4, 7}}, 4}, Case{3, 3, 1, {{1, 4}, {3, 4}, {5, 4}}, 3},
                        Case{3, 3, 2, {{4, 1}, {4, 3}, {4, 5}}, 2}, Case{2, 2, 1, {{0, 1}, {0, 1}}, 2},
                        Case{2, 1, 1, {{0, 1}, {0, 1}}, 0}}) {
    for (const char* searches : {"one_at_a_time", "parallel"}) {
      const models::SetupResults failed = set_up(c, searches, 1);
      EXPECT_TRUE(failed.fell_back_to_packets) << searches;
      EXPECT_EQ(failed.lanes_that_would_do, c.lanes) << searches;
      if (c.lanes == 0) {
        EXPECT_EQ(set_up(c, searches, 2).lanes_that_would_do, 0U) << "there are enough";
        continue;
      }
      const models::SetupResults stands = set_up(c, searches, c.lanes);
      EXPECT_FALSE(stands.fell_back_to_packets) << searches << ", " << c.lanes;
      EXPECT_EQ(stands.lanes_that_would_do, 0U) << "nothing is missing";
      const models::SetupResults one_less = set_up(c, searches, c.lanes - 1);
      EXPECT_TRUE(one_less.fell_back_to_packets) << searches << ", " << c.lanes;
      EXPECT_EQ(one_less.lanes_that_would_do, c.lanes) << searches;
    }
  }
}

}  // namespace
}  // namespace braid::test::fallback_lanes_test
