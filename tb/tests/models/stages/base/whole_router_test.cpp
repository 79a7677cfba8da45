// Routers that are no more than the halves of their cycle, and the process for what is behind the nodes' interfaces.
// One case a process (SystemC elaborates once).
#include "models/stages/base/whole_router.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/stages/base/nodes.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/module_bench.h"

namespace braid::test::whole_router_test {
namespace {

using models::stages::HardwareView;
using models::stages::Nodes;
using models::stages::StepClocks;
using models::stages::ViewContext;
using models::stages::WholeRouter;

/// A network's modules, stepped by hand.
struct Halves : sc_core::sc_module {
  Halves(const sc_core::sc_module_name& name, models::Experiment e, std::size_t slices)
      : sc_module(name), bench(std::move(e), slices), view(models::stages::make_whole_routers(context())) {}
  ViewContext context() {
    models::Network& n = *bench.network;
    return {n.configuration(),
            bench.topology,
            n.fabric(),
            n.slice_count(),
            clocks,
            [&n](std::size_t slice) { n.run_nodes(slice); },
            n.gate(),
            [&n](NodeId node) { return n.waiting(node); }};
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) {
      clocks.begin(bench.network->now());
      for (std::size_t step = 0; step < clocks.size(); ++step) {
        for (models::stages::Stage* stage : clocks[step].stages()) stage->run();
      }
      bench.network->end_cycle();
    }
  }
  Bench bench;
  StepClocks clocks{models::stages::kWholeRouterSteps};
  std::unique_ptr<HardwareView> view;
};

/// All in one module, and a module a router.
TEST(WholeRouters, AreTheNetworkThatTheyAreOf) {
  const models::Experiment e = uniform_mesh(0.4, 3, 3);
  Bench fast(e);
  Halves one("one", e, 1), each("each", e, 9);
  elaborate();
  EXPECT_NE(sc_core::sc_find_object("one.routers.compute"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("each.router_2_1.commit"), nullptr);
  EXPECT_EQ(one.clocks[0].stages().size(), 1U);
  EXPECT_EQ(each.clocks[0].stages().size(), 9U);
  EXPECT_EQ(each.clocks[1].stages().size(), 9U);
  fast.run(300);
  for (Halves* modules : {&one, &each}) {
    modules->run(300);
    EXPECT_GT(modules->bench.delivered(), 30U);
    expect_same(modules->bench, fast, modules->name());
  }
}

/// The nodes run behind the router's second half, or not at all; that half is in the step that it is told.
TEST(WholeRouters, RunTheirNodesUnlessOthersDo) {
  Bench bench(uniform_mesh(0.1, 2, 1), 2);
  StepClocks clocks(4);
  std::vector<std::size_t> nodes;
  const ViewContext context{bench.network->configuration(),
                            bench.topology,
                            bench.network->fabric(),
                            2,
                            clocks,
                            [&](std::size_t slice) { nodes.push_back(slice); },
                            nullptr,
                            {}};
  const WholeRouter with("with", context, 1, 2), without("without", context, 0, 3, false);
  elaborate();
  const auto stages = [&](std::size_t step) { return clocks[step].stages().size(); };
  EXPECT_EQ(stages(0), 2U);
  EXPECT_EQ(stages(1), 0U);
  EXPECT_EQ(stages(2), 1U);
  EXPECT_EQ(stages(3), 1U);
  clocks.begin(0);
  clocks.finish();
  EXPECT_EQ(nodes, std::vector<std::size_t>{1});
}

/// Each slice's, once a cycle; all by one call where there is one.
TEST(NodesModule, RunsTheNodesOfEachSlice) {
  Bench bench(uniform_mesh(0.1, 2, 1));
  StepClocks clocks(1);
  std::vector<std::size_t> nodes;
  unsigned all = 0;
  const auto run = [&](std::size_t slice) { nodes.push_back(slice); };
  const ViewContext by_slice{
      bench.network->configuration(), bench.topology, bench.network->fabric(), 3, clocks, run, nullptr, {}};
  ViewContext together = by_slice;
  together.run_all_nodes = [&] { ++all; };
  Nodes each("each", by_slice), at_once("at_once", together);
  each.clk_i(clocks[0]), at_once.clk_i(clocks[0]);
  elaborate();
  for (const std::uint64_t cycle : {0U, 1U}) {
    clocks.begin(cycle);
    clocks.finish();
  }
  EXPECT_EQ(nodes, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(all, 2U);
}

}  // namespace
}  // namespace braid::test::whole_router_test
