// Latencies by their value, at the ends of buckets and ranks; and by sections of the window, as these become longer.
#include "models/workload/latency_histogram.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace braid::test::latency_histogram_test {
namespace {

using namespace models;

LatencyHistogram of(const std::vector<std::uint64_t>& samples) {
  LatencyHistogram histogram;
  for (const std::uint64_t s : samples) histogram.add(s);
  return histogram;
}

/// A packet to the node itself may take no cycle.
TEST(LatencyHistogram, KnowsALatencyOfZero) {
  const Distribution none = of({0}).distribution();
  EXPECT_EQ(none.min, 0.0);
  EXPECT_EQ(none.max, 0.0);
  EXPECT_EQ(none.p50, 0.0);
  const LatencyBuckets buckets = of({0, 1, 0}).buckets();
  EXPECT_EQ(buckets.first_cycle, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(buckets.last_cycle, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(buckets.packets, (std::vector<std::uint64_t>{2, 1}));
}

TEST(LatencyHistogram, CountsWhatIsNotAbove) {
  const LatencyHistogram h = of({3, 5, 5, 9});
  for (const auto& [cycles, count] : std::vector<std::pair<double, std::uint64_t>>{
           {0.0, 0}, {2.0, 0}, {3.0, 1}, {4.9, 1}, {5.0, 3}, {8.0, 3}, {9.0, 4}, {10.0, 4}, {5000.0, 4}}) {
    EXPECT_EQ(h.not_above(cycles), count) << cycles;
  }
  EXPECT_EQ(of({}).not_above(7.0), 0U);
  EXPECT_EQ(of({2050, 2111, 2112}).not_above(2048.0), 2U) << "the bucket of 2048 to 2111";
}

TEST(LatencyHistogram, HasASampleOfEachRank) {
  const LatencyHistogram h = of({3, 5, 5, 9});
  const std::vector<double> ranks{3, 5, 5, 9};
  for (std::uint64_t rank = 1; rank <= 4; ++rank) EXPECT_EQ(h.at_rank(rank), ranks[rank - 1]) << rank;
  EXPECT_EQ(h.at_rank(5), 9.0) << "there are no more";
  EXPECT_EQ(h.percentile(250), 3.0) << "the first of four";
  EXPECT_EQ(h.percentile(251), 5.0);
  EXPECT_EQ(h.percentile(750), 5.0);
  EXPECT_EQ(h.percentile(751), 9.0);
  EXPECT_EQ(h.percentile(1000), 9.0);
  EXPECT_EQ(h.count(), 4U);
}

/// Sums of what is put together: a mean, and the ends, whichever has them.
TEST(LatencyHistogram, PutTogetherHasTheEndsOfBoth) {
  for (const bool swapped : {false, true}) {
    LatencyHistogram one = swapped ? of({7, 8}) : of({2, 90}), other = swapped ? of({2, 90}) : of({7, 8});
    one.merge(other);
    const Distribution d = one.distribution();
    EXPECT_EQ(d.count, 4U);
    EXPECT_EQ(d.min, 2.0);
    EXPECT_EQ(d.max, 90.0);
    EXPECT_EQ(d.mean, 107.0 / 4.0);
    EXPECT_EQ(one.not_above(8.0), 3U);
  }
}

/// Of three sections become two, of which the second is the third alone; of batches 0 to 63 and 64 a section of two
/// each, and what was in a batch stays with its neighbour.
TEST(LatencySections, KeepAnOddOneWhenTheyBecomeLonger) {
  LatencySections s;
  for (const std::uint64_t batch : {0U, 1U, 2U}) s.add(batch, 10 + batch);
  s.add(64, 99);
  const std::vector<LatencyHistogram> all = s.sections(128);
  ASSERT_EQ(all.size(), 64U);
  EXPECT_EQ(all[0].distribution().min, 10.0);
  EXPECT_EQ(all[0].distribution().max, 11.0);
  EXPECT_EQ(all[0].count(), 2U);
  EXPECT_EQ(all[1].count(), 1U);
  EXPECT_EQ(all[1].distribution().max, 12.0);
  EXPECT_EQ(all[32].distribution().max, 99.0);
  EXPECT_EQ(s.all().count(), 4U);
}

/// A window shorter than a section is one section, whole or not.
TEST(LatencySections, OfAShortWindowAreOne) {
  LatencySections s;
  s.add(200, 5);  // sections of four batches
  EXPECT_EQ(s.sections(3).size(), 1U);
  EXPECT_EQ(s.sections(4).size(), 1U);
  EXPECT_EQ(s.sections(5).size(), 1U) << "the second would be a quarter of one";
  EXPECT_EQ(s.sections(8).size(), 2U);
  EXPECT_EQ(s.sections(9).size(), 2U);
}

}  // namespace
}  // namespace braid::test::latency_histogram_test
