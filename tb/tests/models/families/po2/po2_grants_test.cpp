// PO2: who gets a port, a link, a buffer. Small numbers: tb/tests/support/po2_row.h.
#include <gtest/gtest.h>

#include "models/families/po2/pool_policy.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_grants_test {
namespace {

using models::Experiment;
using models::po2::PoolPolicy;
using models::po2::PoolPolicyRegistry;
using models::po2::Port;

constexpr std::size_t kEastPort = 0, kLocalPort = 4;

/// Node 0's packet has its header at router 1 in 7, node 1's own 5 cycles after it is made. Both want the link to 2.
TEST(Po2Grants, GiveALinkToThePacketThatWaitsLongest) {
  struct Case {
    std::uint64_t made;
    std::size_t first;
  };
  // Waiting since 6 and 7; since 7 both, then the lower port of arrival goes first (west before local); since 8.
  for (const Case& c : {Case{1, 1}, Case{2, 0}, Case{3, 0}}) {
    Bench bench(small_po2(3, 1));
    bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
    bench.run(c.made);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
    while (!source_at(bench, 1, kEastPort)) bench.run(1);
    EXPECT_EQ(source_at(bench, 1, kEastPort), c.first) << "made in " << c.made;
    EXPECT_EQ(bench.network->now(), c.made == 1 ? 7U : 8U) << "granted in cycle 6 or 7";
  }
}

/// A packet for node 1 waits for the link east until 109; a younger one for node 3, north of node 0, passes it.
TEST(Po2Grants, LetAYoungerPacketPassOneThatIsRefused) {
  Experiment e = small_po2(3, 2);
  e.set("po2.acknowledge_cycles", 100);
  Bench bench(e);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{3}, 4);
  expect_delivery(bench, 12, 1);
  expect_delivery(bench, 2 * 7 + 12, 2);  // the third goes in at 14
  expect_delivery(bench, 109 + 2 + 1 + 4, 3);
}

/// Both ends ask in cycle 5: router 0, the lower number, sends until 11; then router 1's packet goes.
TEST(Po2Grants, LetTheLowerRouterBeginAndTheOtherFollow) {
  Bench bench(small_po2(2, 1));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{1}, NodeId{0}, 4);
  bench.run(6);
  EXPECT_EQ(source_at(bench, 0, kEastPort), 0U);
  bench.run(4);
  EXPECT_EQ(source_at(bench, 0, kEastPort), 0U);
  bench.run(1);
  EXPECT_EQ(source_at(bench, 0, kEastPort), std::nullopt) << "free in 11";
  bench.run(1);
  EXPECT_EQ(source_at(bench, 0, kEastPort), 1U);
  // Node 1's port is free of its own packet at 7; node 0's header came in at 7: out by 12; the other 11 + 2 + 5.
  expect_delivery(bench, 18, 2);
}

/// Three neighbours' packets of router 4 for node 4, with two buffers: in 5 all ask, two get in, by port number, for
/// they have waited equally long. The third gets the first buffer that is free: the port ejects 7 to 12.
TEST(Po2Grants, GiveBuffersByAgeThenByPort) {
  Experiment e = small_po2(3, 3);
  e.set("po2.buffers", 2);
  Bench bench(e);
  for (const std::size_t from : {1U, 3U, 5U}) bench.network->send_packet(NodeId{from}, NodeId{4}, 4);
  bench.run(6);
  EXPECT_EQ(source_at(bench, 4, 0), 5U);            // east
  EXPECT_EQ(source_at(bench, 4, 1), 3U);            // west
  EXPECT_EQ(source_at(bench, 4, 3), std::nullopt);  // south
  bench.run(6);
  EXPECT_EQ(source_at(bench, 4, 3), std::nullopt) << "after cycle 11";
  bench.run(1);
  EXPECT_EQ(source_at(bench, 4, 3), 1U) << "in cycle 12";
}

/// Node 1's port ejects a packet of 20 flits from 7 to 28. One of node 2's waits for it since 2 + 7 = 9. Node 1's own
/// packet goes before it if it asks since 8, after it if since 9 (ejection goes first) or 10.
TEST(Po2Grants, ServeTheOlderOfInjectionAndEjectionAtANodesPort) {
  for (const std::uint64_t made : {8U, 9U, 10U}) {
    Bench bench(small_po2(3, 1));
    bench.network->send_packet(NodeId{0}, NodeId{1}, 20);
    bench.run(2);
    bench.network->send_packet(NodeId{2}, NodeId{1}, 20);
    bench.run(made - 2);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 20);
    bench.run(29 - made);
    const auto use = po2_fabric(bench).routers()[1].ports[kLocalPort].use;
    EXPECT_EQ(use, made < 9 ? models::po2::Port::Use::kReceiving : models::po2::Port::Use::kSending)
        << "asks since " << made;
  }
}

