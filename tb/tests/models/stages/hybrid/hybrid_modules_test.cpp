// A network of the hybrid router's modules is the static schedule's, to the packet: experiments drawn at random and
// some by hand, the processes of a step in the order in which they were made, reversed, and shuffled anew for every
// step. The kernel may choose any.
#include <algorithm>
#include <deque>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/stage.h"
#include "tb/tests/support/drawn.h"

namespace braid::test::hybrid_modules_test {
namespace {

using models::Experiment;
using models::stages::Stage;

enum class Order { kMade, kReversed, kShuffled };

/// A network of modules whose steps are taken by hand.
class Modules final : public sc_core::sc_module {
 public:
  Modules(const sc_core::sc_module_name& name, const Experiment& e)
      : sc_module(name),
        bench_(e, routing::make_topology(e).router_count()),
        clocks_(models::stages::steps_of("hybrid")),
        views_(models::stages::make_views(
            "hybrid", {network().configuration(), network().topology(), network().fabric(), network().slice_count(),
                       clocks_, [this](std::size_t slice) { network().run_nodes(slice); }, network().gate(),
                       [this](NodeId node) { return network().waiting(node); }})) {
    for (const auto& view : views_) {
      if (view->runs_gate()) network().leave_gate_to_modules();
    }
  }
  models::Network& network() { return *bench_.network; }

  void cycle(Order order) {
    clocks_.begin(network().now());
    for (std::size_t step = 0; step < clocks_.size(); ++step) {
      std::vector<Stage*> stages = clocks_[step].stages();
      if (order == Order::kReversed) std::reverse(stages.begin(), stages.end());
      if (order == Order::kShuffled) {
        for (std::size_t i = stages.size(); i > 1; --i) std::swap(stages[i - 1], stages[random_.below(i)]);
      }
      for (Stage* stage : stages) stage->run();
    }
    network().end_cycle();
  }

 private:
  Bench bench_;
  models::stages::StepClocks clocks_;
  std::vector<std::unique_ptr<models::stages::HardwareView>> views_;
  Random random_{1, "order of processes"};
};

struct Named {
  std::string name;
  Experiment experiment;
};

/// All of them at once, as SystemC elaborates once.
void expect_equal(const std::vector<Named>& experiments, std::uint64_t cycles) {
  std::deque<Modules> modules;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    modules.emplace_back(("network_" + std::to_string(i)).c_str(), experiments[i].experiment);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::uint64_t delivered = 0;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    SCOPED_TRACE(experiments[i].name);
    Bench whole(experiments[i].experiment);
    whole.run(cycles);
    models::Network& network = modules[i].network();
    const Order order = std::array{Order::kReversed, Order::kShuffled, Order::kMade}[i % 3];
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) modules[i].cycle(order);
    EXPECT_EQ(network.merged_statistics().packet_hash(), whole.network->merged_statistics().packet_hash());
    EXPECT_EQ(network.conservation().packets_delivered, whole.delivered());
    EXPECT_EQ(network.fabric().counters().flit_hops, whole.network->fabric().counters().flit_hops);
    EXPECT_TRUE(network.conservation().holds());
    const auto circuits = network.fabric().setup_results(), expected = whole.network->fabric().setup_results();
    EXPECT_EQ(circuits.total_cycles, expected.total_cycles);
    EXPECT_EQ(circuits.circuits.size(), expected.circuits.size());
    delivered += whole.delivered();
  }
  EXPECT_GT(delivered, 100 * experiments.size());
}

TEST(HybridModules, AreTheStaticScheduleInFortyExperimentsDrawnAtRandom) {
  std::vector<Named> experiments;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const DrawnExperiment drawn("hybrid", 3000 + number);
    experiments.push_back({drawn.text(), drawn.experiment()});
  }
  expect_equal(experiments, 600);
}

std::vector<Named> circuits() {
  std::vector<Named> all{{"fm radio and packets", stream_mesh("fm_radio_4x4.toml", 4, 4)}};
  add_traffic(all[0].experiment, 0.2);
  all[0].experiment.set("stream.computation_scaling", 0.001);
  all.push_back({"several circuits a local port", all[0].experiment});
  all.back().experiment.set("topology.local_ports", 1);
  all.back().experiment.set("router.circuit_lanes", 4);
  all.push_back({"closed links, the write bypass", all[0].experiment});
  all.back().experiment.set("router.share_reserved_links", false);
  all.back().experiment.set("router.buffer_bypass", true);
  for (const char* moved : {"each", "all"}) {
    all.push_back({std::string("circuits that move, ") + moved, all[0].experiment});
    all.back().experiment.set("setup.reroute", std::string(moved));
    all.back().experiment.set("setup.reroute_at_cycle", 1000);
  }
  for (const char* allocator : {"islip", "separable_input_first"}) {
    all.push_back({std::string("adaptive, ") + allocator, uniform_mesh(0.5, 4, 4)});
    all.back().experiment.set("routing.algorithm", "minimal_adaptive");
    all.back().experiment.set("router.vc_allocator", allocator);
    all.back().experiment.set("router.switch_allocator", allocator);
  }
  all.push_back({"torus, the write bypass", uniform_mesh(0.4, 4, 4)});
  all.back().experiment.set("topology.kind", "torus");
  all.back().experiment.set("router.buffer_bypass", true);
  all.back().experiment.set("router.buffer_depth", 2);
  return all;
}

TEST(HybridModules, AreTheStaticScheduleUnderCircuitsAdaptiveRoutingAndTheBypass) { expect_equal(circuits(), 4000); }

}  // namespace
}  // namespace braid::test::hybrid_modules_test
