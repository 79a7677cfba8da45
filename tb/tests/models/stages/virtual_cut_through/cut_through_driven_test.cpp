// The stages of a cut-through router on SystemC signals, each alone beside a network of modules under heavy traffic: it
// is to write what its twin there writes, in every cycle (driven_module.h). One case a process (SystemC elaborates
// once).
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "models/stages/virtual_cut_through/input_queue.h"
#include "models/stages/virtual_cut_through/output_arbiter.h"
#include "models/stages/virtual_cut_through/output_unit.h"
#include "tb/tests/support/driven_module.h"
#include "tb/tests/support/trees.h"

namespace braid::test::cut_through_driven_test {
namespace {

using models::Experiment;
using namespace models::stages::virtual_cut_through;  // NOLINT(google-build-using-namespace)

/// Steps of a cycle (docs/hardware-view/virtual_cut_through.md).
enum Step : std::size_t { kHeads, kOutputs, kEnds, kQueues };

constexpr std::uint64_t kCycles = 3000;

/// Heads that enter rings need bubbles; two local ports a node.
Experiment torus() {
  Experiment e = vct_grid("torus", 0.7);
  e.set("topology.width", 5).set("topology.height", 3).set("topology.local_ports", 2);
  return e;
}
/// Heads on their way up choose.
Experiment tree() {
  Experiment e;
  e.set("router.architecture", "virtual_cut_through");
  e.set("topology.kind", "k_ary_n_tree").set("topology.arity", 3).set("topology.levels", 2);
  e.set("router.vcs", 1).set("router.credit_delay_cycles", 1).set("routing.algorithm", "tree_adaptive");
  add_traffic(e, 0.8);
  return e;
}

struct Driver {
  friend std::ostream& operator<<(std::ostream& out, const Driver& d) { return out << d.name; }
  const char* name;
  Experiment (*experiment)();
  std::size_t router;
  bool chooses;
};

template <class Module>
struct Driven {
  Driven(const Driver& driver, const std::string& name, Step step)
      : network(driver.experiment()),
        fast(driver.experiment()),
        module("alone", Place{network.topology, *network.routing, network.experiment, RouterId{driver.router}}),
        driven(module,
               "network." + models::stages::module_name("router", network.topology.router_names[driver.router]) + "." +
                   name,
               DrivenModule::around(step)) {}
  void expect_follows() { test::expect_follows(network, fast, driven, kCycles, nullptr, nullptr); }

  ModuleBench network;
  Bench fast;
  Module module;
  DrivenModule driven;
};

class CutThroughDriven : public testing::TestWithParam<Driver> {};

TEST_P(CutThroughDriven, OutputArbiterOnSignalsWritesWhatItsTwinDoes) {
  Driven<OutputArbiter> d(GetParam(), "output_arbiter", kHeads);
  d.expect_follows();
  d.driven.expect_moved(200, {"grant_o"});
}

TEST_P(CutThroughDriven, OutputUnitOnSignalsWritesWhatItsTwinDoes) {
  Driven<OutputUnit> d(GetParam(), "output_unit", kOutputs);
  d.expect_follows();
  d.driven.expect_moved(200, {"free_o", "credits_o", "occupancy_o", "leaves_o"});
}

TEST_P(CutThroughDriven, InputQueueOnSignalsWritesWhatItsTwinDoes) {
  Driven<InputQueue> d(GetParam(), "input_queue", kQueues);
  d.expect_follows();
  d.driven.expect_moved(100, {"count_o", "head_flits_o", "through_o"});
  if (GetParam().chooses) {
    d.driven.expect_moved(100, {"choosing_o"});
  } else {
    d.driven.expect_moved(100, {"entering_o"});
  }
}
INSTANTIATE_TEST_SUITE_P(By, CutThroughDriven,
                         testing::Values(Driver{"torus", torus, 7, false}, Driver{"tree", tree, 1, true}),
                         [](const auto& driver) { return std::string(driver.param.name); });

}  // namespace
}  // namespace braid::test::cut_through_driven_test
