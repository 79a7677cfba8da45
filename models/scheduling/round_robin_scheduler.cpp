// Round robin (po2-message-scheduling, section 5): the messages of a node send a packet each in turn. New messages join
// at the end; in the variant at the front, so that a message of one packet leaves at once.
#include <deque>
#include <list>

#include "models/injection_point.h"

namespace braid::models {
namespace {

class RoundRobinScheduler final : public InjectionScheduler {
 public:
  RoundRobinScheduler(const PacketStore& store, bool at_front) : store_(store), at_front_(at_front) {}

  void push(PacketSlot packet) override {
    const std::uint32_t message = store_[packet].message;
    ++size_;
    if (message == kNoMessage || message != newest_message_ || newest_->packets.empty()) {
      std::list<Waiting>& ring = rings_[store_[packet].priority ? 0 : 1];
      newest_ = ring.insert(at_front_ ? ring.begin() : ring.end(), Waiting{});
      newest_message_ = message;
      came_since_pop_ = true;
    }
    newest_->packets.push_back(packet);
  }

  PacketSlot pop() override {
    std::list<Waiting>& ring = rings_[rings_[0].empty() ? 1 : 0];
    const PacketSlot packet = ring.front().packets.front();
    ring.front().packets.pop_front();
    last_empty_ = ring.front().packets.empty();
    if (last_empty_) {
      if (newest_message_ == store_[packet].message) newest_message_ = kNoMessage;
      ring.pop_front();
    } else {
      ring.splice(ring.end(), ring, ring.begin());
    }
    --size_;
    came_since_pop_ = false;
    last_priority_ = store_[packet].priority;
    return packet;
  }

  std::size_t size() const override { return size_; }

  bool preempts() const override {
    if (!last_priority_ && !rings_[0].empty()) return true;
    return at_front_ && came_since_pop_ && (!last_priority_ || !rings_[0].empty());
  }

  void put_back(PacketSlot packet) override {
    // A message that came since stands before the one put back if it is at the front, else behind it.
    std::list<Waiting>& ring = rings_[last_priority_ ? 0 : 1];
    auto place = ring.begin();
    if (at_front_ && came_since_pop_ && place != ring.end()) ++place;
    if (last_empty_) {
      ring.insert(place, Waiting{{packet}});
    } else {
      auto its = ring.end();
      do --its;
      while (store_[its->packets.front()].message != store_[packet].message);
      its->packets.push_front(packet);
      if (its != place) ring.splice(place, ring, its);
    }
    ++size_;
  }

 private:
  struct Waiting {
    std::deque<PacketSlot> packets;
  };
  const PacketStore& store_;
  bool at_front_;
  std::list<Waiting> rings_[2];  // priority messages, others
  std::list<Waiting>::iterator newest_;
  std::uint32_t newest_message_ = kNoMessage;
  std::size_t size_ = 0;
  bool came_since_pop_ = false;
  bool last_empty_ = false;
  bool last_priority_ = false;
};

const bool registered =
    InjectionSchedulerRegistry::instance().add(
        "round_robin", "messages send a packet each in turn, new ones join at the end",
        [](const InjectionSchedulerOptions& o) { return std::make_unique<RoundRobinScheduler>(o.store, false); }) &&
    InjectionSchedulerRegistry::instance().add(
        "round_robin_front", "messages send a packet each in turn, new ones join at the front",
        [](const InjectionSchedulerOptions& o) { return std::make_unique<RoundRobinScheduler>(o.store, true); });

}  // namespace
}  // namespace braid::models
