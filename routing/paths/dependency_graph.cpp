#include "routing/paths/dependency_graph.h"

#include <algorithm>

namespace braid::routing {
namespace {

constexpr std::uint32_t kNotMet = UINT32_MAX;

void insert_in_order(std::vector<std::uint32_t>& list, std::uint32_t channel) {
  list.insert(std::lower_bound(list.begin(), list.end(), channel), channel);
}
void erase_from(std::vector<std::uint32_t>& list, std::uint32_t channel) {
  list.erase(std::lower_bound(list.begin(), list.end(), channel));
}

}  // namespace

DependencyGraph::DependencyGraph(const Dependencies& after) : after_(after), before_(after.size()) {
  for (std::uint32_t c = 0; c < after.size(); ++c) {
    for (const std::uint32_t next : after[c]) before_[next].push_back(c);
  }
}

void DependencyGraph::add(const Dependency& dependency) {
  insert_in_order(after_[dependency.channel], dependency.next);
  insert_in_order(before_[dependency.next], dependency.channel);
}

void DependencyGraph::remove(const Dependency& dependency) {
  erase_from(after_[dependency.channel], dependency.next);
  erase_from(before_[dependency.next], dependency.channel);
}

/// Breadth first from a channel until it comes to the end, not beyond so many dependencies: [channel] the one before;
/// kNotMet: none. The start has one where a cycle leads back to it.
std::vector<std::uint32_t> DependencyGraph::search(std::uint32_t start, std::uint32_t end, std::size_t within) const {
  std::vector<std::uint32_t> parent(channels(), kNotMet), layer{start};
  for (std::size_t depth = 0; depth < within && !layer.empty() && parent[end] == kNotMet; ++depth) {
    std::vector<std::uint32_t> met;
    for (const std::uint32_t c : layer) {
      for (const std::uint32_t next : after_[c]) {
        if (parent[next] != kNotMet) continue;
        parent[next] = c;
        met.push_back(next);
      }
    }
    layer = std::move(met);
  }
  return parent;
}

bool DependencyGraph::reaches(std::uint32_t from, std::uint32_t to) const {
  return from == to || search(from, to, channels())[to] != kNotMet;
}

std::vector<Dependency> DependencyGraph::shortest_cycle() const {
  std::vector<Dependency> cycle;
  for (std::uint32_t start = 0; start < channels(); ++start) {
    const std::vector<std::uint32_t> parent = search(start, start, cycle.empty() ? channels() : cycle.size() - 1);
    if (parent[start] == kNotMet) continue;
    cycle.clear();
    std::uint32_t c = start;
    do {
      cycle.push_back({parent[c], c});
      c = parent[c];
    } while (c != start);
  }
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace braid::routing
