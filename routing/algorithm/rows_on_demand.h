// A table by destination whose rows are made when they are first asked for: whoever only looks at a network of a
// million routers makes none, and a run makes those of its destinations.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/break_off.h"
#include "routing/base/memory.h"
#include "routing/topology/topology.h"

namespace braid::routing {

template <class Entry>
class RowsOnDemand {
 public:
  /// For a topology, that many entries a row; at most so many rows, or one for every router where a node is.
  RowsOnDemand(const Topology& topology, std::size_t entries, std::size_t rows = SIZE_MAX)
      : topology_(topology),
        entries_(entries),
        most_rows_(rows),
        made_(topology.router_count()),
        rows_(topology.router_count()) {}

  /// Throws InputError if memory has no room for a row for every destination, as a run may come to need.
  void check_room() const {
    std::vector<bool> ends(topology_.router_count());
    for (const auto& node : topology_.nodes) ends[node.front().router.value] = true;
    const auto destinations = static_cast<std::size_t>(std::count(ends.begin(), ends.end(), true));
    const auto rows = static_cast<double>(std::min(destinations, most_rows_));
    braid::check_room(topology_.name + ": routing tables for " + std::to_string(topology_.router_count()) + " routers",
                      rows * static_cast<double>(entries_) * sizeof(Entry),
                      "fewer routers, or another routing.algorithm or po2.avoidance");
  }

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

  const Topology& topology_;
  std::size_t entries_;  // of a row
  std::size_t most_rows_;
  mutable std::vector<std::atomic<const Entry*>> made_;  // null: not yet
  mutable std::vector<std::vector<Entry>> rows_;
  mutable std::mutex mutex_;
};

}  // namespace braid::routing
