// Packets that have arrived at nodes somebody outside the network asked about, kept until they are taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/fabric/flit.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

/// The tail came in `cycle`.
struct Arrival {
  std::uint64_t cycle = 0;
  Packet packet;
  void checkpoint(Checkpoint& c) { c(cycle, packet); }
};

class Arrivals {
 public:
  Arrivals(std::size_t nodes, std::size_t slices) : recorded_(nodes), of_slice_(slices) {}

  /// From now on.
  void record(NodeId node) { recorded_[node.value] = true; }
  /// Packets of no workload, at whatever node; from now on.
  void record_own() { own_ = true; }
  /// From the slice's thread.
  void file(std::size_t slice, std::uint64_t cycle, const Packet& packet) {
    if (recorded_[packet.destination.value] || (own_ && packet.workload == kNoWorkload))
      of_slice_[slice].push_back({cycle, packet});
  }
  /// Is there something to take?
  bool any() const {
    return std::any_of(of_slice_.begin(), of_slice_.end(), [](const auto& arrived) { return !arrived.empty(); });
  }
  /// Between cycles: visits and forgets all, or the first `most`, by cycle, then by node: the same however the network
  /// is cut.
  template <class Visit>
  void take(Visit visit, std::size_t most = SIZE_MAX) {
    std::vector<Arrival> all;
    for (std::vector<Arrival>& arrived : of_slice_) {
      all.insert(all.end(), arrived.begin(), arrived.end());
      arrived.clear();
    }
    std::stable_sort(all.begin(), all.end(), [](const Arrival& a, const Arrival& b) {
      return std::make_pair(a.cycle, a.packet.destination) < std::make_pair(b.cycle, b.packet.destination);
    });
    if (all.size() > most) {  // what stays is in order, and before whatever is still to come
      const auto rest = all.begin() + static_cast<std::ptrdiff_t>(most);
      of_slice_.front().assign(rest, all.end());
      all.erase(rest, all.end());
    }
    for (const Arrival& arrival : all) visit(arrival);
  }
  /// Who has asked is not in it.
  void checkpoint(Checkpoint& c) { c.each(of_slice_); }

 private:
  std::vector<bool> recorded_;  // [node]
  bool own_ = false;
  std::vector<std::vector<Arrival>> of_slice_;  // in the order of arrival
};

}  // namespace braid::models
