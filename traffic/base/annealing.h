// Simulated annealing over who stands where: swaps of two places, from a temperature of a tenth of the first cost down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "routing/base/break_off.h"
#include "routing/base/ids.h"
#include "routing/base/random.h"
#include "traffic/base/portable_math.h"

namespace braid::traffic {

/// The best order met. `movable`: the indices that may be swapped; a swap of two from `used` on changes nothing.
/// `cost`: of an order, the same on every machine.
template <class Cost>
std::vector<NodeId> anneal(std::vector<NodeId> of, const std::vector<std::size_t>& movable, Cost cost,
                           std::uint32_t moves, Random& random, std::size_t used = SIZE_MAX) {
  double now = cost(of), best_cost = now;
  std::vector<NodeId> best = of;
  const double hot = std::max(1.0, now / 10.0), cold = 0.05;
  for (std::uint32_t move = 0; move < moves; ++move) {
    if (move % 64 == 0) routing::BreakOff::look();
    const double temperature = hot * power(cold / hot, static_cast<double>(move) / moves);
    const std::size_t a = movable[random.below(movable.size())], b = movable[random.below(movable.size())];
    if (a == b || (a >= used && b >= used)) continue;
    std::swap(of[a], of[b]);
    const double moved = cost(of);
    const double worse = moved - now;
    if (worse <= 0.0 || random.chance(Random::probability_bits(exponential(-worse / temperature)))) {
      now = moved;
    } else {
      std::swap(of[a], of[b]);
    }
    if (now < best_cost) {
      best_cost = now;
      best = of;
    }
  }
  return best;
}

}  // namespace braid::traffic
