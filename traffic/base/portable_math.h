// exp, log and pow made of additions, multiplications and divisions only, which IEEE 754 defines to the last bit: a
// random choice that depends on one is the same on every machine, whatever its libm. Accurate to about 1e-13.
#pragma once

#include <cmath>

namespace braid::traffic {

inline double exponential(double x) {
  if (x < -745.0) return 0.0;  // less than any double
  constexpr double kLn2 = 0.693147180559945309;
  const double octaves = std::floor(x / kLn2 + 0.5);
  const double rest = x - octaves * kLn2;  // in [-0.35, 0.35]
  double sum = 1.0;
  for (int i = 16; i > 0; --i) sum = 1.0 + sum * rest / i;
  return std::ldexp(sum, static_cast<int>(octaves));
}

/// x > 0. From log x = 2 artanh((x - 1) / (x + 1)).
inline double logarithm(double x) {
  constexpr double kLn2 = 0.693147180559945309;
  int octaves = 0;
  const double mantissa = std::frexp(x, &octaves);  // in [0.5, 1)
  const double t = (mantissa - 1.0) / (mantissa + 1.0);
  double sum = 0.0;
  for (int i = 61; i > 0; i -= 2) sum = sum * t * t + 2.0 / i;
  return octaves * kLn2 + sum * t;
}

inline double power(double base, double exponent) { return exponential(exponent * logarithm(base)); }

}  // namespace braid::traffic