/// Node 1 has two packets of 20 flits; the first goes in 0 to 23, and the second asks from then on, not from 0. So node
/// 0's packet, there since 7, is ejected before it.
TEST(Po2Grants, CountAQueuedPacketsWaitFromTheEndOfTheOneBefore) {
  Bench bench(small_po2(3, 1));
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{1}, NodeId{2}, 20);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(23);
  EXPECT_EQ(source_at(bench, 1, kLocalPort), std::nullopt) << "free in 23";
  bench.run(1);
  EXPECT_EQ(po2_fabric(bench).routers()[1].ports[kLocalPort].use, models::po2::Port::Use::kSending);
  EXPECT_EQ(source_at(bench, 1, kLocalPort), 0U);
}

/// The rule of one waiting packet a message: with two of a message in router 0 the second stays out of router 1 until
/// the first has begun to leave it.
TEST(Po2Grants, HoldAPacketWhileOneOfItsMessageWaitsAtTheNextRouter) {
  for (const bool rule : {true, false}) {
    Experiment e = small_po2(3, 1);
    e.set("message.packet_flits", 4);
    e.set("po2.reject_same_message", rule);
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 100);  // the link 1-2 is held from 5 to 107
    bench.run(1);
    send_message(bench, NodeId{0}, NodeId{2}, 2);  // made in 1: headers in at 6 and 13
    bench.run(20);
    EXPECT_EQ(po2_fabric(bench).routers()[1].waiting.size(), rule ? 1U : 2U);
    EXPECT_EQ(po2_fabric(bench).routers()[0].waiting.size(), rule ? 1U : 0U);
    bench.run(107 - 21);
    EXPECT_EQ(source_at(bench, 1, kEastPort), std::nullopt) << "free in 107";
    bench.run(1);
    EXPECT_EQ(source_at(bench, 1, kEastPort), 0U);
    EXPECT_EQ(source_at(bench, 0, kEastPort), std::nullopt) << "it is a register: seen in 108";
    bench.run(1);
    EXPECT_EQ(source_at(bench, 0, kEastPort).has_value(), rule);
  }
}

/// The row of the test before; node 0's second packet is refused from 13 to 108. Its third, of another message and for
/// node 1, has its header in by 20: it passes at once (and waits for node 1's port, which injects until 103), or goes
/// after the second, which has the link 108 to 114: header by 116, out by 121. Node 2 gets the others in 114 and 120.
TEST(Po2Grants, LetNoPacketPassARefusedOneWherePortsAreFifo) {
  for (const bool fifo : {false, true}) {
    Experiment e = small_po2(3, 1);
    e.set("message.packet_flits", 4);
    e.set("po2.port_discipline", fifo ? "head_of_line" : "pass_refused");
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
    bench.run(1);
    send_message(bench, NodeId{0}, NodeId{2}, 2);
    send_message(bench, NodeId{0}, NodeId{1}, 1);
    bench.run(19);
    EXPECT_EQ(source_at(bench, 0, kEastPort), std::nullopt) << "until cycle 20";
    bench.run(1);
    EXPECT_EQ(source_at(bench, 0, kEastPort).has_value(), !fifo);
    bench.run(107 - 21);
    EXPECT_EQ(bench.delivered(), 0U);
    bench.run(1);
    EXPECT_EQ(bench.delivered(), fifo ? 1U : 2U) << "of node 1, in 108; and the third";
    expect_delivery(bench, 114, fifo ? 2 : 3);
    expect_delivery(bench, 120, fifo ? 3 : 4);
    if (fifo) expect_delivery(bench, 121, 4);
  }
}

/// As above on two rows: a port whose head is refused keeps no other port waiting. Node 0's third packet is for node 3,
/// over port north: header by 20, out by 20 + 2 + 5.
TEST(Po2Grants, BlockNoOtherPortWherePortsAreFifo) {
  Experiment e = small_po2(3, 2);
  e.set("message.packet_flits", 4);
  e.set("po2.port_discipline", "head_of_line");
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
  bench.run(1);
  send_message(bench, NodeId{0}, NodeId{2}, 2);
  send_message(bench, NodeId{0}, NodeId{3}, 1);
  expect_delivery(bench, 27, 1);
  EXPECT_EQ(source_at(bench, 0, kEastPort), std::nullopt) << "the second still waits";
}

