// A PO2 router in the middle of nine whose pool is filled by hand (po2_row.h has its numbers).
#pragma once

#include <cstdint>
#include <initializer_list>

#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test {

/// Router 4. All its ports are idle, and no cycle runs by itself.
struct Po2Middle {
  static constexpr std::size_t kEast = 0, kWest = 1, kNorth = 2, kSouth = 3, kLocal = 4;

  Bench bench;
  models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  models::po2::Router& router = slice.router(4);

  explicit Po2Middle(const models::Experiment& e = small_po2(3, 3)) : bench(e) {}
  static models::Experiment with(const char* key, const OptionValue& value) {
    models::Experiment e = small_po2(3, 3);
    e.set(key, value);
    return e;
  }
  /// A packet in buffer `b` that waits since `since` for these ports, in this order: the next one of node 8's queue.
  models::po2::Buffer& waits(std::uint8_t b, std::uint64_t since, std::initializer_list<std::size_t> ports) {
    bench.network->send_packet(NodeId{8}, NodeId{0}, 4);
    models::po2::Buffer& buffer = router.buffers[b];
    buffer.state = models::po2::Buffer::State::kWaiting;
    buffer.packet = static_cast<models::PacketSlot>(slice.head(8, kLocal)->packet + router.waiting.size());
    buffer.since = since;
    buffer.candidates = static_cast<std::uint8_t>(ports.size());
    std::size_t way = 0;
    for (const std::size_t p : ports) {
      slice.candidates(4, b)[way++] = {PortId{p}, 0, 1};
      buffer.wants |= std::uint64_t{1} << p;
    }
    router.waiting.push_back(b);
    return buffer;
  }
  /// The last of its ways is the escape.
  static void escapes(models::po2::Buffer& buffer, models::po2::PoolClass pool_class) {
    buffer.escaping = true;
    buffer.escape_class = pool_class;
  }
  void full(std::size_t r) { slice.router(static_cast<std::uint32_t>(r)).use = {20, 0, 0}; }
  void use(std::size_t p, models::po2::Port::Use how) {
    router.ports[p].use = how;
    const std::uint64_t bit = std::uint64_t{1} << p;
    router.idle = how == models::po2::Port::Use::kIdle ? router.idle | bit : router.idle & ~bit;
  }
};

}  // namespace braid::test
