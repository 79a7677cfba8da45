// What one slice of a network sends to another, filed under the cycle in which the far end takes it. A slot is written
// in earlier cycles, or earlier halves of a cycle, than the one in which it is read, so neither the order of slices nor
// the number of threads can matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/base/checkpoint.h"

namespace braid::models {

/// `SlotOf`: what a family sends in one cycle.
template <class SlotOf>
class Mailbox {
 public:
  using Slot = SlotOf;
  /// `horizon`: the most cycles ahead that anything is filed.
  explicit Mailbox(std::size_t horizon) {
    std::size_t slots = 1;
    while (slots <= horizon) slots *= 2;
    slots_.resize(slots);
    mask_ = slots - 1;
  }

  Slot& at(std::uint64_t cycle) { return slots_[cycle & mask_]; }
  std::vector<Slot>& slots() { return slots_; }
  const std::vector<Slot>& slots() const { return slots_; }
  void checkpoint(Checkpoint& c) { c.each(slots_); }

 private:
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

/// The mailboxes at one slice: each leads from one slice to another or to itself. Where one thread runs all slices they
/// share: all that is sent to a slice goes into the mailbox that it has to itself.
template <class Box>
class Mailboxes {
 public:
  explicit Mailboxes(bool shared = false) : shared_(shared) {}

  /// Makes the mailbox to slice number `slice`, whose own mailboxes are `far`; nullptr if there is one. First of all
  /// the one that leads back to this slice.
  Box* connect(std::uint32_t slice, Mailboxes& far, std::size_t horizon) {
    if (place(slice) < boxes_.size()) return nullptr;
    if (shared_ && &far != this) {
      boxes_.push_back({slice, far.boxes_.front().box});
      return nullptr;
    }
    outgoing_.push_back(std::make_unique<Box>(horizon));
    boxes_.push_back({slice, outgoing_.back().get()});
    far.incoming_.push_back(outgoing_.back().get());
    return outgoing_.back().get();
  }

  Box& to(std::uint32_t slice) { return *boxes_[place(slice)].box; }
  Box& self() { return *boxes_.front().box; }
  /// This slice's own: together with those of all others they are every mailbox, once.
  const std::vector<std::unique_ptr<Box>>& outgoing() const { return outgoing_; }
  const std::vector<Box*>& incoming() const { return incoming_; }
  void checkpoint(Checkpoint& c) { c.each(outgoing_); }

 private:
  struct Way {
    std::uint32_t slice;
    Box* box;
  };
  /// In boxes_, or their number. A slice has few neighbours, and all of them know as little of the others as it does:
  /// with a slice a router, a table of all slices in each would grow with the square of the routers.
  std::size_t place(std::uint32_t slice) const {
    std::size_t i = 0;
    while (i < boxes_.size() && boxes_[i].slice != slice) ++i;
    return i;
  }

  bool shared_;
  std::vector<std::unique_ptr<Box>> outgoing_;
  std::vector<Way> boxes_;  // where this slice sends; the first leads back to it
  std::vector<Box*> incoming_;
};

}  // namespace braid::models
