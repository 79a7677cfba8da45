// Packets that somebody outside the network asked about: whose are kept, in which order they are taken, and that what
// is not taken comes before what is still to come. And the packets of a SAT line that goes through the network.
#include "models/workload/arrivals.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/line_packets.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::arrivals_test {
namespace {

using models::Arrivals;
using models::Packet;

Packet packet(std::uint32_t destination, std::uint32_t tag, std::uint8_t workload = models::kNoWorkload) {
  Packet p;
  p.destination = NodeId{destination};
  p.tag = tag;
  p.workload = workload;
  return p;
}

using Tags = std::vector<std::uint32_t>;
Tags taken(Arrivals& arrivals, std::size_t most = SIZE_MAX) {
  Tags all;
  arrivals.take([&](const models::Arrival& a) { all.push_back(a.packet.tag); }, most);
  return all;
}

TEST(Arrivals, AreKeptOfNodesThatWereAskedFor) {
  Arrivals arrivals(3, 1);
  arrivals.file(0, 1, packet(1, 10));
  arrivals.record(NodeId{1});
  arrivals.file(0, 2, packet(1, 11));
  arrivals.file(0, 2, packet(1, 12, 0));
  arrivals.file(0, 2, packet(2, 13));
  EXPECT_TRUE(arrivals.any());
  EXPECT_EQ(taken(arrivals), (Tags{11, 12}));
  EXPECT_FALSE(arrivals.any());
  arrivals.record_own();
  arrivals.file(0, 3, packet(2, 14));
  arrivals.file(0, 3, packet(2, 15, 0));
  EXPECT_EQ(taken(arrivals), Tags{14}) << "of no workload, wherever they come";
}

/// By cycle, then by node, whichever slice had them; of one node as they came.
TEST(Arrivals, AreTakenByCycleThenByNode) {
  Arrivals arrivals(4, 2);
  arrivals.record_own();
  arrivals.file(1, 5, packet(3, 10));
  arrivals.file(1, 7, packet(2, 11));
  arrivals.file(0, 5, packet(1, 12));
  arrivals.file(0, 5, packet(1, 13));
  arrivals.file(0, 7, packet(0, 14));
  EXPECT_EQ(taken(arrivals, 3), (Tags{12, 13, 10}));
  EXPECT_TRUE(arrivals.any());
  arrivals.file(1, 8, packet(2, 15));
  arrivals.file(0, 8, packet(0, 16));
  EXPECT_EQ(taken(arrivals, 0), Tags{});
  EXPECT_EQ(taken(arrivals, 1), Tags{14});
  EXPECT_EQ(taken(arrivals, 3), (Tags{11, 16, 15})) << "exactly as many as there are";
  EXPECT_FALSE(arrivals.any());
}

TEST(Arrivals, GoThroughACheckpoint) {
  Arrivals arrivals(2, 2), other(2, 2);
  arrivals.record_own();
  arrivals.file(1, 5, packet(1, 10));
  Checkpoint saves;
  arrivals.checkpoint(saves);
  Checkpoint restores(saves.bytes());
  other.checkpoint(restores);
  restores.finish();
  EXPECT_EQ(taken(other), Tags{10});
}

/// While measuring a node sends a signal of two flits to the next of the ring; what is sent before does not count.
TEST(LinePackets, AreSentByTheNodeThatHasTheSignal) {
  models::Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("interface.fairness", "sat").set("sat.carrier", "control_packet").set("sat.packet_flits", 2);
  Bench bench(e);
  const auto& workloads = bench.network->workloads();
  const models::LinePackets* line = nullptr;
  for (const auto& workload : workloads) {
    if (const auto* found = dynamic_cast<const models::LinePackets*>(workload.get())) line = found;
  }
  ASSERT_NE(line, nullptr);
  bench.run(300);
  EXPECT_TRUE(line->flows(1000).empty()) << "no window";
  bench.network->window() = {true, bench.network->now(), 1000};
  const std::uint64_t before = bench.delivered();
  bench.run(1000);
  bench.network->window().open = false;
  const auto flows = line->flows(1000);
  constexpr double kFlits = 2.0;
  ASSERT_EQ(flows.size(), 3U);
  double sent = 0.0;
  for (const routing::Flow& f : flows) {
    EXPECT_NE(f.source, f.destination);
    sent += 1000.0 * f.weight;
  }
  const auto delivered = static_cast<double>(bench.delivered() - before);
  EXPECT_NEAR(sent, delivered * kFlits, kFlits + 0.5) << "but for one under way";
  EXPECT_GT(delivered, 20.0);
  bench.network->begin_window(1000);
  EXPECT_TRUE(line->flows(1000).empty()) << "another window forgets the first";
}

}  // namespace
}  // namespace braid::test::arrivals_test
