// Many samples in a few numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/figures.h"

namespace braid::models {

struct Distribution {
  std::uint64_t count = 0;
  double min = 0, mean = 0, max = 0, p50 = 0, p95 = 0, p99 = 0;
  double p99_9 = 0;
};

/// All of it; without the percentiles; least, mean and most alone.
const FigureTable<Distribution>& distribution_figures();
const FigureTable<Distribution>& range_figures();
const FigureTable<Distribution>& spread_figures();

/// Count, least, mean and most of some values.
Distribution spread(const std::vector<double>& values);

}  // namespace braid::models
