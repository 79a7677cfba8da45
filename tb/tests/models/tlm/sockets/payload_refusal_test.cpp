// With what a payload is answered that no target gets to see; and the extensions that payloads bring.
#include "models/tlm/sockets/payload_refusal.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "models/tlm/sockets/extensions.h"

namespace braid::test::payload_refusal_test {
namespace {

using Payload = tlm::tlm_generic_payload;

struct Case {
  std::function<void(Payload&)> change;
  tlm::tlm_response_status expected;  // incomplete: it goes on to its target
};

/// A read of 8 bytes at 0x1000, of 16 at most, where 0x1000 .. 0x10ff lead to a node.
tlm::tlm_response_status answer(const std::function<void(Payload&)>& change, bool byte_enables) {
  models::TlmOptions options;
  options.most_bytes = 16;
  options.byte_enables = byte_enables;
  const models::AddressMap map("3: 0x1000 +0x100", 4);
  std::array<unsigned char, 32> data{};
  Payload p;
  p.set_read();
  p.set_address(0x1000);
  p.set_data_ptr(data.data());
  p.set_data_length(8);
  p.set_streaming_width(8);
  change(p);
  const models::AddressRange* range = models::range_of_payload(p, options, map, models::InitiatorFace{});
  EXPECT_EQ(range != nullptr, p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
  return p.get_response_status();
}

TEST(PayloadRefusal, IsTheStatusOfWhatIsWrong) {
  static unsigned char enable = TLM_BYTE_ENABLED;
  const auto length = [](unsigned bytes) {
    return [bytes](Payload& p) { p.set_data_length(bytes), p.set_streaming_width(bytes); };
  };
  const auto good = tlm::TLM_INCOMPLETE_RESPONSE;
  const std::vector<Case> cases{
      {[](Payload&) {}, good},
      {[](Payload& p) { p.set_write(); }, good},
      {[](Payload& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); }, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {length(1), good},
      {length(16), good},
      {length(17), tlm::TLM_BURST_ERROR_RESPONSE},
      {length(0), tlm::TLM_BURST_ERROR_RESPONSE},
      {[](Payload& p) { p.set_streaming_width(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
      {[](Payload& p) { p.set_byte_enable_ptr(&enable), p.set_byte_enable_length(1); }, good},
      {[](Payload& p) { p.set_byte_enable_ptr(&enable); }, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
      {[](Payload& p) { p.set_byte_enable_length(1); }, good},
      {[](Payload& p) { p.set_address(0xfff); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {[](Payload& p) { p.set_address(0x10f8); }, good},
      {[](Payload& p) { p.set_address(0x1100); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      // What is streamed comes to as many bytes as the streaming width, or as there are.
      {[](Payload& p) { p.set_address(0x10fc), p.set_streaming_width(4); }, good},
      {[](Payload& p) { p.set_address(0x10f8), p.set_streaming_width(100); }, good},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(answer(cases[i].change, true), cases[i].expected) << "case " << i;
  }
  EXPECT_EQ(answer([](Payload& p) { p.set_byte_enable_ptr(&enable), p.set_byte_enable_length(1); }, false),
            tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(answer([](Payload&) {}, false), good);
}

/// A payload that is copied on its way takes them along.
TEST(Extensions, AreCopiedWithWhatTheySay) {
  models::StreamExtension circuit(true), packets;
  models::OrderExtension nine(9), none;
  EXPECT_FALSE(packets.on_circuit);
  EXPECT_EQ(none.id, 0U);
  auto* const stream = dynamic_cast<models::StreamExtension*>(circuit.clone());
  auto* const order = dynamic_cast<models::OrderExtension*>(nine.clone());
  ASSERT_TRUE(stream != nullptr && order != nullptr);
  EXPECT_TRUE(stream->on_circuit);
  EXPECT_EQ(order->id, 9U);
  stream->free();
  order->free();
  packets.copy_from(circuit);
  none.copy_from(nine);
  EXPECT_TRUE(packets.on_circuit);
  EXPECT_EQ(none.id, 9U);
}

}  // namespace
}  // namespace braid::test::payload_refusal_test
