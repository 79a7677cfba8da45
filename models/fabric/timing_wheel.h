// Events that are due in a later cycle: cycles in which none is due cost a look at an empty list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/base/checkpoint.h"

namespace braid::models {

/// `Event` has a member `due`, the cycle. Events of one cycle come in the order in which they were filed. `kSlots`, a
/// power of two: about as many cycles as most events are ahead, so that few are met before they are due; fewer where
/// there are few events, so that a wheel stays in the processor's cache.
template <class Event, std::size_t kSlots = 1024>
class TimingWheel {
 public:
  explicit TimingWheel(std::size_t slots = kSlots) : slots_(slots) {}
  void add(const Event& event) { slots_[place(event.due)].push_back(event); }

  /// May anything be due in `cycle`?
  bool any_at(std::uint64_t cycle) const { return !slots_[place(cycle)].empty(); }
  /// Before that cycle, which comes after `cycle`, nothing is due.
  std::uint64_t next_after(std::uint64_t cycle) const {
    const std::uint64_t turn = cycle + slots_.size();
    do ++cycle;
    while (cycle < turn && !any_at(cycle));
    return cycle;
  }
  /// Nothing is to come. Looks into every slot.
  bool empty() const {
    return std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot.empty(); });
  }

  /// Calls handle(event) for every event due in `cycle`, which must be called for each cycle in turn. `handle` may add
  /// events of later cycles.
  template <class Handle>
  void take(std::uint64_t cycle, Handle handle) {
    if (slots_[place(cycle)].empty()) return;
    present_.swap(slots_[place(cycle)]);
    for (const Event& event : present_) {
      if (event.due == cycle) {
        handle(event);
      } else {
        add(event);  // in another turn of the wheel
      }
    }
    present_.clear();
  }

  /// Between two cycles.
  void checkpoint(Checkpoint& c) { c.each(slots_); }
  /// Calls visit(event) for every one that is to come.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& slot : slots_) {
      for (const Event& event : slot) visit(event);
    }
  }
  /// ... and is due in `cycle`.
  template <class Visit>
  void for_each_at(std::uint64_t cycle, Visit visit) const {
    for (const Event& event : slots_[place(cycle)]) {
      if (event.due == cycle) visit(event);
    }
  }

 private:
  std::size_t place(std::uint64_t cycle) const { return cycle & (slots_.size() - 1); }

  std::vector<std::vector<Event>> slots_;
  std::vector<Event> present_;
};

}  // namespace braid::models
