#include "models/workload/batch_means.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace braid::models {
namespace {

/// One in five series of independent batches fails the test: correlation that passes for none costs more than an
/// interval of longer batches does (Skart's choice).
constexpr double kNormalQuantile = 0.8416212335729143;  // exceeded with probability 0.2

struct Moments {
  std::vector<double> means;  // [batch with a sample]
  double mean = 0.0, squares = 0.0, lagged = 0.0;

  explicit Moments(const std::vector<BatchSum>& batches) {
    for (const BatchSum& batch : batches) {
      if (batch.count > 0.0) means.push_back(batch.sum / batch.count);
    }
    for (const double m : means) mean += m / static_cast<double>(means.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      squares += (means[i] - mean) * (means[i] - mean);
      if (i > 0) lagged += (means[i] - mean) * (means[i - 1] - mean);
    }
    forget_rounding();
  }
  /// Of equal means no deviation is left, and no correlation of deviations that are rounding.
  void forget_rounding() {
    constexpr double kRounding = 1e-13;
    double largest = 0.0;
    for (const double m : means) largest = std::max(largest, std::fabs(m));
    const double least = kRounding * largest;
    if (squares <= static_cast<double>(means.size()) * least * least) squares = lagged = 0.0;
  }
  double correlation() const { return squares > 0.0 ? lagged / squares : 0.0; }
  /// Von Neumann: half the mean squared step from batch to batch would be their variance.
  bool independent() const {
    if (squares <= 0.0) return true;
    double steps = 0.0;
    for (std::size_t i = 1; i < means.size(); ++i) steps += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
    const auto n = static_cast<double>(means.size());
    return 1.0 - steps / (2.0 * squares) <= kNormalQuantile * std::sqrt((n - 2.0) / (n * n - 1.0));
  }
  /// Of the batch means as a sample; 0 of equal ones.
  double skewness() const {
    if (squares <= 0.0) return 0.0;
    double cubes = 0.0;
    const auto n = static_cast<double>(means.size());
    const double middle = std::accumulate(means.begin(), means.end(), 0.0) / n;
    for (const double m : means) cubes += (m - middle) * (m - middle) * (m - middle);
    return n / ((n - 1.0) * (n - 2.0)) * cubes / std::pow(squares / (n - 1.0), 1.5);
  }
  /// As if the means followed an autoregression of order one, where they are correlated at all.
  double standard_error() const {
    const auto n = static_cast<double>(means.size());
    const double rest = means.size() < kFewestTested ? 0.0 : std::max(0.0, correlation());
    return std::sqrt(squares / (n - 1.0) / n * (1.0 + rest) / (1.0 - rest));
  }
};

std::vector<BatchSum> in_pairs(const std::vector<BatchSum>& batches) {
  std::vector<BatchSum> longer;
  for (std::size_t i = 0; i + 1 < batches.size(); i += 2) {
    longer.push_back({batches[i].sum + batches[i + 1].sum, batches[i].count + batches[i + 1].count});
  }
  if (batches.size() % 2 == 1 && !longer.empty()) {  // the odd one goes with the last pair
    longer.back().sum += batches.back().sum;
    longer.back().count += batches.back().count;
  }
  return longer;
}

/// Means of correlated batches lean to one side: now and then there is a long queue. Johnson's t in Willink's form says
/// how far the mean then lies from the truth; the wider of both sides, as an interval here has one half-width.
double leaning(double t, double skewness, double batches) {
  constexpr double kNone = 1e-9;
  const double b = std::fabs(skewness) / (6.0 * std::sqrt(batches));
  return b < kNone ? t : std::max(t, (1.0 - std::cbrt(1.0 - 6.0 * b * (t + b))) / (2.0 * b));
}

}  // namespace

BatchMeans batch_means(std::vector<BatchSum> batches) {
  BatchMeans found;
  double sum = 0.0, count = 0.0;
  for (const BatchSum& batch : batches) {
    sum += batch.sum;
    count += batch.count;
  }
  if (count == 0.0) return found;
  found.mean = sum / count;
  Moments moments(batches);
  while (moments.means.size() >= kFewestTested && !moments.independent()) {
    std::vector<BatchSum> longer = in_pairs(batches);
    Moments next(longer);
    if (next.means.size() < kFewestTested) {
      found.reliable = false;
      break;
    }
    batches = std::move(longer);
    moments = std::move(next);
    found.skewness = moments.skewness();
  }
  found.batches = moments.means.size();
  if (found.batches >= 2) found.standard_error = moments.standard_error();
  return found;
}

double BatchMeans::half_width(double tail) const {
  if (batches < 2) return kNoSample;
  return student_t(tail, static_cast<double>(batches - 1)) * standard_error;
}

Estimate BatchMeans::estimate() const {
  if (!reliable) return {mean, kNotReliable};
  if (batches < 2) return {mean, kNoSample};
  const auto n = static_cast<double>(batches);
  return {mean, leaning(student_t(0.025, n - 1.0), skewness, n) * standard_error};
}

Estimate estimate_of_batches(std::vector<BatchSum> batches) { return batch_means(std::move(batches)).estimate(); }

Estimate estimate(const std::vector<double>& samples) {
  std::vector<BatchSum> batches;
  for (const double s : samples) batches.push_back({s, 1.0});
  return estimate_of_batches(std::move(batches));
}

}  // namespace braid::models
