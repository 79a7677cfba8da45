// Transactions as bytes: each field in its place (docs of models/tlm/wire_format.h), and back again.
#include "models/tlm/wire_format.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace braid::test::wire_format_test {
namespace {

using models::WireBytes;

/// Its data and byte enables live as long as it does.
struct Payload : tlm::tlm_generic_payload {
  Payload(tlm::tlm_command command, std::uint64_t address, unsigned length) : data(length) {
    std::iota(data.begin(), data.end(), static_cast<unsigned char>(0x80));
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(length);
    set_streaming_width(length);
  }
  void enable(std::vector<unsigned char> which) {
    enables = std::move(which);
    set_byte_enable_ptr(enables.data());
    set_byte_enable_length(static_cast<unsigned>(enables.size()));
  }
  std::vector<unsigned char> data, enables;
};

WireBytes request_of(const Payload& p, bool stream) {
  WireBytes bytes{1, 2, 3};  // of another message before
  models::encode_request(p, stream, bytes);
  EXPECT_EQ(bytes.size(), models::request_bytes(p));
  return bytes;
}
WireBytes response_of(const Payload& p) {
  WireBytes bytes{1, 2, 3};
  models::encode_response(p, bytes);
  EXPECT_EQ(bytes.size(), models::response_bytes(p));
  return bytes;
}

TEST(WireFormat, ARequestHasEachFieldInItsPlace) {
  Payload p(tlm::TLM_WRITE_COMMAND, 0x0102030405060708, 3);
  p.set_streaming_width(0x11223344);
  std::vector<unsigned char> enables(11, TLM_BYTE_DISABLED);
  enables[0] = enables[3] = enables[7] = enables[8] = enables[10] = TLM_BYTE_ENABLED;
  p.enable(enables);
  EXPECT_EQ(request_of(p, true), (WireBytes{1, 1,    0,    0,    3,    0,  0, 0, 8, 7,    6,    5,    4,    3,   2,
                                            1, 0x44, 0x33, 0x22, 0x11, 11, 0, 0, 0, 0x89, 0x05, 0x80, 0x81, 0x82}));
  Payload read(tlm::TLM_READ_COMMAND, 0xf0e0d0c0b0a09080, 0x0102);
  EXPECT_EQ(request_of(read, false), (WireBytes{0,    0,    0,    0,    2, 1, 0, 0, 0x80, 0x90, 0xa0, 0xb0,
                                                0xc0, 0xd0, 0xe0, 0xf0, 2, 1, 0, 0, 0,    0,    0,    0}));
}

TEST(WireFormat, ARequestIsReadAsItWasWritten) {
  for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    for (const unsigned length : {1U, 255U, 256U, 65536U, (1U << 24)}) {
      for (const std::size_t enables : {0U, 1U, 7U, 8U, 9U, 64U, 300U}) {
        if (length > 256 && enables > 1) continue;
        Payload p(command, 0xfedcba9876543210, length);
        p.set_streaming_width(length / 2 + 1);
        std::vector<unsigned char> which(enables, TLM_BYTE_DISABLED);
        for (std::size_t i = 0; i < enables; i += 3) which[i] = TLM_BYTE_ENABLED;
        if (enables != 0) p.enable(which);
        const bool stream = enables % 2 == 1;
        models::WireRequest back;
        back.data.assign(7, 9);
        back.byte_enables.assign(3, 9);
        models::decode_request(request_of(p, stream), back);
        EXPECT_EQ(back.command, command);
        EXPECT_EQ(back.stream, stream);
        EXPECT_EQ(back.address, 0xfedcba9876543210);
        EXPECT_EQ(back.length, length);
        EXPECT_EQ(back.streaming_width, length / 2 + 1);
        EXPECT_EQ(back.byte_enables, which);
        const bool write = command == tlm::TLM_WRITE_COMMAND;
        EXPECT_EQ(back.data, write ? p.data : std::vector<unsigned char>(length)) << length;
      }
    }
  }
}

/// Byte enables without a length of their own are none; a length without a pointer neither.
TEST(WireFormat, NoPointerIsNoByteEnables) {
  Payload p(tlm::TLM_READ_COMMAND, 0, 4);
  p.set_byte_enable_length(4);
  EXPECT_EQ(request_of(p, false).size(), 24U);
}

