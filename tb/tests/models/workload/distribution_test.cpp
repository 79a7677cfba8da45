// Percentiles, means and confidence intervals against values known beforehand: nearest rank (the sample of rank
// ceil(p n / 100)), Student's t from its closed forms or tables.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "models/workload/statistics.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::distribution_test {
namespace {

using namespace models;

Distribution of(const std::vector<std::uint64_t>& samples) {
  LatencyHistogram histogram;
  for (const std::uint64_t s : samples) histogram.add(s);
  return histogram.distribution();
}

std::vector<std::uint64_t> up_to(std::uint64_t last) {
  std::vector<std::uint64_t> samples(last);
  std::iota(samples.begin(), samples.end(), 1);
  return samples;
}

TEST(Percentiles, OfNothingAreNone) {
  const Distribution d = of({});
  EXPECT_EQ(d.count, 0U);
  for (const double figure : {d.min, d.mean, d.max, d.p50, d.p95, d.p99, d.p99_9}) EXPECT_TRUE(std::isnan(figure));
}

TEST(Percentiles, OfOneSampleAreThatSample) {
  const Distribution d = of({7});
  EXPECT_EQ(d.count, 1U);
  for (const double figure : {d.min, d.mean, d.max, d.p50, d.p95, d.p99}) EXPECT_EQ(figure, 7.0);
}

TEST(Percentiles, OfTwoSamplesAreTheFirstAtHalfThenTheSecond) {
  const Distribution d = of({9, 4});  // ranks: ceil(1.0) = 1, ceil(1.9) = 2, ceil(1.98) = 2
  EXPECT_EQ(d.count, 2U);
  EXPECT_EQ(d.min, 4.0);
  EXPECT_EQ(d.mean, 6.5);
  EXPECT_EQ(d.max, 9.0);
  EXPECT_EQ(d.p50, 4.0);
  EXPECT_EQ(d.p95, 9.0);
  EXPECT_EQ(d.p99, 9.0);
}

TEST(Percentiles, OfAHundredSamplesAreTheirOwnNumbers) {
  const Distribution d = of(up_to(100));
  EXPECT_EQ(d.min, 1.0);
  EXPECT_EQ(d.mean, 50.5);
  EXPECT_EQ(d.max, 100.0);
  EXPECT_EQ(d.p50, 50.0);
  EXPECT_EQ(d.p95, 95.0);
  EXPECT_EQ(d.p99, 99.0);
}

TEST(Percentiles, RoundTheRankUp) {
  const Distribution d = of(up_to(101));  // ranks: ceil(50.5), ceil(95.95), ceil(99.99)
  EXPECT_EQ(d.p50, 51.0);
  EXPECT_EQ(d.p95, 96.0);
  EXPECT_EQ(d.p99, 100.0);
}

TEST(Percentiles, OfTenThousandSamplesCountEqualOnes) {
  LatencyHistogram histogram;  // 1 .. 1000, ten times each, the large first
  for (std::uint64_t i = 0; i < 10000; ++i) histogram.add(1000 - i / 10);
  const Distribution d = histogram.distribution();
  EXPECT_EQ(d.count, 10000U);
  EXPECT_EQ(d.mean, 500.5);
  EXPECT_EQ(d.p50, 500.0);  // rank 5000, the last of the ten
  EXPECT_EQ(d.p95, 950.0);
  EXPECT_EQ(d.p99, 990.0);
}

TEST(Percentiles, KnowTheLastOfAThousand) {
  EXPECT_EQ(of(up_to(1000)).p99_9, 999.0);
  EXPECT_EQ(of(up_to(1001)).p99_9, 1000.0) << "rank ceil(999.999)";
  EXPECT_EQ(of(up_to(2000)).p99_9, 1998.0);
}

TEST(Histogram, HasEveryBucketWithASampleAndItsEnds) {
  LatencyHistogram histogram;
  for (const std::uint64_t sample : {9, 4, 9, 2047, 2048, 2111, 2112, 4095, 4096, 4223}) histogram.add(sample);
  const LatencyBuckets b = histogram.buckets();
  EXPECT_EQ(b.first_cycle, (std::vector<std::uint64_t>{4, 9, 2047, 2048, 2112, 4032, 4096}));
  EXPECT_EQ(b.last_cycle, (std::vector<std::uint64_t>{4, 9, 2047, 2111, 2175, 4095, 4223}));
  EXPECT_EQ(b.packets, (std::vector<std::uint64_t>{1, 2, 1, 2, 1, 1, 2}));
}

/// "Exact below 2048 cycles, then 1/32 of the value wide": 2048 .. 2111 are one bucket, reported by its middle.
TEST(Percentiles, AreExactBelow2048AndThen64CyclesWide) {
  constexpr std::uint64_t kNear = 1, kFar = 100000;  // keep the smallest and the largest sample out of the way
  for (const auto& [sample, shown] : std::vector<std::pair<std::uint64_t, double>>{
           {2046, 2046}, {2047, 2047}, {2048, 2080}, {2111, 2080}, {2112, 2144}, {4095, 4064}, {4096, 4160}}) {
    EXPECT_EQ(of({kNear, sample, kFar}).p50, shown) << sample;
    EXPECT_EQ(of({sample, kFar}).min, static_cast<double>(sample)) << "not rounded";
  }
}

TEST(Percentiles, AreNeverMoreThanHalfABucketOff) {
  for (std::uint64_t sample = 2048; sample < 10000000; sample += 1 + sample / 7) {
    const double shown = of({sample, 100000000}).p50;
    EXPECT_LE(std::fabs(shown - static_cast<double>(sample)), static_cast<double>(sample) / 64.0) << sample;
  }
}

TEST(Percentiles, AreNotAboveTheLargestSample) {
  const Distribution d = of({1, 2050});  // the bucket's middle is 2080
  EXPECT_EQ(d.p99, 2050.0);
  EXPECT_EQ(d.max, 2050.0);
  EXPECT_EQ(d.mean, 1025.5) << "from the samples, not from the buckets";
}

/// Disabled: the bucket 2048 .. 2111 gives 2080, and only the upper end is held to the samples.
TEST(Percentiles, AreNotBelowTheSmallestSample) { EXPECT_EQ(of({2111}).p50, 2111.0); }

TEST(Percentiles, OfMergedHistogramsAreThoseOfAllSamples) {
  LatencyHistogram low, high;
  for (std::uint64_t s = 1; s <= 100; ++s) (s <= 60 ? low : high).add(s);
  for (const bool into_high : {false, true}) {  // the shorter into the longer, and the other way round
    LatencyHistogram all = into_high ? high : low;
    all.merge(into_high ? low : high);
    const Distribution d = all.distribution();
    EXPECT_EQ(d.count, 100U);
    EXPECT_EQ(d.min, 1.0);
    EXPECT_EQ(d.max, 100.0);
    EXPECT_EQ(d.mean, 50.5);
    EXPECT_EQ(d.p50, 50.0);
    EXPECT_EQ(d.p95, 95.0);
  }
}

TEST(Percentiles, AreUnchangedByMergingNothing) {
  LatencyHistogram histogram, nothing;
  histogram.add(5);
  histogram.merge(nothing);
  nothing.merge(histogram);
  for (const Distribution& d : {histogram.distribution(), nothing.distribution()}) {
    EXPECT_EQ(d.count, 1U);
    EXPECT_EQ(d.min, 5.0);
    EXPECT_EQ(d.max, 5.0);
  }
}

// ---------------------------------------------------------------- estimates

TEST(Estimate, OfNothingIsNone) {
  EXPECT_TRUE(std::isnan(estimate({}).mean));
  EXPECT_TRUE(std::isnan(estimate({}).half_width_95));
}

TEST(Estimate, OfOneSampleHasNoWidth) {
  EXPECT_EQ(estimate({4.5}).mean, 4.5);
  EXPECT_TRUE(std::isnan(estimate({4.5}).half_width_95));
}

/// Variance 0.5 over n - 1 = 1, so the standard error is sqrt(0.5 / 2) = 0.5; t of one degree of freedom is
/// tan(0.475 pi) = 12.706.
TEST(Estimate, OfTwoSamplesUsesOneDegreeOfFreedom) {
  const Estimate e = estimate({1.0, 2.0});
  EXPECT_DOUBLE_EQ(e.mean, 1.5);
  EXPECT_NEAR(e.half_width_95, 12.7062047361747 * 0.5, 1e-9);
}

/// Variance 1 over n - 1 = 2; t of two degrees of freedom is 0.95 / sqrt(2 x 0.975 x 0.025) = 4.303.
TEST(Estimate, OfThreeSamplesUsesTwoDegreesOfFreedom) {
  const Estimate e = estimate({1.0, 2.0, 3.0});
  EXPECT_DOUBLE_EQ(e.mean, 2.0);
  EXPECT_NEAR(e.half_width_95, 4.30265272974946 / std::sqrt(3.0), 1e-9);
}

/// 1 .. 10: variance 82.5 / 9; t of nine degrees of freedom is 2.262.
TEST(Estimate, OfTenSamplesNarrows) {
  const Estimate e = estimate({10, 1, 9, 2, 8, 3, 7, 4, 6, 5});
  EXPECT_DOUBLE_EQ(e.mean, 5.5);
  EXPECT_NEAR(e.half_width_95, 2.26215716279 * std::sqrt(82.5 / 9.0 / 10.0), 1e-9);
}

TEST(Estimate, OfEqualSamplesHasNoWidth) { EXPECT_EQ(estimate({2.0, 2.0, 2.0, 2.0}).half_width_95, 0.0); }

/// 2048 buckets of one cycle, then 32 for each power of two from the 5th to the 63rd: those are all that latencies of
/// 64 bits come to.
TEST(LatencyHistogram, TakesNoMoreBucketsFromACheckpointThanLatenciesComeTo) {
  constexpr std::size_t kAll = 2048 + 32 * (63 - 5 + 1);
  LatencyHistogram longest;
  longest.add(~std::uint64_t{0});
  Checkpoint saves;
  longest.checkpoint(saves);
  const auto refusal = [](const std::string& bytes) -> std::string {
    return complaint<CheckpointError>([&] {
      LatencyHistogram restored;
      Checkpoint restores(bytes);
      restored.checkpoint(restores);
      restores.finish();
      EXPECT_EQ(restored.count(), 1U);
    });
  };
  EXPECT_EQ(refusal(saves.bytes()), "");
  for (const std::size_t buckets : {kAll, kAll + 1}) {
    std::vector<std::uint64_t> counts(buckets);
    std::uint64_t count = 1, sum = 1, min = 1, max = 1;
    Checkpoint made;
    made(counts, count, sum, min, max);
    EXPECT_EQ(refusal(made.bytes()), buckets == kAll ? "" : "bucket of latencies 3937, here are 3937");
  }
}

}  // namespace
}  // namespace braid::test::distribution_test
