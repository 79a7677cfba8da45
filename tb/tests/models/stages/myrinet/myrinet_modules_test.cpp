// A Myrinet network made of modules does what the fast one does, which looks only at what events name: packet by
// packet, whatever the order of the modules in a step.
#include "tb/tests/support/myrinet_modules.h"

#include <gtest/gtest.h>

#include "models/engine/engine.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::myrinet_modules_test {
namespace {

using models::Experiment;

class MyrinetModulesIn : public testing::TestWithParam<Order> {};

TEST_P(MyrinetModulesIn, AnyDrawnNetworkDoTheSame) {
  const std::uint64_t networks = briefly(64);
  constexpr std::uint64_t kCycles = 4000;
  std::vector<std::unique_ptr<DrawnExperiment>> drawn;
  std::vector<std::unique_ptr<MyrinetModules>> modules;
  for (std::uint64_t number = 0; number < networks; ++number) {
    drawn.push_back(std::make_unique<DrawnExperiment>("myrinet", number));
    modules.push_back(
        std::make_unique<MyrinetModules>(drawn.back()->experiment(), "network_" + std::to_string(number), GetParam()));
  }
  elaborate();
  std::uint64_t delivered = 0, lost = 0, reinjected = 0;
  for (std::uint64_t number = 0; number < networks; ++number) {
    Bench fast(drawn[number]->experiment());
    fast.run(kCycles);
    modules[number]->advance(kCycles);
    expect_same_run(fast, *modules[number], "network " + std::to_string(number) + ":" + drawn[number]->text());
    if (HasFailure()) return;
    delivered += fast.delivered();
    lost += fast.network->conservation().packets_lost.value_or(0);
    const Report report = fast.network->policy_reports().in_transit;
    if (!report.empty()) reinjected += report.get<RawCount>("reinjections_per_node_cycle").events;
  }
  EXPECT_GT(delivered, 250 * networks);
  EXPECT_TRUE(lost > 0 || kBrief) << "or no link that went down mattered";
  EXPECT_GT(reinjected, 5 * networks);
}
INSTANTIATE_TEST_SUITE_P(Orders, MyrinetModulesIn, testing::Values(Order::kAsMade, Order::kReversed),
                         [](const auto& c) { return c.param == Order::kAsMade ? "AsMade" : "Reversed"; });

/// Under SystemC's own clock; a message that is made before the first cycle, too.
TEST(MyrinetModules, RunUnderTheKernelAsTheFastNetworkDoes) {
  Experiment e = irregular_myrinet(8, 0.3, "balanced", "every_switch");
  e.set("log.file", "packets.csv");
  Bench fast(e), staged(e);
  const auto engine = models::make_process_per_stage_engine(*staged.network);
  for (const Bench* bench : {&fast, &staged}) bench->network->send_packet(NodeId{0}, NodeId{9}, 3);
  fast.run(3000);
  engine->run(3000);
  expect_same_run(fast, staged, "3000 cycles");
  EXPECT_GT(staged.delivered(), 20U);
}

TEST(MyrinetModules, StandInTheHierarchyByTheirNames) {
  Experiment e = irregular_myrinet(4, 0.1, "balanced", "minimum");
  Bench bench(e);
  const auto engine = models::make_process_per_stage_engine(*bench.network);
  for (const char* name :
       {"network.switch_s0.slack_buffer_link0.stop_o", "network.switch_s3.routing_control_unit_local3.request_o",
        "network.switch_s2.output_port_link0.grant_o", "network.switch_s2.stop_link0",
        "network.host_5.host_interface.sends_o", "network.host_15.in_transit_host.state_o"}) {
    EXPECT_NE(sc_core::sc_find_object(name), nullptr) << name;
  }
  EXPECT_EQ(sc_core::sc_find_object("network.host_16"), nullptr);
}

/// Without in-transit buffers, and with all links up, hosts hold nothing back: there is no such module.
TEST(MyrinetModules, HaveNoInTransitHostWhereNothingRests) {
  Bench bench(irregular_myrinet(4, 0.1, "up_down", "none"));
  const auto engine = models::make_process_per_stage_engine(*bench.network);
  EXPECT_NE(sc_core::sc_find_object("network.host_0.host_interface"), nullptr);
  EXPECT_EQ(sc_core::sc_find_object("network.host_0.in_transit_host"), nullptr);
}

}  // namespace
}  // namespace braid::test::myrinet_modules_test
