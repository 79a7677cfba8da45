// One packet's line of the packet log in each family: when it was routed where, and when its flits left and came, as
// docs/sat-fairness.md, in-transit-buffers.md and graphml.md have them. (PO2: po2_escape_ways_test.cpp.)
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/packet_log.h"
#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::family_log_test {
namespace {

using models::Experiment;

/// ROUTER:PORT@CYCLE for each visit, then cycles in which head and tail left and the tail came, and routers; "-": none.
std::vector<std::string> lines(const Bench& bench) {
  std::vector<std::string> all;
  const auto cycle = [](const std::optional<std::uint64_t>& at) { return at ? std::to_string(*at) : "-"; };
  bench.network->packet_log()->each(
      bench.network->store(), [&](const models::PacketRecord& record, const models::Packet& packet) {
        std::string text;
        for (const auto& visit : record.path) {
          text += std::to_string(visit.router.value) + ":" + std::to_string(visit.in_port.value) + "@" +
                  std::to_string(visit.cycle) + " ";
        }
        text += "left " + std::to_string(packet.injected) + " to " + cycle(record.left_queue) + " came " +
                cycle(record.delivered) + " routers " + std::to_string(packet.routers);
        all.push_back(text);
      });
  return all;
}
using Lines = std::vector<std::string>;

Experiment logged(Experiment e) {
  e.set("log.file", "unwritten.csv");
  return e;
}

/// Links of two cycles: as drawn in family_waveform_test.cpp. The second packet is routed by router 1 when the first
/// has left the queue before it.
TEST(FamilyLog, OfCutThroughRoutersHasWhereAHeadComesFirst) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", 2).set("topology.height", 1).set("topology.link_latency_cycles", 2);
  Bench bench(logged(e));
  bench.run(1);
  for (const std::uint32_t flits : {4U, 1U}) bench.network->send_packet(NodeId{0}, NodeId{1}, flits);
  bench.run(5);
  EXPECT_EQ(lines(bench)[0], "0:4@1 1:1@3 left 1 to 4 came - routers 0");
  bench.run(20);
  EXPECT_EQ(lines(bench),
            (Lines{"0:4@1 1:1@3 left 1 to 4 came 7 routers 2", "0:4@5 1:1@7 left 5 to 5 came 8 routers 2"}));
}

/// Over links of two flits a cycle a head waits at its first switch until 10, and its tail goes on to the node out of a
/// register: routers count all the same.
TEST(FamilyLog, OfFastLinksHasThemAsOfOthers) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.kind", "fat_tree");
  for (const char* key : {"topology.width", "topology.height", "routing.bubble"}) e.unset(key);
  e.set("topology.arity", 2).set("topology.levels", 3);
  e.set("topology.trunk_links", std::vector<std::uint32_t>{1, 1});
  e.set("topology.trunk_flits_per_cycle", std::vector<std::uint32_t>{2, 4});
  e.set("routing.algorithm", "table");
  Bench bench(logged(e));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);
  bench.run(60);
  ASSERT_EQ(lines(bench).size(), 1U);
  const std::string line = lines(bench)[0], begin = "3:0@1 1:0@10 4:", end = "@11 left 1 to 16 came 27 routers 3";
  EXPECT_EQ(line.substr(0, begin.size()), begin);
  EXPECT_EQ(line.substr(line.size() - end.size()), end);
}

/// A header is looked at when it is at the front of its buffer: after the host's cable in 11, and after the switch has
/// turned and a link of eight cycles in 43. The tail leaves behind two flits of header.
TEST(FamilyLog, OfMyrinetHasWhereAHeaderIsTaken) {
  Bench bench(logged(myrinet_row(2)));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 32);
  bench.run(120);
  EXPECT_EQ(lines(bench), Lines{"0:4@11 1:1@43 left 10 to 43 came 99 routers 2"});
}

/// Three flits leave one a cycle from the cycle after the packet is made on, and are there a cycle later.
TEST(FamilyLog, OfTheIdealNetworkHasNoRouter) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("router.architecture", "ideal");
  Bench bench(logged(e));
  bench.run(4);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 3);
  bench.run(20);
  EXPECT_EQ(lines(bench), Lines{"left 4 to 6 came 7 routers 0"});
}

/// Nothing is written down where nobody asked for a log.
TEST(FamilyLog, IsNoneWhereNobodyAsksForIt) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(3);
  EXPECT_EQ(bench.network->packet_log(), nullptr);
  EXPECT_EQ(bank(bench).front(0).routers, 1U) << "the queue counts, the store is left alone until the packet is there";
}

}  // namespace
}  // namespace braid::test::family_log_test
