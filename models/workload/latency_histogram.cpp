#include "models/workload/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace braid::models {
namespace {

constexpr std::uint64_t kPerOctave = 32;  // buckets for each doubling above

}  // namespace

std::size_t LatencyHistogram::wide_bucket_of(std::uint64_t cycles) {
  unsigned shift = 0;  // the bucket's width is 2^shift
  while ((cycles >> shift) >= 2 * kPerOctave) ++shift;
  return kExact + shift * kPerOctave + ((cycles >> shift) - kPerOctave);
}

double LatencyHistogram::bucket_middle(std::size_t bucket) {
  if (bucket < kExact) return static_cast<double>(bucket);
  const std::size_t shift = (bucket - kExact) / kPerOctave;
  const std::size_t step = (bucket - kExact) % kPerOctave;
  return (static_cast<double>(kPerOctave + step) + 0.5) * std::ldexp(1.0, static_cast<int>(shift));
}

/// The least latency of a bucket that has any, or of the one after it.
std::uint64_t LatencyHistogram::bucket_begin(std::size_t bucket) {
  if (bucket <= kExact) return bucket;
  return (kPerOctave + (bucket - kExact) % kPerOctave) << ((bucket - kExact) / kPerOctave);
}

void LatencyHistogram::checkpoint(Checkpoint& c) {
  c(counts_, count_, sum_, min_, max_);
  c.index(counts_.size(), bucket_of(~std::uint64_t{0}) + 2, "bucket of latencies");
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Distribution LatencyHistogram::distribution() const {
  Distribution d;
  if (count_ == 0) return d;
  d.count = count_;
  d.min = static_cast<double>(min_);
  d.max = static_cast<double>(max_);
  d.mean = static_cast<double>(sum_) / static_cast<double>(count_);
  d.p50 = percentile(500);
  d.p95 = percentile(950);
  d.p99 = percentile(990);
  d.p99_9 = percentile(999);
  return d;
}

double LatencyHistogram::at_rank(std::uint64_t rank) const {
  const auto min = static_cast<double>(min_), max = static_cast<double>(max_);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    below += counts_[i];
    if (below >= rank) return std::clamp(bucket_middle(i), min, max);
  }
  return max;
}

double LatencyHistogram::percentile(std::uint64_t thousandths) const {
  return at_rank(std::max<std::uint64_t>(1, (count_ * thousandths + 999) / 1000));
}

std::uint64_t LatencyHistogram::not_above(double cycles) const {
  const std::size_t last = std::min(counts_.size(), bucket_of(static_cast<std::uint64_t>(cycles)) + 1);
  return std::accumulate(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(last), std::uint64_t{0});
}

LatencyBuckets LatencyHistogram::buckets() const {
  LatencyBuckets all;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    all.first_cycle.push_back(bucket_begin(i));
    all.last_cycle.push_back(bucket_begin(i + 1) - 1);
    all.packets.push_back(counts_[i]);
  }
  return all;
}

void LatencySections::add_first(std::uint64_t batch, std::uint64_t cycles) {
  while (batch >> shift_ >= kMost) coarsen();
  const std::uint64_t section = batch >> shift_;
  if (section >= sections_.size()) sections_.resize(section + 1);
  sections_[section].add(cycles);
}

void LatencySections::coarsen() {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (i % 2 == 1) sections_[i / 2].merge(sections_[i]);
    if (i % 2 == 0 && i > 0) sections_[i / 2] = std::move(sections_[i]);
  }
  sections_.resize((sections_.size() + 1) / 2);
  ++shift_;
}

void LatencySections::merge(LatencySections other) {
  while (other.shift_ < shift_) other.coarsen();
  while (shift_ < other.shift_) coarsen();
  if (sections_.size() < other.sections_.size()) sections_.resize(other.sections_.size());
  for (std::size_t i = 0; i < other.sections_.size(); ++i) sections_[i].merge(other.sections_[i]);
}

LatencyHistogram LatencySections::all() const {
  LatencyHistogram all;
  for (const LatencyHistogram& section : sections_) all.merge(section);
  return all;
}

std::vector<LatencyHistogram> LatencySections::sections(std::uint64_t batches) const {
  if (batches == 0) return {};
  LatencySections copy = *this;
  while ((batches - 1) >> copy.shift_ >= kMost) copy.coarsen();
  std::vector<LatencyHistogram> all = std::move(copy.sections_);
  all.resize(((batches - 1) >> copy.shift_) + 1);
  const bool whole = batches % (std::uint64_t{1} << copy.shift_) == 0;
  if (!whole && all.size() > 1) {
    all[all.size() - 2].merge(all.back());
    all.pop_back();
  }
  return all;
}

void LatencySections::checkpoint(Checkpoint& c) {
  c(shift_, sections_);
  c.expect(shift_ < 64 && sections_.size() <= kMost, "sections of the window");
}

}  // namespace braid::models
