// When a PO2 slice has something to do in a step of its cycle, what of it a cut network saves, and the ranges of the
// pool policy that escapes.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "models/families/po2/pool_policy.h"
#include "models/families/po2/slice.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/saved.h"

namespace braid::test::po2_steps_test {
namespace {

using models::po2::PoolPolicyRegistry;

/// Which of the steps of cycle `now` has anything to do, as letters: o(ffers), g(rants), t(ransfers).
std::string to_do(const Bench& bench) {
  const models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  return std::string(slice.any_offer() ? "o" : "") + (slice.any_grant() ? "g" : "") +
         (slice.any_transfer(bench.network->now()) ? "t" : "");
}

/// A packet of 4 flits to the neighbour: its node's port has it from 0 to 7 (3 + 4), its header is routed in 5. What a
/// cycle's lists hold is there until the next cycle's offers; then nothing is to be done before the next event.
TEST(Po2Steps, HaveNothingToDoBetweenEvents) {
  Bench bench(small_po2(2, 1));
  EXPECT_EQ(to_do(bench), "") << "nobody sends";
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  EXPECT_EQ(to_do(bench), "o") << "its router was woken";
  bench.run(1);
  EXPECT_EQ(to_do(bench), "ogt") << "what it has offered is to be forgotten, and granted buffers are looked at again";
  bench.run(1);
  for (std::uint64_t cycle = 2; cycle < 4; ++cycle) {
    EXPECT_EQ(to_do(bench), "") << cycle;
    bench.run(1);
  }
  EXPECT_EQ(to_do(bench), "t") << "in 4: the header's end, which the next cycle sees";
  bench.run(1);
  EXPECT_EQ(to_do(bench), "o") << "in 5: it asks for its link";
}

/// Two nodes send to each other in turn for a while: at the end all is as if nothing had been.
TEST(Po2Steps, EndWhenAllHasCome) {
  Bench bench(small_po2(3, 1));
  for (int again = 0; again < 3; ++again) {
    bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
    bench.network->send_packet(NodeId{2}, NodeId{0}, 4);
    bench.run(100);
    EXPECT_EQ(to_do(bench), "") << again;
  }
  EXPECT_EQ(bench.delivered(), 6U);
}

/// A slice saves the queues of its own nodes: four nodes more, each with its router, are as many bytes more in two
/// slices as in one.
TEST(Po2Slices, SaveEachNodesQueueOnce) {
  const auto bytes = [](std::uint32_t nodes, std::size_t slices) {
    const Bench bench(small_po2(nodes, 1), slices);
    return saved(bench.network->fabric()).size();
  };
  EXPECT_GT(bytes(8, 1), bytes(4, 1));
  EXPECT_EQ(bytes(8, 2) - bytes(4, 2), bytes(8, 1) - bytes(4, 1));
  EXPECT_EQ(bytes(12, 4) - bytes(8, 4), bytes(8, 1) - bytes(4, 1));
}

/// docs/po2.md: two buffers are kept, so that there is one for packets on their routes.
TEST(Po2Escapes, NeedThreeBuffersAndACycleOfPatience) {
  const routing::Topology topology = Bench(small_po2(2, 2)).topology;
  const auto made = [&](std::uint32_t buffers, std::int64_t patience) {
    Configuration c;
    if (patience >= 0) c.set("po2.escape_patience_cycles", patience);
    return PoolPolicyRegistry::instance().make("up_down_escape", topology, {buffers, c});
  };
  for (const std::uint32_t buffers : {1U, 2U}) {
    EXPECT_EQ(complaint([&] { (void)made(buffers, 1); }),
              "po2.avoidance = \"up_down_escape\" needs po2.buffers > 2; it is " + std::to_string(buffers));
  }
  EXPECT_TRUE(made(3, 1)->admits({0, 1, 1}, models::po2::kRegular));
  EXPECT_FALSE(made(3, 1)->admits({1, 0, 0}, models::po2::kRegular));
  EXPECT_EQ(made(3, 1)->patience_cycles(), 1U);
  EXPECT_EQ(made(3, 2)->patience_cycles(), 2U);
  EXPECT_EQ(made(3, -1)->patience_cycles(), 2000U) << "where nothing is said";
  EXPECT_EQ(complaint([&] { (void)made(3, 0); }).find("po2.escape_patience_cycles = 0: expected integer"), 0U);
}

}  // namespace
}  // namespace braid::test::po2_steps_test
