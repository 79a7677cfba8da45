// What moves: flits, and the packets they are parts of.
#pragma once

#include <cstdint>

#include "routing/base/ids.h"

namespace braid::models {

/// Index into the PacketStore. Slots are reused: a packet's identity is (source, sequence), never its slot.
using PacketSlot = std::uint32_t;

/// What a link's wires carry, as one 64-bit word: its fields are never stored one by one, since reading a word back
/// that was written in pieces stalls the processor. On a packet's flit vc() is the virtual channel of the link; on a
/// circuit's flit it is the circuit lane (BankView::circuit_lane()).
class Flit {
 public:
  Flit() = default;
  /// Flit `sequence` of a packet of `length` flits.
  Flit(PacketSlot packet, std::uint32_t sequence, std::uint32_t length, std::uint32_t vc)
      : word_((std::uint64_t{packet} << 32) | (std::uint64_t{sequence} << 16) | (std::uint64_t{vc} << 8) |
              (sequence == 0 ? kHead : 0) | (sequence + 1 == length ? kTail : 0)) {}

  PacketSlot packet() const { return static_cast<PacketSlot>(word_ >> 32); }
  std::uint32_t sequence() const { return (word_ >> 16) & 0xffff; }  ///< 0 in the head
  std::uint32_t vc() const { return (word_ >> 8) & 0xff; }
  bool head() const { return (word_ & kHead) != 0; }
  bool tail() const { return (word_ & kTail) != 0; }
  /// The same flit on another VC.
  Flit on(std::uint32_t vc) const {
    Flit flit;
    flit.word_ = (word_ & ~std::uint64_t{0xff00}) | (std::uint64_t{vc} << 8);
    return flit;
  }

 private:
  static constexpr std::uint64_t kHead = 1, kTail = 2;
  std::uint64_t word_ = 0;
};

enum class PacketKind : std::uint8_t {
  kSynthetic,     ///< made by a traffic pattern
  kReply,         ///< answers a synthetic packet
  kStream,        ///< items of a stream edge, pushed through packet switching or the ideal network
  kPullRequest,   ///< asks the producer of a stream edge for a block
  kPullResponse,  ///< the block
  kCircuit,       ///< items of a stream edge on a circuit
};

/// Packet::message of a packet that no message layer has made.
constexpr std::uint32_t kNoMessage = UINT32_MAX;

struct PacketRecord;

struct alignas(64) Packet {    // one cache line
  std::uint64_t created = 0;   ///< cycle
  std::uint64_t injected = 0;  ///< cycle in which the head is on the injection link
  NodeId source;
  NodeId destination;
  std::uint32_t sequence = 0;          ///< counts the packets of one source
  std::uint32_t edge = 0;              ///< stream kinds: index of the stream edge
  std::uint32_t edge_sequence = 0;     ///< stream kinds: position of the packet in its stream
  std::uint32_t message = kNoMessage;  ///< slot of the message it is part of
  std::uint16_t length_flits = 1;
  std::uint16_t hops = 0;  ///< routers passed so far
  PacketKind kind = PacketKind::kSynthetic;
  bool priority = false;           ///< of a priority message
  bool measured = false;           ///< born in the measurement window
  PacketRecord* record = nullptr;  ///< its line of the packet log (models/fabric/packet_log.h), if there is one
};
static_assert(sizeof(Packet) == 64);

}  // namespace braid::models
