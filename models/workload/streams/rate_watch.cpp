#include "models/workload/streams/rate_watch.h"

#include <algorithm>

#include "models/workload/streams/stream_change_options.h"

namespace braid::models {

void RateWatch::look(std::uint64_t cycle, std::uint64_t items) {
  counts_[cycle % counts_.size()] = items;
  if (!begun_ || !rate_.before || cycle < rate_.begin + window_) return;
  const std::uint64_t from = cycle - window_, came = items - at(from);
  rate_.last = from;
  rate_.least = rate_.least ? std::min(*rate_.least, came) : came;
  if (100 * came < kRateHoldsPercent * *rate_.least_before) rate_.last_low = from;
}

void RateWatch::begin(std::uint64_t cycle) {
  begun_ = true;
  rate_ = {};
  rate_.begin = cycle;
  if (cycle < kWindowsBefore * window_) return;
  rate_.before = rate_.least_before = at(cycle) - at(cycle - window_);
  for (std::uint64_t end = cycle - (kWindowsBefore - 1) * window_; end < cycle; ++end) {
    rate_.least_before = std::min(*rate_.least_before, at(end) - at(end - window_));
  }
}

std::optional<std::uint64_t> RateWatch::Rate::holds() const {
  if (!last || *least_before == 0 || last_low == last) return std::nullopt;
  return last_low ? *last_low + 1 : begin;
}

}  // namespace braid::models
