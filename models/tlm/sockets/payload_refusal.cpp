#include "models/tlm/sockets/payload_refusal.h"

#include <algorithm>

namespace braid::models {

namespace {

const AddressRange* refused(::tlm::tlm_generic_payload& p, ::tlm::tlm_response_status status) {
  p.set_response_status(status);
  return nullptr;
}

}  // namespace

const AddressRange* range_of_payload(::tlm::tlm_generic_payload& p, const TlmOptions& options, const AddressMap& map,
                                     const InitiatorFace& initiator) {
  const unsigned length = p.get_data_length();
  if (!p.is_read() && !p.is_write()) return refused(p, ::tlm::TLM_COMMAND_ERROR_RESPONSE);
  if (p.get_data_ptr() == nullptr) {
    report_wrong_use(initiator.name(), "null data pointer; set_data_ptr() to get_data_length() bytes");
    return refused(p, ::tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  if (length == 0 || length > options.most_bytes || p.get_streaming_width() == 0) {
    return refused(p, ::tlm::TLM_BURST_ERROR_RESPONSE);
  }
  if (p.get_byte_enable_ptr() != nullptr && (!options.byte_enables || p.get_byte_enable_length() == 0)) {
    return refused(p, ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  }
  const AddressRange* range = map.find(p.get_address());
  if (range == nullptr) return refused(p, ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const std::uint64_t span = std::min(length, p.get_streaming_width());
  if (range->holds(p.get_address(), span)) return range;
  report_wrong_use(initiator.name(),
                   map.explain_miss(p.get_address(), span) + "; cut the payload there, or mend tlm.map");
  return refused(p, ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace braid::models
