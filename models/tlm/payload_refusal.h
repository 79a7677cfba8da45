// What no network takes, whatever the style.
#pragma once

#include <optional>
#include <tlm>

#include "models/tlm/address_map.h"
#include "models/tlm/faces.h"
#include "models/tlm/options.h"

namespace braid::models {

/// The status that answers the payload at once: its command, length, byte enables or address are wrong; none: it is
/// good. What no status says well, a null pointer or the end of a range, is an SC_ERROR that names the initiator's
/// socket.
std::optional<::tlm::tlm_response_status> payload_refusal(const ::tlm::tlm_generic_payload& p,
                                                          const TlmOptions& options, const AddressMap& map,
                                                          const InitiatorFace& initiator);

}  // namespace braid::models