/// The two ways of a node's port are two queues: the third packet of a message is refused by its own pool from 15 on,
/// where the second waits, and node 3's packet of cycle 30 is ejected at that port all the same.
TEST(Po2Grants, EjectPastARefusedInjectionWherePortsAreFifo) {
  Experiment e = small_po2(3, 2);
  e.set("message.packet_flits", 4);
  e.set("po2.port_discipline", "head_of_line");
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
  bench.run(1);
  send_message(bench, NodeId{0}, NodeId{2}, 3);
  bench.run(29);
  EXPECT_EQ(bench.network->fabric().transport(0).queued(0), 1U) << "the third";
  send_message(bench, NodeId{3}, NodeId{0}, 1);
  expect_delivery(bench, 30 + 3 + 2 * 2 + 5, 1);
  EXPECT_EQ(bench.network->fabric().transport(0).queued(0), 1U);
}

TEST(Po2Recall, GivesBackWhatHasNotBegunToLeave) {
  Bench bench(small_po2(2, 1));
  models::PacketTransport& transport = bench.network->fabric().transport(0);
  EXPECT_FALSE(transport.recall(0)) << "nothing is there";
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  EXPECT_TRUE(transport.recall(0));
  EXPECT_EQ(transport.queued(0), 0U);
  bench.run(30);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(1);
  EXPECT_FALSE(transport.recall(0)) << "it is going in";
  bench.run(30);
  EXPECT_EQ(bench.delivered(), 1U);
}

// ---------------------------------------------------------------- escape

/// Three buffers, one for regular packets. Router 1's is held for long by node 1's packet, so the one that waits at its
/// neighbour since cycle 5 escapes in 5 + patience: up to router 1 from 2, down from 0 (router 0 is the root).
TEST(Po2Escape, BeginsWhenPatienceEndsAndNotBefore) {
  struct Case {
    std::size_t from, port, own_to;
    models::po2::PoolClass pool_class;
  };
  for (const Case& c : {Case{0, 0, 2, 2}, Case{2, 1, 0, 1}}) {
    for (const std::uint64_t patience : {30U, 1500U}) {
      Experiment e = small_po2(3, 1);
      e.set("po2.buffers", 3);
      e.set("po2.acknowledge_cycles", 3000);
      e.set("po2.avoidance", "up_down_escape");
      e.set("po2.escape_patience_cycles", patience);
      Bench bench(e);
      bench.network->send_packet(NodeId{1}, NodeId{c.own_to}, 4);
      bench.network->send_packet(NodeId{c.from}, NodeId{1}, 4);
      bench.run(5 + patience);
      EXPECT_EQ(source_at(bench, c.from, c.port), std::nullopt) << "before cycle 5 + " << patience;
      EXPECT_DOUBLE_EQ(po2_figure(bench, "escapes"), 0.0);
      bench.run(1);
      EXPECT_EQ(source_at(bench, c.from, c.port), c.from) << "in cycle 5 + " << patience;
      EXPECT_DOUBLE_EQ(po2_figure(bench, "escapes"), 1.0);
      EXPECT_EQ(po2_fabric(bench).routers()[1].use[c.pool_class], 1U);
      EXPECT_EQ(po2_fabric(bench).routers()[1].use[models::po2::kRegular], 1U);
      expect_delivery(bench, 5 + patience + 2 + 1 + 4, 2);
    }
  }
}

/// 3x3, three buffers. Node 4's packet of 60 flits holds the link to router 1 and router 4's regular buffer from 5 to
/// 165 (acknowledged in 100), and router 1's regular buffer until it is ejected, in 68: then node 1's packet goes in,
/// has its header in by 73 and asks for router 4's down buffer from 103 on, over the busy link. Node 3's, injected in
/// 80, asks for it from 115 on. It is free, but kept for the elder. In 165 that one takes the regular buffer, being
/// older; nobody elder is left, and node 3's escapes in 166.
TEST(Po2Escape, KeepsItsBufferForTheEldestThoughItsLinkIsBusy) {
  Experiment e = small_po2(3, 3);
  e.set("po2.buffers", 3);
  e.set("po2.acknowledge_cycles", 100);
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.escape_patience_cycles", 30);
  Bench bench(e);
  bench.network->send_packet(NodeId{4}, NodeId{1}, 60);
  bench.run(10);
  bench.network->send_packet(NodeId{1}, NodeId{4}, 4);
  bench.run(70);
  bench.network->send_packet(NodeId{3}, NodeId{4}, 4);
  bench.run(165 - 80);
  EXPECT_EQ(source_at(bench, 3, kEastPort), std::nullopt) << "though the buffer is free";
  EXPECT_EQ(po2_fabric(bench).routers()[4].use[2], 0U);
  bench.run(1);
  EXPECT_EQ(source_at(bench, 4, 3), 1U) << "over port south in 165";
  EXPECT_EQ(source_at(bench, 3, kEastPort), std::nullopt);
  bench.run(1);
  EXPECT_EQ(source_at(bench, 3, kEastPort), 3U) << "in 166";
  EXPECT_EQ(po2_fabric(bench).routers()[4].use[2], 1U);
}

