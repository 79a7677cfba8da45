// Paths of source routing: one for each pair of routers, or of nodes, as hosts write them into the headers of their
// packets (paper: in-transit-buffers, section 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::routing {

struct Path {
  /// Output ports to take, one a router; none: both ends are the same router.
  std::vector<PortId> ports;
  /// Indices into `ports`, 1 or more, ascending: at the router before that port the packet leaves the network for an
  /// in-transit buffer of one of the router's nodes, which injects it again. So no channel before it waits for one
  /// behind it.
  std::vector<std::uint16_t> in_transit;
};

/// Who has a path of its own: all pairs of nodes at the same two routers one together, or each its own.
enum class PathsPer : std::uint8_t { kRouterPair, kNodePair };

/// Paths from every router with nodes to every other such router; empty for all other pairs.
class PathSet {
 public:
  /// One a pair of routers.
  explicit PathSet(std::size_t routers) : routers_(routers), paths_(routers * routers) {}
  PathSet(const Topology& topology, PathsPer per);

  std::size_t router_count() const { return routers_; }
  PathsPer per() const { return first_.empty() ? PathsPer::kRouterPair : PathsPer::kNodePair; }
  /// Paths from one router to another, which have numbers: 1, or as many as there are pairs of a node here and a node
  /// there, those of the first node here first. 1 from a router to itself and where a router has no node.
  std::size_t count(RouterId from, RouterId to) const {
    const std::size_t pair = from.value * routers_ + to.value;
    return first_.empty() ? 1 : first_[pair + 1] - first_[pair];
  }
  /// Of all pairs together; where one of them stands among them.
  std::size_t size() const { return paths_.size(); }
  std::size_t place(RouterId from, RouterId to, std::size_t number = 0) const {
    const std::size_t pair = from.value * routers_ + to.value;
    return (first_.empty() ? pair : first_[pair]) + number;
  }
  Path& at(RouterId from, RouterId to, std::size_t number = 0) { return paths_[place(from, to, number)]; }
  const Path& at(RouterId from, RouterId to, std::size_t number = 0) const { return paths_[place(from, to, number)]; }
  const Path& at_place(std::size_t place) const { return paths_[place]; }

 private:
  std::size_t routers_;
  std::vector<Path> paths_;
  std::vector<std::size_t> first_;  // [from * routers + to] place; one more than there are pairs. Empty: one a pair
};

/// The routers that a path comes to, first and last included: one more than it has ports.
std::vector<RouterId> routers_on(const Topology& topology, RouterId from, const Path& path);

/// Routers with nodes, in order: the ends of paths.
std::vector<RouterId> routers_with_nodes(const Topology& topology);
/// [router] its nodes, ascending.
std::vector<std::vector<NodeId>> nodes_by_router(const Topology& topology);

}  // namespace braid::routing
