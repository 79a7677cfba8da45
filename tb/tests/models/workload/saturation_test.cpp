// The verdict of saturation by hand: which test holds first, and what is too little for one. Starved nodes.
#include "models/workload/saturation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/workload/starvation.h"

namespace braid::test::saturation_test {
namespace {

using models::saturation;
using models::SaturationEvidence;
using models::SaturationVerdict;

/// Four nodes, batches of 100 cycles; in each so many flits are made and taken.
SaturationEvidence evidence(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& made_and_taken) {
  SaturationEvidence e{{}, {}, 100, 4, 0};
  for (const auto& [made, taken] : made_and_taken) e.batches.push_back({0, made, taken, 0, 0, 0});
  return e;
}

TEST(Saturation, IsNotWhereAllIsTaken) {
  const SaturationVerdict v = saturation(evidence({{200, 200}, {210, 205}, {190, 195}, {200, 200}}));
  EXPECT_FALSE(v.saturated);
  EXPECT_EQ(v.reason, "none");
  EXPECT_DOUBLE_EQ(v.demanded, 0.5);
  EXPECT_NEAR(v.shortfall, 0.0, 1e-15);
  EXPECT_NEAR(v.backlog_growth, (5 * 0 + 0 * 0) / 400.0, 1e-15) << "backlogs 0 0 5 0 0: level";
}

/// 10 of 400 node-cycles stay behind in each batch, 8 and 12 in turn: 0.025, with a standard error of sqrt(8 4 / 7 / 8)
/// / 400; with 7 degrees of freedom 1.415 of it lie below it in nine of ten.
TEST(Saturation, IsWhereLessIsTakenThanMade) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> batches;
  for (int i = 0; i < 8; ++i) batches.emplace_back(200, i % 2 == 0 ? 192 : 188);
  const SaturationVerdict v = saturation(evidence(batches));
  EXPECT_TRUE(v.saturated);
  EXPECT_EQ(v.reason, "accepted below offered");
  EXPECT_DOUBLE_EQ(v.shortfall, 0.025);
  EXPECT_NEAR(v.shortfall_at_least, 0.025 - 1.414924 * std::sqrt(4.0 / 7.0) / 400.0, 1e-7);
  EXPECT_GT(v.backlog_growth_at_least, 0.0);
}

/// The backlogs 0, 1, 2, 3 (of 400 node-cycles) rise by 1/400 a batch. A 200th of the demand is more where 201 are
/// made, and less where 199 are.
TEST(Saturation, TakesMoreThanATwoHundredth) {
  EXPECT_FALSE(saturation(evidence({{201, 200}, {201, 200}, {201, 200}})).saturated);
  const SaturationVerdict v = saturation(evidence({{199, 198}, {199, 198}, {199, 198}}));
  EXPECT_TRUE(v.saturated);
  EXPECT_DOUBLE_EQ(v.backlog_growth, 1.0 / 400.0);
}

/// All that grew came in one batch of four: the mean is known to ± 1.638 times itself.
TEST(Saturation, IsNotOneBadBatch) {
  EXPECT_FALSE(saturation(evidence({{200, 200}, {200, 160}, {200, 200}, {200, 200}})).saturated);
}

/// What was lost in the last batch: the mean of the steps 10, 10, 10, 10, -35 is 1, of which nothing is known. But the
/// line through 0, 10, 20, 30, 40, 5 rises by (-2.5 0 - 1.5 10 - 0.5 20 + 0.5 30 + 1.5 40 + 2.5 5) / 17.5.
TEST(Saturation, SlopeIsThatOfTheLineThroughTheBacklog) {
  const SaturationVerdict v = saturation(evidence({{200, 190}, {200, 190}, {200, 190}, {200, 190}, {200, 235}}));
  EXPECT_NEAR(v.shortfall, 1.0 / 400.0, 1e-12);
  EXPECT_NEAR(v.backlog_growth, 62.5 / 17.5 / 400.0, 1e-12);
}

TEST(Saturation, IsWherePacketsWereNotDrained) {
  SaturationEvidence e = evidence({{200, 200}, {200, 200}});
  e.undrained_packets = 1;
  EXPECT_EQ(saturation(e).reason, "packets not drained");
}

/// Of 800 source-cycles 400 had no room; in the other half 200 flits were made, so that as many were held back.
TEST(Saturation, CountsWhatSourcesWithoutRoomWouldHaveMade) {
  SaturationEvidence e = evidence({{100, 100}, {100, 100}});
  e.stalled_source_cycles = {200, 200};
  const SaturationVerdict v = saturation(e);
  EXPECT_DOUBLE_EQ(v.demanded, 0.5);
  EXPECT_DOUBLE_EQ(v.shortfall, 0.25);
  EXPECT_EQ(v.reason, "accepted below offered");
}

/// 1 flit of 67 stays behind in each of three batches, but 30 packets of 6.7 flits scatter by sqrt(30) 6.7 = 37.
TEST(Saturation, IsNotWhatArrivalsScatterBy) {
  SaturationEvidence e = evidence({{67, 66}, {67, 66}, {67, 66}});
  EXPECT_TRUE(saturation(e).saturated);
  for (models::Batch& batch : e.batches) batch.created_packets = 10;
  const SaturationVerdict v = saturation(e);
  EXPECT_FALSE(v.saturated);
  EXPECT_NEAR(v.shortfall_at_least, 1.0 / 400.0 - 1.885618 * 201.0 / std::sqrt(30.0) / 1200.0, 1e-6);
}

/// A hot spot keeps 10 of 200 flits of a batch, and all others come through at once: 20 packets of 10 flits would
/// scatter by 45, eight batches show that they do not.
TEST(Saturation, IsAHotSpotThatKeepsLessThanArrivalsScatterBy) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> batches;
  for (int i = 0; i < 8; ++i) batches.emplace_back(200, i % 2 == 0 ? 192 : 188);
  SaturationEvidence e = evidence(batches);
  for (models::Batch& batch : e.batches) batch.created_packets = 20;
  const SaturationVerdict v = saturation(e);
  EXPECT_TRUE(v.saturated);
  EXPECT_NEAR(v.shortfall_at_least, 0.025 - 1.414924 * std::sqrt(4.0 / 7.0) / 400.0, 1e-7);
  e.batches.pop_back();
  EXPECT_FALSE(saturation(e).saturated) << "seven are too few";
}

