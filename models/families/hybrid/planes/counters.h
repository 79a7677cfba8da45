// Counters of planes: bit k of every router's counter is in plane k, so that all are counted up and down at once.
#pragma once

#include "models/families/hybrid/planes/vectors.h"

namespace braid::models::hybrid::planes {

/// Adds one where `more` is set and takes one where `less` is; where both are, nothing changes. Gives where the counter
/// is not zero then.
template <class Planes>
BRAID_PLANES_INLINE Planes count(Planes* counter, unsigned bits, const Planes& more, const Planes& less) {
  Planes carry = more ^ less, not_zero = carry ^ carry;
  const Planes down = less & ~more;
  for (unsigned k = 0; k < bits; ++k) {
    const Planes was = counter[k];
    counter[k] = was ^ carry;
    carry &= was ^ down;  // up it runs on through ones, down through zeros
    not_zero |= counter[k];
  }
  return not_zero;
}

/// Takes one where `less` is set. Gives where the counter is one then.
template <class Planes>
BRAID_PLANES_INLINE Planes count_down(Planes* counter, unsigned bits, const Planes& less) {
  Planes borrow = less, more_than_one = less ^ less;
  for (unsigned k = 0; k < bits; ++k) {
    counter[k] ^= borrow;
    borrow &= counter[k];
    if (k != 0) more_than_one |= counter[k];
  }
  return counter[0] & ~more_than_one;
}

/// Where the counter is one.
template <class Planes>
BRAID_PLANES_INLINE Planes is_one(const Planes* counter, unsigned bits) {
  Planes more_than_one = counter[0] ^ counter[0];
  for (unsigned k = 1; k < bits; ++k) more_than_one |= counter[k];
  return counter[0] & ~more_than_one;
}

/// One VC's counter at one router of the block.
template <class Shape>
inline std::uint32_t counter_of(const typename Shape::Vcs* counter, unsigned bits, unsigned vc, unsigned place) {
  std::uint32_t value = 0;
  for (unsigned k = 0; k < bits; ++k) value |= std::uint32_t{test<Shape>(counter[k], vc, place)} << k;
  return value;
}
template <class Shape>
inline void set_counter(typename Shape::Vcs* counter, unsigned bits, unsigned vc, unsigned place, std::uint32_t value) {
  for (unsigned k = 0; k < bits; ++k) put<Shape>(counter[k], vc, place, (value >> k & 1) != 0);
}

}  // namespace braid::models::hybrid::planes
