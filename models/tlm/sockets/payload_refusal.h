// What no network takes, whatever the style.
#pragma once

#include <tlm>

#include "models/tlm/address_map.h"
#include "models/tlm/options.h"
#include "models/tlm/sockets/faces.h"

namespace braid::models {

/// The range that the payload leads to. Null: its command, length, byte enables or address are wrong, and the response
/// status that says so is set. What no status says well, a null pointer or the end of a range, is an SC_ERROR that
/// names the initiator's socket.
const AddressRange* range_of_payload(::tlm::tlm_generic_payload& p, const TlmOptions& options, const AddressMap& map,
                                     const InitiatorFace& initiator);

}  // namespace braid::models
