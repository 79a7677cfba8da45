// A message scheduler by itself, with packets to push and pop.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "models/injection/injection_point.h"

namespace braid::test {

struct Desk {
  Configuration configuration;
  inline static models::PacketStore store;  // of all desks: a store of each would clear a megabyte for a few packets
  models::PacketStore::Pool pool{store};
  std::unique_ptr<models::InjectionScheduler> scheduler;

  explicit Desk(const std::string& name, double alpha = 4.0, std::uint32_t clock_limit = 1 << 20,
                std::uint32_t pool_packets = 0) {
    configuration.set("message.packet_flits", 1);
    configuration.set("message.alpha", alpha);
    configuration.set("message.clock_limit", clock_limit);
    configuration.set("interface.message_pool_packets", pool_packets);
    scheduler = models::InjectionSchedulerRegistry::instance().make(name, {store, NodeId{0}, configuration});
  }
  void message(std::uint32_t id, std::uint32_t packets, bool priority = false) {
    for (std::uint32_t p = 0; p < packets; ++p) {
      const models::PacketSlot slot = pool.take();
      store[slot] = models::Packet{};
      store[slot].message = id;
      store[slot].tag_sequence = p;
      store[slot].priority = priority;
      scheduler->push(slot);
    }
  }
  /// Pops `packets` packets: the letters of their messages (message 0 is a), checking the order within each.
  std::string order(std::size_t packets) {
    std::string text;
    for (std::size_t i = 0; i < packets; ++i) text += letter(scheduler->pop());
    return text;
  }
  char letter(models::PacketSlot slot) {
    const std::uint32_t id = store[slot].message;
    EXPECT_EQ(store[slot].tag_sequence, next_[id]++) << "packets of a message keep their order";
    return static_cast<char>('a' + id % 26);
  }
  void returned(models::PacketSlot slot) { --next_[store[slot].message]; }

 private:
  std::map<std::uint32_t, std::uint32_t> next_;
};

}  // namespace braid::test
