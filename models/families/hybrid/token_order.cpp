#include "models/families/hybrid/token_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace braid::models::hybrid {

std::vector<std::uint32_t> in_token_order(const std::vector<CircuitRequest>& circuits) {
  std::vector<std::uint32_t> order(circuits.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return circuits[a].source < circuits[b].source; });
  return order;
}

void shuffle(std::vector<std::uint32_t>& order, Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

}  // namespace braid::models::hybrid
