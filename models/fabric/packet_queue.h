// A queue of packets, as every family's source queues are.
#pragma once

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <vector>

#include "models/fabric/flit.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

/// First in, first out, without bound; holds its memory.
class PacketQueue {
 public:
  void push(PacketSlot packet) {
    if (__builtin_expect(packets_.full(), 0)) grow();
    packets_.push_back(packet);
  }
  void pop() { packets_.pop_front(); }
  PacketSlot front() const { return packets_.front(); }
  bool empty() const { return packets_.empty(); }
  std::size_t size() const { return packets_.size(); }
  /// The same packet, by another slot.
  void rename(PacketSlot from, PacketSlot to) { std::replace(packets_.begin(), packets_.end(), from, to); }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const PacketSlot packet : packets_) visit(packet);
  }

  void checkpoint(Checkpoint& c) {
    std::vector<PacketSlot> packets(packets_.begin(), packets_.end());
    c(packets);
    for (const PacketSlot packet : packets) c.packet(packet);
    packets_.assign(std::max<std::size_t>(packets_.capacity(), packets.size()), packets.begin(), packets.end());
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    packets_.set_capacity(packets_.capacity() == 0 ? 4 : packets_.capacity() * 2);
  }

  boost::circular_buffer<PacketSlot> packets_;
};

}  // namespace braid::models
