#include "models/workload/percentile_intervals.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "models/workload/batch_means.h"

namespace braid::models {
namespace {

constexpr double kOutside = 0.025;  // on either side

PercentileInterval interval(const std::vector<LatencyHistogram>& sections, const LatencyHistogram& all,
                            std::uint64_t thousandths) {
  const double percentile = all.percentile(thousandths);
  std::vector<BatchSum> not_above;
  std::size_t that_reach_it = 0;
  for (const LatencyHistogram& section : sections) {
    not_above.push_back({static_cast<double>(section.not_above(percentile)), static_cast<double>(section.count())});
    that_reach_it += section.distribution().max >= percentile ? 1 : 0;
  }
  // Where most sections do not come to it, those that do are a few bursts: too few to say how often bursts come.
  if (2 * that_reach_it < sections.size()) return {};
  BatchMeans share = batch_means(std::move(not_above));
  if (share.batches < 2) return {};
  const auto count = static_cast<double>(all.count());
  const double wanted = static_cast<double>(thousandths) / 1000.0;
  const double seen = share.estimate().half_width_95;  // infinite if it is not reliable
  // Packets that have nothing to do with each other: few batches, or few packets above, may agree by chance.
  share.standard_error = std::sqrt(wanted * (1.0 - wanted) / count);
  const double by_chance = share.half_width(kOutside);
  const double half_width = std::max(by_chance, seen);
  const double first = std::floor(count * (wanted - half_width)), last = std::ceil(count * (wanted + half_width));
  if (first < 1.0 || last > count) return {};  // further out than any packet
  return {all.at_rank(static_cast<std::uint64_t>(first)), all.at_rank(static_cast<std::uint64_t>(last))};
}

std::string not_reliable(const PercentileIntervals& p) {
  std::string names;
  const auto look = [&](const char* name, const PercentileInterval& one) {
    if (std::isnan(one.low)) names += (names.empty() ? "" : " ") + std::string(name);
  };
  look("p50", p.p50);
  look("p95", p.p95);
  look("p99", p.p99);
  look("p99_9", p.p99_9);
  return names;
}

}  // namespace

PercentileIntervals percentile_intervals(const std::vector<LatencyHistogram>& sections) {
  LatencyHistogram all;
  for (const LatencyHistogram& section : sections) all.merge(section);
  if (all.count() == 0) return {};
  return {interval(sections, all, 500), interval(sections, all, 950), interval(sections, all, 990),
          interval(sections, all, 999)};
}

const FigureTable<PercentileIntervals>& percentile_interval_figures() {
  using P = PercentileIntervals;
  static const FigureTable<P> table =
      FigureTable<P>()
          .add("p50_low", "", "lower end of the interval of the median", [](const P& p) { return p.p50.low; })
          .add("p50_high", "", "upper end of it", [](const P& p) { return p.p50.high; })
          .add("p95_low", "", "lower end of the interval of the 95th percentile", [](const P& p) { return p.p95.low; })
          .add("p95_high", "", "upper end of it", [](const P& p) { return p.p95.high; })
          .add("p99_low", "", "lower end of the interval of the 99th percentile", [](const P& p) { return p.p99.low; })
          .add("p99_high", "", "upper end of it", [](const P& p) { return p.p99.high; })
          .add("p99_9_low", "", "lower end of the interval of the 99.9th percentile",
               [](const P& p) { return p.p99_9.low; })
          .add("p99_9_high", "", "upper end of it", [](const P& p) { return p.p99_9.high; })
          .add("not_reliable", "",
               "names of the percentiles without an interval to rely on: shares of packets above stay correlated over "
               "as much as an eighth of the window, too few packets are above, too few sections of the window come "
               "to it, or the mean latency has none either",
               &not_reliable);
  return table;
}

}  // namespace braid::models
