// By itself: Student's t costs the compiler as much as ten other files.
#include <boost/math/distributions/students_t.hpp>

#include "models/workload/batch_means.h"

namespace braid::models {

double student_t(double tail, double degrees) {
  // Not promoted to long double: valgrind has no arithmetic of 80 bits, and there the tables for it cannot be made.
  using Double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Double> t(degrees);
  return boost::math::quantile(boost::math::complement(t, tail));
}

}  // namespace braid::models
