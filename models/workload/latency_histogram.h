// Latencies counted by their value, for percentiles; and by the part of the window in which packets were made, for the
// intervals of these.
#pragma once

#include <cstdint>
#include <vector>

#include "models/observe/distribution.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

/// How many packets had a latency of `first_cycle` to `last_cycle`; buckets without any are left out.
struct LatencyBuckets {
  std::vector<std::uint64_t> first_cycle, last_cycle, packets;  ///< [bucket]
};

/// Exact below 2048 cycles, then 1/32 of the value wide.
class LatencyHistogram {
 public:
  void add(std::uint64_t cycles);
  void merge(const LatencyHistogram& other);
  Distribution distribution() const;
  std::uint64_t count() const { return count_; }
  /// Of the samples in order the one of this rank, from 1, as well as buckets tell.
  double at_rank(std::uint64_t rank) const;
  /// The nearest rank's. Takes a sample.
  double percentile(std::uint64_t thousandths) const;
  /// How many samples are in the bucket of `cycles` or in those before.
  std::uint64_t not_above(double cycles) const;
  LatencyBuckets buckets() const;
  void checkpoint(Checkpoint& c);

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0, sum_ = 0, min_ = ~std::uint64_t{0}, max_ = 0;
};

/// A histogram a section of the window. A section is one batch; as soon as that would make more than kMost of them, two
/// neighbours become one. So the room taken does not grow with the window, and however many slices counted, the
/// sections are the same.
class LatencySections {
 public:
  static constexpr std::size_t kMost = 64;
  /// Of a packet made in this batch.
  void add(std::uint64_t batch, std::uint64_t cycles);
  void merge(LatencySections other);
  LatencyHistogram all() const;
  /// Those that a window of so many batches is cut into. What is left over at its end goes with the last one.
  std::vector<LatencyHistogram> sections(std::uint64_t batches) const;
  void checkpoint(Checkpoint& c);

 private:
  void coarsen();
  std::uint64_t shift_ = 0;  // a section is 2^shift_ batches
  std::vector<LatencyHistogram> sections_;
};

}  // namespace braid::models
