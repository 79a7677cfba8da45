// What a node and a modelled router keep of packets that are gone: nothing. Their slots are used again, however many
// packets there are, and what stood in one before is no news of the next; a reset forgets circuits and searches, too.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/pins/modelled_router.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/lone_node.h"

namespace braid::test::kept_slots_test {
namespace {

using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;
using models::pins::CircuitStart;
using models::pins::NetworkNode;

constexpr std::uint32_t kFirst = LoneNode::kFirst, kSecond = LoneNode::kSecond, kVcs = 2, kWest = 1;
/// More packets than there are slots in a block of the store.
constexpr std::uint64_t kMany = 5000, kBlock = 4096;

TEST(KeptSlots, OfPacketsThatANodeHasSentAreNone) {
  LoneNode lone;
  const auto store = models::pins::shared_packets();
  std::uint64_t sent = 0;
  lone.node.callbacks.sent = [&](std::uint64_t, std::uint64_t) { ++sent; };
  for (std::uint64_t packet = 0; packet < kMany; ++packet) {
    lone.node.send(packet, NodeId{0}, flits_of(packet, 1));
    WireOutputs router;  // a credit for each flit that is on a link
    for (const std::uint32_t p : {kFirst, kSecond})
      if (lone.to.links[p].valid) router.credits[p] = 1U << lone.to.links[p].lane;
    lone.clock(router);
  }
  EXPECT_GT(sent, kMany - 10);
  EXPECT_EQ(store->slots(), kBlock);
}

TEST(KeptSlots, OfPacketsThatANodeHasTakenAreNone) {
  LoneNode lone(true);
  const auto store = models::pins::shared_packets();
  std::uint64_t came = 0;
  lone.node.callbacks.arrived = [&](const NetworkNode::Arrival&) { ++came; };
  for (std::uint64_t packet = 0; packet < kMany; ++packet) {
    WireOutputs router;
    const std::uint32_t lane = packet % (kVcs + 2);  // of packets and of circuits
    put_flit(router, kFirst, true, true, lane, packet);
    lone.clock(router);
  }
  lone.clocks(10);
  EXPECT_EQ(came, kMany);
  EXPECT_EQ(store->slots(), kBlock);
}

TEST(KeptSlots, OfFlitsThatARouterHasPassedOnAreNone) {
  const models::pins::RouterPlace place(of_nodes(false), "1,1");
  models::pins::ModelledRouter router(place);
  const auto store = models::pins::shared_packets();
  WireOutputs out;
  std::uint64_t left = 0;
  for (std::uint64_t cycle = 0; cycle < 2 * kMany; ++cycle) {
    WireInputs in;
    for (std::size_t p = 0; p < out.links.size(); ++p)  // a credit for each flit that is on a link
      if (out.links[p].valid) in.credits[p] = 1U << out.links[p].lane;
    if (cycle % 2 == 0) in.links[kWest] = {true, true, true, static_cast<std::uint32_t>(cycle / 2 % 2), {0x0102}};
    router.clock_wires(in, out);
    for (const models::hybrid::FlitWires& link : out.links) left += link.valid ? 1 : 0;
  }
  EXPECT_GT(left, kMany - 20);
  EXPECT_EQ(store->slots(), kBlock);
}

/// A slot that a packet on a circuit had is the next packet's: that one is on none.
TEST(KeptSlots, SayNothingOfThePacketBefore) {
  LoneNode lone(true);
  for (const std::uint32_t lane : {kVcs, 0U, kVcs + 1, 1U, kVcs, 1U}) {
    WireOutputs router;
    put_flit(router, kSecond, true, true, lane, lane);
    lone.clock(router);
    lone.clocks(6);
    ASSERT_FALSE(lone.arrived.empty());
    EXPECT_EQ(lone.arrived.back().flits[0][0], lane);
    EXPECT_EQ(lone.arrived.back().on_circuit, lane >= kVcs) << lane;
  }
  EXPECT_EQ(lone.arrived.size(), 6U);
}

std::string start_of(const std::optional<CircuitStart>& start) {
  return start ? std::to_string(start->port) + "/" + std::to_string(start->circuit) : "none";
}

/// Circuits that stood and a search that was under way.
TEST(NetworkNodeReset, ForgetsCircuitsAndTheSearch) {
  LoneNode lone(true);
  EXPECT_EQ(start_of(lone.node.request_circuit(NodeId{8}, 1)), "4/0");
  lone.clocks(6);
  lone.ends(true);
  EXPECT_EQ(start_of(lone.node.request_circuit(NodeId{8}, 2)), "5/0");
  lone.clocks(6);
  lone.node.reset();
  EXPECT_EQ(complaint<std::invalid_argument>([&] { lone.node.tear_down({kFirst, 0}, 3); }),
            "no circuit 0 starts at port 4");
  lone.ends(true);  // nothing of this node's has an end
  EXPECT_EQ(lone.outcomes, std::vector<bool>{true});
  EXPECT_EQ(lone.torn_down, 1);
  EXPECT_EQ(start_of(lone.node.request_circuit(NodeId{8}, 1)), "4/0");
}

/// Packets on circuits have a head and a tail, too: a node keeps them to it.
TEST(NetworkNodeRules, OfPacketsOnCircuits) {
  LoneNode lone(true);
  const auto says = [&](bool head, bool tail) {
    WireOutputs router;
    put_flit(router, kSecond, head, tail, kVcs + 1, 9);
    return complaint<models::hybrid::WireError>([&] { lone.clock(router); });
  };
  EXPECT_EQ(says(false, true), "link_head_i[5] = 0 on lane 3: a packet begins with its head");
  EXPECT_EQ(says(true, false), "");
  EXPECT_EQ(says(true, true), "link_head_i[5] = 1 on lane 3: the packet before has had no tail");
  EXPECT_EQ(says(false, true), "");
}

}  // namespace
}  // namespace braid::test::kept_slots_test
