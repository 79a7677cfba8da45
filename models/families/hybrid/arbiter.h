// Arbiters: banks of many alike, each with its own register. An arbiter orders its requesters; the order changes only
// when a grant is used, or with the ages of packets. Every kind keeps a strict total order, so the winner does not
// depend on the order of asking.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

/// Round robin: the first requester at or after the pointer. After a grant the pointer moves past the winner.
class RoundRobinArbiters {
 public:
  /// `arbiters` of them, for requesters 0 .. requesters - 1.
  RoundRobinArbiters(std::size_t arbiters, std::size_t requesters) : pointers_(arbiters), mask_(1) {
    while (mask_ < requesters) mask_ *= 2;
    --mask_;
  }
  /// Place of a requester in the order: the lowest wins.
  std::uint32_t rank(std::size_t arbiter, std::uint32_t requester) const {
    return (requester - pointers_[arbiter]) & mask_;
  }
  /// The winner among the set bits of `requests`, which is not 0. At most 64 requesters.
  unsigned pick(std::size_t arbiter, std::uint64_t requests) const {
    const std::uint64_t later = requests & (~std::uint64_t{0} << pointers_[arbiter]);
    return static_cast<unsigned>(__builtin_ctzll(later != 0 ? later : requests));
  }
  /// `winner`'s grant was used.
  void use(std::size_t arbiter, std::uint32_t winner) {
    pointers_[arbiter] = static_cast<std::uint16_t>((winner + 1) & mask_);
  }
  /// [arbiter] who is asked first.
  std::uint16_t* pointers() { return pointers_.data(); }
  void checkpoint(Checkpoint& c) {
    c.array(pointers_.data(), pointers_.size());
    for (const std::uint16_t pointer : pointers_) c.index(pointer, std::uint64_t{mask_} + 1, "turn of an arbiter");
  }

 private:
  std::vector<std::uint16_t> pointers_;  // positions beyond the last requester only shift the scan: nobody is there
  std::uint32_t mask_;
};

/// Matrix: the requester whose last grant is longest ago; at first the lowest number. In hardware a triangle of bits
/// `a before b`; here, equally, each requester's place in the order.
class MatrixArbiters {
 public:
  MatrixArbiters(std::size_t arbiters, std::size_t requesters)
      : requesters_(requesters), ranks_(arbiters * requesters) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) ranks_[i] = static_cast<std::uint16_t>(i % requesters);
  }
  std::uint32_t rank(std::size_t arbiter, std::uint32_t requester) const {
    return ranks_[arbiter * requesters_ + requester];
  }
  unsigned pick(std::size_t arbiter, std::uint64_t requests) const {
    unsigned best = static_cast<unsigned>(__builtin_ctzll(requests));
    for (requests &= requests - 1; requests != 0; requests &= requests - 1) {
      const auto next = static_cast<unsigned>(__builtin_ctzll(requests));
      if (rank(arbiter, next) < rank(arbiter, best)) best = next;
    }
    return best;
  }
  /// The winner goes to the end; those behind it move up.
  void use(std::size_t arbiter, std::uint32_t winner) {
    std::uint16_t* const ranks = ranks_.data() + arbiter * requesters_;
    const std::uint16_t from = ranks[winner];
    for (std::size_t r = 0; r < requesters_; ++r) ranks[r] = static_cast<std::uint16_t>(ranks[r] - (ranks[r] > from));
    ranks[winner] = static_cast<std::uint16_t>(requesters_ - 1);
  }
  /// [arbiter * requesters + requester]
  std::uint16_t* ranks() { return ranks_.data(); }
  void checkpoint(Checkpoint& c) {
    c.array(ranks_.data(), ranks_.size());
    std::vector<bool> taken;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (i % requesters_ == 0) taken.assign(requesters_, false);
      c.index(ranks_[i], requesters_, "rank at an arbiter");
      c.expect(!taken[ranks_[i]], "two requesters of one rank at an arbiter");
      taken[ranks_[i]] = true;
    }
  }

 private:
  std::size_t requesters_;
  std::vector<std::uint16_t> ranks_;
};

/// Oldest first (Abts and Weisser, "Age-based packet arbitration in large-radix k-ary n-cubes", SC 2007): the requester
/// whose packet was created longest ago; among packets of the same age, round robin. As in hardware an age is a field
/// of the head flit of so many bits, with which it stays at its highest value: a packet never becomes young again, and
/// those that have come to that value are alike, so that round robin serves them all.
class OldestFirstArbiters {
 public:
  /// `age_bits` and the bits of a requester: at most 31 together.
  OldestFirstArbiters(std::size_t arbiters, std::size_t requesters, unsigned age_bits)
      : turns_(arbiters, requesters), oldest_((std::uint64_t{1} << age_bits) - 1) {
    while ((std::size_t{1} << tie_bits_) < requesters) ++tie_bits_;
  }
  /// `age` of the packet that it asks for, in cycles.
  std::uint32_t rank(std::size_t arbiter, std::uint32_t requester, std::uint64_t age) const {
    const auto youth = static_cast<std::uint32_t>(oldest_ - std::min(age, oldest_));
    return (youth << tie_bits_) | turns_.rank(arbiter, requester);
  }
  /// Of requesters that are no packets: round robin.
  unsigned pick(std::size_t arbiter, std::uint64_t requests) const { return turns_.pick(arbiter, requests); }
  void use(std::size_t arbiter, std::uint32_t winner) { turns_.use(arbiter, winner); }
  void checkpoint(Checkpoint& c) { c(turns_); }

 private:
  RoundRobinArbiters turns_;
  std::uint64_t oldest_;
  unsigned tie_bits_ = 0;
};

/// Arbiters of any kind, called through a pointer: the face of a user's own (ArbiterRegistry in switch_allocator.h).
class AnyArbiters {
 public:
  static const char* axis() { return "arbiter"; }
  virtual ~AnyArbiters() = default;
  /// Place of a requester in the order of one arbiter: the lowest wins, no two are alike. Changes with `use` only.
  virtual std::uint32_t rank(std::size_t arbiter, std::uint32_t requester) const = 0;
  /// `winner`'s grant was used.
  virtual void use(std::size_t arbiter, std::uint32_t winner) = 0;
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this arbiter has no checkpoint()"); }
};

/// The best offer that an arbiter has heard so far: the lowest rank wins, whatever the order of the offers. One word,
/// so that taking the better of two is a comparison without a branch.
template <class Word>
class BestOffer {
 public:
  BestOffer() = default;
  BestOffer(std::uint32_t rank, std::uint32_t from)
      : word_(static_cast<Word>((static_cast<Word>(rank) << kHalf) | static_cast<Word>(from))) {}
  bool empty() const { return word_ == kEmpty; }
  std::uint32_t from() const { return static_cast<std::uint32_t>(word_ & ((Word{1} << kHalf) - 1)); }
  void improve(BestOffer other) { word_ = other.word_ < word_ ? other.word_ : word_; }

 private:
  static constexpr unsigned kHalf = 4 * sizeof(Word);
  static constexpr Word kEmpty = static_cast<Word>(~Word{0});
  Word word_ = kEmpty;
};
using Offer = BestOffer<std::uint64_t>;
/// Ranks and senders below 65,535: those of a router's own VCs, of which thousands of offers are to stay near the
/// processor.
using ShortOffer = BestOffer<std::uint32_t>;

}  // namespace braid::models::hybrid
