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
  }

  Slot& at(std::uint64_t cycle) { return slots_[cycle & (slots_.size() - 1)]; }
  std::vector<Slot>& slots() { return slots_; }
  const std::vector<Slot>& slots() const { return slots_; }
  void checkpoint(Checkpoint& c) { c.each(slots_); }

 private:
  std::vector<Slot> slots_;
};

/// The mailboxes at one slice: each leads from one slice to another or to itself.
template <class Box>
class Mailboxes {
 public:
  explicit Mailboxes(std::size_t most_slices) : place_(most_slices, kNoBox) {}

  /// Makes the mailbox to slice number `slice`, whose own mailboxes are `far`; nullptr if there is one. First of all
  /// the one that leads back to this slice.
  Box* connect(std::uint32_t slice, Mailboxes& far, std::size_t horizon) {
    if (place_[slice] != kNoBox) return nullptr;
    place_[slice] = static_cast<std::uint32_t>(outgoing_.size());
    outgoing_.push_back(std::make_unique<Box>(horizon));
    far.incoming_.push_back(outgoing_.back().get());
    return outgoing_.back().get();
  }

  Box& to(std::uint32_t slice) { return *outgoing_[place_[slice]]; }
  Box& self() { return *outgoing_.front(); }
  const std::vector<std::unique_ptr<Box>>& outgoing() const { return outgoing_; }
  const std::vector<Box*>& incoming() const { return incoming_; }
  /// What this slice has sent.
  void checkpoint(Checkpoint& c) { c.each(outgoing_); }

 private:
  static constexpr std::uint32_t kNoBox = ~std::uint32_t{0};
  std::vector<std::unique_ptr<Box>> outgoing_;  // the first leads back to this slice
  std::vector<std::uint32_t> place_;            // [slice], in outgoing_
  std::vector<Box*> incoming_;
};

}  // namespace braid::models
