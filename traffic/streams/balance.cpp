#include "traffic/streams/balance.h"

#include <numeric>
#include <queue>

namespace braid::traffic {
namespace {

struct Ratio {
  std::uint64_t num = 0, den = 1;
};

Ratio lowest(std::uint64_t num, std::uint64_t den) {
  const std::uint64_t g = std::gcd(num, den);
  return {num / g, den / g};
}

}  // namespace

/// Fixes one node of each connected part at 1/1, walks its edges with fractions, and multiplies the part by the least
/// common multiple of its denominators. That leaves no common divisor: a prime of it has its highest power in some
/// denominator, whose numerator has none of it.
std::vector<std::uint64_t> balanced_firings(std::size_t nodes, const std::vector<RateEdge>& edges,
                                            const std::function<void(std::size_t)>& bad_edge,
                                            const std::function<void(std::size_t)>& too_many) {
  const auto bounded = [&](std::uint64_t a, std::uint64_t b, std::size_t node) {
    if (a > kMostFirings / b) too_many(node);
    return a * b;
  };
  /// Of a firing ratio and a quotient of rates, both in lowest terms: crosswise, so that nothing overflows.
  const auto times = [&](Ratio r, std::uint64_t num, std::uint64_t den, std::size_t node) {
    const Ratio q = lowest(num, den), a = lowest(r.num, q.den), b = lowest(q.num, r.den);
    return Ratio{bounded(a.num, b.num, node), bounded(b.den, a.den, node)};
  };
  std::vector<std::vector<std::size_t>> edges_of(nodes);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].push == 0 && edges[e].pop == 0) continue;
    if (edges[e].push == 0 || edges[e].pop == 0) bad_edge(e);
    edges_of[edges[e].from].push_back(e);
    edges_of[edges[e].to].push_back(e);
  }
  std::vector<Ratio> ratio(nodes);
  std::vector<std::size_t> part(nodes);  // by the number of its first node
  for (std::size_t root = 0; root < nodes; ++root) {
    if (ratio[root].num != 0) continue;
    ratio[root] = {1, 1};
    part[root] = root;
    std::queue<std::size_t> next;
    for (next.push(root); !next.empty(); next.pop()) {
      const std::size_t node = next.front();
      for (const std::size_t e : edges_of[node]) {
        const bool forward = edges[e].from == node;
        const std::size_t other = forward ? edges[e].to : edges[e].from;
        const std::uint64_t here = forward ? edges[e].push : edges[e].pop;
        const std::uint64_t there = forward ? edges[e].pop : edges[e].push;
        const Ratio r = times(ratio[node], here, there, other);
        if (ratio[other].num == 0) {
          ratio[other] = r;
          part[other] = root;
          next.push(other);
        } else if (ratio[other].num != r.num || ratio[other].den != r.den) {
          bad_edge(e);
        }
      }
    }
  }
  std::vector<std::uint64_t> common(nodes, 1), firings;  // [part], [node]
  for (std::size_t n = 0; n < nodes; ++n) {
    std::uint64_t& all = common[part[n]];
    all = bounded(all, ratio[n].den / std::gcd(all, ratio[n].den), n);
  }
  for (std::size_t n = 0; n < nodes; ++n) firings.push_back(bounded(ratio[n].num, common[part[n]] / ratio[n].den, n));
  return firings;
}

}  // namespace braid::traffic
