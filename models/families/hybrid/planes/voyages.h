// Packets under way, from the cycle in which an interface begins to send one until its tail has come: what each router
// asks of them, side by side. The packets themselves lie anywhere in the store, among all that wait at sources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/fabric/packet_store.h"

namespace braid::models::hybrid::planes {

/// Index of a voyage. Those that have ended are used again, the last first: so few are in use, and near the processor.
using VoyageId = std::uint32_t;

struct alignas(16) Voyage {
  PacketSlot packet = 0;
  NodeId destination;
  std::uint16_t length_flits = 0;  ///< 0: of a packet that is logged, RC has to look at it itself
  std::uint16_t routers = 0;       ///< passed, and not counted in the packet yet
};

/// Of a packet that is under way from now on.
inline Voyage voyage_of(const Packet& packet, PacketSlot slot) {
  return {slot, packet.destination, packet.record == nullptr ? packet.length_flits : std::uint16_t{0}, 0};
}

/// Where they are.
struct VoyagesView {
  Voyage* all = nullptr;
  unsigned bits = 0;  ///< so many of a place's number say nothing
  Voyage& operator[](VoyageId id) const { return all[std::size_t{id} << bits]; }
};

/// Those of all slices. Each slice has free ones of its own, for packets that it begins; a voyage that ends is free
/// where it ends.
class Voyages {
 public:
  /// `threads`: several. Then each has a line of memory of its own, for packets whose voyages are neighbours are at
  /// routers of any thread, and every router writes to them.
  explicit Voyages(bool threads = false) : bits_(threads ? 2 : 0) {}
  VoyagesView view() { return {all_.data(), bits_}; }
  std::size_t size() const { return all_.size() >> bits_; }
  void clear() { all_.clear(); }
  VoyageId add(const Voyage& voyage) {
    const auto id = static_cast<VoyageId>(size());
    all_.resize(all_.size() + (std::size_t{1} << bits_));
    view()[id] = voyage;
    return id;
  }
  /// Free ones of a slice, and how many it needs for a cycle.
  struct Free {
    std::vector<VoyageId> ids;
    std::size_t needed = 0;
    bool lacks() const { return ids.size() < needed; }
    std::size_t beyond_need() const { return ids.size() - std::min(ids.size(), needed); }
  };
  /// Between cycles: `to` lacks none then. They come from `most`, which has most beyond its own need (and may be the
  /// same slice's), if those are many; else there are more from now on.
  void provide(Free& to, Free& most) {
    if (&most != &to && most.beyond_need() >= kMany * to.needed) {
      const auto half = most.ids.end() - static_cast<std::ptrdiff_t>(most.beyond_need() / 2);
      to.ids.insert(to.ids.end(), half, most.ids.end());
      most.ids.erase(half, most.ids.end());
    }
    while (to.lacks()) to.ids.push_back(add({}));
  }
  /// Brings Packet::routers of each up to date.
  void count_routers(PacketStore& store) {
    for (Voyage& voyage : all_) {
      if (voyage.routers != 0) store[voyage.packet].routers += std::exchange(voyage.routers, std::uint16_t{0});
    }
  }

 private:
  static constexpr std::size_t kMany = 4;  // times those that one slice needs
  unsigned bits_;
  std::vector<Voyage> all_;
};
static_assert(sizeof(Voyage) << 2 == 64);

}  // namespace braid::models::hybrid::planes
