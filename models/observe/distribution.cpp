#include "models/observe/distribution.h"

#include <algorithm>
#include <numeric>

namespace braid::models {

const FigureTable<Distribution>& distribution_figures() {
  using D = Distribution;
  static const FigureTable<D> table = FigureTable<D>()
                                          .add("count", "", "samples", &D::count)
                                          .add("min", "", "least", &D::min)
                                          .add("mean", "", "mean", &D::mean)
                                          .add("p50", "",
                                               "median; percentiles are nearest ranks, exact below 2048, above the "
                                               "middle of a bucket of 1/32 of an octave, between min and max",
                                               &D::p50)
                                          .add("p95", "", "95 % are not above it", &D::p95)
                                          .add("p99", "", "99 % are not above it", &D::p99)
                                          .add("p99_9", "", "99.9 % are not above it", &D::p99_9)
                                          .add("max", "", "most", &D::max);
  return table;
}

const FigureTable<Distribution>& range_figures() {
  using D = Distribution;
  static const FigureTable<D> table = FigureTable<D>()
                                          .add("count", "", "samples", &D::count)
                                          .add("min", "", "least", &D::min)
                                          .add("mean", "", "mean", &D::mean)
                                          .add("max", "", "most", &D::max);
  return table;
}

const FigureTable<Distribution>& spread_figures() {
  using D = Distribution;
  static const FigureTable<D> table = FigureTable<D>()
                                          .add("min", "", "least", &D::min)
                                          .add("mean", "", "mean", &D::mean)
                                          .add("max", "", "most", &D::max);
  return table;
}

Distribution spread(const std::vector<double>& values) {
  Distribution d;
  if (values.empty()) return d;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  d.count = values.size();
  d.min = *least;
  d.max = *most;
  d.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return d;
}

}  // namespace braid::models
