// How a SAT line finds its thresholds, decision by decision: the mean of four intervals over the shortest ever seen,
// against 1.05, 1.25 and 1.1 (docs/sat-fairness.md). On networks: sat_timing_test.cpp.
#include "models/injection/fairness/sat_threshold_search.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>

namespace braid::test::sat_threshold_search_test {
namespace {

using models::SatThresholdSearch;

/// After four rounds of these intervals.
std::uint32_t decided(SatThresholdSearch& search, const std::array<std::uint64_t, 4>& intervals, std::uint32_t k,
                      bool limited) {
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(search.measure(intervals[i]), i == 3) << "decides after four rounds";
  return search.decide(k, limited);
}

TEST(SatThresholdSearch, DoublesWhereNobodyHeldTheSignalAndSomebodyReachedK) {
  for (const auto& [last, grows] : {std::pair(110U, true), std::pair(111U, false)}) {  // means of 105 and 105.25
    SatThresholdSearch search;
    EXPECT_EQ(decided(search, {100, 100, 110, last}, 8, true), grows ? 16U : 8U) << last;
    SatThresholdSearch nobody;
    EXPECT_EQ(decided(nobody, {100, 100, 110, last}, 8, false), 8U) << "nobody reached k";
  }
}

/// To where the mean would be 1.1 of the shortest; and from then on it grows by an eighth, or one.
TEST(SatThresholdSearch, ShrinksWhereTheSignalWasHeldForLong) {
  SatThresholdSearch search;
  EXPECT_EQ(decided(search, {100, 130, 135, 135}, 80, true), 80U) << "1.25 times";
  EXPECT_EQ(decided(search, {200, 200, 200, 200}, 80, true), 44U) << "80 * 1.1 / 2; the shortest is still 100";
  EXPECT_EQ(decided(search, {100, 100, 100, 100}, 44, true), 44U + 5U);
  EXPECT_EQ(decided(search, {100, 100, 100, 100}, 7, true), 8U);
  EXPECT_EQ(decided(search, {100, 100, 100, 100}, 7, false), 7U);
  EXPECT_EQ(decided(search, {1000, 1000, 1000, 1000}, 9, true), 1U) << "0.99 are one";
  EXPECT_EQ(decided(search, {1000, 1000, 1000, 1000}, 1, true), 1U);
  EXPECT_EQ(decided(search, {126, 126, 126, 126}, 100, false), 87U) << "100 * 1.1 / 1.26 = 87.3";
}

/// A shorter interval makes all others longer in comparison.
TEST(SatThresholdSearch, ComparesWithTheShortestOfAll) {
  SatThresholdSearch search;
  EXPECT_EQ(decided(search, {100, 100, 100, 100}, 4, true), 8U);
  EXPECT_EQ(decided(search, {50, 100, 100, 150}, 8, true), 4U) << "100 over 50: 8 * 1.1 / 2";
  EXPECT_EQ(decided(search, {100, 100, 100, 100}, 4, true), 2U);
}

}  // namespace
}  // namespace braid::test::sat_threshold_search_test
