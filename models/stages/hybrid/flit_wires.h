// A flit as the RTL's ports carry it: 64 bits of data, above them tail and head (hw/hybrid_router.sv). The data name
// the destination in the lowest bits, then the flit's place in its packet, then the packet.
#pragma once

#include "models/fabric/packet_store.h"
#include "models/stages/base/bits.h"

namespace braid::models::stages::hybrid {

constexpr unsigned kDataBits = 64, kFlitBits = kDataBits + 2, kDestinationBits = 16, kLengthBits = 16;

struct FlitWires {
  std::uint64_t data = 0;
  bool tail = false, head = false;

  std::uint64_t destination() const { return data & ((1U << kDestinationBits) - 1); }
  bool operator==(const FlitWires& o) const { return data == o.data && tail == o.tail && head == o.head; }
};

inline FlitWires wires_of(const Flit& flit, const PacketStore& packets) {
  const std::uint64_t destination = packets[flit.packet()].destination.value;
  return {std::uint64_t{flit.packet()} << 32 | std::uint64_t{flit.sequence()} << 16 | (destination & 0xffff),
          flit.tail(), flit.head()};
}

/// Of port `p` in a bundle [P][kFlitBits].
inline void put_flit(Bits& bundle, unsigned p, const FlitWires& flit) {
  bundle.set(p * kFlitBits, kDataBits, flit.data);
  bundle.set(p * kFlitBits + kDataBits, flit.tail);
  bundle.set(p * kFlitBits + kDataBits + 1, flit.head);
}
inline FlitWires flit_at(const Bits& bundle, unsigned p) {
  return {bundle.field(p * kFlitBits, kDataBits), bundle[p * kFlitBits + kDataBits],
          bundle[p * kFlitBits + kDataBits + 1]};
}

/// A flit of packet number `number` that is head and tail as the wires say.
inline Flit flit_numbered(std::uint32_t number, const FlitWires& wires, unsigned lane) {
  const unsigned sequence = wires.head ? 0 : 1;
  return Flit(number, sequence, sequence + (wires.tail ? 1 : 2), lane);
}

}  // namespace braid::models::stages::hybrid
