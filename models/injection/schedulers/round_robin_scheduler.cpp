// Round robin (po2-message-scheduling, section 5): the messages of a node send a packet each in turn. New messages join
// at the end; in the variant at the front, so that a message of one packet leaves at once.
#include <array>
#include <deque>
#include <iterator>
#include <list>
#include <optional>

#include "models/injection/schedulers/message_pool.h"

namespace braid::models {
namespace {

class RoundRobinScheduler final : public InjectionScheduler {
 public:
  RoundRobinScheduler(const PacketStore& store, bool at_front) : store_(store), at_front_(at_front) {}

  void push(PacketSlot packet) override {
    const std::uint32_t message = store_[packet].message;
    ++size_;
    if (message == kNoMessage || message != newest_message_) {
      const std::size_t priority = store_[packet].priority ? 1 : 0;
      std::list<Waiting>& ring = rings_[priority];
      newest_ = ring.insert(at_front_ ? ring.begin() : ring.end(), Waiting{});
      newest_message_ = message;
      ++came_since_pop_[priority];
    }
    newest_->packets.push_back(packet);
  }

  /// In turn: who may not go keeps his place.
  bool select(const MayGo& may_go) override {
    for (std::size_t priority : {1U, 0U}) {
      std::size_t passed = 0;
      for (const Waiting& message : rings_[priority]) {
        if (may_go(message.packets.front())) {
          chosen_ = {priority, passed};
          return true;
        }
        ++passed;
      }
    }
    return false;
  }

  PacketSlot pop() override {
    const Chosen chosen = chosen_.value_or(Chosen{rings_[1].empty() ? 0U : 1U, 0});
    chosen_.reset();
    last_priority_ = chosen.priority;
    last_passed_ = chosen.passed;
    std::list<Waiting>& ring = rings_[last_priority_];
    const auto its = std::next(ring.begin(), static_cast<std::ptrdiff_t>(last_passed_));
    const PacketSlot packet = its->packets.front();
    its->packets.pop_front();
    last_empty_ = its->packets.empty();
    if (last_empty_) {
      if (newest_message_ == store_[packet].message) newest_message_ = kNoMessage;
      ring.erase(its);
    } else {
      ring.splice(ring.end(), ring, its);
    }
    --size_;
    came_since_pop_ = {};
    return packet;
  }

  std::size_t size() const override { return size_; }

  bool preempts() const override {
    return (last_priority_ == 0 && !rings_[1].empty()) || (at_front_ && came_since_pop_[last_priority_] > 0);
  }

  /// Messages that came since stand before the one put back if they join at the front, else behind it.
  void put_back(PacketSlot packet) override {
    std::list<Waiting>& ring = rings_[last_priority_];
    auto place = std::next(ring.begin(), static_cast<std::ptrdiff_t>(last_passed_));
    if (at_front_) std::advance(place, came_since_pop_[last_priority_]);
    if (last_empty_) {
      ring.insert(place, Waiting{{packet}});
    } else {
      auto its = ring.end();
      do {
        Checkpoint::expect(its != ring.begin(), "a packet that goes back to no message");
        --its;
      } while (store_[its->packets.front()].message != store_[packet].message);
      its->packets.push_front(packet);
      if (its != place) ring.splice(place, ring, its);
    }
    ++size_;
  }

  void checkpoint(Checkpoint& c) override {
    bool newest = false;
    for (std::list<Waiting>& ring : rings_) newest = checkpoint_ring(c, ring) || newest;
    c(newest_message_, size_, last_priority_, last_passed_, last_empty_, came_since_pop_);
    if (!c.restoring()) return;
    c.expect(newest == (newest_message_ != kNoMessage), "a newest message that is not there");
    c.index(last_priority_, rings_.size(), "priority");
    std::size_t packets = 0;
    for (std::size_t priority = 0; priority < rings_.size(); ++priority) {
      c.expect(came_since_pop_[priority] >= 0, "fewer than no messages");
      c.index(static_cast<std::uint64_t>(came_since_pop_[priority]), rings_[priority].size() + 1, "number of messages");
      for (const Waiting& message : rings_[priority]) packets += message.packets.size();
    }
    c.expect(packets == size_, "a queue of another length");
    const std::size_t came = at_front_ ? static_cast<std::size_t>(came_since_pop_[last_priority_]) : 0;
    c.index(last_passed_, rings_[last_priority_].size() + 1 - came, "place in a queue");
  }

 private:
  struct Waiting {
    std::deque<PacketSlot> packets;
  };
  /// ... and which of its messages is the newest.
  bool checkpoint_ring(Checkpoint& c, std::list<Waiting>& ring) {
    ring.resize(c.length(ring.size()));
    bool any_newest = false;
    for (auto its = ring.begin(); its != ring.end(); ++its) {
      bool newest = newest_message_ != kNoMessage && its == newest_;
      c(its->packets, newest);
      if (newest) newest_ = its;
      any_newest = any_newest || newest;
      c.expect(!its->packets.empty(), "a message without packets");
      for (const PacketSlot packet : its->packets) c.packet(packet);
    }
    return any_newest;
  }
  const PacketStore& store_;
  bool at_front_;
  std::array<std::list<Waiting>, 2> rings_;  // [priority] messages in turn
  std::list<Waiting>::iterator newest_;      // valid unless newest_message_ is kNoMessage
  std::uint32_t newest_message_ = kNoMessage;
  std::size_t size_ = 0;  // packets
  struct Chosen {
    std::size_t priority, passed;
  };
  std::optional<Chosen> chosen_;            // for pop()
  std::size_t last_priority_ = 0;           // of the packet of the last pop()
  std::size_t last_passed_ = 0;             // ... messages before its own in turn, which could not go
  bool last_empty_ = false;                 // ... it was its message's last
  std::array<int, 2> came_since_pop_ = {};  // [priority] messages
};

std::unique_ptr<InjectionScheduler> round_robin(const SchedulerContext& o, bool at_front) {
  check_messages(o);
  return from_message_pool(std::make_unique<RoundRobinScheduler>(o.store, at_front), o);
}

const bool round_robin_scheduler_registered =
    InjectionSchedulerRegistry::instance().add(
        "round_robin", "messages send a packet each in turn, new ones join at the end", message_pool_options().list(),
        [](const SchedulerContext& o) { return round_robin(o, false); }) &&
    InjectionSchedulerRegistry::instance().add(
        "round_robin_front", "messages send a packet each in turn, new ones join at the front",
        message_pool_options().list(), [](const SchedulerContext& o) { return round_robin(o, true); });

}  // namespace
}  // namespace braid::models
