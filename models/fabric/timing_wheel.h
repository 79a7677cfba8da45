// Events that are due in a later cycle: cycles in which none is due cost a look at an empty list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/base/checkpoint.h"

namespace braid::models {

/// `Event` has a member `due`, the cycle. Events of one cycle come in the order in which they were filed. `kSlots`:
/// about as many cycles as most events are ahead, so that few are met before they are due.
template <class Event, std::size_t kSlots = 1024>
class TimingWheel {
 public:
  void add(const Event& event) { slots_[event.due % kSlots].push_back(event); }

  /// Nothing is to come. Looks into every slot.
  bool empty() const {
    return std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot.empty(); });
  }

  /// Calls handle(event) for every event due in `cycle`, which must be called for each cycle in turn. `handle` may add
  /// events of later cycles.
  template <class Handle>
  void take(std::uint64_t cycle, Handle handle) {
    if (slots_[cycle % kSlots].empty()) return;
    present_.swap(slots_[cycle % kSlots]);
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

 private:
  std::vector<std::vector<Event>> slots_ = std::vector<std::vector<Event>>(kSlots);
  std::vector<Event> present_;
};

}  // namespace braid::models
