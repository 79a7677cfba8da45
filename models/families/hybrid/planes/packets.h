// What the plane engine does one by one: a packet's head at a router (RC), its output VC (VA), its tail, its begin and
// end at the network interfaces. A flit between is nowhere: the packets that have entered a VC stand in a ring, and how
// many flits are where is in the planes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/fabric/bits.h"
#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/planes/vectors.h"
#include "models/families/hybrid/planes/voyages.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid::planes {

/// A packet whose tail comes to its node.
struct Delivery {
  std::uint32_t order = 0;  ///< among those of a cycle, as lists have them: a node of several ports may see it
  VoyageId voyage = 0;
};

/// What is done one by one at an input VC, and at the output VC of the same number. A head looks at three of them:
/// those of its input VC, of the output VC it asks for, and of the input VC behind that; each is one or two lines of
/// the nearest memory, where a table of each field would be a line a field.
struct VcRecord {
  static constexpr std::uint8_t kNever = 0xff;
  static constexpr unsigned kPlaceBits = 2;
  static constexpr VoyageId kMostVoyages = 1 << 16;  ///< that places have room for
  std::uint16_t places[1 << kPlaceBits] = {};        ///< a ring's; unless it needs more
  BestOffer<std::uint16_t> offer;                    ///< [output VC] VA: of who asks for it
  std::uint8_t input_turn = 0;                       ///< [input VC] VA's arbiter among the VCs of a port ...
  std::uint8_t output_turn = 0;                      ///< [output VC] ... and among those who ask
  std::uint8_t pushed = 0, routed = 0;               ///< of a ring
  std::uint8_t out_vc = kNever,
               way = kNever;  ///< [input VC] as Pipeline::at(); output port by the table. Of its last head
};
static_assert(sizeof(VcRecord) == 16);

/// Packets in the order in which they get a VC: an input VC of a router, or that of an ejection link.
/// Pointers to them: who walks a list copies it into a local variable, as with BankView.
/// On threads the ring of a VC behind a link may be pushed to by one and routed from by another: each writes what is
/// its own of the record, and a packet is routed three cycles after its push at the earliest.
class RingsView {
 public:
  BRAID_PLANES_INLINE VcRecord& record(std::uint32_t ring) const { return records_[ring]; }
  BRAID_PLANES_INLINE bool full(std::uint32_t ring) const {
    const std::uint8_t routed = __atomic_load_n(&records_[ring].routed, __ATOMIC_RELAXED);  // by another thread
    return static_cast<std::uint8_t>(records_[ring].pushed - routed) >= mask_;
  }
  /// Asks for the memory of a ring.
  void prefetch(std::uint32_t ring) const {
    __builtin_prefetch(&records_[ring], 1);
    if (more_places_ != nullptr) __builtin_prefetch(&more_places_[std::size_t{ring} << bits_], 1);
  }
  BRAID_PLANES_INLINE void push(std::uint32_t ring, VoyageId voyage) const {
    put(ring, records_[ring].pushed++, voyage);
  }
  /// The next whose head is at the front, or which goes to a node.
  BRAID_PLANES_INLINE VoyageId route_next(std::uint32_t ring) const {
    const std::uint8_t next = records_[ring].routed;
    __atomic_store_n(&records_[ring].routed, static_cast<std::uint8_t>(next + 1), __ATOMIC_RELAXED);
    return at(ring, next);
  }
  /// The one whose flits leave the buffer.
  BRAID_PLANES_INLINE VoyageId current(std::uint32_t ring) const { return at(ring, records_[ring].routed - 1U); }
  /// Those behind it, from 0.
  BRAID_PLANES_INLINE VoyageId coming(std::uint32_t ring, std::uint32_t i) const {
    return at(ring, records_[ring].routed + i);
  }
  /// The last that has got the VC, and those before it.
  VoyageId from_last(std::uint32_t ring, std::uint32_t i) const { return at(ring, records_[ring].pushed - 1U - i); }

  /// Runs body(view) on a local copy of the view. The body is compiled twice: for rings whose places are all in the
  /// records, where sizes are constants and nobody has to ask for more places, and for any.
  template <class Body>
  BRAID_PLANES_INLINE void with_places(Body body) const {
    RingsView view = *this;
    if (__builtin_expect(view.more_places_ == nullptr, 1)) {
      view.bits_ = VcRecord::kPlaceBits;
      view.mask_ = (1U << VcRecord::kPlaceBits) - 1;
      view.more_places_ = nullptr;
      body(view);
    } else {
      body(view);
    }
  }

 protected:
  BRAID_PLANES_INLINE VoyageId at(std::uint32_t ring, std::uint32_t i) const {
    if (__builtin_expect(more_places_ != nullptr, 0)) return more_places_[(std::size_t{ring} << bits_) + (i & mask_)];
    return records_[ring].places[i & mask_];
  }
  BRAID_PLANES_INLINE void put(std::uint32_t ring, std::uint32_t i, VoyageId voyage) const {
    if (__builtin_expect(more_places_ != nullptr, 0)) {
      more_places_[(std::size_t{ring} << bits_) + (i & mask_)] = voyage;
    } else {
      records_[ring].places[i & mask_] = static_cast<std::uint16_t>(voyage);
    }
  }

  unsigned bits_ = VcRecord::kPlaceBits;
  std::uint32_t mask_ = (1U << VcRecord::kPlaceBits) - 1;
  VcRecord* records_ = nullptr;      // [ring]
  VoyageId* more_places_ = nullptr;  // null: the places in the records are enough
};

/// Owns them. A buffer has room for a packet a flit, and there may be the one that leaves and the one that comes next
/// besides; but most packets are longer, and what is small is near the processor. So rings begin with four places.
class PacketRings : public RingsView {
 public:
  void resize(std::size_t rings) {
    rings_ = rings;
    lines_.resize((rings + 3) / 4);
    records_ = lines_.front().of;
  }
  /// As resized; room that has been made stays.
  void clear() { std::fill_n(records_, rings_, VcRecord{}); }
  /// Twice the room.
  void grow() {
    RingsView before = *this;
    const std::vector<VoyageId> places_before = std::move(places_);
    mask_ = (1U << ++bits_) - 1;
    places_.assign(rings_ << bits_, 0);
    more_places_ = places_.data();
    for (std::uint32_t ring = 0; ring < rings_; ++ring) {
      for (std::uint32_t i = 0; i < 1U << (bits_ - 1); ++i) {
        put(ring, records_[ring].pushed - 1U - i, before.from_last(ring, i));
      }
    }
  }
  void push_one(std::uint32_t ring, VoyageId voyage) {
    while (full(ring)) grow();
    push(ring, voyage);
  }
  /// Makes room for their names.
  void have_names_for(std::size_t voyages) {
    if (voyages > VcRecord::kMostVoyages && more_places_ == nullptr) grow();
  }

 private:
  /// Those of a port are a line of the nearest memory.
  struct alignas(64) Line {
    VcRecord of[4];
  };
  std::size_t rings_ = 0;
  std::vector<Line> lines_;
  std::vector<VoyageId> places_;
};

}  // namespace braid::models::hybrid::planes
