// Networks that others step where a step is long after a checkpoint, where circuits cross links, and where files are
// somebody else's; what packets, arrivals and shapes are when nobody has said anything.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/engine/deadlock_error.h"
#include "models/experiment/experiment_reader.h"
#include "models/steps/step_network.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::step_details_test {
namespace {

using models::StepNetwork;

const std::string kRow = "[topology]\nwidth = 2\nheight = 1\n[traffic]\nrate_flits_per_node_cycle = 0\n";

TEST(StepPackets, AreOneFlitFromNodeNoughtUnlessOneSaysSo) {
  const StepNetwork::Packet packet;
  EXPECT_EQ(packet.source, 0U);
  EXPECT_EQ(packet.destination, 0U);
  EXPECT_EQ(packet.flits, 1U);
  EXPECT_EQ(packet.traffic_class, 0U);
  EXPECT_EQ(packet.tag, StepNetwork::kNoTag);
  const StepNetwork::Arrival arrival;
  EXPECT_EQ(arrival.cycle + arrival.created + arrival.injected, 0U);
  EXPECT_EQ(arrival.routers + arrival.sequence, 0U);
  EXPECT_EQ(arrival.flits, 1U);
  const StepNetwork::Shape shape;
  EXPECT_EQ(shape.routers + shape.ports + shape.vcs, 0U);
}

/// Created in the cycle that has just ended; before the first one, in that one.
TEST(StepPackets, AreCreatedInTheCycleThatHasEnded) {
  for (const auto& [steps_before, created] :
       {std::pair(0U, 0U), std::pair(1U, 0U), std::pair(2U, 1U), std::pair(9U, 8U)}) {
    StepNetwork steps = StepNetwork::from_text(kRow);
    steps.step(steps_before);
    steps.send({0, 1});
    steps.step(50);
    const auto arrived = steps.arrivals();
    ASSERT_EQ(arrived.size(), 1U);
    EXPECT_EQ(arrived[0].created, created) << steps_before;
  }
}

/// The longest that there is, and one more.
TEST(StepPackets, HaveAsManyFlitsAsTheirLengthCounts) {
  StepNetwork steps = StepNetwork::from_text(kRow);
  EXPECT_EQ(complaint([&] { steps.send({0, 1, 65535}); }), "");
  EXPECT_EQ(complaint([&] { steps.send({0, 1, 65536}); }), "a packet of 65536 flits: expected 1 to 65535");
  EXPECT_EQ(steps.packets_sent(), 1U);
}

/// The watchdog looks as often as in a run, however long a step is, after a checkpoint, too: the deadlock is found in
/// the same cycle. (Saved in one in which it looks.)
TEST(StepDeadlock, IsFoundInItsCycleAfterACheckpoint) {
  const std::string file = temporary_file("before.checkpoint");
  const auto found = [](StepNetwork& steps) -> std::uint64_t {
    return complaint<models::DeadlockError>([&] { steps.step(1000000); }).empty() ? 0 : steps.now();
  };
  StepNetwork whole(source_file("tb/experiments/deadlock.toml")), before(source_file("tb/experiments/deadlock.toml"));
  const std::uint64_t cycle = found(whole);
  EXPECT_GT(cycle, 1000U);
  EXPECT_LT(cycle, 100000U);
  before.step(1000);
  before.save(file);
  StepNetwork after(source_file("tb/experiments/deadlock.toml"));
  after.restore(file);
  EXPECT_EQ(found(after), cycle);
  EXPECT_EQ(found(before), cycle) << "saving changes nothing";
}

/// What another output of the experiment is cannot be a checkpoint, too.
TEST(StepSaves, GoToAFileOfTheirOwn) {
  const std::string log = temporary_file("packets.csv"), save = temporary_file("own.checkpoint");
  StepNetwork steps = StepNetwork::from_text(kRow + "[log]\nfile = \"" + log + "\"\n");
  steps.step(3);
  const std::string said = complaint([&] { steps.save(log); });
  EXPECT_NE(said.find("would write the same file"), std::string::npos) << said;
  EXPECT_EQ(complaint([&] { steps.save(save); }), "");
}

/// Flits of circuits and of packets, each link with both of its own.
TEST(StepLinks, CountFlitsOfCircuitsAndPackets) {
  const std::string file = source_file("tb/experiments/mixed.toml");
  StepNetwork steps(file);
  Bench bench(models::read_experiment(file));
  steps.step(3000);
  bench.run(3000);
  const StepNetwork::Shape shape = steps.shape();
  std::vector<std::uint64_t> links(shape.routers * shape.ports, 99), packets(links.size()), circuits(links.size());
  steps.link_flits(links.data());
  for (std::size_t r = 0; r < shape.routers; ++r) {
    for (std::size_t p = 0; p < bench.topology.port_count(RouterId{r}); ++p) {
      if (bench.topology.port(RouterId{r}, PortId{p}).kind == routing::PortKind::kUnconnected) continue;
      const auto use = bench.network->fabric().link_use(RouterId{r}, PortId{p});
      packets[r * shape.ports + p] = use.packet_flits;
      circuits[r * shape.ports + p] = use.circuit_flits;
      EXPECT_EQ(links[r * shape.ports + p], use.packet_flits + use.circuit_flits) << r << " " << p;
    }
  }
  EXPECT_GT(std::accumulate(packets.begin(), packets.end(), std::uint64_t{0}), 1000U);
  EXPECT_GT(std::accumulate(circuits.begin(), circuits.end(), std::uint64_t{0}), 1000U);
}

/// Of all nodes and each packet once, over a checkpoint, too.
TEST(StepArrivals, OfTheExperimentsOwnTrafficAreThoseOfEveryNode) {
  const std::string text = "[topology]\nwidth = 3\nheight = 2\n[traffic]\nrate_flits_per_node_cycle = 0.3\n";
  const std::string file = temporary_file("everybody.checkpoint");
  StepNetwork steps = StepNetwork::from_text(text);
  steps.report_all_arrivals();
  for (const bool restored : {false, true}) {
    const std::uint64_t before = steps.packets_arrived();
    steps.step(300);
    std::vector<std::size_t> of_node(6);
    const auto arrived = steps.arrivals();
    for (const StepNetwork::Arrival& arrival : arrived) ++of_node.at(arrival.destination);
    EXPECT_EQ(arrived.size(), steps.packets_arrived() - before) << restored;
    for (std::size_t n = 0; n < 6; ++n) EXPECT_GT(of_node[n], 5U) << n << " " << restored;
    if (restored) continue;
    steps.save(file);
    steps.restore(file);
  }
}

/// Any number of packets may be under way, one, too.
TEST(StepNetwork, IsBusyWithOnePacket) {
  StepNetwork steps = StepNetwork::from_text(kRow);
  EXPECT_FALSE(steps.busy());
  steps.send({0, 1});
  EXPECT_TRUE(steps.busy());
  steps.step(13);
  EXPECT_FALSE(steps.busy());
  EXPECT_EQ(steps.packets_arrived(), 1U);
}

}  // namespace
}  // namespace braid::test::step_details_test
