// Whose turn it is among the ports of a node (node_turns.h), and what has come and waits, by hand. In a network, to the
// cycle: node_bandwidth_test.cpp.
#include "models/families/hybrid/node_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "models/families/hybrid/router_bank.h"
#include "tb/tests/support/by_hand.h"

namespace braid::test::node_turns_test {
namespace {

using models::Flit;
using models::NodeBandwidth;
using models::hybrid::NodeTurns;
using models::hybrid::RouterBank;

using Ports = std::vector<std::uint32_t>;

/// Ports 2, 3, 0, 1, in this order, are asked until so many had something; whom the next turn begins with.
struct Served {
  Ports asked;
  std::size_t budget;
  std::uint32_t next;
};
Served serve_from_2(std::size_t budget, const Ports& with_something) {
  NodeTurns::Turn turn;
  turn.next = 2;
  Ports asked;
  turn.serve(4, budget, [&](std::uint32_t port) {
    asked.push_back(port);
    return std::find(with_something.begin(), with_something.end(), port) != with_something.end();
  });
  return {asked, budget, turn.next};
}

TEST(NodeTurn, AsksPortsFromItsOwnOn) {
  const auto expect = [](std::size_t budget, const Ports& has, const Ports& asked, std::size_t left,
                         std::uint32_t next) {
    const Served served = serve_from_2(budget, has);
    EXPECT_EQ(served.asked, asked) << budget;
    EXPECT_EQ(served.budget, left) << budget;
    EXPECT_EQ(served.next, next) << budget;
  };
  const Ports all{0, 1, 2, 3};
  expect(0, all, {}, 0, 2);
  expect(1, all, {2}, 0, 3);
  expect(2, all, {2, 3}, 0, 0);
  expect(3, all, {2, 3, 0}, 0, 1);
  expect(4, all, {2, 3, 0, 1}, 0, 2);
  expect(9, all, {2, 3, 0, 1}, 5, 2);
  expect(1, {1}, {2, 3, 0, 1}, 0, 2);
  expect(1, {3, 0}, {2, 3}, 0, 0);
  expect(2, {3}, {2, 3, 0, 1}, 1, 0);
  expect(2, {}, {2, 3, 0, 1}, 2, 2);
}

/// Two nodes with three local ports each, two VCs of four flits on their ejection links.
struct Turns {
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 2);
    c.set("topology.height", 1);
    c.set("topology.local_ports", 3);
    return c;
  }
  NodeTurns turns(const NodeBandwidth& bandwidth, std::size_t first = 0, std::size_t last = 6) const {
    return NodeTurns(bandwidth, bank.wiring(), first, last, 2, 4);
  }
  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank{topology, models::hybrid::Options(), 1};
};
const NodeBandwidth kPacketsIn{0, 1, 0, 0, 0}, kQueues{0, 0, 0, 0, 1}, kNoPacketsIn{1, 0, 1, 1, 0};

TEST(NodeTurn, IsOfTheNodesAmongTheSlicesPorts) {
  const auto nodes = [](std::size_t first, std::size_t last) {
    std::vector<std::pair<std::size_t, std::uint32_t>> all;
    NodeTurns turns = Turns().turns(kPacketsIn, first, last);
    for (const NodeTurns::Node& n : turns.nodes()) all.emplace_back(n.first, n.ports);
    return all;
  };
  using Nodes = std::vector<std::pair<std::size_t, std::uint32_t>>;
  EXPECT_EQ(nodes(0, 6), (Nodes{{0, 3}, {3, 3}}));
  EXPECT_EQ(nodes(3, 6), (Nodes{{0, 3}}));
  EXPECT_EQ(nodes(2, 6), (Nodes{{0, 1}, {1, 3}}));
}

