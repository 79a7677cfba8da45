// Messages in the order of a key that grows with the packets they still have to send: what alpha scheduling and
// shortest first share (po2-message-scheduling, section 4). The key of a message is
//     clock at its arrival + step * packets not sent,
// the message of lowest key goes first, of equal keys the older. Priority messages go before all others.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "models/injection/injection_point.h"

namespace braid::models {

class KeyedMessages : public InjectionScheduler {
 public:
  /// `tick` is added to the clock with each packet sent; the clock stays below `clock_limit` ticks.
  KeyedMessages(const PacketStore& store, std::uint64_t step, std::uint64_t tick, std::uint64_t clock_limit)
      : store_(store),
        step_(static_cast<std::int64_t>(step)),
        tick_(static_cast<std::int64_t>(tick)),
        limit_(static_cast<std::int64_t>(clock_limit * tick)) {}

  void push(PacketSlot packet) override;
  PacketSlot pop() override;
  bool select(const MayGo& may_go) override;
  std::size_t size() const override { return size_; }
  bool preempts() const override;
  void put_back(PacketSlot packet) override;
  void checkpoint(Checkpoint& c) override;

  std::int64_t clock() const { return clock_; }

 private:
  struct Place {
    bool ordinary = true;  // priority messages first
    std::int64_t key = 0;  // below zero once the clock was scaled back past the message's arrival
    std::uint64_t arrival = 0;
    bool operator<(const Place& o) const {
      return std::tie(ordinary, key, arrival) < std::tie(o.ordinary, o.key, o.arrival);
    }
  };
  struct Waiting {
    std::vector<PacketSlot> packets;
    std::size_t next = 0;  // not sent
  };
  using Queue = std::map<Place, Waiting>;
  void bound_clock();
  void check_restored(const Checkpoint& c, const Queue& last) const;

  const PacketStore& store_;
  std::int64_t step_, tick_, limit_;
  Queue queue_;
  std::size_t size_ = 0;  // packets
  std::int64_t clock_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint32_t newest_message_ = kNoMessage;
  Place newest_;                 // where the message of the last push() is
  std::optional<Place> chosen_;  // for pop()
  Place last_;                   // of the message of the last pop(), before it
  Queue::node_type last_whole_;  // that message, if the pop took its last packet
};

}  // namespace braid::models
