// A table by destination whose rows are made when they are first asked for: whoever only looks at a network of a
// million routers makes none, and a run makes those of its destinations.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "routing/base/break_off.h"

namespace braid::routing {

template <class Entry>
class RowsOnDemand {
 public:
  explicit RowsOnDemand(std::size_t rows) : made_(rows), rows_(rows) {}

  /// The entries of a row, which is what `make()` returns, a std::vector<Entry>, whenever it is called. Thread-safe.
  template <class Make>
  const Entry* row(std::size_t i, const Make& make) const {
    const Entry* const entries = made_[i].load(std::memory_order_acquire);
    return entries != nullptr ? entries : first(i, make);
  }

 private:
  template <class Make>
  const Entry* first(std::size_t i, const Make& make) const {
    BreakOff::look();  // a look at the whole network, and there may be one for each of its nodes
    const std::lock_guard<std::mutex> lock(mutex_);
    if (rows_[i].empty()) rows_[i] = make();
    made_[i].store(rows_[i].data(), std::memory_order_release);
    return rows_[i].data();
  }

  mutable std::vector<std::atomic<const Entry*>> made_;  // null: not yet
  mutable std::vector<std::vector<Entry>> rows_;
  mutable std::mutex mutex_;
};

}  // namespace braid::routing
