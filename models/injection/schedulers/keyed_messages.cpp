#include "models/injection/schedulers/keyed_messages.h"

#include <algorithm>

namespace braid::models {

/// The packets of a message come one after the other with no pop() between, so each but the first finds its message as
/// the newest.
void KeyedMessages::push(PacketSlot packet) {
  const std::uint32_t message = store_[packet].message;
  ++size_;
  Queue::node_type node;
  if (message != kNoMessage && message == newest_message_) node = queue_.extract(newest_);
  if (node.empty()) {
    node = queue_.extract(queue_.emplace(Place{!store_[packet].priority, clock_, arrivals_++}, Waiting{}).first);
  }
  node.key().key += step_;
  node.mapped().packets.push_back(packet);
  newest_message_ = message;
  newest_ = node.key();
  queue_.insert(std::move(node));
}

bool KeyedMessages::select(const MayGo& may_go) {
  chosen_.reset();
  for (const auto& [place, message] : queue_) {
    if (!may_go(message.packets[message.next])) continue;
    chosen_ = place;
    break;
  }
  return chosen_.has_value();
}

PacketSlot KeyedMessages::pop() {
  Queue::node_type node = queue_.extract(chosen_ ? queue_.find(*chosen_) : queue_.begin());
  chosen_.reset();
  Waiting& message = node.mapped();
  const PacketSlot packet = message.packets[message.next++];
  last_ = node.key();
  node.key().key -= step_;
  if (message.next < message.packets.size()) {
    queue_.insert(std::move(node));
    last_whole_ = {};
  } else {
    last_whole_ = std::move(node);
  }
  --size_;
  clock_ += tick_;
  bound_clock();
  return packet;
}

/// Section 4: "either by resetting it to zero whenever the message queue empties, or by performing a scan through the
/// priority queue on those rare occasions when the clock is about to exceed some maximum": here both. Only differences
/// of keys count, so nothing changes until a message has waited for longer than the range; then its key stays at the
/// range's lower end, where the older goes first.
void KeyedMessages::bound_clock() {
  const std::int64_t back = queue_.empty() ? clock_ : clock_ >= limit_ ? limit_ / 2 : 0;
  if (back == 0) return;
  const auto less = [&](std::int64_t key) { return std::max(key - back, -limit_); };
  clock_ -= back;
  last_.key = less(last_.key);
  Queue scaled;
  while (!queue_.empty()) {
    Queue::node_type node = queue_.extract(queue_.begin());
    node.key().key = less(node.key().key);
    scaled.insert(std::move(node));
  }
  queue_ = std::move(scaled);
}

bool KeyedMessages::preempts() const {
  auto first = queue_.begin();
  if (first != queue_.end() && first->first.arrival == last_.arrival) ++first;  // not its own next packet
  return first != queue_.end() && first->first < last_;
}

void KeyedMessages::put_back(PacketSlot) {
  Queue::node_type node;
  if (!last_whole_.empty()) {
    node = std::move(last_whole_);
  } else {
    auto found = queue_.begin();
    while (found != queue_.end() && found->first.arrival != last_.arrival)
      ++found;  // near the front: its key is the lowest but for newcomers'
    Checkpoint::expect(found != queue_.end() && found->second.next > 0, "a packet that goes back to no message");
    node = queue_.extract(found);
  }
  --node.mapped().next;
  node.key() = last_;
  queue_.insert(std::move(node));
  ++size_;
  clock_ -= tick_;
}

void KeyedMessages::check_restored(const Checkpoint& c, const Queue& last) const {
  std::size_t packets = 0;
  for (const auto& [place, message] : queue_) {
    c.index(message.next, message.packets.size(), "packet of a message");
    packets += message.packets.size() - message.next;
    for (const PacketSlot packet : message.packets) c.packet(packet);
  }
  c.expect(packets == size_, "a queue of another length");
  for (const auto& [place, message] : last) {
    c.expect(message.next > 0 && message.next == message.packets.size(), "a message that is not whole");
    for (const PacketSlot packet : message.packets) c.packet(packet);
  }
  c.expect(last.size() <= 1, "two last messages");
}

/// A node outside of a map is a map of one.
void KeyedMessages::checkpoint(Checkpoint& c) {
  Queue last;
  if (!last_whole_.empty()) last.insert(std::move(last_whole_));
  c(queue_, size_, clock_, arrivals_, newest_message_, newest_, last_, last);
  if (c.restoring()) check_restored(c, last);
  last_whole_ = last.empty() ? Queue::node_type() : last.extract(last.begin());
}

}  // namespace braid::models
