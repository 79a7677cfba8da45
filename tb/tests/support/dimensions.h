// Networks of several dimensions, stacks with elevators, dragonflies, butterflies and chains of chiplets, small ones.
#pragma once

#include <string>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::test {

/// "cube" or "flattened_butterfly"; `wrap` of a cube only.
inline routing::Topology cube_of(const std::string& kind, const std::vector<std::uint32_t>& sizes, bool wrap = false,
                                 std::uint32_t concentration = 1) {
  Configuration options;
  options.set("topology.kind", kind);
  options.set("topology.sizes", sizes);
  options.set("topology.concentration", concentration);
  if (kind == "cube") options.set("topology.wrap", wrap);
  return routing::make_topology(options);
}

/// A mesh of three dimensions with vertical links at these positions, x, y, x, y ..., or at all.
inline routing::Topology stack_of(const std::vector<std::uint32_t>& sizes,
                                  const std::vector<std::uint32_t>& elevators = {}) {
  Configuration options;
  options.set("topology.kind", "cube");
  options.set("topology.sizes", sizes);
  options.set("topology.elevators", elevators);
  return routing::make_topology(options);
}

inline routing::Topology dragonfly_of(std::uint32_t a, std::uint32_t p, std::uint32_t h,
                                      const char* global_links = "palm_tree") {
  Configuration options;
  options.set("topology.kind", "dragonfly");
  options.set("topology.routers_per_group", a);
  options.set("topology.nodes_per_router", p);
  options.set("topology.global_ports", h);
  options.set("topology.global_links", global_links);
  return routing::make_topology(options);
}

inline routing::Topology butterfly_of(std::uint32_t k, std::uint32_t n) {
  Configuration options;
  options.set("topology.kind", "butterfly");
  options.set("topology.arity", k);
  options.set("topology.stages", n);
  return routing::make_topology(options);
}

/// Chiplets of width x height, joined in these rows, or in all.
inline routing::Topology chain_of(std::uint32_t chiplets, std::uint32_t width, std::uint32_t height,
                                  const std::vector<std::uint32_t>& rows = {}) {
  Configuration options;
  options.set("topology.kind", "chiplet_chain");
  options.set("topology.chiplets", chiplets);
  options.set("topology.width", width);
  options.set("topology.height", height);
  options.set("topology.joined_rows", rows);
  return routing::make_topology(options);
}

}  // namespace braid::test
