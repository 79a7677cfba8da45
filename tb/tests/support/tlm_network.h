// A small network of each family with a section [tlm], and SC_ERRORs as texts.
#pragma once

#include <string>
#include <systemc>

#include "models/experiment/simulation.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test {

/// Nodes enough for 0 to 5; nobody sends but through the sockets. Schedules: "static", "process_per_stage", "threads".
inline models::Experiment tlm_network(const std::string& architecture, const std::string& schedule = "static") {
  models::Experiment e;
  e.set("router.architecture", architecture);
  e.set("topology.width", 3);
  e.set("topology.height", 2);
  if (architecture == "virtual_cut_through") {
    e.set("topology.kind", "k_ary_n_tree");
    e.set("topology.arity", 2);
    e.set("topology.levels", 3);
    e.set("router.vcs", 1);
    e.set("router.credit_delay_cycles", 1);
    e.set("routing.algorithm", "tree_adaptive");
  } else if (architecture == "po2") {
    e.set("topology.kind", "hexagonal");
    e.set("topology.edge", 3);
    e.set("routing.algorithm", "derouting");
    e.set("routing.allow_deadlock", true);
  } else if (architecture == "myrinet") {
    as_myrinet(e);
    e.set("routing.allow_deadlock", true);
  }
  e.set("simulation.schedule", schedule == "threads" ? "static" : schedule);
  if (schedule == "threads") e.set("simulation.threads", 2);
  e.open("tlm");
  e.set("tlm.map", "5: 0x1000 +4K, 2: 0x8000 +4K");
  return e;
}

/// What SC_REPORT_ERROR says while `act` runs; empty: nothing.
template <class Act>
std::string wrong_use(Act act) {
  try {
    act();
  } catch (const sc_core::sc_report& report) {
    return report.get_msg();
  }
  return {};
}

}  // namespace braid::test
