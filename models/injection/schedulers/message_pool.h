// A finite pool on a node's interface that holds the data of messages (po2-message-scheduling, section 5: "round robin
// scheduling may strain a finite buffer pool used to store message data on an interface board"). The scheduler orders
// all messages of the node by what it knows of them; only a message whose data is in the pool can send a packet.
#pragma once

#include <map>
#include <memory>

#include "models/injection/injection_point.h"

namespace braid::models {

struct MessagePoolOptions {
  std::uint32_t message_pool_packets = 0;  ///< 0: any number
};
/// Of every scheduler that orders messages.
const OptionTable<MessagePoolOptions>& message_pool_options();

/// The scheduler that takes its messages from a pool, or itself where the pool has no end. It must know select().
std::unique_ptr<InjectionScheduler> from_message_pool(std::unique_ptr<InjectionScheduler> scheduler,
                                                      const SchedulerContext& context);

/// A message takes room for all of its packets when it is to send the first one, and gives it back with the last one.
/// While there is no room, the scheduler's next message whose data is there sends. A message longer than the pool is
/// there alone.
class MessagePool final : public InjectionScheduler {
 public:
  MessagePool(std::unique_ptr<InjectionScheduler> scheduler, const PacketStore& store, std::uint64_t packets)
      : scheduler_(std::move(scheduler)), store_(store), room_(packets) {}

  void push(PacketSlot packet) override;
  PacketSlot pop() override;
  std::size_t size() const override { return scheduler_->size(); }
  bool preempts() const override { return !in_vain_ && scheduler_->preempts(); }
  void put_back(PacketSlot packet) override;
  void checkpoint(Checkpoint& c) override;

  /// Packets whose room is taken.
  std::uint64_t held() const { return held_; }

 private:
  struct Body {
    std::uint32_t packets = 0, sent = 0;
    bool held = false;
  };
  bool may_send(std::uint32_t message) const;
  /// A packet of this message leaves.
  void send(std::map<std::uint32_t, Body>::iterator its);

  std::unique_ptr<InjectionScheduler> scheduler_;
  const PacketStore& store_;
  std::uint64_t room_;
  std::map<std::uint32_t, Body> bodies_;  // [message] that has packets here; of no message: how many there are
  std::uint64_t held_ = 0;
  Body last_;                  // of the packet that pop() gave last, after it
  PacketSlot put_back_ = 0;    // the packet put back last
  bool was_put_back_ = false;  // ... since the last pop()
  bool in_vain_ = false;       // who would preempt it found no room, and nothing has come since
};

}  // namespace braid::models
