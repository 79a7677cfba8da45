// The channel-dependency graph as it is while dependencies come and go.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/paths/cheapest_ways.h"

namespace braid::routing {

/// A channel of a packet waits for the one that the packet takes next.
struct Dependency {
  std::uint32_t channel, next;
};

class DependencyGraph {
 public:
  explicit DependencyGraph(const Dependencies& after);

  std::size_t channels() const { return after_.size(); }
  /// [channel] those that may follow it, that it may follow; ascending.
  const Dependencies& after() const { return after_; }
  const Dependencies& before() const { return before_; }

  void add(const Dependency& dependency);
  void remove(const Dependency& dependency);

  /// Is there a way from one channel to another?
  bool reaches(std::uint32_t from, std::uint32_t to) const;
  /// Of the shortest cycles one through the lowest channel, in order; empty if there is none.
  std::vector<Dependency> shortest_cycle() const;

 private:
  std::vector<std::uint32_t> search(std::uint32_t start, std::uint32_t end, std::size_t within) const;

  Dependencies after_, before_;
};

}  // namespace braid::routing
