// By itself: Student's t costs the compiler as much as ten other files.
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "models/workload/statistics.h"

namespace braid::models {

Estimate estimate(const std::vector<double>& samples) {
  Estimate e;
  if (samples.empty()) return e;
  const auto n = static_cast<double>(samples.size());
  e.mean = 0.0;
  for (const double s : samples) e.mean += s / n;
  if (samples.size() < 2) return e;
  double variance = 0.0;
  for (const double s : samples) variance += (s - e.mean) * (s - e.mean) / (n - 1.0);
  const boost::math::students_t t(n - 1.0);
  e.half_width_95 = boost::math::quantile(boost::math::complement(t, 0.025)) * std::sqrt(variance / n);
  return e;
}

}  // namespace braid::models
