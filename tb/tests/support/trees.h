// Networks of virtual cut-through routers as the paper sat-fairness has them.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test {

/// 16-flit packets, 4-packet queues, sources with 8 packets, adaptive routing on a 4-ary tree.
inline models::Experiment vct_tree(std::uint32_t levels, double rate) {
  models::Experiment e = uniform_mesh(rate);
  e.set("topology.kind", "k_ary_n_tree");
  e.set("topology.arity", 4);
  e.set("topology.levels", levels);
  e.set("router.architecture", "virtual_cut_through");
  e.set("router.vcs", 1);
  e.set("router.credit_delay_cycles", 1);
  e.set("routing.algorithm", "tree_adaptive");
  e.set("interface.source_queue_packets", 8);
  e.set("traffic.flits", 16);
  return e;
}

/// The same on an 8x8 mesh or torus, X first.
inline models::Experiment vct_grid(const char* kind, double rate) {
  models::Experiment e = vct_tree(3, rate);
  e.set("topology.kind", kind);
  e.set("routing.algorithm", "x_first");
  e.set("routing.bubble", std::string(kind) == "torus");
  return e;
}

/// Eight nodes, seven switches, the links up and down of two and four flits a cycle.
inline models::Experiment vct_fat_tree(double rate) {
  models::Experiment e = vct_grid("mesh", rate);
  e.set("topology.kind", "fat_tree");
  for (const char* key : {"topology.width", "topology.height", "routing.bubble"}) e.unset(key);
  e.set("topology.arity", 2);
  e.set("topology.levels", 3);
  e.set("topology.trunk_links", std::vector<std::uint32_t>{1, 1});
  e.set("topology.trunk_flits_per_cycle", std::vector<std::uint32_t>{2, 4});
  e.set("routing.algorithm", "table");
  return e;
}

}  // namespace braid::test
