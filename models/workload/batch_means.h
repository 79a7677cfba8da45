// Intervals of means whose samples hang together. Batch means with the batch length chosen by von Neumann's test
// (Fishman, "Grouping observations in digital simulation", Management Science 24, 1978), and what correlation is left
// allowed for as in Skart (Tafazzoli, Wilson, Lada, Steiger, INFORMS J. Computing 23, 2011): docs/statistics.md.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "routing/base/figures.h"

namespace braid::models {

/// What one batch adds to a mean: `sum` over `count` samples.
struct BatchSum {
  double sum = 0, count = 0;
};

/// The interval of a mean, and how it was found.
struct BatchMeans {
  double mean = kNoSample;            ///< over samples
  double standard_error = kNoSample;  ///< takes two batches
  std::size_t batches = 0;            ///< with a sample; neighbours made one where their means were correlated
  bool reliable = true;               ///< false: correlated however long the batches
  double skewness = 0.0;              ///< of batches that had to become longer
  /// By how much a standard error is exceeded with probability `tail` on one side.
  double half_width(double tail) const;
  /// With its 95 % half-width, or kNotReliable.
  Estimate estimate() const;
};

/// Neighbouring batches become one, and again, until their means pass for independent. With fewer than kFewestTested
/// batches nothing can be tested: they are taken as they are.
BatchMeans batch_means(std::vector<BatchSum> batches);
constexpr std::size_t kFewestTested = 8;

/// Of an interval that cannot be relied on: that wide it always is true. `null` in JSON.
constexpr double kNotReliable = std::numeric_limits<double>::infinity();

/// Mean of `batches` over all samples with its 95 % half-width, or kNotReliable.
Estimate estimate_of_batches(std::vector<BatchSum> batches);
/// The same of batches with a sample each.
Estimate estimate(const std::vector<double>& samples);

/// Of Student's t: what is exceeded with probability `tail`.
double student_t(double tail, double degrees);

}  // namespace braid::models
