// Messages over a network without sockets: cut into packets, put together again, handed over in the order of their flow
// and of no other.
#include "models/tlm/carrier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/base/input_error.h"
#include "routing/base/random.h"
#include "tb/tests/support/message_wire.h"

namespace braid::test::carrier_test {
namespace {

using models::Carrier;
using Handles = MessageWire::Handles;

/// 8 bytes a flit, a header a packet; packets of 4 flits carry 24 bytes. A message without bytes is one header.
TEST(Carrier, CountsTheFlitsThatItMakes) {
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.packet_flits", 4);
  MessageWire wire(e);
  std::uint64_t packets = 0, flits = 0;
  for (const auto& [bytes, expected, of_packets] :
       std::vector<std::tuple<std::size_t, std::uint64_t, std::uint64_t>>{{0, 1, 1},
                                                                          {1, 2, 1},
                                                                          {8, 2, 1},
                                                                          {9, 3, 1},
                                                                          {24, 4, 1},
                                                                          {25, 6, 2},
                                                                          {48, 8, 2},
                                                                          {49, 10, 3},
                                                                          {240, 40, 10}}) {
    EXPECT_EQ(wire.carrier.flits(bytes), expected) << bytes;
    wire.send(0, 5, static_cast<std::uint32_t>(bytes), bytes);
    wire.run(200);
    packets += of_packets;
    flits += expected;
    EXPECT_EQ(wire.bench.network->conservation().packets_delivered, packets) << bytes;
    EXPECT_EQ(wire.bench.network->conservation().flits_delivered, flits) << bytes;
  }
  EXPECT_EQ(wire.come.size(), 9U);
}

TEST(Carrier, CountsWhatIsUnderWayFromSendToArrival) {
  MessageWire wire;
  EXPECT_EQ(wire.carrier.under_way(), 0U);
  EXPECT_EQ(wire.carrier.state(), models::Workload::State::kIdle);
  wire.send(0, 5, 1, 100);
  wire.send(1, 2, 2, 4);
  EXPECT_EQ(wire.carrier.under_way(), 2U);
  EXPECT_EQ(wire.carrier.state(), models::Workload::State::kWaiting);
  wire.run(200);
  EXPECT_EQ(wire.carrier.under_way(), 0U);
  EXPECT_EQ(wire.carrier.state(), models::Workload::State::kIdle);
  EXPECT_EQ(wire.come.size(), 2U);
  EXPECT_EQ(wire.gone.size(), 2U);
  wire.run(20);
  EXPECT_EQ(wire.come.size(), 2U) << "once each";
}

/// Slots of messages that have come are used again, the last first.
TEST(Carrier, UsesSlotsAgain) {
  MessageWire wire;
  EXPECT_EQ(wire.send(0, 5, 1, 4), 0U);
  EXPECT_EQ(wire.send(0, 5, 2, 40), 1U);
  EXPECT_EQ(wire.send(0, 5, 3, 4), 2U);
  wire.run(200);
  EXPECT_EQ(wire.come, (Handles{1, 2, 3}));
  EXPECT_EQ(wire.send(5, 0, 4, 4), 2U);
  EXPECT_EQ(wire.send(5, 0, 5, 4), 1U);
  EXPECT_EQ(wire.send(5, 0, 6, 4), 0U);
  EXPECT_EQ(wire.send(5, 0, 7, 4), 3U);
  wire.run(200);
  EXPECT_EQ(wire.come, (Handles{1, 2, 3, 4, 5, 6, 7}));
}

/// Of one node, by rank; of one rank as they were sent. All are 4 flits, one after the other.
TEST(Carrier, SendsLowerRanksFirst) {
  MessageWire wire;
  wire.send(0, 2, 1, 24, Carrier::kRequest, 7);
  wire.send(0, 2, 2, 24, Carrier::kRequest, 2);
  wire.send(0, 2, 3, 24, Carrier::kRequest, 7);
  wire.send(0, 2, 4, 24, Carrier::kRequest, 2);
  wire.send(0, 2, 5, 24, Carrier::kRequest, 4);
  wire.run(100);
  EXPECT_EQ(wire.gone, (Handles{2, 4, 5, 1, 3}));
  EXPECT_EQ(wire.come, wire.gone);
}

/// The two of each case leave node 0 one after the other, two flits each, and the second has the shorter way: it comes
/// first, whatever the numbers of the flows are, for it is of another.
TEST(Carrier, FlowsDoNotWaitForEachOther) {
  using Kind = Carrier::Kind;
  for (const auto& [first_kind, second_kind] : {std::pair<Kind, Kind>{Carrier::kResponse, Carrier::kRequest},
                                                {Carrier::kRequest, Carrier::kResponse},
                                                {Carrier::kRequest, Carrier::kRequest},
                                                {Carrier::kResponse, Carrier::kResponse}}) {
    for (const auto& [far, near] : {std::pair<std::size_t, std::size_t>{2, 3}, {2, 1}, {5, 3}, {5, 1}, {4, 3}}) {
      MessageWire wire;
      wire.send(0, far, 1, 8, first_kind);
      wire.send(0, near, 2, 8, second_kind);
      wire.run(100);
      EXPECT_EQ(wire.gone, (Handles{1, 2}));
      EXPECT_EQ(wire.come, (Handles{2, 1})) << far << " " << near;
    }
  }
}

/// On a torus two of equal ways draw; under adaptive routing and crossing traffic packets overtake. What is handed over
/// is in order all the same: of each flow, request and response apart.
TEST(Carrier, EachFlowKeepsItsOrder) {
  models::Experiment e = tlm_network("hybrid");
  e.set("topology.width", 4).set("topology.height", 4).set("routing.algorithm", "minimal_adaptive");
  e.set("tlm.packet_flits", 3).set("topology.local_ports", 2);
  MessageWire wire(e);
  Random random(4);
  constexpr std::uint32_t kEach = 30;
  for (std::uint32_t n = 0; n < kEach; ++n) {
    for (std::uint32_t flow = 0; flow < 8; ++flow) {
      const Carrier::Kind kind = flow % 2 == 0 ? Carrier::kRequest : Carrier::kResponse;
      wire.send(flow / 4, flow / 2 % 2 == 0 ? 15 : 10, flow * 1000 + n, 1 + random.below(60), kind);
    }
    wire.run(3);
  }
  wire.run(2000);
  ASSERT_EQ(wire.come.size(), 8 * kEach);
  for (std::uint32_t flow = 0; flow < 8; ++flow) {
    Handles mine;
    for (const std::uint32_t handle : wire.come) {
      if (handle / 1000 == flow) mine.push_back(handle % 1000);
    }
    Handles expected(kEach);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(mine, expected) << flow;
  }
}

TEST(Carrier, IsClaimedOnce) {
  MessageWire wire;
  EXPECT_TRUE(wire.carrier.claim());
  EXPECT_FALSE(wire.carrier.claim());
  EXPECT_FALSE(wire.carrier.claim());
}

std::string circuits_refusal(const std::vector<std::uint32_t>& pairs, bool stream = false) {
  models::Experiment e = stream ? stream_mesh("fm_radio_4x4.toml", 4, 4) : tlm_network("hybrid");
  e.open("tlm");
  e.add("tlm.circuits", pairs, {});
  try {
    const Bench bench(e);
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Carrier, CircuitsArePairsOfNodes) {
  EXPECT_EQ(circuits_refusal({0, 5}), "taken");
  EXPECT_EQ(circuits_refusal({0, 5, 5, 0}), "taken");
  const std::string pairs = "tlm.circuits: expected pairs of nodes, 0 to 5";
  for (const std::vector<std::uint32_t>& wrong :
       std::vector<std::vector<std::uint32_t>>{{0}, {0, 6}, {6, 0}, {0, 5, 1}, {0, 5, 1, 6}}) {
    EXPECT_EQ(circuits_refusal(wrong), pairs);
  }
  EXPECT_EQ(circuits_refusal({0, 5}, true),
            "tlm.circuits: a section [stream] is there, too; expected no list, or no stream program");
}

}  // namespace
}  // namespace braid::test::carrier_test
