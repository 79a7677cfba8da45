// In which order streams search for their circuits (docs/setup.md): the token's way, node by node, and the further
// orders that are tried after one that failed.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/circuits.h"
#include "routing/base/random.h"

namespace braid::models::hybrid {

/// Places of circuits, by the number of their source; those of one node as they were asked for.
std::vector<std::uint32_t> in_token_order(const std::vector<CircuitRequest>& circuits);
/// Another order, each as likely.
void shuffle(std::vector<std::uint32_t>& order, Random& random);

}  // namespace braid::models::hybrid
