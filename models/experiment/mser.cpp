#include "models/experiment/mser.h"

#include <limits>

namespace braid::models {

std::optional<std::size_t> mser5(const std::vector<double>& observations) {
  std::vector<double> groups;
  for (std::size_t i = 0; i + kMserGroup <= observations.size(); i += kMserGroup) {
    double sum = 0.0;
    for (std::size_t j = i; j < i + kMserGroup; ++j) sum += observations[j];
    groups.push_back(sum / kMserGroup);
  }
  if (groups.size() < kFewestMserGroups) return std::nullopt;
  double sum = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity();
  std::size_t cut = 0;
  for (std::size_t i = groups.size(); i-- > 0;) {  // from the back, so that sums grow
    sum += groups[i];
    squares += groups[i] * groups[i];
    const auto left = static_cast<double>(groups.size() - i);
    if (left < kMserGroup) continue;  // the last few agree by chance
    const double error = (squares - sum * sum / left) / (left * left);
    if (error > least) continue;
    least = error;
    cut = i;
  }
  if (2 * cut > groups.size()) return std::nullopt;
  return cut * kMserGroup;
}

}  // namespace braid::models
