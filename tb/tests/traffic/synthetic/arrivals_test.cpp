// Lengths and arrivals: bounds, shares and gaps that follow from their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "routing/base/checkpoint.h"
#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/injection.h"

namespace braid::test::arrivals_test {
namespace {

using namespace traffic;

constexpr int kDraws = 200000;

std::unique_ptr<LengthDistribution> length(const char* name, const Configuration& options) {
  return LengthRegistry::instance().make(name, options);
}
std::map<std::uint32_t, double> shares(const LengthDistribution& lengths) {
  Random random(21);
  std::map<std::uint32_t, double> seen;
  for (int i = 0; i < kDraws; ++i) seen[lengths.sample_flits(random)] += 1.0 / kDraws;
  return seen;
}
void expect_share(double seen, double share, int draws = kDraws) {
  EXPECT_NEAR(seen, share, 4.5 * std::sqrt(share * (1.0 - share) / draws));
}

TEST(KnownLengths, UniformReachesBothEndsAndEveryLengthBetweenAlike) {
  Configuration o;
  o.set("traffic.min_flits", 3);
  o.set("traffic.max_flits", 7);
  const auto uniform = length("uniform", o);
  EXPECT_EQ(uniform->mean_flits(), 5.0);
  const auto seen = shares(*uniform);
  EXPECT_EQ(seen.begin()->first, 3U);
  EXPECT_EQ(seen.rbegin()->first, 7U);
  for (const auto& [flits, share] : seen) expect_share(share, 0.2);
}

TEST(KnownLengths, BimodalHasTwoLengthsInTheirShares) {
  Configuration o;
  o.set("traffic.short_flits", 2);
  o.set("traffic.long_flits", 9);
  o.set("traffic.long_fraction", 0.3);
  const auto bimodal = length("bimodal", o);
  EXPECT_DOUBLE_EQ(bimodal->mean_flits(), 0.7 * 2 + 0.3 * 9);
  const auto seen = shares(*bimodal);
  ASSERT_EQ(seen.size(), 2U);
  expect_share(seen.at(9), 0.3);
  expect_share(seen.at(2), 0.7);
  o.set("traffic.long_fraction", 0.0);
  EXPECT_EQ(shares(*length("bimodal", o)).begin()->first, 2U);
  EXPECT_EQ(shares(*length("bimodal", o)).size(), 1U);
}

TEST(KnownLengths, FixedIsOneLength) {
  Configuration o;
  o.set("traffic.flits", 6);
  EXPECT_EQ(length("fixed", o)->mean_flits(), 6.0);
  Random random(1);
  EXPECT_EQ(length("fixed", o)->sample_flits(random), 6U);
}

TEST(KnownLengths, BurstyIsTheLongOneOrOneOfTheRange) {
  Configuration o;
  o.set("traffic.min_flits", 2);
  o.set("traffic.max_flits", 4);
  o.set("traffic.long_flits", 20);
  o.set("traffic.long_fraction", 0.25);
  const auto bursty = length("bursty", o);
  EXPECT_DOUBLE_EQ(bursty->mean_flits(), 0.25 * 20 + 0.75 * 3);
  const auto seen = shares(*bursty);
  ASSERT_EQ(seen.size(), 4U);
  expect_share(seen.at(20), 0.25);
  for (const std::uint32_t flits : {2U, 3U, 4U}) expect_share(seen.at(flits), 0.25);
}

TEST(KnownLengths, RefuseWhatIsOutOfRange) {
  Configuration o;
  const auto refusal = [&](const char* name) { return complaint([&] { length(name, o); }); };
  o.set("traffic.flits", 0);
  EXPECT_EQ(refusal("fixed"), "traffic.flits = 0: expected integer, 1 to 65535");
  o.set("traffic.flits", 65535);
  EXPECT_EQ(refusal("fixed"), "");
  o.set("traffic.short_flits", 65536);
  EXPECT_EQ(refusal("bimodal"), "traffic.short_flits = 65536: expected integer, 1 to 65535");
  o.set("traffic.short_flits", 1);
  o.set("traffic.long_fraction", -0.1);
  EXPECT_EQ(refusal("bimodal"), "traffic.long_fraction = -0.1: expected number, 0 to 1");
  EXPECT_EQ(refusal("bursty"), "traffic.long_fraction = -0.1: expected number, 0 to 1");
  o.set("traffic.long_fraction", 1.0);
  o.set("traffic.min_flits", 8);  // traffic.max_flits
  EXPECT_EQ(refusal("uniform") + refusal("bursty"), "");
  o.set("traffic.min_flits", 9);
  EXPECT_EQ(refusal("uniform"), "traffic.min_flits must not be more than traffic.max_flits");
  EXPECT_EQ(refusal("bursty"), "traffic.min_flits must not be more than traffic.max_flits");
}

std::unique_ptr<InjectionProcess> process(const char* name, double rate, double on = 100.0, double off = 100.0) {
  InjectionContext o;
  o.rate_packets_per_node_cycle = rate;
  o.configuration.set("traffic.on_cycles", on);
  o.configuration.set("traffic.off_cycles", off);
  return InjectionRegistry::instance().make(name, o);
}
/// Share of each gap.
std::map<std::uint64_t, double> gaps(InjectionProcess& arrivals, int draws = kDraws) {
  Random random(23);
  std::map<std::uint64_t, double> seen;
  for (int i = 0; i < draws; ++i) seen[arrivals.next_gap(random)] += 1.0 / draws;
  return seen;
}

/// P(gap = k) = p (1 - p)^(k - 1).
TEST(KnownArrivals, BernoulliGapsAreGeometric) {
  auto seen = gaps(*process("bernoulli", 0.2));
  for (std::uint64_t k = 1; k <= 12; ++k) expect_share(seen[k], 0.2 * std::pow(0.8, static_cast<double>(k) - 1));
}

/// Mean 0.3 with bursts of 40 and pauses of 60 cycles: 0.75 while on. The next cycle brings a packet if the burst goes
/// on (1 - 1/40) and draws one (0.75).
TEST(KnownArrivals, OnOffPacketsComeTogether) {
  auto seen = gaps(*process("on_off", 0.3, 40, 60));
  expect_share(seen[1], 0.75 * 39 / 40);
  double mean = 0.0;
  for (const auto& [gap, share] : seen) mean += static_cast<double>(gap) * share;
  EXPECT_NEAR(1.0 / mean, 0.3, 0.01);
}

/// Bursts and pauses of exactly one cycle at half rate: a packet every second cycle. Pauses of mean 3, always a packet
/// in the one cycle of a burst: a gap is one more than a pause, P(gap = 1 + k) = 1/3 (2/3)^(k - 1).
TEST(KnownArrivals, OnOffOfOneCycleIsExact) {
  EXPECT_EQ(gaps(*process("on_off", 0.5, 1, 1), 1000).size(), 1U);
  EXPECT_EQ(gaps(*process("on_off", 0.5, 1, 1), 1000).begin()->first, 2U);
  auto seen = gaps(*process("on_off", 0.25, 1, 3));
  EXPECT_EQ(seen.count(1), 0U);
  for (std::uint64_t k = 1; k <= 6; ++k) expect_share(seen[k + 1], std::pow(2.0 / 3, static_cast<double>(k) - 1) / 3);
}

/// From time 0 to the first packet: P(cycle k) = exp(-0.2 k) (1 - exp(-0.2)), where Bernoulli has 0.8^k 0.2.
TEST(KnownArrivals, ExponentialTimesBeginAtTimeZero) {
  const auto fresh = process("exponential", 0.2);
  Random random(29);
  std::map<std::uint64_t, double> seen;
  for (int i = 0; i < kDraws; ++i) seen[fresh->clone()->next_gap(random) - 1] += 1.0 / kDraws;
  for (int k = 0; k <= 12; ++k) expect_share(seen[k], std::exp(-0.2 * k) * (1 - std::exp(-0.2)));
}

/// Beside a clock in real numbers: a packet is made in the cycle that its time falls in, or a cycle after the one
/// before. At 0.6 a cycle nearly every second packet is late.
TEST(KnownArrivals, ExponentialTimesKeepToTheirClock) {
  for (const double rate : {0.05, 0.6}) {
    std::mt19937_64 bits(31);  // NOLINT(bugprone-random-generator-seed): the same draws in each run
    std::exponential_distribution<double> draw(rate);
    std::map<std::uint64_t, double> expected;
    double time = 0.0;
    std::int64_t made = -1;
    for (int i = 0; i < kDraws; ++i) {
      time += draw(bits);
      const std::int64_t next = std::max(static_cast<std::int64_t>(time), made + 1);
      expected[static_cast<std::uint64_t>(next - made)] += 1.0 / kDraws;
      made = next;
    }
    const auto arrivals = process("exponential", rate);
    auto seen = gaps(*arrivals);
    for (std::uint64_t k = 1; k <= 8; ++k) {
      EXPECT_NEAR(seen[k], expected[k], 6.5 * std::sqrt(expected[k] * (1.0 - expected[k]) / kDraws))
          << rate << " " << k;
    }
    double mean = 0.0;
    for (const auto& [gap, share] : seen) mean += static_cast<double>(gap) * share;
    EXPECT_NEAR(mean * rate, 1.0, 4.5 / std::sqrt(kDraws)) << rate;
  }
}

TEST(KnownArrivals, ExponentialOfNoRateNeverComes) {
  Random random(1);
  EXPECT_EQ(process("exponential", 0.0)->next_gap(random), InjectionProcess::kNever);
}

TEST(KnownArrivals, SaturatedIsEveryCycleWhateverTheRate) {
  for (const double rate : {0.0, 0.1, 1.0}) {
    const auto seen = gaps(*process("saturated", rate), 100);
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen.begin()->first, 1U);
  }
}

/// A copy goes on from where the original is, and neither moves the other.
TEST(KnownArrivals, CopiesHaveAStateOfTheirOwn) {
  for (const char* name : {"on_off", "exponential"}) {
    const auto original = process(name, 0.3, 5, 5);
    Random warm(1);
    for (int i = 0; i < 7; ++i) original->next_gap(warm);
    const auto copy = original->clone(), other = original->clone();
    Random a(2), b(3), c(2);
    std::vector<std::uint64_t> one, two;
    for (int i = 0; i < 50; ++i) one.push_back(original->next_gap(a));
    for (int i = 0; i < 50; ++i) (void)other->next_gap(b);
    for (int i = 0; i < 50; ++i) two.push_back(copy->next_gap(c));
    EXPECT_EQ(one, two) << name;
  }
}

/// Wherever it is taken: in a burst or between two, early or late in a cycle, before the first packet.
TEST(KnownArrivals, GoOnFromACheckpoint) {
  for (const auto& [name, rate] : std::map<const char*, double>{
           {"bernoulli", 0.3}, {"constant", 0.3}, {"exponential", 0.9}, {"on_off", 0.3}, {"saturated", 0.3}}) {
    const auto arrivals = process(name, rate, 5.0, 7.0);
    Random random(9);
    for (int taken = 0; taken < 40; ++taken) {
      Checkpoint saved;
      arrivals->checkpoint(saved);
      const auto again = process(name, rate, 5.0, 7.0), copy = arrivals->clone();
      Checkpoint from(saved.bytes());
      again->checkpoint(from);
      Random one = random, other = random;
      for (int i = 0; i < 10; ++i) ASSERT_EQ(again->next_gap(one), copy->next_gap(other)) << name << taken;
      arrivals->next_gap(random);
    }
  }
}

TEST(KnownArrivals, RefuseMoreThanAPacketACycle) {
  const auto refusal = [](const char* name, double rate, double on, double off) {
    return complaint([&] { process(name, rate, on, off); });
  };
  EXPECT_EQ(refusal("bernoulli", 1.0, 1, 1), "");
  EXPECT_EQ(refusal("bernoulli", 1.001, 1, 1),
            "a node cannot make more than one packet a cycle; lower traffic.rate_flits_per_node_cycle");
  EXPECT_EQ(refusal("exponential", 1.0, 1, 1), "");
  EXPECT_EQ(refusal("exponential", 1.001, 1, 1),
            "a node cannot make more than one packet a cycle; lower traffic.rate_flits_per_node_cycle");
  EXPECT_EQ(refusal("on_off", 0.4, 40, 60), "");
  EXPECT_EQ(refusal("on_off", 0.41, 40, 60).rfind("traffic process \"on_off\": the rate while on would be more", 0),
            0U);
  EXPECT_EQ(refusal("on_off", 0.1, 0.9, 60), "traffic.on_cycles = 0.9: expected number, at least 1");
  EXPECT_EQ(refusal("on_off", 0.1, 40, 0.9), "traffic.off_cycles = 0.9: expected number, at least 1");
}

}  // namespace
}  // namespace braid::test::arrivals_test
