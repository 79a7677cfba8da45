#include "models/tlm/wire_format.h"

#include <algorithm>
#include <stdexcept>

namespace braid::models {
namespace {

void put(WireBytes& bytes, std::uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

std::uint64_t get(const WireBytes& bytes, std::size_t at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}

void check_size(const WireBytes& bytes, std::size_t expected) {
  if (bytes.size() != expected) throw std::logic_error("tlm: a message on the wires is not as long as its header says");
}

}  // namespace

std::size_t request_bytes(const ::tlm::tlm_generic_payload& payload) {
  const std::size_t enables = payload.get_byte_enable_ptr() == nullptr ? 0 : payload.get_byte_enable_length();
  return kRequestHeaderBytes + (enables + 7) / 8 + (payload.is_write() ? payload.get_data_length() : 0);
}

std::size_t response_bytes(const ::tlm::tlm_generic_payload& payload) {
  return kResponseHeaderBytes + (payload.is_read() && payload.is_response_ok() ? payload.get_data_length() : 0);
}

void encode_request(const ::tlm::tlm_generic_payload& payload, bool stream, WireBytes& bytes) {
  bytes.clear();
  const unsigned enables = payload.get_byte_enable_ptr() == nullptr ? 0 : payload.get_byte_enable_length();
  put(bytes, payload.is_write() ? 1 : 0, 1);
  put(bytes, stream ? 1 : 0, 1);
  put(bytes, 0, 2);
  put(bytes, payload.get_data_length(), 4);
  put(bytes, payload.get_address(), 8);
  put(bytes, payload.get_streaming_width(), 4);
  put(bytes, enables, 4);
  const unsigned char* enable = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < enables; i += 8) {
    unsigned bits = 0;
    for (unsigned b = 0; b < 8 && i + b < enables; ++b) bits |= (enable[i + b] == TLM_BYTE_ENABLED ? 1U : 0U) << b;
    put(bytes, bits, 1);
  }
  if (!payload.is_write()) return;
  bytes.insert(bytes.end(), payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
}

void decode_request(const WireBytes& bytes, WireRequest& request) {
  if (bytes.size() < kRequestHeaderBytes) throw std::logic_error("tlm: a request without its header");
  request.command = get(bytes, 0, 1) != 0 ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND;
  request.stream = get(bytes, 1, 1) != 0;
  request.length = static_cast<std::uint32_t>(get(bytes, 4, 4));
  request.address = get(bytes, 8, 8);
  request.streaming_width = static_cast<std::uint32_t>(get(bytes, 16, 4));
  const std::size_t enables = get(bytes, 20, 4), data = kRequestHeaderBytes + (enables + 7) / 8;
  const bool write = request.command == ::tlm::TLM_WRITE_COMMAND;
  check_size(bytes, data + (write ? request.length : 0));
  request.byte_enables.resize(enables);
  for (std::size_t i = 0; i < enables; ++i) {
    const bool enabled = ((bytes[kRequestHeaderBytes + i / 8] >> (i % 8)) & 1U) != 0;
    request.byte_enables[i] = enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  request.data.assign(request.length, 0);
  if (write) std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(data), bytes.end(), request.data.begin());
}

void encode_response(const ::tlm::tlm_generic_payload& payload, WireBytes& bytes) {
  bytes.clear();
  const bool data = payload.is_read() && payload.is_response_ok();
  put(bytes, static_cast<std::uint8_t>(-static_cast<int>(payload.get_response_status()) + 1), 1);  // 0 is well
  put(bytes, payload.is_dmi_allowed() ? 1 : 0, 1);
  put(bytes, 0, 2);
  put(bytes, data ? payload.get_data_length() : 0, 4);
  if (data) bytes.insert(bytes.end(), payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
}

WireResponse decode_response(const WireBytes& bytes) {
  if (bytes.size() < kResponseHeaderBytes) throw std::logic_error("tlm: a response without its header");
  WireResponse response;
  response.status = static_cast<::tlm::tlm_response_status>(1 - static_cast<int>(get(bytes, 0, 1)));
  response.dmi_allowed = get(bytes, 1, 1) != 0;
  response.length = static_cast<std::uint32_t>(get(bytes, 4, 4));
  check_size(bytes, kResponseHeaderBytes + response.length);
  response.data = bytes.data() + kResponseHeaderBytes;
  return response;
}

void apply_response(const WireResponse& response, ::tlm::tlm_generic_payload& payload) {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  const unsigned enable_length = payload.get_byte_enable_length();
  unsigned char* data = payload.get_data_ptr();
  const unsigned length = std::min(response.length, payload.get_data_length());
  if (enables == nullptr || enable_length == 0) {
    std::copy(response.data, response.data + length, data);
  } else {
    for (unsigned i = 0; i < length; ++i) {
      if (enables[i % enable_length] == TLM_BYTE_ENABLED) data[i] = response.data[i];
    }
  }
  payload.set_dmi_allowed(response.dmi_allowed);
  payload.set_response_status(response.status);
}

}  // namespace braid::models
