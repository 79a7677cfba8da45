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

constexpr std::size_t kEastPort = 0, kLocalPort = 4;

/// One buffer a pool: node 1's packet has router 1's until 11. Node 0's has its header in by 5. Who sees the pool goes
/// in 11; who tries holds the link in 5 to 9 and 9 to 13 in vain, header and rejection each, and goes in 13.
TEST(Po2Rejection, CostsTheLinkUntilItIsSignalled) {
  for (const char* rejection : {"seen", "tried_on_links", "tried"}) {
    const bool tries = std::string(rejection) != "seen";
    Experiment e = small_po2(3, 1);
    e.set("po2.buffers", 1);
    e.set("po2.rejection", rejection);
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    expect_delivery(bench, 12, 1);
    expect_delivery(bench, tries ? 20 : 18, 2);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "rejections"), tries ? 2.0 : 0.0);
    // Of four ends of links: 2 x 6 cycles for each packet, 2 x 8 in vain; idle though asked for in 5 to 11, or never.
    EXPECT_DOUBLE_EQ(po2_figure(bench, "link_busy"), (24 + (tries ? 16 : 0)) / 4.0) << rejection;
    EXPECT_DOUBLE_EQ(po2_figure(bench, "link_waiting"), (tries ? 0.0 : 2.0 * 6) / 4);
  }
}

/// One buffer, two packets at node 0: its port is free in 7, the buffer in 11. A port that tries is held for 3 + 2
/// cycles: in 7 to 12.
TEST(Po2Rejection, CostsANodesPortWhereNodesTry) {
  for (const char* rejection : {"seen", "tried_on_links", "tried"}) {
    const bool tries = std::string(rejection) == "tried";
    Experiment e = small_po2(3, 1);
    e.set("po2.buffers", 1);
    e.set("po2.rejection", rejection);
    Bench bench(e);
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    expect_delivery(bench, 12, 1);
    expect_delivery(bench, tries ? 24 : 23, 2);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "rejections"), tries ? 1.0 : 0.0);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting"), tries ? 0.0 : 4.0 / 3);
  }
}

/// Node 0's third packet is refused by its own pool from 15 on, where the second of its message waits. Node 3's packet
/// is ready to be ejected in 37, in the middle of a trial of 35 to 40; then it goes first, for who was rejected asks
/// anew.
TEST(Po2Rejection, LetsANodesPortTakeOutWhatHasComeBeforeItTriesAgain) {
  for (const bool tries : {false, true}) {
    Experiment e = small_po2(3, 2);
    e.set("message.packet_flits", 4);
    e.set("po2.rejection", tries ? "tried" : "tried_on_links");
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
    bench.run(1);
    send_message(bench, NodeId{0}, NodeId{2}, 3);
    bench.run(29);
    send_message(bench, NodeId{3}, NodeId{0}, 1);
    expect_delivery(bench, tries ? 45 : 42, 1);
  }
}

/// Router 1 is full until 44. The packet for node 3 goes by router 2: at once if it sees that, or after a trial in vain
/// in 5 to 9.
TEST(Po2Rejection, SendsAPacketToItsNextPort) {
  for (const bool tries : {false, true}) {
    Experiment e = small_po2(2, 2);
    e.set("po2.buffers", 1);
    e.set("po2.rejection", tries ? "tried" : "seen");
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{1}, 20);
    bench.network->send_packet(NodeId{0}, NodeId{3}, 4);
    expect_delivery(bench, tries ? 18 : 14, 1);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "rejections"), tries ? 1.0 : 0.0);
  }
}

