// Latencies counted by their value, for percentiles; and by the part of the window in which packets were made, for the
// intervals of these.
#pragma once

#include <algorithm>
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
  void add(std::uint64_t cycles) {
    const std::size_t bucket = cycles < kExact ? cycles : wide_bucket_of(cycles);
    if (__builtin_expect(bucket >= counts_.size(), 0)) have_bucket(bucket);
    ++counts_[bucket];
    ++count_;
    sum_ += cycles;
    min_ = std::min(min_, cycles);
    max_ = std::max(max_, cycles);
  }
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
  static constexpr std::uint64_t kExact = 2048;  // buckets of one cycle
  static std::size_t bucket_of(std::uint64_t cycles) { return cycles < kExact ? cycles : wide_bucket_of(cycles); }
  static std::size_t wide_bucket_of(std::uint64_t cycles);
  static double bucket_middle(std::size_t bucket);
  static std::uint64_t bucket_begin(std::size_t bucket);
  [[gnu::noinline, gnu::cold]] void have_bucket(std::size_t bucket) { counts_.resize(bucket + 1); }

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
  void add(std::uint64_t batch, std::uint64_t cycles) {
    const std::uint64_t section = batch >> shift_;
    if (__builtin_expect(section >= sections_.size(), 0)) return add_first(batch, cycles);
    sections_[section].add(cycles);
  }
  void merge(LatencySections other);
  LatencyHistogram all() const;
  /// Those that a window of so many batches is cut into. What is left over at its end goes with the last one.
  std::vector<LatencyHistogram> sections(std::uint64_t batches) const;
  void checkpoint(Checkpoint& c);

 private:
  /// ... in whose section there is none yet.
  [[gnu::noinline, gnu::cold]] void add_first(std::uint64_t batch, std::uint64_t cycles);
  void coarsen();
  std::uint64_t shift_ = 0;  // a section is 2^shift_ batches
  std::vector<LatencyHistogram> sections_;
};

}  // namespace braid::models
