// Figures of the least that they can be made of: two batches, and a packet that leaves its source in the cycle in which
// it was made.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "models/workload/batch_means.h"
#include "models/workload/source_queues.h"

namespace braid::test::least_samples_test {
namespace {

using namespace models;

/// Means 1 and 3: a variance of 2, over two batches of 1.
TEST(TwoBatches, HaveAStandardError) {
  const BatchMeans two = batch_means({{1.0, 1.0}, {3.0, 1.0}});
  EXPECT_EQ(two.batches, 2U);
  EXPECT_DOUBLE_EQ(two.mean, 2.0);
  EXPECT_DOUBLE_EQ(two.standard_error, 1.0);
  EXPECT_TRUE(two.reliable);
  EXPECT_NEAR(two.half_width(0.25), 1.0, 1e-6) << "the quartile of a Cauchy distribution";
  EXPECT_FALSE(std::isnan(two.estimate().half_width_95));
}

/// One port's packet waits from 101 to 125, while another port's comes and goes in 120: 24 cycles are busy, or 5 where
/// that of 101 had not been there before 120.
TEST(PacketsWithoutAWait, LeaveTheQueueAsItIs) {
  for (const std::uint64_t made : {101U, 120U}) {
    SourceQueues queues;
    queues.leaves(0, 1, 120, 120, 100);
    queues.leaves(0, 1, 125, made, 100);
    queues.waited(0, 1, 0);
    queues.waited(0, 1, 125 - made);
    EXPECT_DOUBLE_EQ(queues.loads(100)[0].idle, 1.0 - static_cast<double>(125 - made) / 100.0) << made;
  }
}

}  // namespace
}  // namespace braid::test::least_samples_test
