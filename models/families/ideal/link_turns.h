// Which links of the ideal network send in a cycle: those with packets take turns at being first, and each sends a flit
// if the nodes at its ends may still send and take one in the cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "routing/base/ids.h"

namespace braid::models::ideal {

struct LinkEnds {
  NodeId from, to;
};

class LinkTurns {
 public:
  /// Flits that a node sends and receives in a cycle ([node]). `queue_at_receiver`: receives any number.
  LinkTurns(std::vector<std::size_t> sends, std::vector<std::size_t> receives, bool queue_at_receiver)
      : sends_(std::move(sends)), receives_(std::move(receives)), queue_at_receiver_(queue_at_receiver) {}

  /// It has packets from now on.
  void activate(std::uint32_t link) { active_.push_back(link); }
  /// In the order in which they got packets, turned by a link a cycle: deterministic.
  const std::vector<std::uint32_t>& active() const { return active_; }
  std::vector<std::uint32_t>& active() { return active_; }

  /// One cycle. `ends(link)` says where it leads; `send(link)` has it send a flit.
  template <class Ends, class Send>
  void step(Ends ends, Send send) {
    send_left_ = sends_;
    receive_left_ = receives_;
    if (!active_.empty()) std::rotate(active_.begin(), active_.begin() + 1, active_.end());
    for (const std::uint32_t link : active_) {
      if (take(ends(link))) send(link);
    }
  }
  /// Those that have no packets any more.
  template <class IsOver>
  void retire(IsOver is_over) {
    active_.erase(std::remove_if(active_.begin(), active_.end(), is_over), active_.end());
  }

 private:
  /// A port at each end for a flit, if both have one left.
  bool take(LinkEnds ends) {
    if (send_left_[ends.from.value] == 0) return false;
    if (!queue_at_receiver_) {
      if (receive_left_[ends.to.value] == 0) return false;
      --receive_left_[ends.to.value];
    }
    --send_left_[ends.from.value];
    return true;
  }

  const std::vector<std::size_t> sends_, receives_;
  const bool queue_at_receiver_;
  std::vector<std::uint32_t> active_;
  std::vector<std::size_t> send_left_, receive_left_;
};

}  // namespace braid::models::ideal
