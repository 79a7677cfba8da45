// What moves: flits, and the packets they are parts of.
#pragma once

#include <cstdint>

#include "routing/base/checkpoint.h"
#include "routing/base/ids.h"
#include "routing/paths/route_table.h"

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
  /// The same flit of another packet.
  Flit of(PacketSlot packet) const {
    Flit flit;
    flit.word_ = (word_ & 0xffffffff) | (std::uint64_t{packet} << 32);
    return flit;
  }
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

/// Packet::workload of a packet that no workload has made.
constexpr std::uint8_t kNoWorkload = UINT8_MAX;
/// Packet::tag and Packet::tag_sequence of packets that have none.
constexpr std::uint32_t kNoTag = UINT32_MAX;
/// Packet::message of a packet that no message layer has made.
constexpr std::uint32_t kNoMessage = UINT32_MAX;

struct PacketRecord;

struct alignas(64) Packet {    // one cache line
  std::uint64_t created = 0;   ///< cycle
  std::uint64_t injected = 0;  ///< cycle in which the head is on its source's injection link; 0: it has not been
  NodeId source;
  NodeId destination;
  std::uint32_t sequence = 0;           ///< counts the packets of one source
  std::uint32_t tag = kNoTag;           ///< the workload's own: what it belongs to (a stream's edge)
  std::uint32_t tag_sequence = kNoTag;  ///< the workload's own: its position there
  std::uint32_t message = kNoMessage;   ///< slot of the message it is part of
  std::uint16_t length_flits = 1;
  std::uint16_t routers = 0;                   ///< routers passed so far
  std::uint8_t workload = kNoWorkload;         ///< whose it is: place among the network's workloads
  std::uint8_t kind = 0;                       ///< the workload's own
  std::uint8_t traffic_class = 0;              ///< of the figures it counts in
  bool priority = false;                       ///< of a priority message
  bool measured = false;                       ///< born in the measurement window
  std::uint8_t draw = 0;                       ///< by chance, of its own: see routing::RouteQuery::draw
  routing::RouteId route = routing::kNoRoute;  ///< of source routing: the leg of its path that it is on, or its stream
  PacketRecord* record = nullptr;  ///< its line of the packet log (models/fabric/packet_log.h), if there is one

  /// The packet log finds the record again.
  void checkpoint(Checkpoint& c) {
    c(created, injected, source, destination, sequence, tag, tag_sequence, message, length_flits, routers, workload,
      kind, traffic_class, priority, measured, draw, route);
  }
};
static_assert(sizeof(Packet) == 64);

}  // namespace braid::models
