// Pulled streams in a network: requests under way, blocks, rooms that are promised.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/loads.h"

namespace braid::test::pull_test {
namespace {

using models::Experiment;
using models::StreamProgram;

/// Actors at both ends of a row of eight: a request and its block of four take 43 + 46 cycles.
Experiment pulled(std::uint32_t from_work, std::uint32_t to_work, std::uint32_t push, std::uint32_t pop) {
  Experiment e = streaming(stream_pair(from_work, to_work, push, pop, 7), 8);
  e.set("interface.transfer", "pull");
  return e;
}

/// Runs and gives the most requests that were under way; in every cycle each request is a block delivered or under way,
/// and nothing is promised beyond the room.
std::uint32_t most_requests(Bench& bench, std::uint64_t cycles) {
  const models::StreamOptions& options = program_of(bench).options();
  const std::uint32_t room = options.receive_queue_items;
  const std::uint32_t block = options.pull_block_items;
  const StreamProgram::Edge& edge = program_of(bench).edges()[0];
  std::uint32_t most = 0;
  for (std::uint64_t i = 0; i < cycles; ++i) {
    bench.run(1);
    most = std::max(most, edge.outstanding_requests);
    EXPECT_EQ(edge.promised_items, std::uint64_t{edge.outstanding_requests} * block);
    EXPECT_TRUE(room == 0 || edge.received.items() + edge.promised_items <= room);
    const std::uint64_t requests = bench.network->conservation().packets_created - edge.next_sequence;
    EXPECT_EQ(requests, edge.delivered_items / block + edge.outstanding_requests);
    EXPECT_EQ(edge.delivered_items % block, 0U);
    if (testing::Test::HasFailure()) break;
  }
  return most;
}

TEST(Pull, KeepsAsManyRequestsUnderWayAsItMay) {
  for (const std::uint32_t outstanding : {1, 3, 4}) {
    Experiment e = pulled(1, 1, 4, 4);
    e.set("interface.pull_outstanding", outstanding);
    Bench bench(e);
    EXPECT_EQ(most_requests(bench, 1000), outstanding);
  }
}

TEST(Pull, AsksOnlyForWhatHasRoom) {
  Experiment e = pulled(1, 100, 4, 4);
  e.set("interface.receive_queue_items", 11);  // two blocks and three items
  Bench bench(e);
  EXPECT_EQ(most_requests(bench, 2000), 2U);
}

/// One request at a time: asked for in cycle c, here in c + 43; the block leaves then, here 46 cycles later, and the
/// next is asked for at once. b needs it for one cycle only.
TEST(Pull, OfOneRequestAtATimeTakesARoundTripABlock) {
  Experiment e = pulled(1, 1, 4, 4);
  e.set("interface.pull_outstanding", 1);
  Bench bench(e);
  const StreamProgram::Edge& edge = program_of(bench).edges()[0];
  bench.run(89);  // the request is made in cycle 0
  EXPECT_EQ(edge.delivered_items, 0U) << "in cycle 88";
  for (std::uint64_t block = 1; block <= 10; ++block) {
    bench.run(1);
    EXPECT_EQ(edge.delivered_items, 4 * block) << "in cycle 89 x " << block;
    bench.run(88);
    EXPECT_EQ(edge.delivered_items, 4 * block) << "in the cycle before the next";
  }
}

/// The smallest queues that are not refused: b sees 3 + 4 - 1 items, a holds one block.
TEST(Pull, GoesOnAtTheLeastRoom) {
  Experiment e = pulled(1, 1, 2, 3);
  e.set("interface.stream_queue_items", 4);
  e.set("interface.receive_queue_items", 6);
  Bench bench(e);
  EXPECT_EQ(most_requests(bench, 3000), 1U);
  // A block a round trip: 33 blocks in 3000 cycles, 132 items, 44 firings; the last may be on its way.
  EXPECT_NEAR(static_cast<double>(program_of(bench).actors()[1].firings), 44.0, 2.0);
}

}  // namespace
}  // namespace braid::test::pull_test
