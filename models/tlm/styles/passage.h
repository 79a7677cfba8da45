// Where a packet is that reserves the channels of its route, one after the other.
#pragma once

#include <cstdint>

#include "models/tlm/styles/packet_routes.h"

namespace braid::models {

/// The channel that it took last, and the cycles of its head and tail there.
struct Passage {
  ChannelIndex channel = 0;
  std::uint64_t head = 0, tail = 0;
  std::uint64_t moved = 0;  ///< by how much it has made others late
};

}  // namespace braid::models
