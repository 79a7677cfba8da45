// Intervals of percentiles within one run. Woodruff's: of the share of packets that are not above the percentile, whose
// interval is one of batch means, the ends are looked up in the histogram (Woodruff, "Confidence intervals for medians
// and other position measures", Journal of the American Statistical Association 47, 1952): docs/statistics.md.
#pragma once

#include <vector>

#include "models/workload/latency_histogram.h"
#include "routing/base/figures.h"

namespace braid::models {

/// Holds the percentile with 95 %. Both are kNoSample where there is none to rely on.
struct PercentileInterval {
  double low = kNoSample, high = kNoSample;
};

struct PercentileIntervals {
  PercentileInterval p50, p95, p99, p99_9;
};
/// What they mean.
const FigureTable<PercentileIntervals>& percentile_interval_figures();

/// Of all samples of the sections, which follow each other in time.
PercentileIntervals percentile_intervals(const std::vector<LatencyHistogram>& sections);

}  // namespace braid::models
