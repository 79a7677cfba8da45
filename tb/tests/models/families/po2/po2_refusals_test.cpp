// Rows of the question who holds the pool and who was refused for whose message, cycle by cycle, under any schedule.
// Small numbers: tb/tests/support/po2_row.h.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_refusals_test {
namespace {

using models::Experiment;

enum Refusal : std::uint64_t { kNone, kNoBuffer, kKept, kSameMessage };

/// A bench whose signals are looked at after every cycle.
struct Watched {
  Bench bench;
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;

  explicit Watched(const Experiment& e, std::size_t slices = 1) : bench(e, slices) {
    std::vector<RouterId> routers;
    for (std::size_t r = 0; r < bench.topology.router_count(); ++r) routers.emplace_back(r);
    source = bench.network->fabric().signals(table, routers);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) {
      bench.run(1);
      source->sample(bench.network->now() - 1);
    }
  }
  std::uint64_t at(const std::string& scope, const std::string& name) const {
    for (const models::Signal& signal : table.signals()) {
      if (signal.scope == scope && signal.name == name) return signal.value;
    }
    ADD_FAILURE() << "no signal " << scope << "." << name;
    return 0;
  }
};

/// One buffer a pool. Node 0's packet waits in router 0 from cycle 5 on; router 1's buffer is taken until 11.
TEST(Po2Refusals, SayThatNoBufferIsFree) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  for (const std::size_t slices : {1U, 3U}) {
    Watched w(e, slices);
    w.bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
    w.bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    for (std::uint64_t cycle = 0; cycle < 20; ++cycle) {
      w.run(1);
      EXPECT_EQ(w.at("router_0_0.buffer0", "refusal"), cycle >= 5 && cycle < 11 ? kNoBuffer : kNone) << cycle;
      EXPECT_EQ(w.at("router_0_0.buffer0", "held_by"), 0U) << cycle;
    }
  }
}

/// Two packets of a message: the first waits in router 1 until 107, the second in router 0 from 13 on (and begins to
/// leave in 108, when router 1 shows that the first has).
TEST(Po2Refusals, NameThePacketOfItsMessageThatAPacketIsRefusedFor) {
  Experiment e = small_po2(3, 1);
  e.set("message.packet_flits", 4);
  Watched w(e);
  w.bench.network->send_packet(NodeId{1}, NodeId{2}, 100);  // the link 1-2 is held from 5 to 107
  w.run(1);
  send_message(w.bench, NodeId{0}, NodeId{2}, 2);
  for (std::uint64_t cycle = 1; cycle < 120; ++cycle) {
    w.run(1);
    std::uint64_t refusal = 0, held_by = 0;
    for (const char* buffer : {"router_0_0.buffer0", "router_0_0.buffer1"}) {
      refusal += w.at(buffer, "refusal");
      held_by += w.at(buffer, "held_by");
    }
    const bool refused = cycle >= 13 && cycle < 108;
    EXPECT_EQ(refusal, refused ? kSameMessage : kNone) << cycle;
    EXPECT_EQ(held_by, refused ? models::packet_number(0, 0) : 0U) << cycle;
  }
}

/// As above, with a third packet, for node 1, whose header is in by 20: first in, first out, it is not refused but
/// stays behind the second ("older first"), which takes the link in 108; today's other reading lets it pass in 20.
TEST(Po2Refusals, SayWhoAPacketStaysBehindWherePortsAreFifo) {
  constexpr std::uint64_t kPortBusy = 3, kOlder = 4, kRefused = 5;
  Experiment e = small_po2(3, 1);
  e.set("message.packet_flits", 4);
  e.set("po2.port_discipline", "head_of_line");
  Watched w(e);
  w.bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
  w.run(1);
  send_message(w.bench, NodeId{0}, NodeId{2}, 2);
  send_message(w.bench, NodeId{0}, NodeId{1}, 1);
  for (std::uint64_t cycle = 1; cycle < 114; ++cycle) {
    w.run(1);
    // The first packet's buffer is free again in 12, and the third packet takes it.
    const std::uint64_t second = w.at("router_0_0.buffer1", "stall"), third = w.at("router_0_0.buffer0", "stall");
    if (cycle >= 13 && cycle < 108) {
      EXPECT_EQ(second, kRefused) << cycle;
    }
    if (cycle >= 20 && cycle < 108) {
      EXPECT_EQ(third, kOlder) << cycle;
      EXPECT_EQ(w.at("router_0_0.buffer0", "held_by"), models::packet_number(0, 1)) << cycle;
      EXPECT_EQ(w.at("router_0_0.buffer0", "refusal"), kNone) << cycle;
    }
    if (cycle > 108) {
      EXPECT_EQ(third, kPortBusy) << cycle;
    }
  }
}

/// The node's port is idle from 7 on, and its second packet is refused by its own pool of one buffer until 11.
TEST(Po2Refusals, ShowANodesPacketThatItsOwnPoolRefuses) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  e.set("message.packet_flits", 4);
  Watched w(e);
  send_message(w.bench, NodeId{0}, NodeId{1}, 2);
  const std::uint64_t message = 0;
  for (std::uint64_t cycle = 0; cycle < 15; ++cycle) {
    w.run(1);
    const bool refused = cycle >= 7 && cycle < 11;
    EXPECT_EQ(w.at("router_0_0.local0", "refusal"), refused ? kNoBuffer : kNone) << cycle;
    EXPECT_EQ(w.at("router_0_0.local0", "refused_message"), message) << cycle;
  }
}

/// 3x3 of po2_grants_test.cpp, KeepsItsBufferForTheEldestThoughItsLinkIsBusy: node 3's packet waits from 85 on and asks
/// for router 4's escape buffer from 115 on; it is free, and kept for an elder until 165.
TEST(Po2Refusals, SayThatAnEscapeBufferIsKept) {
  Experiment e = small_po2(3, 3);
  e.set("po2.buffers", 3);
  e.set("po2.acknowledge_cycles", 100);
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.escape_patience_cycles", 30);
  Watched w(e);
  w.bench.network->send_packet(NodeId{4}, NodeId{1}, 60);
  w.run(10);
  w.bench.network->send_packet(NodeId{1}, NodeId{4}, 4);
  w.run(70);
  w.bench.network->send_packet(NodeId{3}, NodeId{4}, 4);
  std::map<std::uint64_t, std::uint64_t> cycles;
  for (std::uint64_t cycle = 80; cycle < 170; ++cycle) {
    w.run(1);
    ++cycles[w.at("router_0_1.buffer0", "refusal")];
  }
  EXPECT_EQ(cycles[kNoBuffer], 115U - 85) << "it waits from 85 on";
  EXPECT_EQ(cycles[kKept], 165U - 115);
}

}  // namespace
}  // namespace braid::test::po2_refusals_test