/// Node 0's second packet is rejected from 13 on, every 4 cycles. Its third, of another message, has its header in by
/// 20: it goes in 21 past the second, which asks anew in that cycle, or waits behind it.
TEST(Po2Rejection, LetsAYoungerPacketPassUnlessPortsAreFifo) {
  for (const bool fifo : {false, true}) {
    Experiment e = small_po2(3, 1);
    e.set("message.packet_flits", 4);
    e.set("po2.rejection", "tried_on_links");
    e.set("po2.port_discipline", fifo ? "head_of_line" : "pass_refused");
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
    bench.run(1);
    send_message(bench, NodeId{0}, NodeId{2}, 2);
    send_message(bench, NodeId{0}, NodeId{1}, 1);
    bench.run(19);
    EXPECT_EQ(po2_fabric(bench).routers()[0].ports[kEastPort].use, models::po2::Port::Use::kRejected) << "of 17 to 21";
    bench.run(2);
    const auto use = po2_fabric(bench).routers()[0].ports[kEastPort].use;
    EXPECT_EQ(use, fifo ? models::po2::Port::Use::kRejected : models::po2::Port::Use::kSending) << "begun in 21";
  }
}

/// What is on trial is not called back: the alpha scheduler's newcomer has to wait.
TEST(Po2Rejection, KeepsAPacketThatIsOnTrial) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  e.set("po2.rejection", "tried");
  Bench bench(e);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(8);
  EXPECT_EQ(po2_fabric(bench).routers()[0].ports[kEastPort + kLocalPort].use, models::po2::Port::Use::kRejected);
  EXPECT_FALSE(bench.network->fabric().transport(0).recall(0));
}

/// ... until the trial is over. Node 0's second message is rejected in 7 to 12, a shorter one comes in 9: it goes
/// in 12.
TEST(Po2Rejection, LetsANewcomerGoFirstWhenTheTrialIsOver) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  e.set("po2.rejection", "tried");
  e.set("message.packet_flits", 4);
  e.set("interface.scheduler", "shortest_first");
  Bench bench(e);
  send_message(bench, NodeId{0}, NodeId{1}, 1);
  send_message(bench, NodeId{0}, NodeId{1}, 3);
  bench.run(10);
  send_message(bench, NodeId{0}, NodeId{2}, 1);
  expect_delivery(bench, 13, 1);
  bench.run(1);
  ASSERT_EQ(source_at(bench, 0, kLocalPort), 0U) << "begun in 13";
  const models::po2::Router& router = po2_fabric(bench).routers()[0];
  EXPECT_EQ(po2_fabric(bench).store()[router.buffers[router.ports[kLocalPort].buffer].packet].destination, NodeId{2});
}

/// A packet on trial is shown as refused, for want of a buffer; so is the port at both ends.
TEST(Po2Rejection, IsShownInAWaveform) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  e.set("po2.rejection", "tried");
  Watched watched(e);
  watched.bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  watched.bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  watched.run(8);
  EXPECT_EQ(watched.at("router_0_0.buffer0", "stall"), 5U) << "refused";
  EXPECT_EQ(watched.at("router_0_0.buffer0", "refusal"), kNoBuffer);
  EXPECT_EQ(watched.at("router_0_0.east", "use"), 3U);
  EXPECT_EQ(watched.at("router_1_0.west", "use"), 3U);
  EXPECT_NE(watched.at("router_0_0.east", "packet"), 0U);
  EXPECT_EQ(watched.at("router_1_0.west", "packet"), 0U) << "it is not there";
}

/// What no proof of the avoidance covers is refused in one line.
TEST(Po2Rejection, IsRefusedBesideAnAvoidanceThatIsNotProvedForIt) {
  const std::pair<const char*, OptionValue> cases[] = {{"po2.rejection", std::string("tried")},
                                                       {"po2.error_rate", 0.1},
                                                       {"po2.crossbar_in_ports", std::int64_t{1}},
                                                       {"po2.crossbar_out_ports", std::int64_t{1}}};
  for (const auto& [key, value] : cases) {
    Experiment e = small_po2(3, 1);
    e.set("po2.avoidance", "up_down_escape");
    e.set(key, value);
    try {
      const Bench bench(e);
      ADD_FAILURE() << key << " is taken";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("proved for the default of ") + key), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace braid::test::po2_refusals_test