/// One batch has no variance to tell chance from growth.
TEST(Saturation, OfOneBatchIsSaidByTheDrainAlone) { EXPECT_FALSE(saturation(evidence({{200, 100}})).saturated); }

/// A backlog that grew by 10 in each of six batches and fell by 20 in the last: the mean step of 5.7 may be chance,
/// with an error of 4.29, of which 1.440 lie below it in nine of ten; the line rises by (10 (-2.5 - 3 - 1.5 + 2 + 7.5 +
/// 15) + 40 3.5) / 42 = 7.5, a good deal more than 1.095 x 6.17.
TEST(Saturation, IsABacklogThatGrowsThoughItsMeanStepMayBeChance) {
  const SaturationVerdict v =
      saturation(evidence({{200, 190}, {200, 190}, {200, 190}, {200, 190}, {200, 190}, {200, 190}, {200, 220}}));
  EXPECT_TRUE(v.saturated);
  EXPECT_EQ(v.reason, "backlog grows");
  const double half_width = 1.4397557 * std::sqrt(771.428571428571 / 6.0 / 7.0) / 400.0;
  EXPECT_NEAR(v.shortfall, 40.0 / 7.0 / 400.0, 1e-12);
  EXPECT_NEAR(v.shortfall_at_least, v.shortfall - half_width, 1e-7);
  EXPECT_LT(v.shortfall_at_least, 0.0);
  EXPECT_NEAR(v.backlog_growth, 7.5 / 400.0, 1e-12);
  EXPECT_NEAR(v.backlog_growth_at_least, 7.5 / 400.0 - std::sqrt(1.2) * half_width, 1e-7);
  EXPECT_EQ(v.undrained_packets, 0U);
}

/// Packets that are not drained say it before the others do.
TEST(Saturation, IsSaidByTheFirstTestThatHolds) {
  SaturationEvidence e = evidence({{200, 190}, {200, 190}, {200, 190}});
  EXPECT_EQ(saturation(e).reason, "accepted below offered");
  e.undrained_packets = 7;
  EXPECT_EQ(saturation(e).reason, "packets not drained");
  EXPECT_EQ(saturation(e).undrained_packets, 7U);
}

/// Of 1200 source-cycles 200 had no room, all in the first batch; in the other 1000 were 250 flits made: that batch
/// would have had 50 more. Batches beyond the list, and sources that had none at all, ask for nothing.
TEST(Saturation, AsksForWhatWasHeldBackInTheBatchInWhichItWas) {
  SaturationEvidence e = evidence({{50, 50}, {100, 100}, {100, 100}});
  e.stalled_source_cycles = {200};
  EXPECT_DOUBLE_EQ(saturation(e).demanded, 300.0 / 1200.0);
  EXPECT_DOUBLE_EQ(saturation(e).shortfall, 50.0 / 1200.0);
  e.stalled_source_cycles = {400, 400, 400};
  EXPECT_DOUBLE_EQ(saturation(e).demanded, 250.0 / 1200.0) << "nobody knows what they would have made";
}

/// Ten packets are enough to be judged, of nine nothing is said; of two nodes that sent as little the first is named.
TEST(Starvation, NamesTheFirstOfThoseThatSentLeast) {
  const models::StarvationVerdict v = models::starvation({9, 20, 40, 40}, {0, 10, 10, 10});
  EXPECT_FALSE(v.starved());
  EXPECT_EQ(v.least_share, 0.25);
  EXPECT_EQ(v.worst_node, 2U);
  const models::StarvationVerdict one = models::starvation({9, 10}, {0, 0});
  EXPECT_EQ(one.nodes, 1U);
  EXPECT_TRUE(one.starved());
  EXPECT_EQ(one.worst_node, 1U);
  const models::StarvationVerdict none = models::starvation({9, 9}, {0, 0});
  EXPECT_FALSE(none.starved());
  EXPECT_EQ(none.worst_node, 0U);
  EXPECT_EQ(models::starvation({10, 10}, {10}).worst_node, 1U) << "a list that ends before the node is of zeros";
}

TEST(Starvation, IsOfNodesThatSentLessThanATenth) {
  EXPECT_FALSE(models::starvation({10, 100}, {1, 100}).starved());
  const models::StarvationVerdict v = models::starvation({11, 100, 9, 20}, {1, 0, 0, 20});
  EXPECT_EQ(v.nodes, 2U) << "nine made are too few";
  EXPECT_EQ(v.worst_node, 1U);
  EXPECT_EQ(v.least_share, 0.0);
  EXPECT_EQ(models::starvation({0, 10}, {}).nodes, 1U) << "nobody sent";
  EXPECT_TRUE(std::isnan(models::starvation({}, {}).least_share));
}

}  // namespace
}  // namespace braid::test::saturation_test
