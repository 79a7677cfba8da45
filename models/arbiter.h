// Arbiters: banks of many alike, each with its own register. An arbiter orders its requesters; the order changes only
// when a grant is used. Both kinds keep a strict total order, so the winner does not depend on the order of asking.
#pragma once

#include <cstdint>
#include <vector>

namespace braid::models {

/// Round robin: the first requester at or after the pointer. After a grant the pointer moves past the winner.
class RoundRobinArbiters {
 public:
  /// `arbiters` of them, for requesters 0 .. requesters - 1.
  RoundRobinArbiters(std::size_t arbiters, std::size_t requesters) : pointers_(arbiters), mask_(1) {
    while (mask_ < requesters) mask_ *= 2;
    --mask_;
  }
  /// Of two requesters, does `a` come before `b`?
  bool before(std::size_t arbiter, std::uint32_t a, std::uint32_t b) const {
    return ((a - pointers_[arbiter]) & mask_) < ((b - pointers_[arbiter]) & mask_);
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

 private:
  std::vector<std::uint16_t> pointers_;  // positions beyond the last requester only shift the scan: nobody is there
  std::uint32_t mask_;
};

/// Matrix: the requester whose last grant is longest ago; at first the lowest number. In hardware a triangle of bits
/// `a before b`; here, equally, the number of the grant in which each requester was served last.
class MatrixArbiters {
 public:
  MatrixArbiters(std::size_t arbiters, std::size_t requesters)
      : requesters_(requesters), served_(arbiters * requesters), grants_(arbiters) {}
  bool before(std::size_t arbiter, std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t* served = served_.data() + arbiter * requesters_;
    return served[a] != served[b] ? served[a] < served[b] : a < b;
  }
  unsigned pick(std::size_t arbiter, std::uint64_t requests) const {
    unsigned best = static_cast<unsigned>(__builtin_ctzll(requests));
    for (requests &= requests - 1; requests != 0; requests &= requests - 1) {
      const auto next = static_cast<unsigned>(__builtin_ctzll(requests));
      if (before(arbiter, next, best)) best = next;
    }
    return best;
  }
  void use(std::size_t arbiter, std::uint32_t winner) { served_[arbiter * requesters_ + winner] = ++grants_[arbiter]; }

 private:
  std::size_t requesters_;
  std::vector<std::uint64_t> served_;
  std::vector<std::uint64_t> grants_;
};

}  // namespace braid::models
