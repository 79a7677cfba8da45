// What nobody has filled yet: addresses, messages, routes and passages begin at 0, with nothing that is true.
#include <gtest/gtest.h>

#include "models/tlm/address_map.h"
#include "models/tlm/carrier.h"
#include "models/tlm/options.h"
#include "models/tlm/sockets/packet_port.h"
#include "models/tlm/styles/packet_routes.h"
#include "models/tlm/styles/passage.h"
#include "models/tlm/wire_format.h"

namespace braid::test::unfilled_test {
namespace {

using namespace models;

TEST(Unfilled, MessagesAreRequestsOfNobodyWithoutBytes) {
  const Carrier::Message message{};
  EXPECT_EQ(message.from, NodeId{0});
  EXPECT_EQ(message.to, NodeId{0});
  EXPECT_EQ(message.kind, Carrier::kRequest);
  EXPECT_EQ(message.handle, 0U);
  EXPECT_TRUE(message.bytes.empty());
  const WireRequest request{};
  EXPECT_EQ(request.command, tlm::TLM_READ_COMMAND);
  EXPECT_FALSE(request.stream);
  EXPECT_EQ(request.address, 0U);
  EXPECT_EQ(request.length, 0U);
  EXPECT_EQ(request.streaming_width, 0U);
  EXPECT_TRUE(request.byte_enables.empty() && request.data.empty());
  const WireResponse response{};
  EXPECT_EQ(response.status, tlm::TLM_INCOMPLETE_RESPONSE) << "nobody has answered";
  EXPECT_FALSE(response.dmi_allowed);
  EXPECT_EQ(response.data, nullptr);
  EXPECT_EQ(response.length, 0U);
}

/// A range that nobody has filled has one byte: its last address belongs to it.
TEST(Unfilled, RangesAreTheFirstByteOfNodeZero) {
  const AddressRange range{};
  EXPECT_TRUE(range.holds(0));
  EXPECT_TRUE(range.holds(0, 1));
  EXPECT_FALSE(range.holds(0, 2));
  EXPECT_FALSE(range.holds(1));
  EXPECT_EQ(to_text(range), "0x0 .. 0x0 of node 0");
}

TEST(Unfilled, RoutesTakeNoTime) {
  const RouteStep step{};
  EXPECT_EQ(step.channel, 0U);
  EXPECT_EQ(step.kind, ChannelKind::kLink);
  EXPECT_EQ(step.ways, 1U) << "itself";
  EXPECT_EQ(step.extra_wire, 0U);
  EXPECT_EQ(step.header, 0U);
  const PacketRoute route{};
  EXPECT_TRUE(route.steps.empty());
  EXPECT_EQ(route.last_wire, 0U);
  EXPECT_FALSE(route.adaptive);
  const Passage passage{};
  EXPECT_EQ(passage.channel, 0U);
  EXPECT_EQ(passage.head + passage.tail + passage.moved, 0U);
}

/// Of TLM-1's packets: one flit to node 0, and nothing that has come.
TEST(Unfilled, PacketsOfAPortHaveAFlit) {
  const SentPacket sent{};
  EXPECT_EQ(sent.to, NodeId{0});
  EXPECT_EQ(sent.flits, 1U);
  EXPECT_EQ(sent.tag, kNoTag);
  const DeliveredPacket delivered{};
  EXPECT_EQ(delivered.cycle, 0U);
  EXPECT_EQ(delivered.from, NodeId{0});
  EXPECT_EQ(delivered.flits, 0U);
  EXPECT_EQ(delivered.tag, kNoTag);
}

/// docs/tlm.md: what sockets do unless an experiment says otherwise.
TEST(Unfilled, OptionsAreThoseOfThePage) {
  const TlmOptions options{};
  EXPECT_EQ(options.flit_bytes, 8U);
  EXPECT_EQ(options.packet_flits, 16U);
  EXPECT_EQ(options.outstanding, 16U);
  EXPECT_EQ(options.most_bytes, 4096U);
  EXPECT_EQ(options.timeout_cycles, 0U) << "none";
  EXPECT_TRUE(options.byte_enables);
  EXPECT_FALSE(options.dmi);
  EXPECT_TRUE(options.circuits.empty());
}

}  // namespace
}  // namespace braid::test::unfilled_test
