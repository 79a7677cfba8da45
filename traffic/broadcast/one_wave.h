// How long one acknowledged broadcast takes where every position is a unit that receives or sends one message a cycle,
// at zero load: what a placement is judged by. Not a simulation of any network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {

/// Cycles of the wires from one position's unit to another's.
using WireCycles = std::function<std::uint32_t(std::uint32_t from, std::uint32_t to)>;

class OneWave {
 public:
  /// `parts` outlives this.
  explicit OneWave(const std::vector<BroadcastPart>& parts) : parts_(parts) {}

  /// From the root's first message to the end of the cycle in which it receives the last one. A unit needs a cycle to
  /// receive a message and a cycle to send one; it sends what it has to send first, in the order of the part's lists.
  /// `wire`: as WireCycles.
  template <class Wire>
  std::uint64_t cycles(const Wire& wire) {
    free_.assign(parts_.size(), 0);
    heard_.assign(parts_.size(), 0);
    last_ = 0;
    tell(0, parts_[0].told_at_once, wire);
    for (std::uint64_t cycle = 0; cycle <= last_; ++cycle) {
      for (std::size_t i = 0; i < arrivals_[cycle].size(); ++i) {
        receive(arrivals_[cycle][i], cycle, wire);
      }
      arrivals_[cycle].clear();
    }
    return free_[0];
  }

 private:
  template <class Wire>
  void receive(std::uint32_t p, std::uint64_t cycle, const Wire& wire) {
    free_[p] = std::max(free_[p], cycle) + 1;
    if (++heard_[p] == 1 && p != 0) tell(p, parts_[p].told_at_once, wire);
    if (heard_[p] == parts_[p].heard.size()) tell(p, parts_[p].told_when_done, wire);
  }
  template <class Wire>
  void tell(std::uint32_t from, const std::vector<std::uint32_t>& all, const Wire& wire) {
    const bool at_once = parts_[from].by_one_packet && &all == &parts_[from].told_at_once;
    if (at_once && !all.empty()) ++free_[from];
    for (const std::uint32_t to : all) {
      const std::uint64_t cycle = (at_once ? free_[from] : ++free_[from]) + wire(from, to);
      while (cycle >= arrivals_.size()) arrivals_.resize(2 * arrivals_.size());
      arrivals_[cycle].push_back(to);
      last_ = std::max(last_, cycle);
    }
  }

  const std::vector<BroadcastPart>& parts_;
  std::vector<std::uint64_t> free_;  // [position] first cycle in which its unit has nothing to do
  std::vector<std::size_t> heard_;   // [position]
  // [cycle] positions: cycles are few, and messages to one position in one cycle are alike.
  std::vector<std::vector<std::uint32_t>> arrivals_ = std::vector<std::vector<std::uint32_t>>(256);
  std::uint64_t last_ = 0;
};

}  // namespace braid::traffic
