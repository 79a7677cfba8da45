// Intervals of percentiles within a run, and the sections of the window that they are made from.
#include "models/workload/percentile_intervals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/workload/latency_histogram.h"
#include "routing/base/random.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::percentile_intervals_test {
namespace {

using namespace models;

std::vector<std::uint64_t> counts(const std::vector<LatencyHistogram>& sections) {
  std::vector<std::uint64_t> all;
  for (const LatencyHistogram& section : sections) all.push_back(section.count());
  return all;
}

TEST(LatencySections, AreBatchesWhileThereAreFew) {
  LatencySections s;
  for (std::uint64_t batch = 0; batch < 64; ++batch) s.add(batch, 10 + batch);
  EXPECT_EQ(counts(s.sections(64)), std::vector<std::uint64_t>(64, 1));
  EXPECT_EQ(s.sections(64)[7].distribution().min, 17.0);
  EXPECT_EQ(counts(s.sections(66)).size(), 33U) << "a window whose last batches had no packet";
  EXPECT_EQ(s.all().count(), 64U);
}

/// 129 batches make sections of four; the one left over goes with the last.
TEST(LatencySections, BecomeLongerAsTheWindowGrows) {
  LatencySections s;
  for (std::uint64_t batch = 0; batch < 129; ++batch) s.add(batch, batch);
  std::vector<std::uint64_t> expected(32, 4);
  expected.back() = 5;
  EXPECT_EQ(counts(s.sections(129)), expected);
  EXPECT_EQ(s.sections(129)[1].distribution().min, 4.0);
  EXPECT_EQ(s.sections(129)[1].distribution().max, 7.0);
  EXPECT_EQ(s.sections(129).back().distribution().max, 128.0);
  EXPECT_EQ(s.all().count(), 129U);
}

/// A checkpoint takes no more sections than there may be, whenever it is made.
TEST(LatencySections, GoThroughACheckpointAfterEveryBatch) {
  LatencySections s;
  for (std::uint64_t batch = 0; batch < 300; ++batch) {
    s.add(batch, batch);
    Checkpoint saves;
    ASSERT_NO_THROW(s.checkpoint(saves)) << "batch " << batch;
    Checkpoint restores(saves.bytes());
    LatencySections restored;
    restored.checkpoint(restores);
    restores.finish();
    ASSERT_EQ(counts(restored.sections(batch + 1)), counts(s.sections(batch + 1))) << "batch " << batch;
  }
}

/// A latency of a packet of the 65th batch makes sections of two: 64 are the most.
TEST(LatencySections, AreNoMoreThanSixtyFour) {
  LatencySections s;
  s.add(63, 1);
  EXPECT_EQ(s.sections(64).size(), 64U);
  EXPECT_EQ(s.sections(65).size(), 32U) << "33, of which the last is half of one";
  s.add(64, 2);
  EXPECT_EQ(s.sections(65).size(), 32U);
  EXPECT_EQ(s.sections(65).back().count(), 2U) << "batches 62 to 64";
  EXPECT_EQ(s.sections(128).size(), 64U);
  s.add(128, 3);
  EXPECT_EQ(s.sections(128).size(), 32U);
  EXPECT_TRUE(s.sections(0).empty());
  LatencySections one;
  one.add(0, 5);
  EXPECT_EQ(counts(one.sections(1)), std::vector<std::uint64_t>{1});
}

/// Sections of up to 2^63 batches, and 64 of them: a checkpoint has no others.
TEST(LatencySections, OfACheckpointAreSuchAsThereMayBe) {
  const auto refusal = [](std::uint64_t shift, std::size_t sections) -> std::string {
    std::vector<LatencyHistogram> all(sections);
    Checkpoint made;
    made(shift, all);
    return complaint<CheckpointError>([&] {
      LatencySections restored;
      Checkpoint restores(made.bytes());
      restored.checkpoint(restores);
    });
  };
  EXPECT_EQ(refusal(63, 64), "");
  EXPECT_EQ(refusal(64, 64), no_such_state("sections of the window"));
  EXPECT_EQ(refusal(0, 65), no_such_state("sections of the window"));
}

/// Slices whose packets ended early have finer sections than others.
TEST(LatencySections, OfSlicesAreThoseOfOne) {
  LatencySections one, early, late;
  for (std::uint64_t batch = 0; batch < 300; ++batch) {
    one.add(batch, batch);
    (batch < 40 ? early : late).add(batch, batch);
  }
  LatencySections finer = early, coarser = late;
  finer.merge(late);
  coarser.merge(early);
  for (const LatencySections& merged : {finer, coarser}) {
    ASSERT_EQ(counts(merged.sections(300)), counts(one.sections(300)));
    for (std::size_t i = 0; i < one.sections(300).size(); ++i) {
      EXPECT_EQ(merged.sections(300)[i].distribution().max, one.sections(300)[i].distribution().max) << i;
    }
  }
}

/// Ten times 1 .. 100: sections agree exactly, so the error is that of 1000 packets drawn, sqrt(p (1 - p) / 1000);
/// times t of nine degrees of freedom, 2.2622, ranks 464.2 to 535.8, 934.4 to 965.6, 982.9 to 997.1, and 996.7 to
/// 1001.3.
TEST(PercentileIntervals, AreNoNarrowerThanThoseOfIndependentPackets) {
  std::vector<LatencyHistogram> sections(10);
  for (LatencyHistogram& section : sections) {
    for (std::uint64_t latency = 1; latency <= 100; ++latency) section.add(latency);
  }
  const PercentileIntervals p = percentile_intervals(sections);
  EXPECT_EQ(p.p50.low, 47.0);
  EXPECT_EQ(p.p50.high, 54.0);
  EXPECT_EQ(p.p95.low, 94.0);
  EXPECT_EQ(p.p95.high, 97.0);
  EXPECT_EQ(p.p99.low, 99.0);
  EXPECT_EQ(p.p99.high, 100.0);
  EXPECT_TRUE(std::isnan(p.p99_9.low)) << "beyond the last of the packets";
  EXPECT_EQ(percentile_interval_figures().of(p).get<std::string>("not_reliable"), "p99_9");
}

/// Two sections of 100 packets: in one 40 of them take 5 cycles, in the other 60, all others 9. The median is 5, which
/// half are not above; the shares 0.4 and 0.6 have a standard error of 0.1, and t of one degree of freedom is 12.7.
TEST(PercentileIntervals, AreAsWideAsSectionsDiffer) {
  std::vector<LatencyHistogram> two(2);
  for (std::size_t i = 0; i < 200; ++i) two[i / 100].add(i % 100 < (i < 100 ? 40U : 60U) ? 5 : 9);
  EXPECT_TRUE(std::isnan(percentile_intervals(two).p50.low)) << "0.5 - 1.27 is no share";
  std::vector<LatencyHistogram> four;
  for (int i = 0; i < 2; ++i) four.insert(four.end(), two.begin(), two.end());
  const PercentileIntervals p = percentile_intervals(four);  // error 0.1 / sqrt(3), t 3.18: 0.184
  EXPECT_EQ(p.p50.low, 5.0);
  EXPECT_EQ(p.p50.high, 9.0);
}

/// Section by section latencies grow by one cycle: shares not above the median fall from 0.7 to 0.3.
TEST(PercentileIntervals, OfADriftAreNotReliable) {
  std::vector<LatencyHistogram> sections(40);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (std::uint64_t latency = 1; latency <= 100; ++latency) sections[i].add(latency + i);
  }
  const Report report = percentile_interval_figures().of(percentile_intervals(sections));
  EXPECT_TRUE(std::isnan(report.get<double>("p50_low")));
  EXPECT_TRUE(std::isnan(report.get<double>("p95_high")));
  EXPECT_EQ(report.get<std::string>("not_reliable").substr(0, 7), "p50 p95");
}

