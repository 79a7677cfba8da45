#include "traffic/streams/stream_graph.h"

#include <numeric>

#include "routing/base/input_error.h"

namespace braid::traffic {
namespace {

constexpr std::uint64_t kMostRepetitions = 1'000'000'000'000;  // items of an edge, 65535 a firing, fit 64 bits

struct Fraction {
  std::uint64_t num = 0, den = 1;
};

/// Of factors whose product fits.
Fraction reduced(std::uint64_t num, std::uint64_t den) {
  const std::uint64_t g = std::gcd(num, den);
  return {num / g, den / g};
}

std::uint64_t product(std::uint64_t a, std::uint64_t b, const StreamGraph& graph, std::size_t actor) {
  if (a <= kMostRepetitions / b) return a * b;
  throw InputError({graph.file, 0, 0}, "rates are too far apart: actor " + one_line(graph.actors[actor].name) +
                                           ": expected at most 10^12 firings of each actor in a steady state");
}

}  // namespace

/// Fixes one actor of each connected part at 1/1 and walks its edges with fractions, then clears the part's
/// denominators by their least common multiple. Nothing is left to divide by: a prime of it has its highest power in
/// some denominator, whose numerator has none of it.
std::vector<std::uint64_t> StreamGraph::repetitions() const {
  const auto times = [&](Fraction f, std::uint64_t num, std::uint64_t den, std::size_t actor) {
    const Fraction exact = reduced(f.num * num, f.den * den);
    return Fraction{product(exact.num, 1, *this, actor), product(exact.den, 1, *this, actor)};
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
          rate[e.to] = times(from, e.push, e.pop, e.to);
          part[e.to] = root;
          grew = true;
        } else if (from.num == 0 && to.num != 0) {
          rate[e.from] = times(to, e.pop, e.push, e.from);
          part[e.from] = root;
          grew = true;
        } else if (const Fraction there = reduced(from.num * e.push, from.den * e.pop);
                   from.num != 0 && (there.num != to.num || there.den != to.den)) {
          throw InputError({file, 0, 0}, "rates are inconsistent: edge " + actors[e.from].name + " -> " +
                                             actors[e.to].name + " cannot balance");
        }
      }
    }
  }
  std::vector<std::uint64_t> common(actors.size(), 1), result;  // [part], [actor]
  for (std::size_t a = 0; a < rate.size(); ++a) {
    std::uint64_t& all = common[part[a]];
    all = product(all, rate[a].den / std::gcd(all, rate[a].den), *this, a);
  }
  for (std::size_t a = 0; a < rate.size(); ++a) {
    result.push_back(product(rate[a].num, common[part[a]] / rate[a].den, *this, a));
  }
  return result;
}

}  // namespace braid::traffic
