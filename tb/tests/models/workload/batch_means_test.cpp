// Intervals of correlated samples, by hand: when batches become longer, when none can be relied on.
#include "models/workload/batch_means.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routing/base/random.h"

namespace braid::test::batch_means_test {
namespace {

using models::batch_means;
using models::BatchMeans;
using models::BatchSum;

std::vector<BatchSum> ones(const std::vector<double>& samples) {
  std::vector<BatchSum> all;
  for (const double s : samples) all.push_back({s, 1.0});
  return all;
}

/// Steps of 2 against a variance of 1: von Neumann's ratio is 28 / 8, as far from correlation as can be.
TEST(BatchMeans, OfUpsAndDownsStayAsTheyAre) {
  const BatchMeans found = batch_means(ones({1, -1, 1, -1, 1, -1, 1, -1}));
  EXPECT_EQ(found.batches, 8U);
  EXPECT_TRUE(found.reliable);
  EXPECT_EQ(found.mean, 0.0);
  EXPECT_DOUBLE_EQ(found.standard_error, std::sqrt(8.0 / 7.0 / 8.0)) << "no correlation to allow for";
}

/// Each value twice: the ratio is that of half as many steps, 1 - 28/(2 16) = 0.125 against 0.8416 sqrt(14/255) = 0.197
/// where the pairs go up and down, and 1 - 8/32 = 0.75 where they go up and down in twos.
TEST(BatchMeans, OfFoursBecomeEightOfPairs) {
  std::vector<double> twos, fours;
  for (int i = 0; i < 16; ++i) {
    twos.push_back(i / 2 % 2 == 0 ? 1.0 : -1.0);
    fours.push_back(i / 4 % 2 == 0 ? 1.0 : -1.0);
  }
  EXPECT_EQ(batch_means(ones(twos)).batches, 16U);
  const BatchMeans found = batch_means(ones(fours));  // as pairs: 1 - 4 3 / (2 8) = 0.25 <= 0.8416 sqrt(6/63) = 0.2597
  EXPECT_EQ(found.batches, 8U);
  EXPECT_TRUE(found.reliable);
  // What is left of correlation: products of neighbours 4 - 3 = 1 over 8.
  EXPECT_DOUBLE_EQ(found.standard_error, std::sqrt(8.0 / 7.0 / 8.0 * (1.125 / 0.875)));
}

/// The same and a 17th of -4: the last batch is of three, with a mean of -2. All means less -1/8 squared make 10.875,
/// products of neighbours 1.984375.
TEST(BatchMeans, OfAnOddNumberKeepTheLastOne) {
  std::vector<double> samples;
  for (int i = 0; i < 16; ++i) samples.push_back(i / 4 % 2 == 0 ? 1.0 : -1.0);
  samples.push_back(-4.0);
  const BatchMeans found = batch_means(ones(samples));
  EXPECT_EQ(found.batches, 8U);
  const double rest = 1.984375 / 10.875;
  EXPECT_DOUBLE_EQ(found.standard_error, std::sqrt(10.875 / 7.0 / 8.0 * (1.0 + rest) / (1.0 - rest)));
}

TEST(BatchMeans, OfWhatGrowsAllTheTimeAreNotReliable) {
  std::vector<double> rising;
  for (int i = 0; i < 40; ++i) rising.push_back(i);
  const BatchMeans found = batch_means(ones(rising));
  EXPECT_FALSE(found.reliable);
  EXPECT_EQ(found.batches, 10U) << "40, 20, 10; 5 would be too few to be tested";
  const Estimate said = models::estimate(rising);
  EXPECT_EQ(said.mean, 19.5);
  EXPECT_EQ(said.half_width_95, models::kNotReliable);
}

/// A tenth has no end in binary: the mean of ten is not quite that, and the deviations, all alike, are no correlation.
TEST(BatchMeans, OfEqualSamplesHaveNoErrorHoweverTheyAreRounded) {
  for (const std::size_t n : {8U, 10U, 20U, 47U}) {
    const BatchMeans found = batch_means(ones(std::vector<double>(n, 0.1)));
    EXPECT_TRUE(found.reliable) << n;
    EXPECT_EQ(found.batches, n);
    EXPECT_EQ(found.standard_error, 0.0) << n;
  }
}

TEST(BatchMeans, OfSevenAreNotTested) {
  EXPECT_TRUE(batch_means(ones({1, 2, 3, 4, 5, 6, 7})).reliable);
  EXPECT_FALSE(batch_means(ones({1, 2, 3, 4, 5, 6, 7, 8})).reliable);
}

/// Of batches without a sample none counts, and nothing is known.
TEST(BatchMeans, OfNothingAreNone) {
  for (const std::vector<BatchSum>& nothing :
       {std::vector<BatchSum>{}, std::vector<BatchSum>{{0.0, 0.0}, {0.0, 0.0}}}) {
    const BatchMeans found = batch_means(nothing);
    EXPECT_EQ(found.batches, 0U);
    EXPECT_TRUE(std::isnan(found.mean));
    EXPECT_TRUE(std::isnan(found.standard_error));
    EXPECT_TRUE(std::isnan(found.half_width(0.1)));
    EXPECT_TRUE(std::isnan(found.estimate().half_width_95));
  }
  EXPECT_EQ(batch_means({{4.0, 2.0}, {0.0, 0.0}}).batches, 1U);
  EXPECT_EQ(batch_means({{4.0, 2.0}}).mean, 2.0);
  EXPECT_TRUE(std::isnan(batch_means({{4.0, 2.0}}).estimate().half_width_95));
}

TEST(BatchMeans, WeighBatchesByTheirSamplesInTheMeanAlone) {
  const BatchMeans found = batch_means({{30.0, 3.0}, {0.0, 0.0}, {20.0, 1.0}});
  EXPECT_EQ(found.mean, 12.5);
  EXPECT_EQ(found.batches, 2U) << "one has no sample";
  EXPECT_DOUBLE_EQ(found.standard_error, std::sqrt(50.0 / 2.0));
}

/// Sixteen batches in pairs of equals, which become eight: 0 seven times and 8. Their mean is 1, the standard error
/// sqrt(56 / 7 / 8) = 1, the skewness 8 / (7 x 6) x (7 x (-1)^3 + 7^3) / 8^1.5 = 2 sqrt(2). Of seven degrees of freedom
/// t is 2.3646; b = 2 sqrt(2) / (6 sqrt(8)) = 1/6, and (1 - cbrt(1 - t - 1/6)) / (1/3) = 6.459. No correlation is left.
TEST(BatchMeans, OfCorrelatedBatchesThatLeanAreAsWideAsTheFarSide) {
  std::vector<double> samples(16, 0.0);
  samples[6] = samples[7] = 8.0;
  const Estimate said = models::estimate(samples);
  EXPECT_EQ(said.mean, 1.0);
  EXPECT_NEAR(said.half_width_95, 3.0 * (1.0 + std::cbrt(2.364624251592785 - 5.0 / 6.0)), 1e-9);
  const std::vector<double> one_by_one(samples.begin(), samples.begin() + 7);  // too few to be tested, nothing grouped
  EXPECT_NEAR(models::estimate(one_by_one).half_width_95, 2.4469118511449692 * 8.0 / 7.0, 1e-9);
}

/// 2000 series of an autoregression x' = 0.8 x + noise, 40 batches of 1: an interval that misses 0 is given for less
/// than one in ten. (Plain batch means miss it in half of them.)
TEST(BatchMeans, OfAnAutoregressionSeldomMissTheTruth) {
  Random random(1, "autoregression");
  int given = 0, held = 0;
  for (int series = 0; series < 2000; ++series) {
    std::vector<double> samples;
    double x = 0.0;
    for (int i = 0; i < 240; ++i) {
      x = 0.8 * x + static_cast<double>(random() >> 11) / 9007199254740992.0 - 0.5;
      if (i >= 200) samples.push_back(x);
    }
    const Estimate said = models::estimate(samples);
    if (said.half_width_95 == models::kNotReliable) continue;
    ++given;
    held += std::fabs(said.mean) <= said.half_width_95 ? 1 : 0;
  }
  EXPECT_GT(given, 300);
  EXPECT_LT(given - held, 200) << held << " of " << given;
}

}  // namespace
}  // namespace braid::test::batch_means_test
