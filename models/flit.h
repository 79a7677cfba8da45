// What moves: flits, and the packets they are parts of.
#pragma once

#include <cstdint>

#include "routing/ids.h"

namespace braid::models {

/// Index into the PacketStore. Slots are reused: a packet's identity is (source, sequence), never its slot.
using PacketSlot = std::uint32_t;

/// 8 bytes: what a link's wires carry. On a packet's flit `vc` is the virtual channel of the link; on a circuit's flit
/// it is the circuit lane (RouterBank::circuit_lane()).
struct Flit {
  PacketSlot packet = 0;
  std::uint16_t sequence = 0;  ///< 0 in the head
  std::uint8_t vc = 0;
  bool head : 1;
  bool tail : 1;

  Flit() : head(false), tail(false) {}
};
static_assert(sizeof(Flit) == 8);

enum class PacketKind : std::uint8_t {
  kSynthetic,     ///< made by a traffic pattern
  kReply,         ///< answers a synthetic packet
  kStream,        ///< items of a stream edge, pushed through packet switching or the ideal network
  kPullRequest,   ///< asks the producer of a stream edge for a block
  kPullResponse,  ///< the block
  kCircuit,       ///< items of a stream edge on a circuit
};

struct Packet {
  std::uint64_t created = 0;   ///< cycle
  std::uint64_t injected = 0;  ///< cycle in which the head is on the injection link
  NodeId source;
  NodeId destination;
  std::uint32_t sequence = 0;       ///< counts the packets of one source
  std::uint32_t edge = 0;           ///< stream kinds: index of the stream edge
  std::uint32_t edge_sequence = 0;  ///< stream kinds: position of the packet in its stream
  std::uint16_t length_flits = 1;
  std::uint16_t hops = 0;  ///< routers passed so far
  PacketKind kind = PacketKind::kSynthetic;
  bool measured = false;  ///< born in the measurement window
};

}  // namespace braid::models
