// Paths of source routing, computed by name or made by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "routing/analysis/path_check.h"
#include "routing/paths/path_computation.h"
#include "tb/tests/support/graphs.h"

namespace braid::test {

inline routing::PathSet computed(const routing::Topology& t, const std::string& paths, const Configuration& c = {}) {
  return routing::PathComputationRegistry::instance().make(paths, {c})->compute(t, {});
}

inline void place(const routing::Topology& t, const std::string& placement, routing::PathSet& paths,
                  const Configuration& c = {}) {
  routing::InTransitPlacementRegistry::instance().make(placement, {c})->place(t, paths, {});
}

inline routing::Topology irregular(std::uint32_t switches, std::uint32_t instance, Configuration c = {}) {
  c.set("topology.kind", "irregular");
  c.set("topology.switches", switches);
  c.set("topology.instance", instance);
  return routing::make_topology(c);
}

/// The path over these routers.
inline routing::Path path_over(const routing::Topology& t, const std::vector<std::size_t>& routers) {
  routing::Path path;
  for (std::size_t i = 1; i < routers.size(); ++i) {
    path.ports.push_back(port_to(t, RouterId{routers[i - 1]}, RouterId{routers[i]}));
  }
  return path;
}

/// All paths of a ring the way that is shorter, and r0 - r1 - r2 ... where both are equal.
inline routing::PathSet clockwise(const routing::Topology& ring) {
  const std::size_t n = ring.router_count();
  routing::PathSet paths(n);
  for (std::size_t from = 0; from < n; ++from) {
    for (std::size_t steps = 1; steps < n; ++steps) {
      std::vector<std::size_t> routers{from};
      const bool up = 2 * steps <= n;
      for (std::size_t i = 0; i < (up ? steps : n - steps); ++i) {
        routers.push_back((routers.back() + (up ? 1 : n - 1)) % n);
      }
      paths.at(RouterId{from}, RouterId{(from + steps) % n}) = path_over(ring, routers);
    }
  }
  return paths;
}

inline std::size_t buffers(const routing::PathSet& paths) {
  std::size_t all = 0;
  for (std::size_t a = 0; a < paths.router_count(); ++a) {
    for (std::size_t b = 0; b < paths.router_count(); ++b) all += paths.at(RouterId{a}, RouterId{b}).in_transit.size();
  }
  return all;
}

inline std::size_t links(const routing::PathSet& paths) {
  std::size_t all = 0;
  for (std::size_t a = 0; a < paths.router_count(); ++a) {
    for (std::size_t b = 0; b < paths.router_count(); ++b) all += paths.at(RouterId{a}, RouterId{b}).ports.size();
  }
  return all;
}

}  // namespace braid::test
