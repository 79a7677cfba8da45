// Options of the sockets, in section [tlm]; the address map has its own (models/tlm/address_map.h).
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/options.h"

namespace braid::models {

struct TlmOptions {
  std::uint32_t flit_bytes = 8;
  std::uint32_t packet_flits = 16;  ///< most, header included
  std::uint32_t outstanding = 16;   ///< of an initiator
  std::uint32_t most_bytes = 4096;
  std::uint64_t timeout_cycles = 0;  ///< 0: none
  bool byte_enables = true;
  bool dmi = false;
  std::vector<std::uint32_t> circuits;  ///< from, to, from, to, ...
};
const OptionTable<TlmOptions>& tlm_options();

}  // namespace braid::models
