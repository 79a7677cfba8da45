#include "traffic/streams/stream_graph.h"

#include <numeric>

#include "routing/base/input_error.h"

namespace braid::traffic {

/// Fixes one actor of each connected part at 1/1 and walks its edges with fractions, then clears the part's
/// denominators by their least common multiple. Nothing is left to divide by: a prime of it has its highest power in
/// some denominator, whose numerator has none of it.
std::vector<std::uint64_t> StreamGraph::repetitions() const {
  struct Fraction {
    std::uint64_t num = 0, den = 1;
  };
  const auto reduced = [](std::uint64_t num, std::uint64_t den) {
    const std::uint64_t g = std::gcd(num, den);
    return Fraction{num / g, den / g};
  };
  std::vector<Fraction> rate(actors.size());
  std::vector<std::size_t> part(actors.size());  // by the number of its first actor
  for (std::size_t root = 0; root < actors.size(); ++root) {
    if (rate[root].num != 0) continue;
    rate[root] = {1, 1};
    part[root] = root;
    bool grew = true;
    while (grew) {
      grew = false;
      for (const StreamEdge& e : edges) {
        const Fraction from = rate[e.from], to = rate[e.to];
        if (from.num != 0 && to.num == 0) {
          rate[e.to] = reduced(from.num * e.push, from.den * e.pop);
          part[e.to] = root;
          grew = true;
        } else if (from.num == 0 && to.num != 0) {
          rate[e.from] = reduced(to.num * e.pop, to.den * e.push);
          part[e.from] = root;
          grew = true;
        } else if (from.num != 0 && from.num * e.push * to.den != to.num * e.pop * from.den) {
          throw InputError({file, 0, 0}, "rates are inconsistent: edge " + actors[e.from].name + " -> " +
                                             actors[e.to].name + " cannot balance");
        }
      }
    }
  }
  std::vector<std::uint64_t> common(actors.size(), 1), result;  // [part], [actor]
  for (std::size_t a = 0; a < rate.size(); ++a) common[part[a]] = std::lcm(common[part[a]], rate[a].den);
  for (std::size_t a = 0; a < rate.size(); ++a) result.push_back(rate[a].num * (common[part[a]] / rate[a].den));
  return result;
}

}  // namespace braid::traffic