/// A slower one: shares from 0.55 to 0.45 would make an interval that no rank lies outside of.
TEST(PercentileIntervals, OfASlowDriftAreNotReliable) {
  std::vector<LatencyHistogram> sections(40);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (std::uint64_t latency = 1; latency <= 100; ++latency) sections[i].add(4 * latency + i);
  }
  const PercentileIntervals p = percentile_intervals(sections);
  EXPECT_TRUE(std::isnan(p.p50.low));
  EXPECT_TRUE(std::isnan(p.p50.high));
}

/// Twenty sections of 100 packets that take 10 cycles; in every second one five take 50 to 90. The 99th percentile is
/// 70, to which as many sections come as do not. With one of them less it came in bursts. Where all packets take 10
/// cycles every section comes to every percentile.
TEST(PercentileIntervals, OfWhatFewSectionsHaveAreNotReliable) {
  const auto late_in = [](std::size_t late) {
    std::vector<LatencyHistogram> sections(20);
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const bool has_late = i % 2 == 0 && i / 2 < late;
      for (std::uint64_t n = 0; n < 100; ++n) sections[i].add(has_late && n < 5 ? 50 + 10 * n : 10);
    }
    return percentile_intervals(sections);
  };
  EXPECT_LE(late_in(10).p99.low, 70.0);
  EXPECT_GE(late_in(10).p99.high, 70.0);
  EXPECT_TRUE(std::isnan(late_in(9).p99.low));
  EXPECT_EQ(late_in(0).p99.high, 10.0);
}

TEST(PercentileIntervals, OfNothingAreNone) {
  EXPECT_EQ(percentile_interval_figures().of(percentile_intervals({})).get<std::string>("not_reliable"),
            "p50 p95 p99 p99_9");
}

/// Latencies as of a queue, 30 cycles and an exponential rest of 20 on the average; each section's rest is up to a
/// fifth longer or shorter, so that sections differ by more than chance. Seen over many of them the 95 % are those
/// below.
TEST(PercentileIntervals, HoldThePercentileOfAllSeries) {
  Random random(3, "percentile intervals");
  const auto uniform = [&] { return static_cast<double>(random.below(1 << 20)) / (1 << 20); };
  const auto series = [&](std::size_t sections) {
    std::vector<LatencyHistogram> all(sections);
    for (LatencyHistogram& section : all) {
      const double rest = 20.0 * (0.8 + 0.4 * uniform());
      for (int i = 0; i < 200; ++i) section.add(static_cast<std::uint64_t>(30.0 - rest * std::log1p(-uniform())));
    }
    return all;
  };
  LatencyHistogram truth;
  for (const LatencyHistogram& section : series(5000)) truth.merge(section);
  struct Seen {
    int printed = 0, held = 0;
    void add(const PercentileInterval& p, double true_value) {
      if (std::isnan(p.low)) return;
      ++printed;
      held += p.low <= true_value && true_value <= p.high ? 1 : 0;
    }
  };
  Seen median, late;
  for (int i = 0; i < 400; ++i) {
    const PercentileIntervals p = percentile_intervals(series(20));
    median.add(p.p50, truth.percentile(500));
    late.add(p.p95, truth.percentile(950));
  }
  for (const Seen& seen : {median, late}) {
    EXPECT_GT(seen.printed, 350) << "4 of 100 such series fail the test for correlation twice, or lean far";
    EXPECT_GT(seen.held, seen.printed * 92 / 100);
    EXPECT_LT(seen.held, seen.printed) << "wider than they need to be";
  }
}

}  // namespace
}  // namespace braid::test::percentile_intervals_test
