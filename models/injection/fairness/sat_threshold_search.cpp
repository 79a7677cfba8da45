#include "models/injection/fairness/sat_threshold_search.h"

#include <algorithm>

namespace braid::models {
namespace {

constexpr std::uint32_t kRounds = 4;  // measured before each decision
constexpr double kUnheld = 1.05;      // mean interval over the shortest ever seen: nobody to speak of held the signal
constexpr double kLongest = 1.25, kAim = 1.1;  // the same ratio: above it k shrinks, to this one

}  // namespace

bool SatThresholdSearch::measure(std::uint64_t interval) {
  shortest_ = std::min(shortest_, interval);
  sum_ += interval;
  return ++rounds_ == kRounds;
}

std::uint32_t SatThresholdSearch::decide(std::uint32_t k, bool limited) {
  const double stretch = static_cast<double>(sum_) / kRounds / static_cast<double>(shortest_);
  rounds_ = 0;
  sum_ = 0;
  if (stretch <= kUnheld && limited) k += shrunk_ ? std::max(1U, k / 8) : k;
  if (stretch > kLongest) {
    k = std::max(1U, static_cast<std::uint32_t>(k * kAim / stretch));
    shrunk_ = true;
  }
  return k;
}

}  // namespace braid::models