/// A packet that gets its way before its patience ends does not escape.
TEST(Po2Escape, IsNotAskedForByAPacketThatLeftInTime) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 3);
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.escape_patience_cycles", 7);  // router 1's buffer is free in 11, after six cycles
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(12);
  EXPECT_EQ(source_at(bench, 0, kEastPort), 0U);
  EXPECT_EQ(po2_fabric(bench).routers()[1].use[models::po2::kRegular], 1U);
  bench.run(40);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "link_waiting"), 2.0 * 6 / 4) << "5 to 11, and nobody asks for a link any more";
  EXPECT_DOUBLE_EQ(po2_figure(bench, "escapes"), 0.0);
  EXPECT_EQ(bench.delivered(), 2U);
}

std::unique_ptr<PoolPolicy> policy(const char* name, const routing::Topology& topology, std::uint32_t buffers) {
  Configuration configuration;
  configuration.set("po2.escape_patience_cycles", 77);
  return PoolPolicyRegistry::instance().make(name, topology, {buffers, configuration});
}

routing::Topology hexagon() {
  Configuration o;
  o.set("topology.kind", "hexagonal");
  o.set("topology.edge", 3);
  return routing::make_topology(o);
}

TEST(Po2Policy, SharedPoolTakesPacketsUntilAllBuffersAreTaken) {
  const routing::Topology topology = hexagon();
  const auto shared = policy("none", topology, 4);
  EXPECT_TRUE(shared->admits({3, 0, 0}, models::po2::kRegular));
  EXPECT_FALSE(shared->admits({4, 0, 0}, models::po2::kRegular));
  EXPECT_FALSE(shared->escape(RouterId{3}, models::po2::kRegular, NodeId{5}));
  EXPECT_EQ(shared->patience_cycles(), 0U);
}

TEST(Po2Policy, EscapeKeepsABufferForEachDirection) {
  const routing::Topology topology = hexagon();
  const auto escape = policy("up_down_escape", topology, 5);
  EXPECT_TRUE(escape->admits({2, 1, 1}, models::po2::kRegular));
  EXPECT_FALSE(escape->admits({3, 0, 0}, models::po2::kRegular)) << "two of five are kept";
  for (const models::po2::PoolClass c : {1, 2}) {
    models::po2::PoolUse use{3, 0, 0};
    use[3 - c] = 1;
    EXPECT_TRUE(escape->admits(use, c)) << "the other direction's buffer does not count";
    use[c] = 1;
    EXPECT_FALSE(escape->admits(use, c));
  }
  EXPECT_EQ(escape->patience_cycles(), 77U);
}

/// Up links lead to a router that is nearer to router 0, or as near and of a lower number. Followed from anywhere, the
/// escape reaches its destination, tells its direction rightly, and never goes up after it went down.
TEST(Po2Policy, EscapesGoUpThenDownToEveryDestination) {
  const routing::Topology topology = hexagon();
  const auto escape = policy("up_down_escape", topology, 5);
  const auto level = topology.distances_to(RouterId{0});
  for (std::size_t from = 0; from < 19; ++from) {
    for (std::size_t to = 0; to < 19; ++to) {
      RouterId at{from};
      models::po2::PoolClass now = models::po2::kRegular;
      std::size_t steps = 0;
      while (const auto step = escape->escape(at, now, NodeId{to})) {
        const RouterId next = topology.port(at, step->port).peer_router;
        const bool up = std::pair(level[next.value], next.value) < std::pair(level[at.value], at.value);
        EXPECT_EQ(step->pool_class, up ? 1 : 2);
        EXPECT_FALSE(now == 2 && up) << "from " << from << " to " << to;
        now = step->pool_class;
        at = next;
        ASSERT_LT(++steps, 19U);
      }
      EXPECT_EQ(at, RouterId{to});
    }
  }
}

}  // namespace
}  // namespace braid::test::po2_grants_test
