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
  // Not promoted to long double: valgrind has no arithmetic of 80 bits, and there the tables for it cannot be made.
  using Double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Double> t(n - 1.0);
  e.half_width_95 = boost::math::quantile(boost::math::complement(t, 0.025)) * std::sqrt(variance / n);
  return e;
}

}  // namespace braid::models
