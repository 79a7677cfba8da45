// How a SAT line finds its thresholds (beyond the paper, which tunes l and k by hand): the home station measures the
// interval of the signal and sets l = k for the next rounds; the signal carries k along, and a bit that any station
// sets that had reached k before the signal came.
//
// The aim is the paper's (sat-fairness, section II.B): the least k that covers the interval. Where the signal comes as
// soon as it can and somebody had reached k, k is too small; where starved nodes hold it much longer, k is larger than
// the slowest node needs, and only makes bursts longer.
#pragma once

#include <cstdint>

#include "routing/base/checkpoint.h"
#include "routing/base/ids.h"

namespace braid::models {

/// Its node.
constexpr NodeId kSatHome{0};

class SatThresholdSearch {
 public:
  /// The signal has come home after so many cycles. Have enough rounds been measured to decide?
  bool measure(std::uint64_t interval);
  /// The threshold of the rounds to come. `limited`: a station had reached k.
  std::uint32_t decide(std::uint32_t k, bool limited);
  void checkpoint(Checkpoint& c) { c(shortest_, sum_, rounds_, shrunk_); }

 private:
  std::uint64_t shortest_ = ~std::uint64_t{0};  // interval
  std::uint64_t sum_ = 0;
  std::uint32_t rounds_ = 0;
  bool shrunk_ = false;  // until k has once been too large it doubles
};

}  // namespace braid::models
