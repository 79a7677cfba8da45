// An experiment with a section [broadcast] in each family of routers.
#pragma once

#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test {

/// A small network of the family, by default a mesh: a tree for cut-through, a hexagonal mesh for PO2, irregular for
/// Myrinet.
inline models::Experiment in_family(const std::string& architecture) {
  models::Experiment e =
      architecture == "myrinet" ? irregular_myrinet(8, 0.0, "up_down", "none") : models::Experiment();
  if (architecture != "myrinet") {
    e.set("router.architecture", architecture);
  }
  if (architecture == "virtual_cut_through") {
    e.set("topology.kind", "k_ary_n_tree");
    e.set("topology.arity", 2);
    e.set("topology.levels", 3);
    e.set("router.vcs", 1);
    e.set("router.credit_delay_cycles", 1);
    e.set("routing.algorithm", "tree_adaptive");
  }
  if (architecture == "po2") {
    e.set("topology.kind", "hexagonal");
    e.set("topology.edge", 3);
    e.set("routing.algorithm", "derouting");
    e.set("routing.allow_deadlock", true);
  }
  e.open("broadcast");
  return e;
}

}  // namespace braid::test
