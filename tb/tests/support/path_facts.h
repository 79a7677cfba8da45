// What is true of a set of paths, found without the code that made them.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "routing/paths/path_set.h"

namespace braid::test {

/// Of every pair: the routers that its path comes to.
inline void for_each_path(const routing::Topology& topology, const routing::PathSet& paths,
                          const std::function<void(const std::vector<RouterId>&)>& visit) {
  for (const RouterId from : routing::routers_with_nodes(topology)) {
    for (const RouterId to : routing::routers_with_nodes(topology)) {
      if (from != to) visit(routing::routers_on(topology, from, paths.at(from, to)));
    }
  }
}

/// A path for every pair of routers with nodes, and none for others; each ends where it should and meets no router
/// twice.
inline bool is_complete(const routing::Topology& topology, const routing::PathSet& paths) {
  const std::vector<RouterId> ends = routing::routers_with_nodes(topology);
  const auto is_end = [&](RouterId r) { return std::find(ends.begin(), ends.end(), r) != ends.end(); };
  for (std::size_t a = 0; a < topology.router_count(); ++a) {
    for (std::size_t b = 0; b < topology.router_count(); ++b) {
      const RouterId from{a}, to{b};
      const routing::Path& path = paths.at(from, to);
      if (a == b || !is_end(from) || !is_end(to)) {
        if (!path.ports.empty()) return false;
        continue;
      }
      const std::vector<RouterId> on = routing::routers_on(topology, from, path);
      const std::set<RouterId> met(on.begin(), on.end());
      if (on.back() != to || met.size() != on.size() || !path.in_transit.empty()) return false;
    }
  }
  return true;
}

inline bool is_minimal(const routing::Topology& topology, const routing::PathSet& paths) {
  bool minimal = true;
  for_each_path(topology, paths, [&](const std::vector<RouterId>& on) {
    minimal = minimal && topology.distances_to(on.back())[on.front().value] + 1 == on.size();
  });
  return minimal;
}

/// Of graphs with at most one link between two routers. Channels that wait for no other go, again and again: what is
/// left is on or before a cycle.
inline bool closes_no_cycle(const routing::Topology& topology, const routing::PathSet& paths) {
  using Link = std::pair<RouterId, RouterId>;
  std::set<std::pair<Link, Link>> waits;
  for_each_path(topology, paths, [&](const std::vector<RouterId>& on) {
    for (std::size_t i = 2; i < on.size(); ++i) waits.insert({{on[i - 2], on[i - 1]}, {on[i - 1], on[i]}});
  });
  for (std::size_t before = 0; before != waits.size();) {
    before = waits.size();
    std::set<Link> waiting;
    for (const auto& [link, next] : waits) waiting.insert(link);
    for (auto w = waits.begin(); w != waits.end();) w = waiting.count(w->second) == 0 ? waits.erase(w) : std::next(w);
  }
  return waits.empty();
}

struct PathLoads {
  std::size_t most = 0, links = 0;  ///< paths on the fullest channel; links of all paths
};
inline PathLoads loads_of(const routing::Topology& topology, const routing::PathSet& paths) {
  std::vector<std::size_t> loads(topology.router_count() * topology.router_count());
  PathLoads result;
  for_each_path(topology, paths, [&](const std::vector<RouterId>& on) {
    for (std::size_t i = 1; i < on.size(); ++i) {
      result.most = std::max(result.most, ++loads[on[i - 1].value * topology.router_count() + on[i].value]);
    }
    result.links += on.size() - 1;
  });
  return result;
}

}  // namespace braid::test
