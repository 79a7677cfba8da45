// The packets of a SAT line that goes through the network, in slices: each is sent by the slice of the node that has
// the signal, however the network is cut, and counted while measuring.
#include "models/workload/line_packets.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/saved.h"

namespace braid::test::line_packets_test {
namespace {

models::Experiment with_line() {
  models::Experiment e = uniform_mesh(0.0, 4, 1);
  e.set("interface.fairness", "sat").set("sat.carrier", "control_packet").set("sat.packet_flits", 2);
  return e;
}
models::LinePackets& line_of(const Bench& bench) {
  for (const auto& workload : bench.network->workloads()) {
    if (auto* found = dynamic_cast<models::LinePackets*>(workload.get())) return *found;
  }
  throw std::runtime_error("no line");
}

TEST(LinePackets, AreTheSameInAnySlices) {
  std::uint64_t hash = 0;
  for (const std::size_t slices : {1U, 2U, 4U}) {
    Bench bench(with_line(), slices);
    bench.run(500);
    EXPECT_GT(bench.delivered(), 15U) << slices;
    const std::uint64_t now = bench.network->merged_statistics().packet_hash();
    if (hash == 0) hash = now;
    EXPECT_EQ(now, hash) << slices;
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

/// A packet of two flits a round from each node to the next of the ring: as much from each, but for one round.
TEST(LinePackets, LeaveEachNodeOnceARound) {
  Bench bench(with_line());
  bench.run(100);
  bench.network->window() = {true, 100, 1000};
  bench.run(1000);
  const auto flows = line_of(bench).flows(1000);
  ASSERT_EQ(flows.size(), 4U);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(flows[n].source, NodeId{n});
    EXPECT_NEAR(flows[n].weight * 1000.0, flows[0].weight * 1000.0, 2.0);
    EXPECT_DOUBLE_EQ(line_of(bench).flows(2000)[n].weight, flows[n].weight / 2) << "over twice as many cycles";
  }
  EXPECT_EQ(line_of(bench).classes(), std::vector<std::string>{"sat_signal"});
  EXPECT_EQ(line_of(bench).kinds(), std::vector<std::string>{"sat_signal"});
}

/// There is one kind of them; and what was counted goes through a checkpoint.
TEST(LinePackets, AreKnownByTheirKindAndKeptInCheckpoints) {
  Bench bench(with_line());
  const Bench other(with_line());
  models::Packet packet;
  packet.kind = 0;
  EXPECT_TRUE(line_of(bench).knows(packet));
  packet.kind = 1;
  EXPECT_FALSE(line_of(bench).knows(packet));
  bench.network->window() = {true, 0, 1000};
  bench.run(300);
  restore(line_of(other), saved(line_of(bench)));
  const auto before = line_of(bench).flows(300), after = line_of(other).flows(300);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].source, before[i].source);
    EXPECT_EQ(after[i].destination, before[i].destination);
    EXPECT_EQ(after[i].weight, before[i].weight);
  }
}

}  // namespace
}  // namespace braid::test::line_packets_test
