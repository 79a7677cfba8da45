// Many samples in a few numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/figures.h"

namespace braid::models {

struct Distribution {
  std::uint64_t count = 0;
  double min = kNoSample, mean = kNoSample, max = kNoSample, p50 = kNoSample, p95 = kNoSample, p99 = kNoSample;
  double p99_9 = kNoSample;
};

/// All of it; without the percentiles; least, mean and most alone.
const FigureTable<Distribution>& distribution_figures();
const FigureTable<Distribution>& range_figures();
const FigureTable<Distribution>& spread_figures();

/// Count, least, mean and most of some values.
Distribution spread(const std::vector<double>& values);

}  // namespace braid::models
