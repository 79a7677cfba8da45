// Where a run's initial transient ends, by MSER-5: the observations, in groups of five, are cut where the standard
// error of the mean of those that are left is least (White, "An effective truncation heuristic for bias reduction in
// simulation output", Simulation 69, 1997; groups of five: White, Cobb, Spratt, WSC 2000). A cut in the second half
// counts for none.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace braid::models {

constexpr std::size_t kMserGroup = 5;
constexpr std::size_t kFewestMserGroups = 10;

/// Observations to cut off the front; none: there are too few, or the best cut is in the second half.
std::optional<std::size_t> mser5(const std::vector<double>& observations);

}  // namespace braid::models
