// What of a transaction is on the wires: requests and responses as bytes, little-endian. Packets carry them
// (models/tlm/carrier.h); nothing else of a payload crosses the network but ignorable extensions, which take no flits.
//
//   request   command 1 | flags 1 | 0 2 | data length 4 | address 8 | streaming width 4 | byte enables 4
//             then a bit for each byte enable, and, of a write, the data: enabled or not, a bus has those lanes
//   response  status 1 | DMI hint 1 | 0 2 | data length 4, then, of a read that is well, the data
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

namespace braid::models {

using WireBytes = std::vector<std::uint8_t>;
constexpr std::size_t kRequestHeaderBytes = 24, kResponseHeaderBytes = 8;

struct WireRequest {
  ::tlm::tlm_command command = ::tlm::TLM_READ_COMMAND;
  bool stream = false;
  std::uint64_t address = 0;
  std::uint32_t length = 0, streaming_width = 0;
  std::vector<unsigned char> byte_enables;  ///< empty: all
  std::vector<unsigned char> data;          ///< `length` bytes, for a read to be filled
};

struct WireResponse {
  ::tlm::tlm_response_status status = ::tlm::TLM_INCOMPLETE_RESPONSE;
  bool dmi_allowed = false;
  const std::uint8_t* data = nullptr;  ///< of a read, in the bytes that were decoded
  std::uint32_t length = 0;
};

/// Bytes on the wires of what encode_request() and encode_response() make.
std::size_t request_bytes(const ::tlm::tlm_generic_payload& payload);
std::size_t response_bytes(const ::tlm::tlm_generic_payload& payload);

void encode_request(const ::tlm::tlm_generic_payload& payload, bool stream, WireBytes& bytes);
/// Throws std::logic_error for what encode_request() does not make.
void decode_request(const WireBytes& bytes, WireRequest& request);

void encode_response(const ::tlm::tlm_generic_payload& payload, WireBytes& bytes);
WireResponse decode_response(const WireBytes& bytes);

/// Writes what was read where byte enables allow it, and the status.
void apply_response(const WireResponse& response, ::tlm::tlm_generic_payload& payload);

}  // namespace braid::models
