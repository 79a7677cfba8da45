// What the plane engine does one by one: a packet's head at a router (RC), its output VC (VA), its tail, its begin and
// end at the network interfaces. A flit between is nowhere: the packets that have entered a VC stand in a ring, and how
// many flits are where is in the planes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/bits.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid::planes {

/// A packet whose tail comes to its node.
struct Delivery {
  std::uint32_t order = 0;  ///< among those of a cycle, as lists have them: a node of several ports may see it
  PacketSlot packet = 0;
};

/// Packets in the order in which they get a VC: an input VC of a router, or that of an ejection link.
/// Pointers to them: who walks a list copies it into a local variable, as with BankView.
class RingsView {
 public:
  /// Has it no room for one more?
  bool full(std::uint32_t ring) const { return static_cast<std::uint8_t>(pushed_[ring] - routed_[ring]) >= mask_; }
  /// Asks for the memory of a ring.
  void prefetch(std::uint32_t ring) const {
    __builtin_prefetch(&slots_[std::size_t{ring} << bits_], 1);
    __builtin_prefetch(&pushed_[ring], 1);
    __builtin_prefetch(&routed_[ring], 1);
  }
  void push(std::uint32_t ring, PacketSlot packet) const { slot(ring, pushed_[ring]++) = packet; }
  /// The next whose head is at the front, or which goes to a node.
  PacketSlot route_next(std::uint32_t ring) const { return slot(ring, routed_[ring]++); }
  /// The one whose flits leave the buffer.
  PacketSlot current(std::uint32_t ring) const { return slot(ring, routed_[ring] - 1U); }
  /// Those behind it, from 0.
  PacketSlot coming(std::uint32_t ring, std::uint32_t i) const { return slot(ring, routed_[ring] + i); }
  /// The last that has got the VC, and those before it.
  PacketSlot from_last(std::uint32_t ring, std::uint32_t i) const { return slot(ring, pushed_[ring] - 1U - i); }
  void clear(std::uint32_t ring) const { pushed_[ring] = routed_[ring] = 0; }

 protected:
  PacketSlot& slot(std::uint32_t ring, std::uint32_t i) const {
    return slots_[(std::size_t{ring} << bits_) + (i & mask_)];
  }

  unsigned bits_ = 0;
  std::uint32_t mask_ = 0;
  PacketSlot* slots_ = nullptr;
  std::uint8_t* pushed_ = nullptr;  // [ring]
  std::uint8_t* routed_ = nullptr;  // [ring]
};

/// Owns them. A buffer has room for a packet a flit, and there may be the one that leaves and the one that comes next
/// besides; but most packets are longer, and what is small is near the processor. So rings begin with four places.
class PacketRings : public RingsView {
 public:
  void resize(std::size_t rings) {
    counts_.assign(2 * rings, 0);
    pushed_ = counts_.data();
    routed_ = counts_.data() + rings;
    set_places(rings, 2);
  }
  /// Twice the room.
  void grow() {
    const PacketRings before = *this;
    const std::size_t rings = counts_.size() / 2;
    set_places(rings, bits_ + 1);
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
      for (std::uint32_t i = 0; i <= before.mask_; ++i) {
        slot(ring, pushed_[ring] - 1U - i) =
            before.slots_of_[(std::size_t{ring} << before.bits_) + ((pushed_[ring] - 1U - i) & before.mask_)];
      }
    }
  }
  void push_one(std::uint32_t ring, PacketSlot packet) {
    while (full(ring)) grow();
    push(ring, packet);
  }

 private:
  void set_places(std::size_t rings, unsigned bits) {
    bits_ = bits;
    mask_ = (1U << bits) - 1;
    slots_of_.assign(rings << bits, 0);
    slots_ = slots_of_.data();
  }

  std::vector<PacketSlot> slots_of_;
  std::vector<std::uint8_t> counts_;
};

}  // namespace braid::models::hybrid::planes
