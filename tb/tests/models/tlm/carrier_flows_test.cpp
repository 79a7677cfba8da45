// Which messages wait for which: those of one flow, from one node to another in one direction of talk, and no others,
// whatever the numbers of their nodes are.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/message_wire.h"

namespace braid::test::carrier_flows_test {
namespace {

using models::Carrier;
using Handles = MessageWire::Handles;
using Pair = std::pair<std::size_t, std::size_t>;

unsigned hops(const Pair& way) {
  const auto apart = [](std::size_t a, std::size_t b) { return static_cast<unsigned>(a > b ? a - b : b - a); };
  return apart(way.first % 3, way.second % 3) + apart(way.first / 3, way.second / 3);
}

/// Two messages made in one cycle by two nodes of 3x2: of any two pairs of nodes, in either direction of talk, the one
/// with the shorter way comes first, though it was sent last.
TEST(CarrierFlows, OfOtherNodesAreOthers) {
  std::vector<Pair> pairs;
  for (std::size_t from = 0; from < 6; ++from) {
    for (std::size_t to = 0; to < 6; ++to) {
      if (from != to) pairs.emplace_back(from, to);
    }
  }
  MessageWire wire;
  std::uint32_t handle = 0;
  for (const Pair& far : pairs) {
    for (const Pair& near : pairs) {
      if (hops(near) + 1 >= hops(far) || near.first == far.first) continue;
      for (const Carrier::Kind kind : {Carrier::kRequest, Carrier::kResponse}) {
        wire.come.clear();
        wire.gone.clear();
        wire.send(far.first, far.second, ++handle, 8, Carrier::kRequest);
        wire.send(near.first, near.second, ++handle, 8, kind);
        wire.run(60);
        ASSERT_EQ(wire.come, (Handles{handle, handle - 1}))
            << far.first << " to " << far.second << " and " << near.first << " to " << near.second;
      }
    }
  }
  EXPECT_GT(handle, 150U);
}

/// Two local ports: the long message leaves by the first, the short one by the second, so that this is there first. It
/// waits where it is of the same flow, and only there.
TEST(CarrierFlows, OfTheOtherDirectionOfTalkAreOthers) {
  models::Experiment e = tlm_network("hybrid");
  e.set("topology.local_ports", 2);
  using Kind = Carrier::Kind;
  for (const auto& [first, second] : {std::pair<Kind, Kind>{Carrier::kRequest, Carrier::kRequest},
                                      {Carrier::kResponse, Carrier::kResponse},
                                      {Carrier::kRequest, Carrier::kResponse},
                                      {Carrier::kResponse, Carrier::kRequest},
                                      {Carrier::kRequest, Carrier::kStream},
                                      {Carrier::kStream, Carrier::kResponse}}) {
    MessageWire wire(e);
    wire.send(0, 5, 1, 600, first);  // five packets, which leave by one port
    wire.send(0, 5, 2, 8, second);
    wire.run(300);
    EXPECT_EQ(wire.gone, (Handles{2, 1})) << "the short one is through first";
    const bool responses = (first == Carrier::kResponse) != (second == Carrier::kResponse);
    EXPECT_EQ(wire.come, responses ? (Handles{2, 1}) : (Handles{1, 2})) << first << " " << second;
  }
}

/// Three that come early wait for the first, and then come all at once in their order; the next one is not held up.
TEST(CarrierFlows, HandOverAllThatHasWaited) {
  models::Experiment e = tlm_network("hybrid");
  e.set("topology.local_ports", 2);
  MessageWire wire(e);
  wire.send(0, 5, 1, 600);
  wire.send(0, 5, 2, 8);
  wire.run(1);
  wire.send(0, 4, 9, 8);  // takes the first port's turn
  wire.send(0, 5, 3, 8);
  wire.run(1);
  wire.send(0, 4, 8, 8);
  wire.send(0, 5, 4, 8);
  std::size_t at_once = 0;
  for (int cycle = 0; cycle < 400; ++cycle) {
    const std::size_t before = wire.come.size();
    wire.run(1);
    at_once = std::max(at_once, wire.come.size() - before);
  }
  Handles mine;
  for (const std::uint32_t handle : wire.come) {
    if (handle < 5) mine.push_back(handle);
  }
  EXPECT_EQ(mine, (Handles{1, 2, 3, 4}));
  EXPECT_GE(at_once, 4U);
  EXPECT_EQ(wire.carrier.under_way(), 0U);
  wire.send(0, 5, 5, 8);
  wire.run(60);
  EXPECT_EQ(wire.come.back(), 5U);
}

}  // namespace
}  // namespace braid::test::carrier_flows_test