TEST(WireFormat, AResponseHasDataWhereAReadWentWell) {
  Payload p(tlm::TLM_READ_COMMAND, 0, 3);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  p.set_dmi_allowed(true);
  EXPECT_EQ(response_of(p), (WireBytes{0, 1, 0, 0, 3, 0, 0, 0, 0x80, 0x81, 0x82}));
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);  // -4
  EXPECT_EQ(response_of(p), (WireBytes{5, 0, 0, 0, 0, 0, 0, 0}));
  p.set_write();
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(response_of(p), (WireBytes{0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(WireFormat, AResponseIsReadAsItWasWritten) {
  for (const auto status : {tlm::TLM_OK_RESPONSE, tlm::TLM_INCOMPLETE_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE,
                            tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE,
                            tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE}) {
    for (const bool dmi : {false, true}) {
      Payload p(tlm::TLM_READ_COMMAND, 0, 0x10203);
      p.set_response_status(status);
      p.set_dmi_allowed(dmi);
      const WireBytes bytes = response_of(p);
      const models::WireResponse back = models::decode_response(bytes);
      EXPECT_EQ(back.status, status);
      EXPECT_EQ(back.dmi_allowed, dmi);
      const bool good = status == tlm::TLM_OK_RESPONSE;
      EXPECT_EQ(back.length, good ? 0x10203U : 0U);
      EXPECT_EQ(std::vector<unsigned char>(back.data, back.data + back.length),
                good ? p.data : std::vector<unsigned char>());
    }
  }
}

TEST(WireFormat, MessagesOfAnotherLengthAreNone) {
  const auto refused = [](const WireBytes& bytes, bool request) {
    try {
      models::WireRequest into;
      if (request) {
        models::decode_request(bytes, into);
      } else {
        (void)models::decode_response(bytes);
      }
    } catch (const std::logic_error&) {
      return true;
    }
    return false;
  };
  Payload write(tlm::TLM_WRITE_COMMAND, 0, 5), read(tlm::TLM_READ_COMMAND, 0, 5);
  read.enable(std::vector<unsigned char>(9, TLM_BYTE_ENABLED));
  read.set_response_status(tlm::TLM_OK_RESPONSE);
  for (const auto& [bytes, request] :
       {std::pair(request_of(write, false), true), {request_of(read, false), true}, {response_of(read), false}}) {
    EXPECT_FALSE(refused(bytes, request));
    WireBytes longer = bytes, shorter = bytes;
    longer.push_back(0);
    shorter.pop_back();
    EXPECT_TRUE(refused(longer, request));
    EXPECT_TRUE(refused(shorter, request));
    EXPECT_TRUE(refused(WireBytes(request ? 23 : 7), request)) << "no header";
    EXPECT_TRUE(refused({}, request));
    EXPECT_FALSE(refused(WireBytes(request ? 24 : 8), request)) << "a header of zeros is one of no bytes";
  }
}

/// Where byte enables allow it, which begin anew where data is longer; never beyond the payload's own data.
TEST(WireFormat, WhatWasReadGoesWhereItMay) {
  const std::vector<unsigned char> there{10, 11, 12, 13, 14, 15, 16};
  models::WireResponse response;
  response.status = tlm::TLM_OK_RESPONSE;
  response.dmi_allowed = true;
  response.data = there.data();
  response.length = 7;
  Payload all(tlm::TLM_READ_COMMAND, 0, 7), some(tlm::TLM_READ_COMMAND, 0, 7), fewer(tlm::TLM_READ_COMMAND, 0, 4),
      more(tlm::TLM_READ_COMMAND, 0, 9);
  some.enable({TLM_BYTE_DISABLED, TLM_BYTE_ENABLED, TLM_BYTE_ENABLED});
  fewer.enable({TLM_BYTE_ENABLED, TLM_BYTE_DISABLED});
  for (Payload* p : {&all, &some, &fewer, &more}) {
    models::apply_response(response, *p);
    EXPECT_TRUE(p->is_response_ok());
    EXPECT_TRUE(p->is_dmi_allowed());
  }
  EXPECT_EQ(all.data, there);
  EXPECT_EQ(some.data, (std::vector<unsigned char>{0x80, 11, 12, 0x83, 14, 15, 0x86}));
  EXPECT_EQ(fewer.data, (std::vector<unsigned char>{10, 0x81, 12, 0x83}));
  EXPECT_EQ(more.data, (std::vector<unsigned char>{10, 11, 12, 13, 14, 15, 16, 0x87, 0x88}));
  Payload wrong(tlm::TLM_READ_COMMAND, 0, 2);
  models::apply_response({tlm::TLM_ADDRESS_ERROR_RESPONSE, false, nullptr, 0}, wrong);
  EXPECT_EQ(wrong.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_FALSE(wrong.is_dmi_allowed());
  EXPECT_EQ(wrong.data, (std::vector<unsigned char>{0x80, 0x81}));
}

}  // namespace
}  // namespace braid::test::wire_format_test
