// A node's interface over wires by itself, without SystemC and without a router: what it sends and by which port, what
// it makes of what comes, and what a reset forgets.
#include "models/pins/network_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/lone_node.h"

namespace braid::test::network_node_test {
namespace {

using models::hybrid::FlitData;
using models::hybrid::FlitWires;
using models::hybrid::WireOutputs;
using models::pins::NetworkNode;

constexpr std::uint32_t kFirst = LoneNode::kFirst, kSecond = LoneNode::kSecond, kVcs = 2;
using Data = std::vector<std::uint64_t>;

/// Ports take turns; of a head the lowest 16 bits are its destination, y << 8 | x, all others are the user's.
TEST(NetworkNode, SendsItsPacketsByEachPortInTurn) {
  LoneNode lone;
  NetworkNode& node = lone.node;
  EXPECT_EQ(node.cycle(), 1U);
  EXPECT_EQ(node.ports(), (std::vector<std::uint32_t>{kFirst, kSecond}));
  EXPECT_EQ(node.queued(), 0U);
  models::pins::FlitList first = flits_of(1, 2);
  first[0] = {0x1ffff, 11, 12, 13};
  first[1] = {2, 21, 22, 23};
  node.send(10, NodeId{8}, first);
  node.send(11, NodeId{0}, flits_of(5, 2));
  node.send(12, NodeId{5}, flits_of(9, 2));
  EXPECT_EQ(node.queued(), 3U);
  lone.clocks(30);
  EXPECT_EQ(node.cycle(), 31U);
  EXPECT_EQ(node.queued(), 0U);
  EXPECT_EQ(lone.data_left(kFirst), (Data{0x10202, 2, 0x90102, 10}));
  EXPECT_EQ(lone.data_left(kSecond), (Data{0x50000, 6}));
  const std::vector<FlitWires>& flits = lone.left[kFirst];
  EXPECT_EQ(flits[0].data, (FlitData{0x10202, 11, 12, 13}));
  EXPECT_EQ(flits[1].data, (FlitData{2, 21, 22, 23}));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(flits[i].head, i % 2 == 0) << i;
    EXPECT_EQ(flits[i].tail, i % 2 == 1) << i;
    EXPECT_LT(flits[i].lane, kVcs) << i;
  }
  EXPECT_NE(flits[0].lane, flits[2].lane) << "three flits fit a buffer, and no credit has come";
  std::sort(lone.sent.begin(), lone.sent.end());
  EXPECT_EQ(lone.sent, (std::vector<std::uint64_t>{10, 11, 12}));
}

/// Of each packet whose tail leaves: the cycle in which its head was on the link.
TEST(NetworkNode, SaysWhenHeadsWereOnTheLink) {
  LoneNode lone;
  std::map<std::uint64_t, std::uint64_t> told, seen;  // [packet]
  lone.node.callbacks.sent = [&](std::uint64_t packet, std::uint64_t injected) { told[packet] = injected; };
  for (std::uint64_t packet = 0; packet < 5; ++packet) {
    models::pins::FlitList flits = flits_of(packet, 1 + packet % 3);
    lone.node.send(packet, NodeId{8}, std::move(flits));
  }
  for (int i = 0; i < 20; ++i) {
    lone.clock();
    for (const std::uint32_t p : {kFirst, kSecond}) {
      const FlitWires& link = lone.to.links[p];
      if (link.valid && link.head) seen[link.data[0] >> 16] = lone.node.cycle();  // what is on it in the cycle to come
    }
  }
  EXPECT_EQ(told.size(), 5U);
  EXPECT_EQ(told, seen);
}

/// Both VCs of both ports at once. Each flit that is taken gives its room back.
TEST(NetworkNode, PutsPacketsTogetherThatComeOnSeveralLanes) {
  LoneNode lone;
  for (const bool tail : {false, true}) {
    for (std::uint32_t lane = 0; lane < kVcs; ++lane) {
      WireOutputs router;
      put_flit(router, kFirst, !tail, tail, lane, 10 * lane + (tail ? 1 : 0));
      put_flit(router, kSecond, !tail, tail, lane, 100 + 10 * lane + (tail ? 1 : 0));
      lone.clock(router);
    }
  }
  lone.clocks(5);
  ASSERT_EQ(lone.arrived.size(), 4U);
  std::vector<std::uint64_t> heads;
  for (const NetworkNode::Arrival& a : lone.arrived) {
    EXPECT_FALSE(a.on_circuit);
    ASSERT_EQ(a.flits.size(), 2U);
    EXPECT_EQ(a.flits[0], (FlitData{a.flits[0][0], 1, 2, 3}));
    EXPECT_EQ(a.flits[1][0], a.flits[0][0] + 1);
    heads.push_back(a.flits[0][0]);
  }
  EXPECT_EQ(lone.arrived[2].cycle, lone.arrived[0].cycle + 1) << "VC 1's tails come a cycle after VC 0's";
  std::sort(heads.begin(), heads.end());
  EXPECT_EQ(heads, (Data{0, 10, 100, 110}));
  for (const std::uint32_t p : {kFirst, kSecond}) {
    for (std::uint32_t lane = 0; lane < kVcs; ++lane) EXPECT_EQ((lone.credits[{p, lane}]), 2U) << p << " " << lane;
  }
}

/// What had half come and half gone is forgotten, as often as there is a reset; the turn is the first port's again.
TEST(NetworkNode, AResetForgetsPacketsThatHaveHalfCome) {
  LoneNode lone;
  lone.node.send(1, NodeId{8}, flits_of(1, 4));  // of which three go without a credit
  WireOutputs half;
  put_flit(half, kFirst, true, false, 0, 77);
  put_flit(half, kSecond, true, false, 1, 78);
  lone.clock(half);
  lone.clocks(2);
  for (int i = 0; i < 2; ++i) {
    lone.node.reset();
    EXPECT_EQ(lone.node.cycle(), 1U);
    EXPECT_EQ(lone.node.queued(), 0U);
  }
  lone.left.clear();
  lone.node.send(2, NodeId{0}, flits_of(3, 1));
  WireOutputs whole;
  put_flit(whole, kFirst, true, true, 0, 5);
  put_flit(whole, kSecond, true, false, 1, 6);
  lone.clock(whole);
  WireOutputs rest;
  put_flit(rest, kSecond, false, true, 1, 7);
  lone.clock(rest);
  lone.clocks(20);
  ASSERT_EQ(lone.arrived.size(), 2U);
  ASSERT_EQ(lone.arrived[0].flits.size(), 1U);
  EXPECT_EQ(lone.arrived[0].flits[0][0], 5U);
  ASSERT_EQ(lone.arrived[1].flits.size(), 2U);
  EXPECT_EQ(lone.arrived[1].flits[0][0], 6U);
  EXPECT_EQ(lone.arrived[1].flits[1][0], 7U);
  EXPECT_EQ(lone.data_left(kFirst), (Data{0x30000}));
  EXPECT_TRUE(lone.data_left(kSecond).empty());
  EXPECT_EQ(lone.sent, std::vector<std::uint64_t>{2});
}

}  // namespace
}  // namespace braid::test::network_node_test
