// Constant-rate arrivals: times against the exact ones, phases against their range.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/injection.h"

namespace braid::test::constant_test {
namespace {

using namespace traffic;

std::unique_ptr<InjectionProcess> constant(double rate) {
  InjectionContext context;
  context.rate_packets_per_node_cycle = rate;
  return InjectionRegistry::instance().make("constant", context);
}

TEST(Constant, EveryGapIsTheIntervalIfThatIsWhole) {
  for (const std::uint64_t interval : {1U, 2U, 512U, 100000U}) {
    const auto arrivals = constant(1.0 / static_cast<double>(interval));
    Random random(3);
    EXPECT_LE(arrivals->next_gap(random), interval);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(arrivals->next_gap(random), interval);
  }
}

/// 3 packets in 16 cycles: gaps of 5 and 6 cycles, any three of them together 16, any million of them 16/3 million.
TEST(Constant, GapsMakeUpForPartsOfACycle) {
  const auto arrivals = constant(3.0 / 16);
  Random random(4);
  arrivals->next_gap(random);
  std::uint64_t all = 0;
  for (int i = 0; i < 1000000; ++i) {
    std::uint64_t three = 0;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t gap = arrivals->next_gap(random);
      ASSERT_TRUE(gap == 5 || gap == 6);
      three += gap;
    }
    ASSERT_EQ(three, 16U) << i;
    all += three;
  }
  EXPECT_EQ(all, 16000000U);
}

/// The bimodal hosts of in-transit-buffers: 70 % of 32 flits, 30 % of 512, at 0.01 flits a cycle.
TEST(Constant, RatesCountFlitsWhateverTheLengths) {
  Configuration options;
  options.set("traffic.short_flits", 32);
  options.set("traffic.long_flits", 512);
  options.set("traffic.long_fraction", 0.3);
  const double mean = LengthRegistry::instance().make("bimodal", options)->mean_flits();
  EXPECT_DOUBLE_EQ(mean, 176.0);
  const auto arrivals = constant(0.01 / mean);
  Random random(5);
  arrivals->next_gap(random);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(arrivals->next_gap(random), 17600U);
}

TEST(Constant, PhasesAreUniformOverTheInterval) {
  std::vector<int> seen(10);
  for (std::uint64_t source = 0; source < 20000; ++source) {
    Random random(source);
    const std::uint64_t gap = constant(0.1)->next_gap(random);
    ASSERT_TRUE(gap >= 1 && gap <= 10) << gap;
    ++seen[gap - 1];
  }
  for (const int times : seen) EXPECT_NEAR(times, 2000, 4.5 * std::sqrt(2000 * 0.9));
}

/// Of the parts of a cycle, too: at an interval of 1.5 cycles the first gap is 1 twice as often as 2, and sources
/// differ in whether their second is 1 or 2.
TEST(Constant, PhasesCountPartsOfACycle) {
  int ones = 0, ones_then = 0;
  for (std::uint64_t source = 0; source < 30000; ++source) {
    Random random(source);
    const auto arrivals = constant(2.0 / 3);
    const std::uint64_t first = arrivals->next_gap(random), second = arrivals->next_gap(random);
    ASSERT_TRUE(first == 1 || first == 2);
    ASSERT_TRUE(second == 1 || second == 2);
    ASSERT_EQ(arrivals->next_gap(random) + second, 3U);
    ones += first == 1 ? 1 : 0;
    ones_then += second == 1 ? 1 : 0;
  }
  EXPECT_NEAR(ones, 20000, 400);
  EXPECT_NEAR(ones_then, 20000, 400) << "phases 0 to 0.5 and 1 to 1.5";
}

TEST(Constant, DrawsNothingButThePhase) {
  const auto arrivals = constant(0.3);
  Random random(6), other(6);
  for (int i = 0; i < 20; ++i) arrivals->next_gap(random);
  other();
  EXPECT_EQ(random(), other());
}

TEST(Constant, NeverSendsAtRateZeroAndRefusesMoreThanAPacketACycle) {
  Random random(1);
  for (const double rate : {0.0, 1e-300}) EXPECT_EQ(constant(rate)->next_gap(random), InjectionProcess::kNever);
  EXPECT_LE(constant(1e-15)->next_gap(random), 1000000000000000U);
  EXPECT_EQ(complaint([] { constant(1.0); }), "");
  EXPECT_EQ(complaint([] { constant(1.001); }),
            "a node cannot make more than one packet a cycle; lower traffic.rate_flits_per_node_cycle");
}

}  // namespace
}  // namespace braid::test::constant_test
