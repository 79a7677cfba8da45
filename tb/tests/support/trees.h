// Networks of virtual cut-through routers as the paper sat-fairness has them.
#pragma once

#include "tb/tests/support/bench.h"

namespace braid::test {

/// 16-flit packets, 4-packet queues, sources with 8 packets, adaptive routing on a 4-ary tree.
inline models::Experiment vct_tree(std::uint32_t levels, double rate) {
  models::Experiment e = uniform_mesh(rate);
  e.topology.kind = "k_ary_n_tree";
  e.topology.arity = 4;
  e.topology.levels = levels;
  e.router.architecture = "virtual_cut_through";
  e.router.vcs = 1;
  e.router.credit_delay_cycles = 1;
  e.routing.algorithm = "tree_adaptive";
  e.interface.source_queue_packets = 8;
  e.synthetic->length.flits = 16;
  e.synthetic->pattern.silent_fixed_points = true;
  e.synthetic->pattern.hot_fraction = 0.25;
  return e;
}

/// The same on an 8x8 mesh or torus, X first.
inline models::Experiment vct_grid(const char* kind, double rate) {
  models::Experiment e = vct_tree(3, rate);
  e.topology.kind = kind;
  e.routing.algorithm = "x_first";
  e.routing.bubble = e.topology.kind == "torus";
  return e;
}

}  // namespace braid::test
