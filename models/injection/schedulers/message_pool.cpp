#include "models/injection/schedulers/message_pool.h"

namespace braid::models {

const OptionTable<MessagePoolOptions>& message_pool_options() {
  static const OptionTable<MessagePoolOptions> table =
      OptionTable<MessagePoolOptions>("interface")
          .integer("message_pool_packets", &MessagePoolOptions::message_pool_packets, 0, 1000000000,
                   "packets of messages that have begun, sent or not, whose data a node's interface holds; 0: any "
                   "number");
  return table;
}

std::unique_ptr<InjectionScheduler> from_message_pool(std::unique_ptr<InjectionScheduler> scheduler,
                                                      const SchedulerContext& context) {
  const std::uint32_t packets = message_pool_options().read(context.configuration).message_pool_packets;
  if (packets == 0) return scheduler;
  return std::make_unique<MessagePool>(std::move(scheduler), context.store, packets);
}

void MessagePool::push(PacketSlot packet) {
  ++bodies_[store_[packet].message].packets;
  scheduler_->push(packet);
  in_vain_ = false;
}

/// A packet of no message (a stream's) is one of a packet: it has left as soon as it has begun.
bool MessagePool::may_send(std::uint32_t message) const {
  if (message == kNoMessage) return held_ < room_;
  const Body& body = bodies_.at(message);
  return body.held || held_ == 0 || held_ + body.packets <= room_;
}

/// Messages that have begun may send, and where none has any other may: so there is always one.
PacketSlot MessagePool::pop() {
  scheduler_->select([this](PacketSlot packet) { return may_send(store_[packet].message); });
  const PacketSlot packet = scheduler_->pop();
  const auto its = bodies_.find(store_[packet].message);
  send(its);
  in_vain_ = was_put_back_ && packet == put_back_;
  was_put_back_ = false;
  return packet;
}

void MessagePool::send(std::map<std::uint32_t, Body>::iterator its) {
  Body& body = its->second;
  if (its->first == kNoMessage) {
    if (--body.packets == 0) bodies_.erase(its);
    return;
  }
  if (!body.held) held_ += body.packets;
  body.held = true;
  ++body.sent;
  last_ = body;
  if (body.sent == body.packets) {
    held_ -= body.packets;
    bodies_.erase(its);
  }
}

void MessagePool::put_back(PacketSlot packet) {
  scheduler_->put_back(packet);
  const std::uint32_t message = store_[packet].message;
  if (message == kNoMessage) {
    ++bodies_[message].packets;
  } else {
    if (last_.sent == last_.packets) held_ += last_.packets;
    --last_.sent;
    bodies_[message] = last_;
  }
  put_back_ = packet;
  was_put_back_ = true;
}

void MessagePool::checkpoint(Checkpoint& c) {
  c(scheduler_, bodies_, held_, last_, put_back_, was_put_back_, in_vain_);
  if (!c.restoring()) return;
  std::uint64_t held = 0, left = 0;
  for (const auto& [message, body] : bodies_) {
    c.expect(body.sent < body.packets && (body.held || body.sent == 0), "a message that has sent what it has not");
    held += body.held ? body.packets : 0;
    left += body.packets - body.sent;
  }
  c.expect(held == held_ && left == scheduler_->size(), "a pool of messages that does not add up");
  c.expect(last_.sent <= last_.packets, "a last message that has sent more than it has");
}

}  // namespace braid::models