TEST(NodeTurn, HoldsWhatHasComeByPortOrByVc) {
  const Turns t;
  const Flit a(7, 0, 2, 0), b(8, 0, 1, 1), c(7, 1, 2, 0);
  for (const NodeBandwidth& bandwidth : {kPacketsIn, kQueues}) {
    NodeTurns turns = t.turns(bandwidth);
    const bool by_vc = turns.asks_for_room();
    EXPECT_EQ(by_vc, bandwidth.ejection_queue_items != 0);
    EXPECT_TRUE(turns.holds_packets());
    EXPECT_EQ(turns.queues(), by_vc ? 2U : 1U);
    for (std::uint32_t queue = 0; queue < turns.queues(); ++queue) {
      EXPECT_EQ(turns.held(5, queue).capacity(), by_vc ? 4U : 8U) << "the buffers of its VCs";
    }
    for (const Flit& flit : {a, b, c}) turns.hold(4, flit);
    EXPECT_EQ(turns.held_flits(), 3U);
    std::vector<std::uint32_t> packets;
    turns.for_each_held([&](const Flit& flit) { packets.push_back(flit.packet()); });
    EXPECT_EQ(packets, by_vc ? (std::vector<std::uint32_t>{7, 7, 8}) : (std::vector<std::uint32_t>{7, 8, 7}));
    EXPECT_TRUE(turns.held(3, 0).empty());
    EXPECT_TRUE(turns.held(5, 0).empty());
    EXPECT_EQ(turns.take(4, 0).sequence(), 0U);
    EXPECT_EQ(turns.held_flits(), 2U);
    EXPECT_EQ(turns.take(4, by_vc ? 1 : 0).packet(), 8U);
    EXPECT_EQ(turns.take(4, 0).sequence(), 1U);
    EXPECT_EQ(turns.held_flits(), 0U);
  }
  const NodeTurns none = t.turns(kNoPacketsIn);
  EXPECT_FALSE(none.holds_packets());
  none.for_each_held([](const Flit&) { FAIL() << "packets are not bounded on their way in"; });
}

struct Saved {
  std::vector<std::array<std::uint32_t, 4>> nodes = std::vector<std::array<std::uint32_t, 4>>(2);
  std::vector<std::uint32_t> queue_turns = std::vector<std::uint32_t>(6);
  std::vector<std::vector<Flit>> held = std::vector<std::vector<Flit>>(12);  // [port][VC]
  void checkpoint(Checkpoint& c) {
    c.each(nodes);
    c.each(queue_turns);
    for (std::vector<Flit>& flits : held) c(flits);
  }
};

TEST(RestoredTurns, AreOfPortsAndQueuesThatAreThere) {
  const Turns t;
  NodeTurns turns = t.turns(kQueues);
  ByHand<NodeTurns, Saved> hand(turns);
  hand.packets = 100;
  hand.also = [&](const Checkpoint& c) { turns.check_restored(c); };
  for (std::size_t node = 0; node < 2; ++node) {
    for (std::size_t kind = 0; kind < 4; ++kind) {
      EXPECT_EQ(hand.refusal([&](Saved& s) { s.nodes[node][kind] = 2; }), "");
      EXPECT_EQ(hand.refusal([&](Saved& s) { s.nodes[node][kind] = 3; }), here("local port", 3, 3));
    }
  }
  for (const std::size_t port : {0U, 5U}) {
    EXPECT_EQ(hand.refusal([&](Saved& s) { s.queue_turns[port] = 1; }), "");
    EXPECT_EQ(hand.refusal([&](Saved& s) { s.queue_turns[port] = 2; }), here("queue of a local port", 2, 2));
  }
  EXPECT_EQ(hand.refusal([](Saved& s) { s.held[11].assign(5, Flit(0, 0, 9, 1)); }), here("number of held flits", 5, 5));
  EXPECT_EQ(hand.refusal([](Saved& s) { s.held[0].push_back(Flit(100, 0, 9, 0)); }), here("packet", 100, 100));
  EXPECT_EQ(hand.put([](Saved& s) {
    s.held[11].assign(4, Flit(99, 0, 9, 1));
    s.held[2].assign(1, Flit(3, 0, 9, 0));
  }),
            "");
  EXPECT_EQ(turns.held_flits(), 5U) << "counted anew";
  EXPECT_EQ(turns.held(1, 0).size(), 1U);
  EXPECT_EQ(turns.held(5, 1).size(), 4U);
  EXPECT_EQ(turns.held(5, 1).capacity(), 4U);
}

}  // namespace
}  // namespace braid::test::node_turns_test
