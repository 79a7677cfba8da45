// Packets under way, in a pool. Buffers hold packets and count flits: a flit has no object of its own.
#pragma once

#include <cstdint>
#include <vector>

namespace braid::models::icnt {

using PacketId = std::uint32_t;

struct Packet {
  void* payload = nullptr;
  std::uint64_t pushed = 0;       ///< cycle
  PacketId next = 0;              ///< behind it in the list that its tail is in
  std::uint32_t destination = 0;  ///< node
  std::uint32_t flits = 0;
  std::uint16_t range = 0;  ///< of virtual channels: place in Configuration::ranges
  std::uint16_t half = 0;   ///< of them, on the ring of a torus that it is on
};

/// Packets in order of arrival, linked by Packet::next. One link is enough: a channel takes the next packet after the
/// tail before has come, and the list that the tail has left no longer needs its link.
struct PacketList {
  PacketId first = 0, last = 0;
  std::uint32_t count = 0;
};

class PacketPool {
 public:
  Packet& operator[](PacketId id) { return packets_[id]; }
  const Packet& operator[](PacketId id) const { return packets_[id]; }
  PacketId take() {
    if (free_.empty()) {
      packets_.emplace_back();
      return static_cast<PacketId>(packets_.size() - 1);
    }
    const PacketId id = free_.back();
    free_.pop_back();
    return id;
  }
  void give_back(PacketId id) { free_.push_back(id); }

  void append(PacketList& list, PacketId id) {
    if (list.count++ == 0) {
      list.first = id;
    } else {
      packets_[list.last].next = id;
    }
    list.last = id;
  }
  void drop_first(PacketList& list) {
    if (--list.count != 0) list.first = packets_[list.first].next;
  }

 private:
  std::vector<Packet> packets_;
  std::vector<PacketId> free_;
};

}  // namespace braid::models::icnt
