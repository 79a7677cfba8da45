#include "models/families/po2/refusals.h"

#include <algorithm>

namespace braid::models::po2 {

Refusals::Answer Refusals::why(std::uint32_t router, PoolClass pool_class, std::uint32_t message) const {
  const Shown& pool = shown_.at(router);
  if (pool.no_way_in || !fabric_.policy().admits(pool.use, pool_class)) return {Refusal::kNoBuffer, 0};
  if (pool_class != kRegular) return {Refusal::kKept, 0};
  const auto same = [message](const Waiting& waiting) { return waiting.message == message; };
  const auto holder = std::find_if(pool.waiting.begin(), pool.waiting.end(), same);
  if (holder == pool.waiting.end() || !fabric_.router_options().reject_same_message) return {};
  return {Refusal::kSameMessage, holder->packet};
}

void Refusals::note() {
  for (auto& [router, pool] : shown_) {
    const Router& registers = fabric_.routers()[router];
    pool.use = registers.use;
    const std::uint32_t most_in = fabric_.router_options().crossbar_in_ports;
    pool.no_way_in = most_in != 0 && registers.coming() >= most_in;
    pool.waiting.clear();
    for (const Buffer& buffer : registers.buffers) {
      const bool waits = buffer.state == Buffer::State::kWaiting || buffer.state == Buffer::State::kArriving;
      if (!waits || buffer.message == kNoMessage) continue;
      const Packet& packet = fabric_.store()[buffer.packet];
      pool.waiting.push_back({buffer.message, packet_number(packet.source.value, packet.sequence)});
    }
  }
}

}  // namespace braid::models::po2
