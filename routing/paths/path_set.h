// Paths of source routing: one for each pair of routers, as hosts write them into the headers of their packets
// (paper: in-transit-buffers, section 3).
#pragma once

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

/// A path from every router with nodes to every other such router; empty for all other pairs.
class PathSet {
 public:
  explicit PathSet(std::size_t routers) : routers_(routers), paths_(routers * routers) {}

  std::size_t router_count() const { return routers_; }
  Path& at(RouterId from, RouterId to) { return paths_[from.value * routers_ + to.value]; }
  const Path& at(RouterId from, RouterId to) const { return paths_[from.value * routers_ + to.value]; }

 private:
  std::size_t routers_;
  std::vector<Path> paths_;
};

/// The routers that a path comes to, first and last included: one more than it has ports.
std::vector<RouterId> routers_on(const Topology& topology, RouterId from, const Path& path);

/// Routers with nodes, in order: the ends of paths.
std::vector<RouterId> routers_with_nodes(const Topology& topology);

}  // namespace braid::routing
