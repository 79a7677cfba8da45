// Preemption in a network, to the cycle: a message that comes while another one's packet waits for the port.
#include <gtest/gtest.h>

#include "tb/tests/support/bench.h"

namespace braid::test::preemption_test {
namespace {

using models::Experiment;

/// Packets pass the injection point in the cycle after they were sent, and begin to leave in the next: node 0's, sent
/// at 0, begins in cycle 1. Its ejection takes node 1's port of the PO2 router until 260 + 12 x 2 cycles later.
constexpr std::uint64_t kFree = 285;

/// A message of three packets for node 2 waits since 150, its first packet at the port; a message of one comes when
/// `at` cycles have run. Then the network runs until the port is free.
struct Port : Bench {
  static Experiment experiment(const std::string& scheduler) {
    Experiment e;
    e.set("topology.kind", "hexagonal");
    e.set("router.architecture", "po2");
    e.set("routing.algorithm", "deterministic");
    e.set("routing.allow_deadlock", true);
    e.set("interface.scheduler", scheduler);
    e.set("message.packet_flits", 160);
    e.open("traffic");
    e.set("traffic.rate_flits_per_node_cycle", 0.0);
    return e;
  }
  Port(const std::string& scheduler, std::uint64_t at) : Bench(experiment(scheduler)) {
    network->window() = {true, 0, 100000};
    test::send_message(*this, NodeId{0}, NodeId{1}, 1);
    run(150);
    test::send_message(*this, NodeId{1}, NodeId{2}, 3);
    run(at - 150);
    test::send_message(*this, NodeId{1}, NodeId{2}, 1);
    run(kFree - at);
  }
  /// Messages of one packet that have arrived, node 0's included.
  std::uint64_t short_messages() const {
    const auto results = network->workload<models::SyntheticSources>()->message_results();
    return results->by_length.empty() || results->by_length[0].packets != 1 ? 0 : results->by_length[0].messages;
  }
};

class Preemption : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schedulers, Preemption, testing::Values("shortest_first", "alpha", "round_robin_front"),
                         [](const auto& c) { return std::string(c.param); });

/// The port is free from cycle 285 on; the packet that then goes in arrives 284 cycles later.
TEST_P(Preemption, LetsAShortMessageGoFirstUpToTheCycleBeforeThePortIsFree) {
  for (const std::uint64_t at : {151, 284}) {
    Port port(GetParam(), at);
    port.run(283);
    EXPECT_EQ(port.delivered(), 1U);
    port.run(1);
    EXPECT_EQ(port.delivered(), 2U);
    EXPECT_EQ(port.short_messages(), 2U) << "comes at " << at;
  }
}

/// In cycle 285 the long message's packet begins to leave; the short one follows after its 240 cycles at the port.
TEST_P(Preemption, IsTooLateOnceThePacketBeginsToLeave) {
  Port port(GetParam(), 285);
  port.run(284);
  EXPECT_EQ(port.delivered(), 2U);
  EXPECT_EQ(port.short_messages(), 1U) << "the long one's packet";
  port.run(239);
  EXPECT_EQ(port.short_messages(), 1U);
  port.run(1);
  EXPECT_EQ(port.short_messages(), 2U);
}

/// Under fifo there is no injection point, so that all is a cycle earlier, and three packets of 240 cycles go before
/// the short message; under round robin one.
TEST(NoPreemption, LeavesTheOrderToTheScheduler) {
  for (const auto& [scheduler, arrives] : {std::pair{"fifo", 284 + 3 * 240 - 1}, {"round_robin", 284 + 2 * 240}}) {
    Port port(scheduler, 200);
    port.run(static_cast<std::uint64_t>(arrives) - 1);
    EXPECT_EQ(port.short_messages(), 1U) << scheduler;
    port.run(1);
    EXPECT_EQ(port.short_messages(), 2U) << scheduler;
  }
}

}  // namespace
}  // namespace braid::test::preemption_test
