// A network of the hybrid router's modules is the static schedule's, to the packet: experiments drawn at random and
// some by hand, the processes of a step in the order in which they were made, reversed, and shuffled anew for every
// step. The kernel may choose any.
#include <array>
#include <deque>

#include "tb/tests/support/drawn.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::hybrid_modules_test {
namespace {

using models::Experiment;

struct Named {
  std::string name;
  Experiment experiment;
};

/// All of them at once, as SystemC elaborates once.
void expect_equal(const std::vector<Named>& experiments, std::uint64_t cycles) {
  std::deque<NetworkOfModules> modules;
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
    const ProcessOrder order = std::array{ProcessOrder::kReversed, ProcessOrder::kShuffled, ProcessOrder::kMade}[i % 3];
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
  for (std::uint64_t number = 0; number < (kBrief ? 7U : 40U); ++number) {
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
  all.push_back({"packets' turns", all.back().experiment});
  all.back().experiment.set("router.circuit_burst_flits", 3);
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
