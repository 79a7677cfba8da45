// PO2 routers that wait for each other: what the report says, and how deadlock is avoided.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/experiment/simulation.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/po2_full_load.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_deadlock_test {
namespace {

using models::Experiment;

/// Two neighbours with one buffer each, and in it a packet for the other.
TEST(Po2Deadlock, IsNamed) {
  Experiment e = po2(0.0, "deterministic", 2);
  e.set("po2.buffers", 1);
  Bench bench(e);
  send_message(bench, NodeId{0}, NodeId{1}, 1);
  send_message(bench, NodeId{1}, NodeId{0}, 1);
  bench.run(20000);
  EXPECT_EQ(bench.delivered(), 0U);
  const std::string text = bench.network->fabric().describe_waiting();
  EXPECT_NE(text.find("cycle of 2 waiting routers"), std::string::npos) << text;
  EXPECT_NE(text.find("packet 0 of node 0 to node 1 waits since cycle 92 for a buffer of router"), std::string::npos)
      << text;
}

/// The same where each tries in vain again and again: links are busy, and nothing moves.
TEST(Po2Deadlock, IsSeenBehindPacketsThatTryAgainAndAgain) {
  Experiment e = po2(0.0, "deterministic", 2);
  e.set("po2.buffers", 1);
  e.set("po2.rejection", "tried_on_links");
  Bench bench(e);
  send_message(bench, NodeId{0}, NodeId{1}, 1);
  send_message(bench, NodeId{1}, NodeId{0}, 1);
  bench.run(20000);
  EXPECT_EQ(bench.delivered(), 0U);
  EXPECT_GT(po2_figure(bench, "rejections"), 600.0) << "one in 32 cycles, either end in turn";
  EXPECT_FALSE(bench.network->fabric().transfers_under_way());
  const std::string text = bench.network->fabric().describe_waiting();
  EXPECT_NE(text.find("cycle of 2 waiting routers"), std::string::npos) << text;
}

/// Node 1's long packet has the link to router 2. Node 0's first packet waits for it in router 1, and so its second, of
/// the same message, waits in router 0; without the rule it would move up.
TEST(Po2Deadlock, ReportNamesAPacketOfTheSameMessageAsWhatIsWaitedFor) {
  for (const bool reject : {true, false}) {
    Experiment e = small_po2(3, 1);
    e.set("message.packet_flits", 4);
    e.set("po2.reject_same_message", reject);
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 400);
    bench.run(10);
    send_message(bench, NodeId{0}, NodeId{2}, 2);
    bench.run(100);
    const std::string text = bench.network->fabric().describe_waiting();
    EXPECT_EQ(text.find("packet 1 of node 0 to node 2 waits since ") != std::string::npos &&
                  text.find("for the packet of its message in router 1,0") != std::string::npos,
              reject)
        << text;
  }
}

TEST(Po2Deadlock, ComesWithFiveBuffersAndNotWithAvoidance) {
  for (const char* avoidance : {"none", "up_down_escape"}) {
    Experiment e = po2(1.1, "derouting");
    e.set("po2.buffers", 5);
    e.set("po2.avoidance", avoidance);
    Bench bench(e);
    bench.run(200000);
    const std::uint64_t before = bench.network->movements();
    bench.run(50000);
    EXPECT_EQ(bench.network->movements() == before, std::string(avoidance) == "none") << avoidance;
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

/// Packets of source routing have a place on their path at every router, and an escape has none.
TEST(Po2Deadlock, EscapesAreNotForPathsThatHostsHaveChosen) {
  Experiment e = po2(0.5, "source_routed", 2);
  for (const char* avoidance : {"none", "up_down_escape"}) {
    e.set("po2.avoidance", avoidance);
    const std::string said = complaint([&] { const Bench bench(e); });
    EXPECT_EQ(said.find("takes packets off the paths that hosts have chosen") != std::string::npos,
              std::string(avoidance) != "none")
        << said;
  }
}

/// Of all packets that ask for a router's escape buffer, the eldest gets it, though its link be busy when the buffer
/// becomes free: without that one packet can wait for ever (docs/po2.md).
TEST(Po2Deadlock, EscapeBuffersGoToTheEldestPacket) {
  Experiment e = po2(1.1, "derouting", 3);
  e.set("po2.buffers", 4);
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.escape_patience_cycles", 200);
  Bench bench(e);
  const auto& routers = po2_fabric(bench).routers();
  using Asker = std::pair<std::uint64_t, models::PacketSlot>;  // injected
  std::size_t taken = 0, contested = 0;
  for (int cycle = 0; cycle < 100000; ++cycle) {
    std::map<std::pair<std::size_t, int>, std::vector<Asker>> asking;  // [router, class]
    for (std::size_t r = 0; r < routers.size(); ++r) {
      for (const std::uint8_t b : routers[r].waiting) {
        const models::po2::Buffer& buffer = routers[r].buffers[b];
        if (!buffer.escaping) continue;
        const PortId port = po2_fabric(bench).candidates(r, b)[buffer.candidates - 1].port;
        const std::size_t to = bench.topology.port(RouterId{r}, port).peer_router.value;
        if (routers[to].use[buffer.escape_class] == 0) {
          asking[{to, buffer.escape_class}].push_back(
              {po2_fabric(bench).store()[buffer.packet].injected, buffer.packet});
        }
      }
    }
    bench.run(1);
    for (auto& [at, askers] : asking) {
      const std::uint64_t eldest = std::min_element(askers.begin(), askers.end())->first;
      for (const models::po2::Buffer& buffer : routers[at.first].buffers) {
        if (buffer.state == models::po2::Buffer::State::kFree || buffer.pool_class != at.second) continue;
        const auto got =
            std::find_if(askers.begin(), askers.end(), [&](const Asker& a) { return a.second == buffer.packet; });
        ASSERT_NE(got, askers.end());
        EXPECT_EQ(got->first, eldest) << "router " << at.first << ", cycle " << cycle;
        ++taken;
        contested += askers.size() > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(taken, 1000U);
  EXPECT_GT(contested, 100U);
}

TEST(Po2Deadlock, IsRefusedBeforeACycleRuns) {
  Experiment e = po2(0.5, "deterministic");
  e.set("routing.allow_deadlock", false);
  EXPECT_THROW(models::Simulation{e}, InputError);
  e.set("po2.avoidance", "up_down_escape");
  EXPECT_NO_THROW(models::Simulation{e});
  e.set("po2.buffers", 2);
  EXPECT_THROW(Bench{e}, InputError) << "both buffers would be reserved";
}

}  // namespace
}  // namespace braid::test::po2_deadlock_test
