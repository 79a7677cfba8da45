// A packet log without a network: whoever tests it makes the packets and says what becomes of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/fabric/packet_log.h"
#include "models/fabric/packet_store.h"

namespace braid::test {

inline models::Packet packet_made(std::uint64_t created, std::uint32_t source, std::uint32_t sequence,
                                  std::uint32_t destination) {
  models::Packet packet;
  packet.created = created;
  packet.source = NodeId{source};
  packet.sequence = sequence;
  packet.destination = NodeId{destination};
  return packet;
}

struct LoneLog {
  models::PacketStore store;
  models::PacketStore::Pool pool{store};
  models::PacketLog log;

  explicit LoneLog(models::PacketLog::Fates fates) : log(fates) {}
  /// The packet, which has a record from now on.
  models::Packet& add(const models::Packet& packet) {
    const models::PacketSlot slot = pool.take();
    store[slot] = packet;
    log.page(0).open(store[slot], slot);
    return store[slot];
  }
  std::size_t held() const {
    std::size_t records = 0;
    for (const models::PacketLog::Page& page : log.pages()) records += page.records().size();
    return records;
  }
};

}  // namespace braid::test
